// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct PeerProcessTests {
  @Test("A socket's peer has its process, user and name")
  func peer() throws {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    let peer = try #require(PeerProcess(of: pair[0]))
    #expect(peer.process == getpid() && peer.user == geteuid())
    let name = try #require(peer.name)
    #expect(!name.isEmpty && !name.contains("\n"))
    let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    #expect("\(peer)" == "\(name) (process \(getpid()), user \(user ?? "\(geteuid())"))")
  }

  @Test("A process that is not visible has no name, and a file that is not a socket has no peer")
  func invisible() throws {
    let hidden = PeerProcess(process: Int32.max, user: 0)
    #expect(hidden.name == nil)
    #expect("\(hidden)" == "a program (process \(Int32.max), user root)")
    let unknown = PeerProcess(process: Int32.max, user: 4_000_000_000)
    #expect("\(unknown)" == "a program (process \(Int32.max), user 4000000000)")
    #expect(PeerProcess(process: 0, user: 0).name == nil)
    let file = try FileDescriptor(opening: "/dev/null", O_RDWR)
    #expect(PeerProcess(of: file.rawValue) == nil)
  }
}

struct DirectoryHazardTests {
  @Test(
    "Only root, the process's user and the group may write to a safe directory",
    arguments: [
      (0, 0o755, nil), (1000, 0o700, nil), (1000, 0o770, nil), (0, 0o775, nil),
      (1000, 0o777, .writableByOthers(mode: 0o777)), (0, 0o1777, .writableByOthers(mode: 0o1777)),
      (1000, 0o702, .writableByOthers(mode: 0o702)), (1001, 0o700, .foreignOwner(user: 1001)),
      (1001, 0o777, .foreignOwner(user: 1001)),
    ] as [(UInt32, UInt32, DirectoryHazard?)])
  func hazards(owner: UInt32, mode: UInt32, hazard: DirectoryHazard?) {
    #expect(DirectoryHazard(owner: owner, mode: S_IFDIR | mode, user: 1000) == hazard)
  }

  @Test("The problem and the remedy name the directory")
  func texts() {
    for hazard in [DirectoryHazard.foreignOwner(user: 7), .writableByOthers(mode: 0o777)] {
      let text = hazard.text("/srv/scores")
      #expect(text.problem.contains("/srv/scores") && text.remedy.contains("/srv/scores"))
    }
  }
}
