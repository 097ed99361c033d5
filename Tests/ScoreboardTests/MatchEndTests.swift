// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scoreboard

/// A match that is ended by hand.
@Suite struct MatchEndTests {
  private static let home: [Scoreboard.Action] = [.addScore(team: "home", by: 1)]

  /// What happened before the end, by its name.
  private static let situations: [(name: String, actions: [Scoreboard.Action])] = [
    ("nothing", []), ("home leads", home), ("a draw", home + [.addScore(team: "guest", by: 1)]),
    ("clocks", [.startTimer(.game), .addPenalty(team: "guest", length: minute, number: 7)] + home),
    ("a time-out", home + [.startBreak(.timeOut(team: "guest"), length: minute)]),
    ("an interval", [.startBreak(.interval, length: minute)]),
    (
      "the last period",
      [
        .setPeriod(to: 2, anyway: true), .setPeriod(to: 3, anyway: true),
        .setPeriodScore(team: "guest", period: 1, to: 5),
      ]
    ),
    ("overtime, a draw", [.setPeriod(to: 6)]), ("time is up", [.setPeriod(to: 4), .setTimer(.game, to: 0)]),
  ]

  private func refusal(_ match: CheckedMatch, _ action: Scoreboard.Action, at now: Int64) -> Scoreboard
    .Refusal?
  {
    var copy = match.match
    do throws(Scoreboard.Refusal) { try copy.apply(action, at: now) } catch { return error }
    return nil
  }

  @Test(
    "In every game and situation the match ends as it stands, and undo continues it",
    arguments: GameRules.Preset.allCases, situations.indices)
  func ends(preset: GameRules.Preset, index: Int) throws {
    var match = CheckedMatch(preset)
    var now: Int64 = 0
    for action in Self.situations[index].actions {
      now += second
      // Not every game has all of this.
      _ = try? match.apply(action, at: now)
    }
    now += second
    let before = match.scoreboard.settled(at: now)
    guard !before.isFinished(at: now) else { return }
    try match.apply(.endMatch, at: now)
    let after = match.scoreboard
    #expect(after.isMatchOver && after.isFinished(at: now) && after.hasContent && after.hasResult(at: now))
    #expect(after.winner?.id == before.leader?.id && after.framed(at: now)?.id == before.leader?.id)
    #expect(!after.isAbandoned(at: now) && after.resultText == before.resultText)
    #expect(after.teams.map(\.score) == before.teams.map(\.score))
    #expect(after.gameBreak == nil && !after.hasRunningClock && after.nextEvent(after: now) == nil)
    #expect(!after.hasNextPeriod && after.teams.allSatisfy { after.winningPoint(of: $0) == nil })
    let later = now + 3600 * second
    #expect(after.settled(at: later) == after)
    let over = Scoreboard.Refusal.matchOver(result: after.resultText)
    for action in [Scoreboard.Action.endMatch, .addPeriod(by: 1)] {
      #expect(refusal(match, action, at: later) == over, "\(action)")
    }
    if after.rules.game != nil { #expect(refusal(match, .startTimer(.game), at: later) == over) }
    if after.rules.scoring == .sets {
      let points = after.rules.countsDown ? -1 : 1
      #expect(refusal(match, .addScore(team: "home", by: points), at: later) == over)
    }
    guard case .breakNotNow = refusal(match, .startBreak(.interval, length: minute), at: later) else {
      Issue.record("a break after the end")
      return
    }
    // The result can be corrected, and the match goes on in an earlier period, or anew.
    try match.apply(.setScore(team: "guest", to: 1), at: later)
    #expect(
      match.scoreboard.isFinished(at: later) && match.scoreboard.winner?.id == match.scoreboard.leader?.id)
    if after.period > 1 {
      var back = match
      try back.apply(.addPeriod(by: -1), at: later)
      #expect(!back.scoreboard.isEnded)
    }
    try match.apply(.newGame, at: later)
    #expect(!match.scoreboard.isFinished(at: later) && match.scoreboard.game > after.game)
    try match.replay(at: later)
  }

  /// Starts the clocks and plays point by point, for `home` alone.
  private func play(_ match: inout CheckedMatch, bySetting: Bool, at now: inout Int64) throws {
    for _ in 0..<120 where !match.scoreboard.isMatchOver {
      now += second / 10
      for timer in match.scoreboard.rules.timers where match.scoreboard[timer].since == nil {
        _ = try? match.apply(.startTimer(timer), at: now)
      }
      if match.scoreboard.isPeriodOver { try match.apply(.addPeriod(by: 1), at: now) }
      let score = match.scoreboard.teams[0].score
      if match.scoreboard.rules.countsDown {
        try match.apply(.addScore(team: "home", by: -min(score, 60)), at: now)
      } else if bySetting, match.scoreboard.rules.games == nil {
        try match.apply(.setScore(team: "home", to: score + 1), at: now)
      } else {
        try match.apply(.addScore(team: "home", by: 1), at: now)
      }
    }
  }

