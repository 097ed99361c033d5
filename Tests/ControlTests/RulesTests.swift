// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Control
@testable import LinuxSystem

private let control = "org.flipclock.Control."

/// What the rules of a game do to calls, and how it is told.
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

  @Test("A point that wins a set says so, and the next one is refused")
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

  @Test("A bust is told, scores nothing, and the turn passes")
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

  @Test("Tennis is told as it is called, with games")
  func tennis() throws {
    let state = try reply(
      .tennis, [("SetScore", #"{"team":"home","score":40}"#), ("GetState", "{}")])
    #expect(state.contains(#""pointsText":"40""#) && state.contains(#""games":0"#), "\(state)")
    #expect(state.contains(#""gameName":"GAME""#))
  }

  @Test("Penalties are in the state, run with the game clock and can be ended")
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

  @Test(
    "Refusals by the rules are read as they were written, and tell what to do",
    arguments: [
      (.tooManySteps(4, known: 3), "only 3 changes"), (.tooManySteps(0, known: 3), "a number from 1"),
      (.periodOver("SET 1", result: "25 : 20"), "SET 1 is over, 25 : 20"),
      (.matchOver(result: "3 : 1"), "the match is over, 3 : 1"),
      (.bust(140, left: 121), "bust: 140 is more than the 121 left; the turn scores nothing"),
      (.bust(120, left: 121), "bust: 120 leaves 1"), (.turnOutOfRange(181, maximum: 180), "at most 180"),
      (.noPenalties, "penalties = ["), (.tooManyPenalties("home", limit: 8), "penalty home --end"),
      (.penaltyOutOfRange(0, minimum: 1, maximum: 359_999_000), "99:59:59"),
      (.noPenalty("home", number: nil), "home has no penalty"),
      (.noPenalty("home", number: 4), "player 4 of home"),
    ] as [(ControlError, String)])
  func errors(_ error: ControlError, _ words: String) {
    #expect(ControlError(name: error.name, parameters: error.parameters) == error)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(ControlInterface.description.contains("error \(error.name.dropFirst(control.count)) ("))
  }

  @Test("A watcher reads the period, penalties and the end of a match in words")
  func lines() throws {
    var match = Match(Scoreboard(teams: []))
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(.iceHockey),
      at: 0)
    try match.apply(.setPeriod(to: 4))
    try match.apply(.addPenalty(team: "guest", length: nil, number: 9))
    #expect(try line(match) == "HOME 0 : 0 GUEST  OVERTIME  game 5:00  penalty guest #9 2:00")
    var tennis = match
    tennis.adopt(match.board.teams, rules: GameRules(.tennis), at: 0)
    try tennis.apply(.newGame)
    try tennis.apply(.setScore(team: "home", to: 30))
    #expect(try line(tennis) == "HOME (0) 0 30 : 0 0 (0) GUEST  SET 1  game 0:00")
    for _ in 0..<4 * 12 where !tennis.board.isMatchOver { try tennis.apply(.addScore(team: "home", by: 1)) }
    #expect(try line(tennis).contains("match over"))
  }

  private func line(_ match: Match) throws -> String {
    MatchText.line(of: try JSONReader.read(try wireText(MatchState(match, at: 0))))
  }

  // MARK: The console

  private func call(_ method: String, _ parameters: [String: JSONValue]) -> ScoreCall {
    ScoreCall(method, parameters)
  }

  /// What keys ask for, one after the other, 60 ms apart.
  private func calls(_ keys: String, _ match: MatchState) -> [ScoreCall] {
    var state = ScoreKeys()
    var now: Int64 = 1_000_000_000
    var calls: [ScoreCall] = []
    for key in keys {
      let pressed: TerminalKey = key == "\r" ? .enter : key == "\u{8}" ? .backspace : .character(key)
      state.press(pressed, at: now)
      if let call = state.elapsed(at: now, match) { calls.append(call) }
      now += 60_000_000
      if let call = state.elapsed(at: now, match) { calls.append(call) }
    }
    now += 1_000_000_000
    if let call = state.elapsed(at: now, match) { calls.append(call) }
    return calls
  }

  private func points(_ team: String, _ points: Int64) -> ScoreCall {
    call("AddScore", ["team": .string(team), "points": .integer(points)])
  }

  private func score(_ team: String, _ score: Int64) -> ScoreCall {
    call("SetScore", ["team": .string(team), "score": .integer(score)])
  }

  @Test("Digits and Enter are a turn of darts, of the player whose turn it is")
  func turns() {
    var match = matchState(.darts)
    match.serving = "guest"
    #expect(calls("140\r", match) == [points("guest", -140)])
    #expect(calls("100\r", match) == [points("guest", -100)])
    #expect(calls("1880\u{8}0\r", match) == [points("guest", -180)])
    #expect(calls("0\r", match) == [points("guest", 0)])
    #expect(calls("26a", match) == [points("home", -26)])
    #expect(calls("14.", match) == [])
    match.serving = nil
    #expect(calls("45\r", match) == [] && calls("45l", match) == [points("guest", -45)])
    var three = matchState(.darts, teams: 3)
    three.serving = "third"
    #expect(calls("81\r", three) == [points("third", -81)])
  }

  @Test("'=', digits and the key of a team set its score")
  func setting() {
    #expect(calls("=17a", matchState()) == [score("home", 17)])
    #expect(calls("=107l", matchState(.volleyball)) == [score("guest", 107)])
    #expect(calls("=5\r", matchState(teams: 1)) == [score("home", 5)])
    #expect(calls("=a", matchState()) == [] && calls("=1\r", matchState()) == [])
    #expect(calls("2=33\r", matchState(teams: 3)) == [score("guest", 33)])
  }

  @Test("T begins the second length of the shot clock, and the key after the counters a penalty")
  func keys() {
    #expect(
      calls("T", matchState())
        == [call("ResetTimer", ["timer": .string("shot"), "milliseconds": .integer(14_000)])])
    #expect(calls("c", matchState(.iceHockey)) == [call("AddPenalty", ["team": .string("home")])])
    #expect(calls("N", matchState(.handball)) == [call("EndPenalty", ["team": .string("guest")])])
    #expect(calls("v", matchState(.basketball)) == [])
  }

  @Test("The screen says overtime, games and the end of a set as the board does")
  func screen() throws {
    func text(_ match: Match) -> String {
      var screen = ScoreScreen()
      screen.match = MatchState(match, at: 0)
      return screen.lines(columns: 100, rows: 24, at: 0).map { $0.map(\.text).joined(separator: " ") }
        .joined(separator: "\n")
    }
    var match = Match(
      Scoreboard(
        teams: [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")],
        rules: GameRules(.iceHockey)))
    try match.apply(.setPeriod(to: 5))
    try match.apply(.addPenalty(team: "home", length: nil, number: 17))
    #expect(text(match).contains("OVERTIME 2") && text(match).contains("pen #17 2:00"))
    match.adopt(match.board.teams, rules: GameRules(.volleyball), at: 0)
    try match.apply(.newGame)
    try match.apply(.setScore(team: "home", to: 25))
    #expect(text(match).contains("set over") && text(match).contains("sets 1"))
    match.adopt(match.board.teams, rules: GameRules(.darts), at: 0)
    #expect(text(match).contains("legs"))
  }
}
