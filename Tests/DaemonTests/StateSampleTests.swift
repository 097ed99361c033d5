// SPDX-License-Identifier: Apache-2.0

import Commands
import Schedule
import Settings
import Scoreboard
import Testing
import Walls
import WallState

@testable import Daemon

/// A state file written by an older version, and timers across a restart.
@Suite struct StateSampleTests {
  private let teams: [Scoreboard.Team] = [
    .init(id: "home", name: "HOME", color: 0xe5484d), .init(id: "guest", name: "GUEST", color: 0x3e93ff),
  ]

  /// A volleyball match in its second set, written by a development version that had no penalties and rules.
  static let version2 = """
    {"revision":11,"saved":{"clock":4021363201324,"wall":1795312916637444842},"scoreboard":{"gameTimer":\
    {"value":275757193},"parked":[],"period":2,"serving":"home","shotTimer":{},"sidesSwapped":false,\
    "startScore":0,"teams":[{"color":15026253,"declared":{"color":15026253,"name":"HOME"},"id":"home",\
    "name":"LIONS","periodScores":[25],"score":0},{"color":4101119,"id":"guest","name":"GUEST",\
    "periodScores":[20],"score":1}]},"version":2,
    "past":[{"action":{"setTeam":{"name":"LIONS","team":"home"}},"number":1,"patches":[{"name":\
    {"from":"HOME","team":"home","to":"LIONS"}}],"time":4018817396078},
    {"action":{"setScore":{"team":"home","to":25}},"number":2,"patches":[{"score":{"from":0,"team":"home",\
    "to":25}}],"time":4019132290196},
    {"action":{"setScore":{"team":"guest","to":20}},"number":3,"patches":[{"score":{"from":0,"team":"guest",\
    "to":20}}],"time":4019343700600},
    {"action":{"setServing":{"team":"home"}},"number":4,"patches":[{"serving":{"to":"home"}}],\
    "time":4019596288663},
    {"action":{"setCounter":{"counter":"timeouts","team":"home","to":1}},"number":5,"patches":[{"counters":\
    {"from":{},"team":"home","to":{"timeouts":1}}}],"time":4019820399250},
    {"action":{"addPeriod":{"by":1}},"number":6,"patches":[{"score":{"from":25,"team":"home","to":0}},\
    {"periodScores":{"from":[],"team":"home","to":[25]}},{"counters":{"from":{"timeouts":1},"team":"home",\
    "to":{}}},{"score":{"from":20,"team":"guest","to":0}},{"periodScores":{"from":[],"team":"guest",\
    "to":[20]}},{"period":{"from":1,"to":2}}],"time":4020103765022},
    {"action":{"addScore":{"by":1,"team":"guest"}},"number":7,"patches":[{"score":{"from":0,"team":"guest",\
    "to":1}}],"time":4020376820173},
    {"action":{"startTimer":{"_0":"game"}},"number":8,"patches":[{"timer":{"_0":"game","from":{},"to":\
    {"since":4020609002279,"value":0}}}],"time":4020609002279},
    {"action":{"pauseTimer":{"_0":"game"}},"number":9,"patches":[{"timer":{"_0":"game","from":\
    {"since":4020609002279,"value":0},"to":{"value":275757193}}}],"time":4020884759472}],
    "future":[{"action":{"swapSides":{}},"number":10,"patches":[{"sides":{"from":false,"to":true}}],\
    "time":4021084349743}]}
    """

