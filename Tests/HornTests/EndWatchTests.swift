// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard
import Testing

@testable import ControlCalls
@testable import Horn

private let second: Int64 = 1_000_000_000
private let millisecond: Int64 = 1_000_000

/// Rules with a game clock of ten seconds and a shot clock of four.
private func rules(
  _ direction: GameRules.Timer.Direction = .down, end: GameRules.Timer.End = .stop, shotFollows: Bool = true
) -> GameRules {
  var rules = GameRules(.basketball)
  rules.game = GameRules.Timer(direction, length: 10 * second, overtimeLength: 5 * second, end: end)
  rules.shot = GameRules.Timer(.down, length: 4 * second)
  rules.shotFollows = shotFollows
  rules.breaks.intervals = []
  return rules
}

/// A match, and an `EndWatch` that gets its states without delay.
private struct Rig {
  var match: Match
  var watch = EndWatch()
  var heard: [Heard] = []

  init(_ rules: GameRules) {
    match = Match(Scoreboard(teams: []))
    match.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules, at: 0)
    report(at: 0)
  }

  mutating func act(_ action: Scoreboard.Action, at now: Int64) throws {
    try match.apply(action, at: now)
    report(at: now)
  }

  mutating func report(at now: Int64) { hear(watch.follow(MatchState(match, at: now), at: now), now) }

  mutating func wait(until end: Int64) {
    while let next = watch.next, next <= end { hear(watch.advance(to: next), next) }
  }

  private mutating func hear(_ sounds: [Sound], _ now: Int64) {
    heard += sounds.map { Heard(sound: $0, time: now) }
  }
}

private struct Heard: Hashable { var sound: Sound, time: Int64 }

@Suite struct EndWatchTests {
  @Test(
    arguments: [
      rules(), rules(end: .nextPeriod), rules(.up), rules(.up, end: .nextPeriod),
    ])
  func theEndOfAPeriodSoundsOnceAndExactly(_ rules: GameRules) throws {
    var rules = rules
    rules.shot = nil
    var rig = Rig(rules)
    try rig.act(.startTimer(.game), at: second)
    #expect(rig.watch.next == 11 * second)
    try rig.act(.addScore(team: "home", by: 2), at: 4 * second)
    rig.wait(until: 20 * second)
    rig.report(at: 20 * second)
    #expect(rig.heard == [Heard(sound: .period, time: 11 * second)])
    #expect(rig.watch.next == nil)
  }

  @Test("A countdown sounds once at its end, and not if it is paused, set again or noticed late")
  func countdowns() {
    func state(_ countdowns: CountdownState...) -> DisplayState {
      DisplayState(name: "hall", page: "main", pages: ["main"], countdowns: countdowns)
    }
    func running(_ left: Int, name: String = "doors") -> CountdownState {
      CountdownState(name: name, milliseconds: left, running: true, ended: left <= 0)
    }
    var watch = EndWatch()
    #expect(watch.follow(state(running(-5_000)), at: 0) == [] && watch.next == nil)
    #expect(watch.follow(state(running(10_000), running(10_000, name: "talk")), at: second) == [])
    #expect(watch.next == 11 * second)
    #expect(watch.advance(to: 11 * second) == [.countdown] && watch.next == nil)
    #expect(watch.follow(state(running(0), running(0, name: "talk")), at: 11 * second + millisecond) == [])
    // The state that reports the end arrives before the timer.
    _ = watch.follow(state(running(4_000)), at: 20 * second)
    #expect(watch.follow(state(running(0)), at: 24 * second - millisecond) == [.countdown])
    for change in [
      CountdownState(name: "doors", milliseconds: 3_000), running(60_000), CountdownState(name: "doors"),
      // Time was taken away from it.
      running(0),
    ] {
      _ = watch.follow(state(running(4_000)), at: 30 * second)
      #expect(watch.follow(state(change), at: 31 * second) == [])
      #expect(watch.advance(to: 40 * second) == [])
    }
    _ = watch.follow(state(running(4_000)), at: 50 * second)
    #expect(watch.advance(to: 56 * second) == [])
    var silent = EndWatch([.period])
    _ = silent.follow(state(running(4_000)), at: 0)
    #expect(silent.next == nil && silent.advance(to: 4 * second) == [])
  }

