// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct ServiceManagerTests {
  /// The messages that the manager's end of the socket receives from `body`.
  private func messages(abstract: Bool, _ body: (ServiceManager) -> Void) throws -> [String] {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/notify"
    let address = try abstract ? UnixAddress(abstract: path) : UnixAddress(path: path)
    let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(manager) }
    try #require(address.withPointer { bind(manager, $0, $1) } == 0)
    let service = ServiceManager(environment: { ["NOTIFY_SOCKET": abstract ? "@" + path : path][$0] })
    #expect(service.isPresent)
    body(service)
    var result: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(manager, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0 { break }
      result.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
    return result
  }

  @Test("Each message has the format of sd_notify(3)", arguments: [false, true])
  func notifies(abstract: Bool) throws {
    let before = SystemClock.monotonic.now.totalNanoseconds / 1000
    let seen = try messages(abstract: abstract) {
      #expect($0.ready(status: "10:00 on HDMI-A-1") == nil)
      $0.ready()
      $0.status("two\nlines\u{1b}")
      $0.reloading()
      $0.watchdog()
      $0.stopping()
    }
    try #require(seen.count == 6)
    #expect(seen[0] == "READY=1\nSTATUS=10:00 on HDMI-A-1")
    #expect(seen[1] == "READY=1")
    #expect(seen[2] == "STATUS=two lines ")
    let reloading = seen[3].split(separator: "\n")
    #expect(reloading.first == "RELOADING=1")
    let time = try #require(reloading.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) })
    #expect(reloading.count == 2)
    #expect(time >= before && time <= SystemClock.monotonic.now.totalNanoseconds / 1000)
    #expect(seen[4] == "WATCHDOG=1")
    #expect(seen[5] == "STOPPING=1")
  }

  @Test("A manager that is gone causes an error")
  func gone() {
    let service = ServiceManager(environment: { ["NOTIFY_SOCKET": "/nowhere/notify"][$0] })
    #expect(service.ready()?.errno.rawValue == ENOENT)
  }

  @Test("A manager that does not read does not block a status message")
  func full() throws {
    var refused: SystemError?
    let seen = try messages(abstract: true) { service in
      for _ in 0..<100_000 where refused == nil { refused = service.status("x") }
    }
    #expect(refused?.errno.rawValue == EAGAIN)
    #expect(!seen.isEmpty)
  }

  @Test("Without a manager nothing is sent", arguments: [nil, "", "vsock:2:1", "relative"])
  func absent(_ address: String?) {
    let service = ServiceManager(environment: { $0 == "NOTIFY_SOCKET" ? address : nil })
    #expect(!service.isPresent)
    #expect(service.ready(status: "x") == nil)
    #expect(service.watchdogInterval == nil)
    #expect(service.listenFileDescriptors() == [])
  }

  @Test("The watchdog's interval is used only if it is for this process")
  func watchdog() {
    let mine = String(getpid())
    let cases: [(String?, String?, Int64?)] = [
      ("20000000", mine, 20_000_000_000), ("20000000", nil, 20_000_000_000), ("20000000", "1", nil),
      ("0", mine, nil), ("-5", mine, nil), ("x", mine, nil), (nil, mine, nil),
      ("9223372036854775807", mine, nil), ("99999999999999999999", mine, nil),
    ]
    for (interval, process, expected) in cases {
      let service = ServiceManager(environment: {
        ["WATCHDOG_USEC": interval, "WATCHDOG_PID": process][$0] ?? nil
      })
      #expect(service.watchdogInterval == expected, "\(interval ?? "-") \(process ?? "-")")
    }
  }

  @Test("Passed sockets are returned once, with their names, and not inherited")
  func listens() throws {
    // Two consecutive descriptors, as systemd passes them from 3 on.
    let first: Int32 = 700
    for descriptor in [first, first + 1] { try #require(dup2(2, descriptor) == descriptor) }
    defer { for descriptor in [first, first + 1] { close(descriptor) } }
    let mine = String(getpid())
    let take = { (count: String?, names: String?, process: String?) in
      ServiceManager(
        environment: { ["LISTEN_FDS": count, "LISTEN_FDNAMES": names, "LISTEN_PID": process][$0] ?? nil },
        firstListenDescriptor: first)
    }
    let service = take("2", "control:", mine)
    #expect(
      service.listenFileDescriptors() == [
        .init(rawValue: first, name: "control"), .init(rawValue: first + 1, name: ""),
      ])
    #expect(service.listenFileDescriptors() == [])
    #expect(clinux_fcntl(first, F_GETFD, 0) == FD_CLOEXEC)
    #expect(take("1", nil, mine).listenFileDescriptors() == [.init(rawValue: first, name: "unknown")])
    // The third of these descriptors is not open.
    #expect(take("3", nil, mine).listenFileDescriptors().count == 2)
    let none: [(String?, String?)] = [
      ("2", "1"), ("2", nil), (nil, mine), ("0", mine), ("-1", mine), ("2147483647", mine),
      ("9999999999", mine),
    ]
    for (count, process) in none { #expect(take(count, nil, process).listenFileDescriptors() == []) }
  }

  @Test("The variables are removed, so that child processes do not inherit them")
  func unsets() {
    var left = Dictionary(uniqueKeysWithValues: ServiceManager.variables.map { ($0, "1") })
    left["PATH"] = "/bin"
    _ = ServiceManager(environment: { left[$0] }, unset: { left[$0] = nil })
    #expect(left == ["PATH": "/bin"])
  }
}