  @Test("A state file of version 2 from before the rules is read, and its history works")
  func version2() throws {
    let document = try StateDocument(reading: Array(Self.version2.utf8))
    #expect(!document.lostHistory && document.match.past.count == 9)
    let now = Moment(clock: 5_000_000_000, realtime: 1_795_312_926_637_444_842)
    var match = document.resumed(teams, rules: GameRules(.volleyball), at: now, runs: false)
    #expect(match.scoreboard.team("home")?.name == "LIONS" && match.scoreboard.teams.map(\.score) == [0, 1])
    #expect(
      match.scoreboard.period == 2 && match.scoreboard.serving == "home"
        && match.scoreboard.resultText == "1 : 0")
    #expect(match.scoreboard.reading(of: .game, at: now.clock)?.value == 275_757_193)
    try match.apply(.redo, at: now.clock)
    #expect(match.scoreboard.sidesSwapped)
    // The rules apply from now on.
    try match.apply(.addScore(team: "guest", by: 1), at: now.clock)
    #expect(match.scoreboard.serving == "guest")
    while !match.past.isEmpty { try match.apply(.undo, at: now.clock) }
    #expect(match.scoreboard.team("home")?.name == "HOME" && match.scoreboard.period == 1)
    #expect(match.scoreboard.teams.map(\.score) == [0, 0] && match.scoreboard.serving == nil)
  }

  /// Writes the match and reads it again after `downtime`, with another origin of the match time.
  private func restarted(_ match: Match, after: Int64, downtime: Int64) throws -> (Match, Int64) {
    var writer = StateWriter()
    let bytes = try writer.bytes(of: SavedWall(match), at: Moment(clock: after, realtime: 1000 * second))
    let now = Moment(clock: 7 * second, realtime: 1000 * second + downtime)
    let document = try StateDocument(reading: bytes)
    #expect(!document.lostHistory)
    return (document.resumed(teams, rules: match.scoreboard.rules, at: now, runs: false), now.clock)
  }

  private let second: Int64 = 1_000_000_000

  private func newMatch(_ preset: GameRules.Preset) -> Match {
    var match = Match(Scoreboard(teams: []))
    match.adopt(teams, rules: GameRules(preset), at: 0)
    return match
  }

  @Test("Redoing a start after a restart starts the timer at that moment")
  func redoAfterRestart() throws {
    var match = newMatch(.basketball)
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.undo, at: 3 * second)
    var (resumed, now) = try restarted(match, after: 4 * second, downtime: 100 * second)
    try resumed.apply(.redo, at: now + second)
    #expect(resumed.scoreboard.reading(of: .game, at: now + 3 * second)?.value == 598 * second)
  }

  @Test(
    "Undoing a pause after a restart does not count the downtime")
  func undoAfterRestart() throws {
    var match = newMatch(.basketball)
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.pauseTimer(.game), at: 60 * second)
    var (resumed, now) = try restarted(match, after: 62 * second, downtime: 100 * second)
    #expect(resumed.scoreboard.reading(of: .game, at: now)?.value == 540 * second)
    try resumed.apply(.undo, at: now + 5 * second)
    #expect(resumed.scoreboard.reading(of: .game, at: now + 5 * second)?.value == 533 * second)
  }

  @Test("A countdown goes on by the wall clock; if that has not been set, it is paused at its saved value")
  func countdowns() throws {
    var saved = SavedWall(newMatch(.free))
    let moment = Moment(clock: 500 * second, realtime: 1_000 * second)
    let (configuration, schedule) = (Configuration(), Schedule())
    var (generator, effects) = (SystemRandomNumberGenerator(), Wall.Effects())
    func start(_ saved: SavedWall, at now: Moment) -> Wall {
      Wall(
        configuration, schedule: schedule, saved, displays: [], at: now, &generator, keep: { _ in "" },
        &effects)
    }
    var wall = start(saved, at: moment)
    for words in [
      "countdown a 10min --label OPEN", "countdown b 5:00", "countdown b --pause",
      "countdown c --until 01:00",
    ] { _ = try wall.perform(Change(parsing: words, on: .commandLine), at: moment, &effects) }
    saved = wall.saved
    var writer = StateWriter()
    let document = try StateDocument(reading: try writer.bytes(of: saved, at: moment))
    func left(_ realtime: Int64) -> [Int] {
      let now = Moment(clock: 7 * second, realtime: realtime * second)
      let states = start(document.resumed(by: configuration, at: now), at: now).countdownStates(at: now)
      return states.map { ($0.milliseconds ?? 0) / 1_000 * ($0.running ? 1 : -1) }
    }
    #expect(document.wall.countdowns == saved.countdowns && saved.countdowns["a"]?.label == "OPEN")
    #expect(left(1_100) == [500, -300, 2_500])
    #expect(left(1_700) == [-100, -300, 1_900])
    // The clock is behind the time of the save.
    #expect(left(900) == [-600, -300, 2_700])
  }

  @Test("A break is kept across a restart, at rest or running as the other clocks")
  func breaks() throws {
    var match = newMatch(.basketball)
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.addCounter(team: "home", counter: "timeouts", by: 1), at: 10 * second)
    var (resumed, now) = try restarted(match, after: 30 * second, downtime: 100 * second)
    #expect(resumed.scoreboard.reading(of: .breakClock, at: now + 100 * second)?.value == 40 * second)
    try resumed.apply(.startTimer(.breakClock), at: now)
    #expect(resumed.scoreboard.reading(of: .breakClock, at: now + second)?.value == 39 * second)
    try resumed.apply(.undoSteps(2), at: now + 2 * second)
    #expect(resumed.scoreboard.settled(at: now).gameBreak == nil)
    var writer = StateWriter()
    let saved = Moment(clock: 30 * second, realtime: 1000 * second)
    let document = try StateDocument(reading: try writer.bytes(of: SavedWall(match), at: saved))
    for (downtime, left) in [(5, 35), (45, 0), (55, nil)] as [(Int64, Int64?)] {
      let now = Moment(clock: 7 * second, realtime: (1000 + downtime) * second)
      let running = document.resumed(teams, rules: match.scoreboard.rules, at: now, runs: true)
      #expect(running.scoreboard.reading(of: .breakClock, at: now.clock)?.value == left.map { $0 * second })
    }
  }

  @Test("Games, penalties and the first server are kept across a restart")
  func newState() throws {
    var match = newMatch(.tennis)
    try match.apply(.setServing(team: "guest"), at: 0)
    for _ in 0..<6 { try match.apply(.addScore(team: "home", by: 1), at: 0) }
    let (tennis, _) = try restarted(match, after: 0, downtime: second)
    #expect(tennis.scoreboard == match.scoreboard && tennis.past.map(\.summary) == match.past.map(\.summary))
    var hockey = newMatch(.iceHockey)
    try hockey.apply(.startTimer(.game), at: 0)
    try hockey.apply(.addPenalty(team: "home", length: nil, number: 4), at: 0)
    let (resumed, now) = try restarted(hockey, after: 20 * second, downtime: 100 * second)
    let home = try #require(resumed.scoreboard.team("home"))
    let penalties = resumed.scoreboard.penalties(of: home, at: now + 50 * second)
    #expect(penalties.map(\.left) == [100 * second] && penalties.map(\.isRunning) == [false])
  }
}
