// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import DaemonDouble
import WallState
import Walls

@testable import Daemon
@testable import Scoreboard

extension FuzzTarget {
  /// A state file. The match that it contains is resumed at several times, changed, and written and read
  /// again.
  static let state = FuzzTarget(
    name: "state",
    seeds: {
      try GameRules.Preset.allCases.map { preset in
        let handler = RefereeHandler(preset)
        for action in actions { handler.perform(.match(action)) { _ in } }
        var (writer, wall) = (StateWriter(), SavedWall(handler.match))
        wall.holds.brightness = .init(percent: 60, insteadOf: 100)
        wall.replaced = ReplacedMatch(match: handler.match, id: "1a-2", next: 3)
        return try writer.bytes(
          of: wall, at: Moment(clock: handler.now, realtime: 1_795_312_916_637_444_842))
      }
    },
    run: { bytes in
      guard let document = try? StateDocument(reading: bytes) else { return }
      let presets = GameRules.Preset.allCases
      for (index, now) in moments.enumerated() {
        for runs in [false, true] {
          let rules = GameRules(presets[(bytes.count + index) % presets.count])
          var match = document.resumed(RefereeHandler.teams, rules: rules, at: now, runs: runs)
          try play(&match, at: now.clock)
          guard var replaced = document.wall.replaced?.match else { continue }
          replaced = document.resumed(
            of: replaced, RefereeHandler.teams, rules: replaced.scoreboard.rules, at: now, runs: false)
          try play(&replaced, at: now.clock)
        }
      }
    })

  /// The times at which the daemon starts: soon after the boot, much later, and with clocks that are wrong.
  private static let moments: [Moment] = [
    .init(clock: 5_000_000_000, realtime: 1_795_312_926_637_444_842), .init(clock: 1 << 60, realtime: 0),
    .init(clock: .max, realtime: .max), .init(clock: 0, realtime: .min),
  ]

  private static let actions: [Scoreboard.Action] = [
    .startTimer(.game), .addScore(team: "home", by: 1), .addScore(team: "guest", by: 3),
    .setTeam(team: "guest", name: "LIONS", shortName: "LIO", color: 0xff8800), .swapSides,
    .addCounter(team: "home", counter: "fouls", by: 1), .addPenalty(team: "home", length: nil, number: 4),
    .setServing(team: "guest"), .pauseTimer(.game), .addPeriod(by: 1), .startTimer(.shot),
    .addScore(team: "guest", by: 1), .undo, .undo,
  ]

  private static func play(_ match: inout Match, at now: Int64) throws {
    let resumed = match
    _ = MatchState(match, at: now)
    let (later, overflow) = now.addingReportingOverflow(3_000_000_000)
    let time = overflow ? now : later
    for action in actions { _ = try? match.apply(action, at: time) }
    _ = MatchState(match, at: time)
    for _ in 0..<20 { _ = try? match.apply(.undo, at: time) }
    for _ in 0..<20 { _ = try? match.apply(.redo, at: time) }
    _ = match.past.map(\.summary)
    for written in [resumed, match] {
      var writer = StateWriter()
      let bytes = try writer.bytes(of: SavedWall(written), at: Moment(clock: now, realtime: 0))
      guard let read = try? StateDocument(reading: bytes) else {
        throw Broken(description: "written, but cannot be read: \(String(decoding: bytes, as: UTF8.self))")
      }
      try check(!read.lostHistory, "the history is lost: \(String(decoding: bytes, as: UTF8.self))")
      var scoreboard = read.match.scoreboard
      scoreboard.rules = written.scoreboard.rules
      try check(scoreboard == written.scoreboard, "\(written.scoreboard) became \(scoreboard)")
    }
  }
}
