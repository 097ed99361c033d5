// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import LinuxSystem

private let control = "org.flipclock.Control."

/// How the rules of a game affect calls and their replies.
@Suite struct RulesTests {
  private func server(_ preset: GameRules.Preset) throws -> TestServer {
    let test = try TestServer()
    var match = Match(Scoreboard(teams: []))
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(preset), at: 0)
    test.handler.match = match
    return test
  }

  /// The last reply to these calls.
  private func reply(_ preset: GameRules.Preset, _ calls: [(String, String)]) throws -> String {
    let test = try server(preset)
    let peer = try test.connect()
    for (method, parameters) in calls { peer.call(control + method, parameters) }
    try test.settle()
    return try #require(peer.replies().last)
  }

  @Test("The reply to a point that wins a set says so, and the next point is refused")
  func setEnd() throws {
    var calls = [
      ("SetScore", #"{"team":"home","score":24}"#), ("AddScore", #"{"team":"home","points":1}"#),
    ]
    let won = try reply(.volleyball, calls)
    #expect(won.contains(#""note":"score of home: 24 → 25, home wins SET 1, 25 : 0""#), "\(won)")
    calls.append(("AddScore", #"{"team":"guest","points":1}"#))
    let refused = try reply(.volleyball, calls)
    #expect(refused.contains("PeriodOver") && refused.contains(#""result":"25 : 0""#), "\(refused)")
    calls[2] = ("GetState", "{}")
    let state = try reply(.volleyball, calls)
    for member in [
      #""periodOver":true"#, #""matchOver":false"#, #""periodText":"SET 1""#, #""periodsToWin":3"#,
      #""periodsWon":1"#, #""serving":"home""#,
    ] { #expect(state.contains(member), "\(state)") }
  }

  @Test("A bust is reported and scores nothing, and the next player has the turn")
  func bust() throws {
    let calls = [
      ("SetScore", #"{"team":"home","score":121}"#), ("AddScore", #"{"team":"home","points":-140}"#),
    ]
    let reply = try reply(.darts, calls)
    #expect(
      reply.contains(#""note":"bust of home: 140 is more than the 121 left; the turn scores nothing""#))
    #expect(reply.contains(#""score":121"#))
    #expect(try self.reply(.darts, calls + [("GetState", "{}")]).contains(#""serving":"guest""#))
  }

  @Test("A turn that three darts cannot score, or cannot finish with a double, is refused")
  func impossibleTurns() throws {
    let turn = { (points: Int) in ("AddScore", "{\"team\":\"home\",\"points\":\(-points)}") }
    #expect(try reply(.darts, [turn(179)]).contains(#"ImpossibleTurn","parameters":{"points":179}"#))
    let left = ("SetScore", #"{"team":"home","score":168}"#)
    #expect(try reply(.darts, [left, turn(168)]).contains(#"ImpossibleFinish","parameters":{"points":168}"#))
  }

  @Test("The state of a tennis match has the points as they are called, and the games")
  func tennis() throws {
    let state = try reply(
      .tennis, [("SetScore", #"{"team":"home","score":40}"#), ("GetState", "{}")])
    #expect(state.contains(#""pointsText":"40""#) && state.contains(#""games":0"#), "\(state)")
    #expect(state.contains(#""gameName":"GAME""#))
  }

  @Test("In tennis, only scores of a game can be set, and setting a score never wins the game")
  func tennisScores() throws {
    for guest in [0, 15, 40] {
      let start = ("SetScore", "{\"team\":\"guest\",\"score\":\(guest)}")
      for score in 0...999 {
        let reply = try reply(.tennis, [start, ("SetScore", "{\"team\":\"home\",\"score\":\(score)}")])
        let isLegal = [0, 1, 2, 3, 15, 30, 40].contains(score) || (score == 4 && guest == 40)
        #expect(reply.contains("NotTennisPoints") != isLegal, "\(score): \(guest)")
        #expect(!reply.contains("wins"), "\(score): \(guest)")
      }
    }
    let refusal = ControlError(.notTennisPoints(score: 35)).message
    for part in ["35", "0, 15, 30 or 40", "add-score", "period-score"] { #expect(refusal.contains(part)) }
    let games = ControlError(.unknownCounter(counter: "games", known: [])).message
    #expect(games.contains("period-score"))
  }

  @Test("A score that counts down cannot be set above its start")
  func scoreAboveStart() throws {
    for (method, member, value) in [
      ("AddScore", "points", 1), ("AddScore", "points", 140), ("SetScore", "score", 502),
    ] {
      let reply = try reply(.darts, [(method, "{\"team\":\"home\",\"\(member)\":\(value)}")])
      #expect(reply.contains("ScoreAboveStart") && reply.contains(#""start":501"#), "\(reply)")
    }
    // A correction of a turn that was too high.
    let turn = ("AddScore", #"{"team":"home","points":-140}"#)
    #expect(
      try reply(.darts, [turn, ("AddScore", #"{"team":"home","points":140}"#)]).contains(#""score":501"#))
  }

  @Test("Penalties are in the state, run with the game clock, and can be ended")
  func penalties() throws {
    let add = ("AddPenalty", #"{"team":"home","number":17}"#)
    let state = try reply(.iceHockey, [add])
    #expect(
      state.contains(#""penalties":[{"milliseconds":120000,"number":17,"running":false}]"#), "\(state)")
    #expect(state.contains(#""what":"penalty of home, number 17""#))
    #expect(try reply(.iceHockey, [add, ("StartTimer", "{}")]).contains(#""number":17,"running":true"#))
    let ended = try reply(.iceHockey, [add, ("EndPenalty", #"{"team":"home"}"#)])
    #expect(ended.contains(#""penalties":[]"#), "\(ended)")
    #expect(!(try reply(.basketball, [("SwapSides", "{}")]).contains(#""running":false}]"#)))
  }

  @Test("The line of a match has the period, the penalties and the end of the match in words")
  func lines() throws {
    var match = Match(Scoreboard(teams: []))
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(.iceHockey),
      at: 0)
    try match.apply(.setPeriod(to: 4, anyway: true))
    try match.apply(.addPenalty(team: "guest", length: nil, number: 9))
    #expect(try line(match) == "HOME 0 : 0 GUEST  OVERTIME  game 5:00  penalty guest #9 2:00")
    var tennis = match
    tennis.adopt(match.scoreboard.teams, rules: GameRules(.tennis), at: 0)
    try tennis.apply(.newGame)
    try tennis.apply(.setScore(team: "home", to: 30))
    #expect(try line(tennis) == "HOME (0) 0 30 : 0 0 (0) GUEST  SET 1  game 0:00")
    for _ in 0..<4 * 12 where !tennis.scoreboard.isMatchOver {
      try tennis.apply(.addScore(team: "home", by: 1))
    }
    #expect(try line(tennis).contains("match over"))
  }

  private func line(_ match: Match) throws -> String {
    MatchText.line(of: try JSONValue(encoding: MatchState(match, at: 0)))
  }
}