  @Test(
    "The points that end a match stop its clocks, which cannot be started then, and undo continues them",
    arguments: GameRules.Preset.allCases, [false, true])
  func pointsStopClocks(preset: GameRules.Preset, bySetting: Bool) throws {
    var match = CheckedMatch(preset)
    var now = second
    if match.scoreboard.rules.overtime.goalWins {
      try match.apply(.setPeriod(to: match.scoreboard.rules.periods + 1), at: now)
    }
    try play(&match, bySetting: bySetting, at: &now)
    let after = match.scoreboard
    let isEndless =
      after.rules.scoring == .total && !after.rules.hasWinningScore && !after.rules.overtime.goalWins
    #expect(after.isMatchOver != isEndless)
    guard after.isMatchOver else { return }
    #expect(!after.hasRunningClock && after.gameBreak == nil && after.nextEvent(after: now) == nil)
    let later = now + minute
    #expect(after.settled(at: later) == after)
    for timer in after.rules.timers {
      let over = Scoreboard.Refusal.matchOver(result: after.resultText)
      #expect(refusal(match, .startTimer(timer), at: later) == over)
      #expect(refusal(match, .toggleTimer(timer), at: later) == over)
    }
    var back = match.match
    try back.apply(.undo, at: later)
    #expect(!back.scoreboard.isMatchOver && back.scoreboard.hasRunningClock == (after.rules.game != nil))
    try match.replay(at: later)
  }

  @Test(
    "At the end of the match the past periods are all that were played, however it ends",
    arguments: GameRules.Preset.allCases, 1...9)
  func pastPeriods(preset: GameRules.Preset, last: Int) throws {
    var match = CheckedMatch(preset)
    let rules = match.scoreboard.rules
    guard last <= rules.periods || rules.scoring == .total, last <= rules.periods + 4, !rules.countsDown
    else { return }
    var played: [[Int]] = []
    for period in 1...last {
      let won = period % 2 == 0 ? "home" : "guest"
      let other = won == "home" ? "guest" : "home"
      // A set whose points are not enough to win it, so that it is broken off if it is the last one.
      for (team, points) in [(won, 3), (other, 1)] {
        try match.apply(.setPeriodScore(team: team, period: period, to: points), at: 0)
      }
      played.append(won == "home" ? [3, 1] : [1, 3])
      if period == last || match.scoreboard.isMatchOver { break }
      let past = match.scoreboard.pastPeriods(of: match.scoreboard.teams, at: 0)
      #expect(past.map(\.points) == played.dropLast())
      try match.apply(.addPeriod(by: 1, anyway: true), at: 0)
    }
    var empty = match
    var ends = [match]
    if !match.scoreboard.isFinished(at: 0) {
      // A period in which nothing was played is left out.
      if rules.scoring == .sets, last < rules.periods {
        try empty.apply(.addPeriod(by: 1, anyway: true), at: 0)
        try empty.apply(.endMatch, at: 0)
        ends.append(empty)
      }
      try ends[0].apply(.endMatch, at: 0)
      var byTime = match
      if let end = match.scoreboard.course(of: .game)?.end, rules.canEnd(after: last) {
        try byTime.apply(.setTimer(.game, to: end), at: 0)
        if byTime.scoreboard.isFinished(at: 0) { ends.append(byTime) }
      }
    }
    for end in ends.map(\.scoreboard) {
      let past = end.pastPeriods(of: end.teams, at: 0)
      #expect(end.isFinished(at: 0) && past.map(\.points) == played)
      #expect(past.map(\.number) == Array(1...played.count))
      guard rules.scoring == .sets else { continue }
      for (index, team) in end.teams.enumerated() {
        #expect(past.count { $0.best == index } == end.periodsWon(by: team))
      }
    }
  }

  @Test("The reply has the result and the winner")
  func summary() throws {
    for (actions, text) in [
      ([], "match ended"), (Self.home, "match ended, home wins the match, 1 : 0"),
    ] {
      var match = CheckedMatch(.football)
      for action in actions { try match.apply(action, at: 0) }
      try match.apply(.endMatch, at: second)
      #expect(match.match.past.last?.summary == text)
    }
  }
}
