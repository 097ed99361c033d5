// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls
@testable import ControlClient

/// What `watch`, `history` and `status` print without `--json`.
@Suite struct WatchTextTests {
  private func value(_ match: Match) throws -> JSONValue {
    try JSONValue(encoding: MatchState(match, at: 0))
  }

  private func newMatch() -> Match {
    var match = Match(Scoreboard(teams: []))
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(.basketball),
      at: 0)
    return match
  }

  @Test(
    "After deuce, the reply, the history and undo have the points that the wall shows, and whose they are")
  func deuce() throws {
    var match = Match(Scoreboard(teams: []))
    match.adopt(
      [.init(id: "home", name: "LIONS"), .init(id: "guest", name: "SHARKS")], rules: GameRules(.tennis), at: 0
    )
    func reply(_ action: Scoreboard.Action) throws -> String {
      let change = MatchChange(try match.apply(action), match, at: 0)
      let parameters = try ChangeReply.match(change).parameters(to: .match(action)).get()
      return MatchText.change(parameters, by: .match(action))
    }
    for team in ["home", "guest"] { try match.apply(.setScore(team: team, to: 40)) }
    let (home, guest) = (
      Scoreboard.Action.addScore(team: "home", by: 1), Scoreboard.Action.addScore(team: "guest", by: 1)
    )
    #expect(try reply(home) == "score of home: 40 → AD")
    #expect(try reply(guest) == "score of home: AD → 40")
    #expect(try reply(.undo) == "undone: score of home: AD → 40")
    #expect(try reply(.redo) == "redone: score of home: AD → 40")
    #expect(try reply(.setScore(team: "guest", to: 40)) == "SHARKS 40")
    #expect(try reply(.setScore(team: "guest", to: 3)) == "SHARKS 40")
    #expect(match.past.map(\.summary).suffix(2) == ["score of home: 40 → AD", "score of home: AD → 40"])
  }

  @Test("Every change of a counter of any team is visible in the line")
  func counters() throws {
    var match = newMatch()
    var lines = [MatchText.line(of: try value(match))]
    for team in ["home", "guest"] {
      for counter in ["fouls", "timeouts"] {
        for count in 1...2 {
          try match.apply(.setCounter(team: team, counter: counter, to: count))
          lines.append(MatchText.line(of: try value(match)))
        }
      }
    }
    #expect(Set(lines).count == lines.count)
    #expect(lines.last?.contains("fouls 2 : 2") == true)
  }

  @Test("The line names the break and the team whose time-out it is, and the status has clocks and counters")
  func breaks() throws {
    for (kind, name) in [
      (GameBreak.Kind.timeOut(team: "home"), "time-out of HOME"),
      (.timeOut(team: "guest"), "time-out of GUEST"),
      (.interval, "interval"), (.halfTime, "half-time"), (.warmUp, "warm-up"),
    ] {
      var match = newMatch()
      try match.apply(.addCounter(team: "home", counter: "fouls", by: 3))
      try match.apply(.startBreak(kind, length: 58_000_000_000))
      let state = try value(match)
      #expect(MatchText.line(of: state).contains("\(name) 0:58, running"), "\(MatchText.line(of: state))")
      let table = StatusText.table(of: .object(["match": state]))
      for words in ["\(name) 0:58, running", "game 10:00", "shot 0:24", "fouls 3 : 0", "timeouts"] {
        #expect(table.contains(words), "\(table)")
      }
    }
  }

  @Test("A change that the line does not show is described in words, and so is its undo")
  func words() throws {
    var match = newMatch()
    let before = try value(match)
    try match.apply(.setTeam(team: "home", name: nil, shortName: "LIO", color: nil))
    let changed = try value(match)
    #expect(MatchText.line(of: before) == MatchText.line(of: changed))
    #expect(MatchText.change(from: before, to: changed).contains("LIO"))
    try match.apply(.undo)
    #expect(MatchText.change(from: changed, to: try value(match)).hasPrefix("undone: "))
  }

  @Test("The reply to another period says what was reset, and that undo brings it back", arguments: [1, -1])
  func resets(step: Int) throws {
    var match = newMatch()
    if step < 0 { try match.apply(.setPeriod(to: 2)) }
    let change = Change.match(.addPeriod(by: step))
    func reply(_ match: inout Match) throws -> String {
      let outcome = try match.apply(.addPeriod(by: step))
      let parameters = ChangeReply.match(MatchChange(outcome, match, at: 0)).parameters(to: change)
      return MatchText.change(try parameters.get(), by: change)
    }
    var plain = match
    #expect(!(try reply(&plain).contains("undo")))
    try match.apply(.addCounter(team: "guest", counter: "fouls", by: 3))
    try match.apply(.setTimer(.game, to: 7_000_000_000))
    let text = try reply(&match)
    // Fouls count per period, so the next period resets them.
    if step > 0 { #expect(text.contains("fouls of guest: 3 → 0"), "\(text)") }
    #expect(text.contains("game timer reset") && text.contains("undo"), "\(text)")
  }

  @Test("A clock in the line is that of the display: what is left is rounded up, and minutes may exceed 59")
  func clocks() throws {
    let faces = [
      (338_400, "down", "5:39"), (338_000, "down", "5:38"), (338_400, "up", "5:38"),
      (6_300_000, "up", "105:00"),
    ]
    for (milliseconds, direction, face) in faces {
      var state = MatchState(newMatch(), at: 0)
      state.timers["game"]?.milliseconds = milliseconds
      state.timers["game"]?.direction = direction
      state.teams[0].penalties = [.init(milliseconds: milliseconds, running: true, number: 7)]
      let line = MatchText.line(of: state)
      #expect(line.contains("game \(face)"), "\(line)")
      if direction == "down" { #expect(line.contains("#7 \(face)"), "\(line)") }
    }
  }

  @Test("A change that no command has made is not described as the last command")
  func withoutCommand() throws {
    var match = newMatch()
    try match.apply(.addScore(team: "home", by: 1))
    try match.apply(.startTimer(.game))
    let before = try value(match)
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST", shortName: "GU")],
      rules: match.scoreboard.rules, at: 0)
    let after = try value(match)
    #expect(MatchText.line(of: before) == MatchText.line(of: after))
    #expect(MatchText.change(from: before, to: after) == "the config has changed")
    let warned = #"{"revision":1,"undo":"score","timers":{"game":{"warning":true,"ended":false}}}"#
    let running = #"{"revision":1,"undo":"score","timers":{"game":{"warning":false,"ended":false}}}"#
    let texts = try [running, warned].map { try JSONReader.read(Array($0.utf8)) }
    #expect(MatchText.change(from: texts[0], to: texts[1]) == "game timer warns")
  }

  @Test("Status lists teams in the order of the daemon, others by name, and rates once they are known")
  func order() throws {
    func table(_ text: String) throws -> String {
      StatusText.table(of: try JSONReader.read(Array(text.utf8)))
    }
    let teams =
      #""teams":{"guest":{"name":"G","score":1},"home":{"name":"H","score":2},"third":{"name":"T"}}"#
    let ordered = try table(#"{"scoreboard":{\#(teams),"teamOrder":["home","guest"]}}"#)
    func ids(_ text: String) -> [String] {
      text.split { !$0.isLetter }.map(String.init).filter { ["home", "guest", "third"].contains($0) }
    }
    #expect(ids(ordered) == ["home", "guest", "third"])
    #expect(ids(try table(#"{"scoreboard":{\#(teams)}}"#)) == ["guest", "home", "third"])
    let cost = #""wakeupsPerMinute":9,"processorMicrosecondsPerMinute":44886000,"residentBytes":2048"#
    #expect(try !table(#"{"cost":{"seconds":1,\#(cost)}}"#).contains("core"))
    #expect(try table(#"{"cost":{"seconds":1,\#(cost)}}"#).contains(" 2.0 KiB of memory"))
    #expect(try table(#"{"cost":{"seconds":60,\#(cost)}}"#).contains("74.81 % of a core"))
    #expect(
      try table(#"{"warnings":["the time zone cannot be read"]}"#).contains("warnings    the time zone"))
  }

  @Test("A number out of range is still shown as a time", arguments: [Int64.max, .min, 1 << 62, -1, 0])
  func hostileTimes(milliseconds: Int64) {
    let timer = JSONValue.object(["milliseconds": .integer(milliseconds)])
    let state = JSONValue.object([
      "timers": .object(["game": timer]), "teams": .array([.object(["penalties": .array([timer])])]),
    ])
    #expect(MatchText.line(of: state).contains(":"))
  }

  @Test("Times are local, with their zone; an invalid time is left unchanged")
  func localTimes() {
    let text = LocalTime.text("2026-11-22T01:05:03Z")
    #expect(text.count > "2026-11-22 01:05:03".count && text.hasPrefix("2026-11-2"))
    for odd in ["", "yesterday", "2026-13-40T99:99:99Z"] { #expect(LocalTime.text(odd) == odd) }
  }
}
