// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scoreboard

/// Complete matches in sets with their breaks, played point by point from `CompleteMatches`.
@Suite struct CompleteMatchTests {
  private static let teams: [Character: String] = ["h": "home", "g": "guest"]

  /// The state as in a score sheet: `15-12h`, in tennis `6-4,40-15g`; the server comes last.
  private func sheet(_ scoreboard: Scoreboard) -> String {
    let points = scoreboard.teams.map { scoreboard.pointsText(of: $0) }.joined(separator: "-")
    let games = scoreboard.teams.map { String($0.games) }.joined(separator: "-")
    let server = Self.teams.first { $0.value == scoreboard.serving }.map { String($0.key) } ?? "?"
    return (scoreboard.rules.games == nil ? points : "\(games),\(points)") + server
  }

  private func won(_ scoreboard: Scoreboard) -> String {
    scoreboard.teams.map { String(scoreboard.periodsWon(by: $0)) }.joined(separator: "-")
  }

  private func refusal(_ match: Match, _ action: Scoreboard.Action, at now: Int64) -> Scoreboard.Refusal? {
    var copy = match
    do throws(Scoreboard.Refusal) { try copy.apply(action, at: now) } catch { return error }
    return nil
  }

  /// A match in play. Each point takes 20 seconds.
  private struct Play {
    var match: CheckedMatch
    var now: Int64 = 0
    var scoreboard: Scoreboard { match.scoreboard }

    @discardableResult
    mutating func apply(_ action: Scoreboard.Action) throws -> Match.Outcome {
      now += 20 * second
      return try match.apply(action, at: now)
    }
  }

