// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import ControlCalls
@testable import ScoringConsole

/// The scoring console in games with special rules.
@Suite struct ScoreRulesTests {
  /// The calls that keys make when they are pressed in sequence, 60 ms apart.
  private func calls(_ keys: String, _ match: MatchState) -> [Scoreboard.Action] {
    var state = ScoreKeys()
    var now: Int64 = 1_000_000_000
    var calls: [Scoreboard.Action] = []
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

  private func points(_ team: String, _ points: Int) -> Scoreboard.Action {
    .addScore(team: team, by: points)
  }
  private func score(_ team: String, _ score: Int) -> Scoreboard.Action { .setScore(team: team, to: score) }

  @Test("In darts, digits and Enter enter the turn of the current player")
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

  @Test("'=', digits and a team's key set its score")
  func setting() {
    #expect(calls("=17a", matchState()) == [score("home", 17)])
    #expect(calls("=107l", matchState(.volleyball)) == [score("guest", 107)])
    #expect(calls("=5\r", matchState(teams: 1)) == [score("home", 5)])
    #expect(calls("=a", matchState()) == [] && calls("=1\r", matchState()) == [])
    #expect(calls("2=33\r", matchState(teams: 3)) == [score("guest", 33)])
  }

  @Test("T starts the shot clock's second length, and the key after the counters adds a penalty")
  func keys() {
    #expect(
      calls("T", matchState())
        == [.resetShot(to: 14_000_000_000)])
    #expect(calls("c", matchState(.iceHockey)) == [.addPenalty(team: "home", length: nil, number: nil)])
    #expect(calls("N", matchState(.handball)) == [.endPenalty(team: "guest", number: nil)])
    #expect(calls("v", matchState(.basketball)) == [])
  }

  @Test("The screen shows overtime, games and the end of a set")
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
    try match.apply(.setPeriod(to: 5, anyway: true))
    try match.apply(.addPenalty(team: "home", length: nil, number: 17))
    #expect(text(match).contains("OVERTIME 2") && text(match).contains("pen #17 2:00"))
    match.adopt(match.scoreboard.teams, rules: GameRules(.volleyball), at: 0)
    try match.apply(.newGame)
    try match.apply(.setScore(team: "home", to: 25))
    #expect(text(match).contains("set over") && text(match).contains("sets 1"))
    match.adopt(match.scoreboard.teams, rules: GameRules(.darts), at: 0)
    #expect(text(match).contains("legs"))
  }
}
