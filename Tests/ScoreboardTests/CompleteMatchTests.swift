// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scoreboard

/// Complete matches in sets, played point by point from `CompleteMatches`.
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

  private func refusal(_ match: Match, _ action: Scoreboard.Action) -> Scoreboard.Refusal? {
    var copy = match
    do throws(Scoreboard.Refusal) { try copy.apply(action) } catch { return error }
    return nil
  }

  /// Plays a match and records an issue wherever the scoreboard differs from the sheet.
  private func play(_ preset: GameRules.Preset, _ text: String, first: Character) throws -> Match {
    var match = Match(newBoard(preset))
    try match.apply(.setServing(team: Self.teams[first]))
    var points = 0
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words[0] {
      case "set", "leg": try begin(words.map(String.init), &match)
      case "won": #expect(won(match.scoreboard) == words[1], "\(line)")
      default:
        for token in words {
          try make(token, &match)
          points += 1
        }
      }
    }
    #expect(points > 30)
    return match
  }

  /// Begins the set or leg of a line such as `set 5 g toss`: its number, its first server, and `toss` if the
  /// rules do not determine that server.
  private func begin(_ words: [String], _ match: inout Match) throws {
    let number = try #require(Int(words[1]))
    if number > match.scoreboard.period {
      // A won set stays on the scoreboard, and no points can be added to it.
      #expect(match.scoreboard.isPeriodOver && !match.scoreboard.isMatchOver)
      for team in ["home", "guest"] {
        let refused = refusal(match, .addScore(team: team, by: 1))
        if case .periodOver = refused {} else { Issue.record("\(String(describing: refused))") }
      }
      try match.apply(.addPeriod(by: 1))
    }
    #expect(match.scoreboard.period == number)
    if words.count > 3 {
      #expect(match.scoreboard.serving == nil)
      try match.apply(.setServing(team: Self.teams[Character(words[2])]))
    }
    #expect(match.scoreboard.serving == Self.teams[Character(words[2])], "\(words)")
  }

  /// Performs a token such as `h:15-12h`, or in darts `h140:361-501g`: who scores, in darts how many points,
  /// and the state after it. In place of the state, `leg` or `set` means that the team wins it.
  private func make(_ token: Substring, _ match: inout Match) throws {
    let parts = token.split(separator: ":")
    let letter = try #require(token.first)
    let team = try #require(Self.teams[letter])
    let points = Int(parts[0].dropFirst()).map { -$0 } ?? 1
    let revision = match.revision
    let action = Scoreboard.Action.addScore(team: team, by: points)
    guard case .changed(let step) = try match.apply(action) else {
      Issue.record("\(token) changed nothing")
      return
    }
    #expect(match.revision == revision + 1)
    switch parts[1] {
    case "leg", "set": #expect(step.summary.contains("\(team) wins"), "\(step.summary)")
    default:
      let shown = sheet(match.scoreboard)
      let isBust = parts[1].hasSuffix("!")
      #expect(shown == (isBust ? parts[1].dropLast() : parts[1]), "\(token)")
      #expect(step.summary.hasPrefix("bust of \(team)") == isBust, "\(step.summary)")
    }
  }

  /// Checks a match that is over: the result is as expected, further points and periods are refused,
  /// corrections are accepted, and the whole match can be undone and redone.
  private func end(_ match: Match, winner: String, _ result: String) throws {
    let scoreboard = match.scoreboard
    #expect(scoreboard.isMatchOver && scoreboard.winner?.id == winner && scoreboard.resultText == result)
    let points = scoreboard.rules.countsDown ? -1 : 1
    for action: Scoreboard.Action in [
      .addScore(team: "home", by: points), .addScore(team: "guest", by: points), .addPeriod(by: 1),
    ] { #expect(refusal(match, action) == .matchOver(result: result), "\(action)") }
    #expect(refusal(match, .setScore(team: "home", to: 1)) == nil)
    #expect(refusal(match, .setPeriodScore(team: "home", period: 1, to: 1)) == nil)
    #expect(match.past.last?.summary.contains("\(winner) wins the match, \(result)") == true)
    var back = match
    while !back.past.isEmpty { try back.apply(.undo) }
    #expect(back.scoreboard.teams == newBoardTeams(scoreboard.rules) && back.scoreboard.period == 1)
    while !back.future.isEmpty { try back.apply(.redo) }
    #expect(back.scoreboard == scoreboard)
  }

  private func newBoardTeams(_ rules: GameRules) -> [Scoreboard.Team] {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(declaredTeams, rules: rules)
    return scoreboard.teams
  }

  @Test("Volleyball: 25-23 25-17 17-25 21-25 15-12, the winner of a rally serves")
  func volleyball() throws {
    try end(try play(.volleyball, CompleteMatches.volleyball, first: "h"), winner: "home", "3 : 2")
  }

  @Test("Table tennis: 11-9 8-11 12-10 9-11 13-11, two services each and one from 10 all")
  func tableTennis() throws {
    try end(try play(.tableTennis, CompleteMatches.tableTennis, first: "g"), winner: "home", "3 : 2")
  }

  @Test("Badminton: 15-21 21-10 30-29, the cap ends a game with a lead of one")
  func badminton() throws {
    try end(try play(.badminton, CompleteMatches.badminton, first: "h"), winner: "home", "2 : 1")
  }

  @Test("Tennis: 7-6 5-7 6-4 with a tie-break")
  func tennis() throws {
    let match = try play(.tennis, CompleteMatches.tennis, first: "h")
    try end(match, winner: "home", "2 : 1")
    #expect(match.scoreboard.teams.map { match.scoreboard.periodScores(of: $0) } == [[7, 5, 6], [6, 7, 4]])
  }

  @Test("Darts: best of five legs from 501, busts score nothing")
  func darts() throws {
    let match = try play(.darts, CompleteMatches.darts, first: "h")
    try end(match, winner: "home", "3 : 2")
    #expect(CompleteMatches.darts.contains("!"))
  }
}
