// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@testable import ControlServer
@testable import Varlink

@Suite struct ChangeLogTests {
  @Test("Each change is logged with the client's process; calls that change nothing are not logged")
  func changes() throws {
    let lines = Lines()
    let server = try TestServer(log: Log { level, line in lines.all.append("\(level): \(line)") })
    let peer = try server.connect()
    peer.setScore("home", 8)
    peer.setScore("nobody", 8)
    peer.call("org.flipclock.Control.GetState")
    peer.call("org.flipclock.Control.Reload")
    try server.settle()
    // A reload is logged by the daemon, with its result.
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.hasPrefix("info: ") == true)
    #expect(
      lines.all.first?.hasSuffix(
        #"\#(PeerProcess(process: getpid(), user: geteuid())): SetScore {"score":8,"team":"home"}"#) == true)
    #expect(server.handler.reloads == ["\(PeerProcess(process: getpid(), user: geteuid()))"])
  }

  @Test("A change that was not saved is logged with the client, the command and the reason")
  func unsaved() throws {
    let lines = Lines()
    let server = try TestServer(log: Log { level, line in lines.all.append("\(level): \(line)") })
    server.handler.saveFailure = "fsync /state: Input/output error"
    let peer = try server.connect()
    peer.setScore("home", 8)
    try server.settle()
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.hasPrefix("error: ") == true)
    for words in [
      "process \(getpid())", #"SetScore {"score":8,"team":"home"}"#,
      "not saved: fsync /state: Input/output error",
    ] {
      #expect(lines.all.first?.contains(words) == true)
    }
  }

  @Test("A client in a loop gets twenty lines a minute, and a line says how many are missing")
  func limit() {
    var limit = ChangeLog.Limit()
    let second: Int64 = 1_000_000_000
    var admitted = (0..<50).compactMap { limit.admit(at: Int64($0) * second) }
    #expect(admitted == Array(repeating: 0, count: 20))
    admitted = (60..<130).compactMap { limit.admit(at: Int64($0) * second) }
    #expect(admitted.count == 30)
    #expect(admitted.first == 30 && admitted[20] == 40)
    #expect(limit.admit(at: 1000 * second) == 0)
  }

  @Test("A long text is cut")
  func long() {
    let lines = Lines()
    var log = ChangeLog(Log { _, line in lines.all.append(line) })
    let text = String(repeating: "x", count: 4000)
    log.write(
      VarlinkCall(method: "org.flipclock.Control.ShowMessage", parameters: ["text": .string(text)]), by: nil)
    #expect(lines.all.count == 1)
    #expect(
      lines.all.first?.hasPrefix("a client: ShowMessage") == true && (lines.all.first?.count ?? 0) < 300)
  }
}

/// `@unchecked Sendable` because it is used on one thread only.
private final class Lines: @unchecked Sendable { var all: [String] = [] }
