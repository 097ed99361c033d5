// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import LinuxSystem
import Remotes
import Scoreboard
import TestSupport
import Testing

@testable import Daemon
@testable import Settings

@Suite("Keys") struct KeyInputTests {
  /// A wall that cannot reach its leader. It leads only after a confirmation.
  private final class Follower: ChangeHandler {
    var leads: [Bool] = []
    var clears = 0

    func perform(
      _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
    ) {
      switch change {
      case .lead(let anyway):
        leads.append(anyway)
        completion(
          anyway ? .success(.led(changed: true)) : .failure(.takeoverUnconfirmed(board: "hall", seconds: 9)))
      case .clearMessage: clears += 1
      default: break
      }
    }
  }

  private final class Lines: @unchecked Sendable { var all: [String] = [] }

  /// The keys that are pressed, each with its time in seconds; and for each `lead` whether it confirms
  /// another one.
  @Test(
    arguments: [
      ([(1, 0)], [false]),
      ([(1, 0), (1, 9.9)], [false, true]),
      ([(1, 0), (1, 10)], [false, false]),
      ([(1, 0), (2, 1)], [false, false]),
      ([(1, 0), (3, 1), (1, 2)], [false, false]),
      ([(1, 0), (1, 1), (1, 2)], [false, true, false]),
      ([(1, 0), (1, 11), (1, 12)], [false, false, true]),
    ] as [([(UInt16, Double)], [Bool])])
  func leadIsConfirmedBySecondPress(presses: [(code: UInt16, seconds: Double)], expected: [Bool]) throws {
    let handler = Follower()
    let loop = try EventLoop()
    var now: Int64 = 0
    var questions = 0
    var settings = InputSettings()
    settings.isEnabled = true
    settings.devices = []
    settings.keys = [
      .init(code: 1, command: "lead"), .init(code: 2, command: "lead"),
      .init(code: 3, command: "message --clear"),
    ]
    let keys = try #require(
      KeyInput(
        settings, on: loop, handler: handler,
        host: ServiceLink(candidates: [], busy: HostInterface.error("Busy"), on: loop), log: Log { _, _ in },
        askAgain: { questions += 1 }, hasKeyboard: { true }, now: { now }))
    for press in presses {
      now = Int64(press.seconds * 1e9)
      keys.press(press.code)
    }
    keys.stop()
    #expect(handler.leads == expected)
    #expect(questions == expected.count { !$0 })
    #expect(handler.clears == presses.count { $0.code == 3 })
  }

  private func keys(
    _ commands: [String], host path: String, on loop: EventLoop, log lines: Lines
  ) throws -> KeyInput {
    var settings = InputSettings()
    settings.isEnabled = true
    settings.devices = []
    settings.keys = commands.enumerated().map { .init(code: UInt16($0 + 1), command: $1) }
    return try #require(
      KeyInput(
        settings, on: loop, handler: Follower(),
        host: ServiceLink(candidates: [path], busy: HostInterface.error("Busy"), on: loop),
        log: Log { _, line in lines.all.append(line) }, askAgain: {}, hasKeyboard: { true }))
  }

  @Test(
    "A key has flipclock-host change the network",
    arguments: [
      ("network open", "OpenAccessPoint\""), ("network close", "CloseAccessPoint"),
      ("network fallback on", "SetFallback\",\"parameters\":{\"allowed\":true}"),
    ])
  func network(command: String, call: String) throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let lines = Lines()
    let path = directory.file("host.sock")
    var received: [UInt8] = []
    let listener = try UnixListener(path: path, mode: 0o600, on: loop) { connection in
      // The call was sent when the connection was made.
      if case .bytes(let bytes) = Received(from: connection.rawValue, limit: 4_096) { received = bytes }
      loop.stop()
    }
    let keys = try keys([command], host: path, on: loop, log: lines)
    keys.press(1)
    try loop.run()
    keys.stop()
    listener.close()
    let text = String(decoding: received, as: UTF8.self)
    #expect(text.contains("org.flipclock.Host.\(call)"), "\(text)")
    #expect(lines.all == [])
  }

  @Test("Without flipclock-host, the log says so; a key that would only print does nothing")
  func withoutHost() throws {
    let lines = Lines()
    let path = "/nonexistent/host.sock"
    let keys = try keys(["network open", "network"], host: path, on: try EventLoop(), log: lines)
    #expect(lines.all.count == 1 && lines.all[0].contains("changes nothing in this form"), "\(lines.all)")
    keys.press(2)
    keys.press(1)
    keys.stop()
    try #require(lines.all.count == 2)
    #expect(lines.all[1].contains("'network open'") && lines.all[1].contains(path), "\(lines.all)")
  }
}