  @Test("A break sounds before its end and at its end, and not if it was ended before")
  func breaks() throws {
    var rules = rules()
    (rules.shot, rules.breaks.intervals, rules.breaks.warning) = (nil, [20 * second], 5 * second)
    var rig = Rig(rules)
    try rig.act(.startTimer(.game), at: 0)
    rig.wait(until: 10 * second)
    rig.report(at: 10 * second)
    rig.wait(until: 25 * second)
    rig.report(at: 25 * second + millisecond)
    rig.wait(until: 60 * second)
    #expect(
      rig.heard == [
        Heard(sound: .period, time: 10 * second), Heard(sound: .breakWarning, time: 25 * second),
        Heard(sound: .breakEnd, time: 30 * second),
      ])
    rig.heard = []
    try rig.act(.startBreak(.timeOut(team: "home"), length: 20 * second), at: 100 * second)
    try rig.act(.endBreak, at: 110 * second)
    rig.wait(until: 200 * second)
    #expect(rig.heard == [])
    // A clock that is paused in its last seconds has not ended.
    try rig.act(.startBreak(.timeOut(team: "guest"), length: 20 * second), at: 300 * second)
    rig.wait(until: 316 * second)
    try rig.act(.pauseTimer(.breakClock), at: 317 * second)
    rig.wait(until: 400 * second)
    #expect(rig.heard == [Heard(sound: .breakWarning, time: 315 * second)])
    // A break that is no longer than the warning begins with it in silence.
    rig.heard = []
    try rig.act(.startBreak(.interval, length: 5 * second), at: 500 * second)
    rig.wait(until: 600 * second)
    #expect(rig.heard == [Heard(sound: .breakEnd, time: 505 * second)])
  }

  @Test(arguments: [GameRules.Timer.Direction.down, .up])
  func aClockThatCountsOnDoesNotEndAPeriod(_ direction: GameRules.Timer.Direction) throws {
    var rules = rules(direction, end: .countOn)
    rules.shot = nil
    var rig = Rig(rules)
    try rig.act(.startTimer(.game), at: 0)
    #expect(rig.watch.next == nil)
    rig.report(at: 12 * second)
    #expect(rig.heard == [])
  }

  @Test(
    arguments: [
      .pauseTimer(.game), .setTimer(.game, to: 0), .resetTimer(.game), .undo, .addPeriod(by: 1), .newGame,
    ] as [Scoreboard.Action])
  func aClockThatIsStoppedBeforeDoesNotSound(_ action: Scoreboard.Action) throws {
    var rules = rules()
    rules.shot = nil
    for end in [GameRules.Timer.End.stop, .nextPeriod] {
      rules.game?.end = end
      var rig = Rig(rules)
      try rig.act(.startTimer(.game), at: 0)
      rig.wait(until: 9 * second)
      try rig.act(action, at: 9 * second + 900 * millisecond)
      #expect(rig.watch.next == nil)
      rig.wait(until: 30 * second)
      rig.report(at: 30 * second)
      #expect(rig.heard == [])
    }
  }

  @Test func theShotClockSoundsAndTheGameContinues() throws {
    var rig = Rig(rules())
    try rig.act(.startTimer(.game), at: 0)
    rig.wait(until: 5 * second)
    rig.report(at: 5 * second)
    try rig.act(.resetTimer(.shot), at: 5 * second)
    rig.wait(until: 20 * second)
    #expect(
      rig.heard == [
        Heard(sound: .shot, time: 4 * second), Heard(sound: .shot, time: 9 * second),
        Heard(sound: .period, time: 10 * second),
      ])
  }

  @Test(arguments: [-2, 0, 1, 60] as [Int64])
  func onlyThePeriodSoundsIfBothClocksEndAtOnce(_ distance: Int64) throws {
    for follows in [true, false] {
      var rig = Rig(rules(shotFollows: follows))
      try rig.act(.startTimer(.game), at: 0)
      try rig.act(.setTimer(.shot, to: 4 * second + distance * millisecond), at: 6 * second)
      if !follows { try rig.act(.startTimer(.shot), at: 6 * second) }
      rig.wait(until: 30 * second)
      rig.report(at: 30 * second)
      #expect(rig.heard == [Heard(sound: .period, time: 10 * second)])
    }
  }

  @Test func aShotClockOfItsOwnSoundsAfterThePeriod() throws {
    var rig = Rig(rules(shotFollows: false))
    try rig.act(.startTimer(.game), at: 0)
    try rig.act(.startTimer(.shot), at: 9 * second)
    rig.wait(until: 10 * second)
    rig.report(at: 10 * second)
    rig.wait(until: 30 * second)
    #expect(
      rig.heard == [Heard(sound: .period, time: 10 * second), Heard(sound: .shot, time: 13 * second)])
  }

  @Test func theDaemonMayReportTheEndBeforeItIsComputed() throws {
    for end in [GameRules.Timer.End.stop, .nextPeriod] {
      var rig = Rig(rules(end: end))
      try rig.match.apply(.startTimer(.game), at: 0)
      // This state arrives after 30 ms.
      _ = rig.watch.follow(MatchState(rig.match, at: 7 * second), at: 7 * second + 30 * millisecond)
      try rig.match.apply(.pauseTimer(.shot), at: 8 * second)
      _ = rig.watch.follow(MatchState(rig.match, at: 8 * second), at: 8 * second + 30 * millisecond)
      rig.report(at: 10 * second + millisecond)
      #expect(rig.heard == [Heard(sound: .period, time: 10 * second + millisecond)])
      rig.wait(until: 30 * second)
      #expect(rig.heard.count == 1)
    }
  }

  @Test func aStateOfTheMomentBeforeTheEndDoesNotRepeatTheSound() throws {
    var rig = Rig(rules())
    try rig.act(.startTimer(.game), at: 0)
    try rig.act(.pauseTimer(.shot), at: 1 * second)
    rig.wait(until: 10 * second)
    // This state was sent 5 ms before the end and arrives after it.
    let late = MatchState(rig.match, at: 10 * second - 5 * millisecond)
    #expect(rig.watch.follow(late, at: 10 * second + 2 * millisecond) == [])
    #expect(rig.watch.next == nil)
    rig.report(at: 10 * second + 3 * millisecond)
    #expect(rig.heard.count == 1)
  }

  @Test func anEndInThePastDoesNotSound() throws {
    var rig = Rig(rules())
    try rig.act(.startTimer(.game), at: 0)
    // The machine was suspended.
    #expect(rig.watch.advance(to: 60 * second) == [])
    rig.report(at: 61 * second)
    #expect(rig.heard == [])

    var other = Rig(rules())
    try other.act(.startTimer(.game), at: 0)
    other.watch.forget()
    #expect(other.watch.next == nil && other.watch.advance(to: 12 * second) == [])
    other.report(at: 12 * second)
    #expect(other.heard == [] && other.watch.next == nil)
  }

  @Test func aClockThatRunsWhenTheConnectionReturnsSounds() throws {
    var rig = Rig(rules())
    try rig.act(.startTimer(.game), at: 0)
    rig.watch.forget()
    rig.report(at: 8 * second)
    rig.wait(until: 30 * second)
    #expect(rig.heard == [Heard(sound: .period, time: 10 * second)])
  }

  @Test func aReloadThatPutsTheEndIntoThePastDoesNotSound() throws {
    var rules = rules(.up)
    var rig = Rig(rules)
    try rig.act(.startTimer(.game), at: 0)
    try rig.act(.pauseTimer(.shot), at: second)
    rules.game?.length = 3 * second
    rig.match.adopt(rig.match.scoreboard.teams, rules: rules, at: 5 * second)
    rig.report(at: 5 * second)
    rig.wait(until: 30 * second)
    #expect(rig.heard == [])
  }

  @Test func onlyTheWantedSoundsSound() throws {
    for sound in [Sound.period, .shot] {
      var rig = Rig(rules())
      rig.watch = EndWatch([sound])
      rig.report(at: 0)
      try rig.act(.startTimer(.game), at: 0)
      rig.wait(until: 5 * second)
      rig.report(at: 5 * second)
      try rig.act(.setTimer(.shot, to: 5 * second), at: 5 * second)
      try rig.act(.startTimer(.shot), at: 5 * second)
      rig.wait(until: 30 * second)
      rig.report(at: 30 * second)
      let expected = sound == .shot ? 4 * second : 10 * second
      #expect(rig.heard == [Heard(sound: sound, time: expected)])
    }
  }

  @Test func timesAtTheLimitsAreHarmless() throws {
    let match = Match(Scoreboard(teams: [], rules: rules()))
    var state = MatchState(match, at: 0)
    for direction in ["up", "down", "sideways"] {
      for (milliseconds, limit) in [(Int.max, Int.min), (.min, .max), (0, .max), (.max, 0), (5, nil)] {
        state.timers["game"] = MatchState.Timer(
          milliseconds: milliseconds, running: true, direction: direction, warning: false, ended: false,
          limit: limit)
        var watch = EndWatch()
        for now in [Int64.max - 1, 0] { _ = watch.follow(state, at: now) }
        #expect(watch.advance(to: second) == [])
      }
    }
  }
}