  /// Plays a match and records an issue wherever the scoreboard differs from the sheet.
  private func play(_ preset: GameRules.Preset, _ text: String, first: Character) throws -> Play {
    var play = Play(match: CheckedMatch(preset))
    try play.apply(.startTimer(.game))
    try play.apply(.setServing(team: Self.teams[first]))
    var points = 0
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words[0] {
      case "set", "leg": try begin(words.map(String.init), &play)
      case "won": #expect(won(play.scoreboard) == words[1], "\(line)")
      default:
        for token in words {
          try make(token, &play)
          points += 1
        }
      }
    }
    #expect(points > 30)
    // The stopwatch has counted through all breaks.
    #expect(play.scoreboard.reading(of: .game, at: play.now)?.value == play.now - 20 * second)
    return play
  }

  /// Begins the set or leg of a line such as `set 5 g toss`: its number, its first server, and `toss` if the
  /// rules do not determine that server.
  private func begin(_ words: [String], _ play: inout Play) throws {
    let number = try #require(Int(words[1]))
    if number > play.scoreboard.period {
      // A won set stays on the scoreboard, and no points can be added to it.
      #expect(play.scoreboard.isPeriodOver && !play.scoreboard.isMatchOver)
      for team in ["home", "guest"] {
        let refused = refusal(play.match.match, .addScore(team: team, by: 1), at: play.now)
        if case .periodOver = refused {} else { Issue.record("\(String(describing: refused))") }
      }
      try play.apply(.addPeriod(by: 1))
      #expect(play.scoreboard.gameBreak == nil)
    }
    #expect(play.scoreboard.period == number)
    if words.count > 3 {
      #expect(play.scoreboard.serving == nil)
      try play.apply(.setServing(team: Self.teams[Character(words[2])]))
    }
    #expect(play.scoreboard.serving == Self.teams[Character(words[2])], "\(words)")
  }

  /// Performs a token such as `h:15-12h`, or in darts `h140:361-501g`: who scores, in darts how many points,
  /// and the state after it. In place of the state, `leg` or `set` means that the team wins it, and `timeout`
  /// that it takes a time-out. `=1:30` at the end is the length of the interval that begins.
  private func make(_ token: Substring, _ play: inout Play) throws {
    let parts = token.split(whereSeparator: { $0 == ":" || $0 == "=" })
    let interval = token.split(separator: "=").dropFirst().first.map { GameTimeText.nanoseconds(String($0)) }
    let letter = try #require(token.first)
    let team = try #require(Self.teams[letter])
    let rules = play.scoreboard.rules
    if parts[1] == "timeout" {
      try play.apply(.addCounter(team: team, counter: "timeouts", by: 1))
      #expect(
        play.scoreboard.gameBreak
          == GameBreak(.timeOut(team: team), length: rules.breaks.timeOut, at: play.now))
      play.now += rules.breaks.timeOut
      return
    }
    let points = Int(parts[0].dropFirst()).map { -$0 } ?? 1
    let revision = play.match.match.revision
    guard case .changed(let step) = try play.apply(.addScore(team: team, by: points)) else {
      Issue.record("\(token) changed nothing")
      return
    }
    #expect(play.match.match.revision == revision + 1)
    switch parts[1] {
    case "leg", "set": #expect(step.summary.contains("\(team) wins"), "\(step.summary)")
    default:
      let shown = sheet(play.scoreboard)
      let isBust = parts[1].hasSuffix("!")
      #expect(shown == (isBust ? parts[1].dropLast() : parts[1]), "\(token)")
      #expect(step.summary.hasPrefix("bust of \(team)") == isBust, "\(step.summary)")
    }
    // A point ends the interval before it. A time-out of another kind may still be shown.
    let shown = play.scoreboard.gameBreak.flatMap { $0.kind.team == nil ? $0 : nil }
    let expected = interval.flatMap {
      $0.map { GameBreak(.interval, length: $0, byItself: true, at: play.now) }
    }
    #expect(shown == expected, "\(token)")
  }

  /// Checks a match that is over: the result is as expected, further points and periods are refused,
  /// corrections are accepted, and the whole match can be undone and redone.
  private func end(_ play: Play, winner: String, _ result: String) throws {
    let (match, scoreboard, now) = (play.match.match, play.scoreboard, play.now)
    #expect(scoreboard.gameBreak == nil)
    #expect(scoreboard.isMatchOver && scoreboard.winner?.id == winner && scoreboard.resultText == result)
    let points = scoreboard.rules.countsDown ? -1 : 1
    for action: Scoreboard.Action in [
      .addScore(team: "home", by: points), .addScore(team: "guest", by: points), .addPeriod(by: 1),
    ] { #expect(refusal(match, action, at: now) == .matchOver(result: result), "\(action)") }
    #expect(refusal(match, .setScore(team: "home", to: 2), at: now) == nil)
    #expect(refusal(match, .setPeriodScore(team: "home", period: 1, to: 2), at: now) == nil)
    #expect(match.past.last?.summary.contains("\(winner) wins the match, \(result)") == true)
    try play.match.replay(at: now)
  }

  @Test("Volleyball: 25-23 25-17 17-25 21-25 15-12, the winner of a rally serves")
  func volleyball() throws {
    try end(try play(.volleyball, CompleteMatches.volleyball, first: "h"), winner: "home", "3 : 2")
  }

  @Test("Table tennis: 11-9 8-11 12-10 9-11 13-11, two services each and one from 10 all")
  func tableTennis() throws {
    try end(try play(.tableTennis, CompleteMatches.tableTennis, first: "g"), winner: "home", "3 : 2")
  }

  @Test("Badminton: 15-21 21-10 30-29, the cap ends a game with a lead of one; a minute's interval at 11")
  func badminton() throws {
    try end(try play(.badminton, CompleteMatches.badminton, first: "h"), winner: "home", "2 : 1")
  }

  @Test("Tennis: 7-6 5-7 6-4 with a tie-break, 90 s at the change of ends and two minutes between sets")
  func tennis() throws {
    let play = try play(.tennis, CompleteMatches.tennis, first: "h")
    try end(play, winner: "home", "2 : 1")
    #expect(play.scoreboard.teams.map { play.scoreboard.periodScores(of: $0) } == [[7, 5, 6], [6, 7, 4]])
  }

  @Test("Darts: best of five legs from 501, busts score nothing")
  func darts() throws {
    try end(try play(.darts, CompleteMatches.darts, first: "h"), winner: "home", "3 : 2")
    #expect(CompleteMatches.darts.contains("!"))
  }
}
