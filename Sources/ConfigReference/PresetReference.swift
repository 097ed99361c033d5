// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// What the presets of `[game]` contain, as keys of the config.
enum PresetReference {
  /// The keys of `[game]` in which a preset differs from `free`, with their values in TOML.
  static func keys(_ preset: GameRules.Preset) -> [(name: String, value: String)] {
    let (rules, free) = (values(GameRules(preset)), values(GameRules(.free)))
    return zip(rules, free).compactMap { rule, free in
      rule.value.flatMap { rule.value == free.value ? nil : (rule.name, $0) }
    }
  }

  /// The keys of a counter's table.
  static func keys(_ counter: GameRules.Counter) -> [(name: String, value: String)] {
    var keys = [("name", quoted(counter.name)), ("limit", "\(counter.firstHalfLimit)")]
    if counter.secondHalfLimit != counter.firstHalfLimit {
      keys.append(("limit-second-half", "\(counter.secondHalfLimit)"))
    }
    if counter.overtimeLimit != counter.secondHalfLimit {
      keys.append(("limit-overtime", "\(counter.overtimeLimit)"))
    }
    keys.append(("reset", quoted(counter.reset.rawValue)))
    if counter.keepsInOvertime { keys.append(("keep-in-overtime", "true")) }
    return keys
  }

  /// The text of a preset in the form of a key's text.
  static func text(_ preset: GameRules.Preset) -> String {
    let keys = keys(preset).map { "`\($0.name) = \($0.value)`" }
    let counters = GameRules(preset).counters.map { counter in
      "`[game.counters.\(counter.id)]`: "
        + Self.keys(counter).map { "`\($0.name) = \($0.value)`" }.joined(separator: ", ") + "."
    }
    return ([keys.isEmpty ? "Scores and a stopwatch." : keys.joined(separator: ", ") + "."] + counters)
      .joined(separator: "\n\n")
  }

  private static func values(_ rules: GameRules) -> [(name: String, value: String?)] {
    let (games, game) = (rules.games, rules.game)
    let winning: [(String, String?)] = [
      ("periods", "\(rules.periods)"), ("period-name", quoted(rules.periodName)),
      ("overtime-name", quoted(rules.overtimeName)), ("overtime-short-name", quoted(rules.shortOvertimeName)),
      ("scoring", quoted(rules.scoring.rawValue)), ("start-score", "\(rules.startScore)"),
      ("better", quoted(rules.better.rawValue)),
      ("increments", "[\(rules.increments.map(String.init).joined(separator: ", "))]"),
      ("points-to-win", "\(rules.pointsToWin)"), ("points-to-win-deciding", "\(rules.pointsToWinDeciding)"),
      ("lead", "\(rules.lead)"), ("cap", "\(rules.cap)"), ("periods-to-win", "\(rules.periodsToWin)"),
      ("period-end", quoted(rules.periodEnd.rawValue)), ("games-to-win", games.map { "\($0.toWin)" }),
      ("games-lead", games.map { "\($0.lead)" }), ("game-name", games.map { quoted($0.name) }),
      ("tie-break-at", games.map { "\($0.tieBreakAt)" }),
      ("tie-break-points", games.map { "\($0.tieBreakPoints)" }),
      ("point-names", quoted(rules.pointNames.rawValue)), ("double-out", "\(rules.doubleOut)"),
      ("turn-limit", "\(rules.turnLimit)"),
    ]
    let serving: [(String, String?)] = [
      ("serve", quoted(rules.serve.rawValue)), ("serve-rule", quoted(rules.serveRule.rawValue)),
      ("serves-in-row", "\(rules.servesInRow)"), ("first-serve", quoted(rules.firstServe.rawValue)),
      ("first-serve-deciding", rules.firstServeDeciding.map { quoted($0.rawValue) }),
      ("side-change", quoted(rules.sideChange.rawValue)), ("side-change-at", "\(rules.sideChangeAt)"),
    ]
    let clocks: [(String, String?)] = [
      ("penalties", "[\(rules.penalties.map(time).joined(separator: ", "))]"),
      ("penalties-running", "\(rules.penaltiesRunning)"),
      ("clock", game.map { quoted($0.direction.rawValue) }), ("clock-length", game.map { time($0.length) }),
      ("overtime-length", game.map { time($0.overtimeLength) }),
      ("clock-warning", game.map { time($0.warning) }),
      ("clock-end", game.map { quoted($0.end.rawValue) }),
      ("clock-continues", game.map { "\($0.continues)" }),
      ("shot-clock", rules.shot.map { time($0.length) }),
      ("shot-clock-second", rules.secondShot > 0 ? time(rules.secondShot) : nil),
      ("shot-clock-warning", rules.shot.map { time($0.warning) }),
    ]
    return (winning + serving + clocks).map { (name: $0.0, value: $0.1) }
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  private static func time(_ nanoseconds: Int64) -> String { quoted(GameTimeText.text(nanoseconds)) }
}
