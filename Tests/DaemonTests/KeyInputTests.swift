// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import LinuxSystem
import Remotes
import Scoreboard
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
        settings, on: loop, handler: handler, host: HostLink(candidates: [], on: loop), log: Log { _, _ in },
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

  @Test("A key opens the access point; without flipclock-host, the log says so")
  func network() throws {
    let loop = try EventLoop()
    let lines = Lines()
    var settings = InputSettings()
    settings.isEnabled = true
    settings.devices = []
    settings.keys = [.init(code: 1, command: "network open"), .init(code: 2, command: "network")]
    let path = "/nonexistent/host.sock"
    let keys = try #require(
      KeyInput(
        settings, on: loop, handler: Follower(), host: HostLink(candidates: [path], on: loop),
        log: Log { _, line in lines.all.append(line) }, askAgain: {}, hasKeyboard: { true }))
    #expect(lines.all.count == 1 && lines.all[0].contains("changes nothing in this form"), "\(lines.all)")
    keys.press(2)
    keys.press(1)
    keys.stop()
    try #require(lines.all.count == 2)
    #expect(lines.all[1].contains("'network open'") && lines.all[1].contains(path), "\(lines.all)")
  }
}
