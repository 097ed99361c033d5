// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings
import Spelling

/// Finds keys that have no effect because of other keys.
package enum EffectCheck {
  /// A finding for each such key; `check` reports those of the keys that a file has.
  package static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    let rules = configuration.game.rules
    var known: Set<String> = []
    var findings: [SettingsChecks.Finding] = []
    for reason in ineffective where reason.applies(rules) {
      for key in reason.keys where known.insert(key).inserted {
        findings.append(
          SettingsChecks.Finding(
            .key(["game", key]), "'\(key)' in [game] has no effect: \(reason.why)", hint: reason.hint))
      }
    }
    findings += nearMisses(rules)
    if !configuration.input.isEnabled, !configuration.input.keys.isEmpty {
      findings.append(
        SettingsChecks.Finding(
          .key(["input", "keys"]), "[input.keys] has no effect without 'enabled' in [input]",
          hint: "write [input] and enabled = true above it"))
    }
    return findings
  }

  /// Findings for counters that the config adds, and whose ids are nearly those of the preset's counters.
  private static func nearMisses(_ rules: GameRules) -> [SettingsChecks.Finding] {
    let known = GameRules(GameRules.Preset(rawValue: rules.preset) ?? .free).counters.map(\.id)
    func letters(_ id: String) -> [Character] { id.filter(\.isLetter) }
    return rules.counters.map(\.id).filter { !known.contains($0) }.compactMap { id in
      // Only one letter may differ, because `green-cards` beside football's `red-cards` is not a mistake.
      known.first { Spelling.distance(letters(id), letters($0)) <= 1 }.map {
        SettingsChecks.Finding(
          .key(["game", "counters"]),
          "[game.counters.\(id)] adds a counter to those of the preset",
          hint: "did you mean '\($0)'?")
      }
    }
  }

  /// Keys of `[game]` that have no effect with certain rules, and why.
  private struct Ineffective: Sendable {
    let keys: [String]
    let why: String
    let hint: String?
    let applies: @Sendable (GameRules) -> Bool

    init(
      _ keys: [String], _ why: String, hint: String? = nil, _ applies: @escaping @Sendable (GameRules) -> Bool
    ) {
      self.keys = keys
      self.why = why
      self.hint = hint
      self.applies = applies
    }
  }

  /// If several of these apply to a key, the first gives the reason.
  private static let ineffective = [
    Ineffective(
      [
        "points-to-win-deciding", "periods-to-win", "period-end", "tie-break-points-deciding",
        "match-tie-break", "first-serve", "first-serve-deciding", "side-change-at", "interval-in-set",
        "interval-in-set-at",
      ], "'scoring' is \"total\""
    ) { $0.scoring == .total },
    Ineffective(
      ["games-to-win", "games-lead", "game-name", "tie-break-at", "tie-break-points"],
      "'scoring' is \"total\", and 'points-to-win' is 0"
    ) { $0.scoring == .total && !$0.hasWinningScore },
    Ineffective(
      [
        "overtime-name", "overtime-short-name", "overtime-interval", "overtime-periods", "overtime-goal-wins",
      ],
      "games with scoring = \"sets\" have no overtime"
    ) { $0.scoring == .sets },
    Ineffective(["overtime-length"], "no set follows the last one") {
      $0.scoring == .sets && $0.periodsToWin > 0
    },
    Ineffective(
      [
        "points-to-win", "points-to-win-deciding", "lead", "cap", "side-change-at", "interval-in-set-at",
      ],
      "scores count down to 0, which wins"
    ) { $0.countsDown },
    Ineffective(["points-to-win-deciding", "lead", "cap", "period-end"], "'points-to-win' is 0") {
      !$0.hasWinningScore
    },
    Ineffective(
      [
        "points-to-win-deciding", "tie-break-points-deciding", "match-tie-break", "first-serve-deciding",
        "side-change-at",
      ],
      "'periods-to-win' is 0, so no set is the last one"
    ) { $0.periodsToWin == 0 },
    Ineffective(
      [
        "games-lead", "game-name", "tie-break-at", "tie-break-points", "tie-break-points-deciding",
        "match-tie-break",
      ],
      "'games-to-win' is 0, so sets do not consist of games"
    ) { $0.games == nil },
    Ineffective(["tie-break-points", "tie-break-points-deciding"], "'tie-break-at' is 0") {
      $0.games?.tieBreakAt == 0
    },
    Ineffective(
      ["tie-break-points-deciding"], "the last set is a tie-break to the points of 'match-tie-break'"
    ) { ($0.games?.matchTieBreak ?? 0) > 0 },
    Ineffective(
      ["points-to-win-deciding"], "sets consist of games",
      hint: "write 'tie-break-points-deciding' for the tie-break in the last set, or 'match-tie-break' for a "
        + "tie-break instead of the last set"
    ) { $0.games != nil },
    Ineffective(["side-change-at", "interval-in-set-at"], "sets consist of games") { $0.games != nil },
    Ineffective(["side-change-at"], "'side-change' is not \"periods\"") { $0.sideChange != .periods },
    Ineffective(["side-change"], "sets do not consist of games, after which sides would change") {
      $0.sideChange == .games && ($0.games == nil || $0.scoring == .total)
    },
    Ineffective(
      ["double-out", "turn-limit"],
      "scores do not count down; they do with better = \"lower\" and a 'start-score'"
    ) { !$0.countsDown },
    Ineffective(["serves-in-row"], "'serve-rule' is not \"points\"") { $0.serveRule != .points },
    Ineffective(
      ["first-serve", "first-serve-deciding"], "'serve-rule' is \"hand\" or \"games\""
    ) {
      $0.serveRule == .hand || $0.serveRule == .games
    },
    Ineffective(["interval-in-set-at"], "'interval-in-set' is 0") { $0.breaks.inSet == 0 },
    Ineffective(["interval-in-set"], "no number of points begins it: 'interval-in-set-at' is 0") {
      $0.games == nil && ($0.breaks.inSetAt == 0 || $0.countsDown)
    },
    Ineffective(["penalties-running"], "'penalties' is empty") { $0.penalties.isEmpty },
    Ineffective(
      [
        "clock-length", "overtime-length", "clock-warning", "clock-end", "clock-continues",
        "shot-clock-follows",
      ],
      "'clock' is \"none\""
    ) { $0.game == nil },
    Ineffective(
      ["clock-warning", "clock-end", "clock-continues"], "the clock has no end: 'clock-length' is 0"
    ) {
      $0.game.map { $0.direction == .up && $0.length == 0 } ?? false
    },
    Ineffective(["overtime-periods"], "the clock has no end, and so has the match") {
      $0.counters.isEmpty && ($0.game.map { $0.direction == .up && $0.length == 0 } ?? true)
    },
    Ineffective(["clock-continues"], "the clock counts down") { $0.game?.direction == .down },
    Ineffective(
      ["shot-clock-second", "shot-clock-warning", "shot-clock-follows"], "there is no 'shot-clock'"
    ) {
      $0.shot == nil
    },
  ]
}
