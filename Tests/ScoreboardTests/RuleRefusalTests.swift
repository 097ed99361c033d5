// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scoreboard

/// What the rules do not allow, and what `anyway` overrules.
@Suite("Refusals by the rules") struct RuleRefusalTests {
  private func refusal(_ match: Match, _ action: Scoreboard.Action, at now: Int64) -> Scoreboard.Refusal? {
    var copy = match
    do throws(Scoreboard.Refusal) { try copy.apply(action, at: now) } catch { return error }
    return nil
  }

  /// An action of a match, also one that it refuses.
  private func play(_ rules: GameRules, _ random: inout SplitMix) -> Scoreboard.Action {
    let team = Bool.random(using: &random) ? "home" : "guest"
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<14:
      let points = rules.increments.randomElement(using: &random) ?? 1
      return .addScore(team: team, by: points)
    case 14: return .setScore(team: team, to: Int.random(in: 0...30, using: &random))
    case 15: return .startTimer(.game)
    case 16: return .addTimer(.game, by: (rules.game?.direction == .up ? 1 : -1) * 20 * minute)
    case 17: return .pauseTimer(.game)
    case 18, 19: return .addPeriod(by: 1)
    case 20: return .addPeriod(by: 1, anyway: true)
    case 21: return .addPeriod(by: -1)
    case 22: return Bool.random(using: &random) ? .undo : .redo
    default: return Int.random(in: 0..<6, using: &random) == 0 ? .endMatch : .swapSides
    }
  }

  @Test(
    "A later period begins after the sets before it and before the end of the match, and with anyway at once",
    arguments: GameRules.Preset.allCases, 0..<5 as Range<UInt64>)
  func laterPeriod(preset: GameRules.Preset, seed: UInt64) throws {
    var match = CheckedMatch(preset)
    var random = SplitMix(seed: seed)
    var now: Int64 = 0
    var found: Set<String> = []
    for _ in 0..<200 {
      now += Int64.random(in: 1...5, using: &random) * second
      let board = match.scoreboard.settled(at: now)
      let rules = board.rules
      let last = rules.scoring == .sets && rules.periodsToWin > 0 ? max(rules.periods, board.period) : 99
      let isUnfinished =
        rules.scoring == .sets && rules.hasWinningScore && !board.isPeriodOver && board.left.isEmpty
      for step in 1...2 where board.period + step <= last {
        let expected: Scoreboard.Refusal? =
          board.isMatchOver
          ? .matchOver(result: board.resultText)
          : board.isFinished(at: now)
            ? .periodNotNow(set: "", result: board.resultText, problem: "match_over")
            : isUnfinished
              ? .periodNotNow(
                set: rules.englishText(ofSet: board.period), result: board.periodResultText,
                problem: "set_not_over") : nil
        for action in [Scoreboard.Action.addPeriod(by: step), .setPeriod(to: board.period + step)] {
          let refused = refusal(match.match, action, at: now)
          // A second step would skip a set that has not been played.
          if step == 1 || expected != nil || rules.scoring == .total {
            #expect(refused == expected, "\(preset) \(action)")
          } else if board.left.isEmpty {
            guard case .periodNotNow = refused else {
              Issue.record("\(preset): \(action) skips a set")
              return
            }
          }
          let anyway = try #require(action.overruling)
          #expect((refusal(match.match, anyway, at: now) == nil) == !board.isMatchOver)
          if case .periodNotNow(_, _, let problem) = refused { found.insert(problem) }
          if refused?.canBeOverruled == true {
            var begun = match
            try begun.apply(anyway, at: now)
            #expect(begun.scoreboard.period == board.period + step)
          }
        }
      }
      if board.period > 1 { #expect(refusal(match.match, .addPeriod(by: -1), at: now) == nil) }
      let action = play(rules, &random)
      if board.isMatchOver, Bool.random(using: &random) {
        try match.apply(.newGame, at: now)
      } else if let points = rules.countsDown ? board.teams.first.map({ min($0.score, 60) }) : nil {
        _ = try? match.apply(.addScore(team: "home", by: -points), at: now)
        _ = try? match.apply(action, at: now)
      } else {
        _ = try? match.apply(action, at: now)
      }
    }
    if match.scoreboard.rules.scoring == .sets { #expect(found.contains("set_not_over")) }
    // A replay also redoes what was undone last.
    try match.apply(.swapSides, at: now)
    try match.replay(at: now)
  }

  @Test("After the time of a match is up, a later period needs anyway, and not after a draw")
  func afterTime() throws {
    for preset in GameRules.Preset.allCases {
      for (score, isRefused) in [(1, true), (0, false)] {
        var match = CheckedMatch(preset)
        let rules = match.scoreboard.rules
        try match.apply(.setPeriod(to: rules.periods, anyway: true), at: 0)
        guard rules.scoring == .total, let end = match.scoreboard.course(of: .game)?.end else { continue }
        try match.apply(.setScore(team: "home", to: score), at: 0)
        try match.apply(.setTimer(.game, to: end), at: 0)
        #expect(match.scoreboard.isFinished(at: 0) == isRefused)
        let refused = refusal(match.match, .addPeriod(by: 1), at: minute)
        #expect((refused != nil) == isRefused, "\(preset)")
        #expect(refused?.canBeOverruled ?? true)
        #expect(refusal(match.match, .addPeriod(by: 1, anyway: true), at: minute) == nil)
      }
    }
  }

  /// Rules of sets: those of the presets, and variants.
  private static let ofSets: [GameRules] = {
    var all = GameRules.Preset.allCases.map { GameRules($0) }.filter { $0.scoring == .sets }
    for games: (inout GameRules.Games) -> Void in [
      { $0.matchTieBreak = 10 }, { $0.tieBreakAt = 0 }, { ($0.lead, $0.tieBreakAt) = (1, 0) },
      { ($0.toWin, $0.tieBreakAt) = (4, 3) }, { $0.tieBreakAt = 8 },
    ] {
      var rules = GameRules(.tennis)
      if var changed = rules.games {
        games(&changed)
        rules.games = changed
      }
      all.append(rules)
    }
    var cap = GameRules(.volleyball)
    (cap.cap, cap.periods, cap.periodsToWin) = (27, 3, 2)
    all.append(cap)
    cap.lead = 1
    all.append(cap)
    return all
  }()

  @Test(
    "The score that a team can have at most in a set is the highest one of a set that is played",
    arguments: ofSets.indices, [false, true])
  func highestScore(index: Int, isDeciding: Bool) throws {
    let rules = Self.ofSets[index]
    guard !rules.countsDown else { return }
    var match = CheckedMatch(rules)
    if isDeciding {
      // The sets before are won in turn.
      for set in 1..<rules.periods {
        let winner = set % 2 == 0 ? "home" : "guest"
        while !match.scoreboard.isPeriodOver, match.scoreboard.period == set {
          try match.apply(.addScore(team: winner, by: 1), at: 0)
        }
        if match.scoreboard.period == set { try match.apply(.addPeriod(by: 1), at: 0) }
      }
    }
    let set = match.scoreboard.period
    // Points, or games, in turn, until the set ends.
    func score() -> Int {
      let team = match.scoreboard.teams[0]
      return rules.games == nil ? team.score : team.games
    }
    var highest = 0
    for _ in 0..<90 {
      for team in ["home", "guest"] {
        let before = match.scoreboard.teams.map(\.games)
        repeat {
          guard !match.scoreboard.isPeriodOver, match.scoreboard.period == set, !match.scoreboard.isMatchOver
          else { break }
          highest = max(highest, score())
          try match.apply(.addScore(team: team, by: 1), at: 0)
        } while rules.games != nil && match.scoreboard.teams.map(\.games) == before
      }
    }
    let isOver = match.scoreboard.isPeriodOver || match.scoreboard.period != set
    if isOver {
      highest = match.scoreboard.teams.map { match.scoreboard.periodScores(of: $0)[set - 1] }.max() ?? 0
    }
    #expect(rules.isPossible(highest, inSet: set))
    for value in [highest + 1, highest + 9, 99] {
      #expect(rules.isPossible(value, inSet: set) == !isOver, "\(rules.preset) \(value) in set \(set)")
      let limited = Scoreboard.Refusal.scoreLimited(score: value, set: rules.englishText(ofSet: set))
      var actions: [Scoreboard.Action] = [.setPeriodScore(team: "home", period: set, to: value)]
      if rules.games == nil, match.scoreboard.period == set {
        actions.append(.setScore(team: "home", to: value))
      }
      for action in actions {
        #expect((refusal(match.match, action, at: 0) == limited) == isOver, "\(action)")
        var overruled = match
        try overruled.apply(try #require(action.overruling), at: 0)
        #expect(overruled.scoreboard.periodScores(of: overruled.scoreboard.teams[0])[set - 1] == value)
      }
    }
  }

  @Test("No score of a match that is played is refused", arguments: ofSets.indices, 0..<3 as Range<UInt64>)
  func playedScores(index: Int, seed: UInt64) throws {
    let rules = Self.ofSets[index]
    var match = CheckedMatch(rules)
    var random = SplitMix(seed: seed)
    for _ in 0..<400 where !match.scoreboard.isMatchOver {
      if match.scoreboard.isPeriodOver { try match.apply(.addPeriod(by: 1), at: 0) }
      _ = try? match.apply(
        .addScore(
          team: Bool.random(using: &random) ? "home" : "guest",
          by: rules.countsDown ? -Int.random(in: 0...60, using: &random) : 1), at: 0)
      for team in match.scoreboard.teams {
        for (index, score) in match.scoreboard.periodScores(of: team).enumerated() {
          #expect(rules.isPossible(score, inSet: index + 1), "\(rules.preset) \(score)")
        }
      }
    }
  }

  @Test("Every bust is reported, also one out of turn", arguments: 0..<20 as Range<UInt64>)
  func busts(seed: UInt64) throws {
    var match = CheckedMatch(.darts)
    var random = SplitMix(seed: seed)
    var count = 0
    for _ in 0..<60 where !match.scoreboard.isMatchOver {
      let team = Bool.random(using: &random) ? "home" : "guest"
      let points = [180, 140, 100, 60, 26].randomElement(using: &random) ?? 0
      let left = match.scoreboard.team(team)?.score ?? 0
      let isBust = points > left || left - points == 1
      do throws(Scoreboard.Refusal) {
        var played = match.match
        guard case .changed(let step) = try played.apply(.addScore(team: team, by: -points), at: 0) else {
          Issue.record("nothing is said about \(points) of \(left)")
          continue
        }
        #expect(step.facts.contains { $0.what == Fact.Kind.bust.rawValue } == isBust)
      } catch {
        if isBust { #expect(error == .bust(points: points, left: left)) }
      }
      if isBust { count += 1 }
      _ = try? match.apply(.addScore(team: team, by: -points), at: 0)
    }
    #expect(count > 0)
  }
}
