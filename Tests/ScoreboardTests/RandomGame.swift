// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import TestSupport

@testable import Scoreboard

let second: Int64 = 1_000_000_000
let minute: Int64 = 60 * second

func newBoard(_ preset: GameRules.Preset) -> Scoreboard {
  var scoreboard = Scoreboard(teams: [])
  scoreboard.adopt(declaredTeams, rules: GameRules(preset))
  return scoreboard
}

let declaredTeams: [Scoreboard.Team] = [
  .init(id: "home", name: "HOME", color: 0xe5484d), .init(id: "guest", name: "GUEST", color: 0x3e93ff),
]

/// Rules with many features: periods that the clock ends, all timers, counters, penalties and breaks.
let busyRules: GameRules = {
  var rules = GameRules(.basketball)
  rules.game = GameRules.Timer(
    .down, length: 10 * second, overtimeLength: 5 * second, warning: 3 * second, end: .nextPeriod)
  rules.shot = GameRules.Timer(.down, length: 4 * second, warning: second)
  rules.penalties = [5 * second]
  rules.penaltiesRunning = 2
  rules.breaks.timeOut = 5 * second
  rules.breaks.intervals = [7 * second, 2 * second]
  rules.breaks.halfTime = 20 * second
  rules.breaks.warning = 2 * second
  if let index = rules.counters.firstIndex(where: \.startsTimeOut) {
    (rules.counters[index].limitPerHalf, rules.counters[index].limitPerOvertime) = (2, 0)
    (rules.counters[index].limitLate, rules.counters[index].late) = (1, 4 * second)
  }
  return rules
}()

/// Random actions, including invalid ones.
struct RandomActions {
  var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func number() -> Int {
    pick([0, 1, -1, 2, 5, 7, -3, 99, 998, 999, 1000, -999, .min, .max])
  }

  private mutating func time() -> Int64 {
    pick([
      0, 1, second, 5 * second, 10 * second, -second, minute, 30 * minute, GameTimer.limit, -GameTimer.limit,
      GameTimer.limit + 1, .min, .max,
    ])
  }

  private mutating func team() -> String { pick(["home", "guest", "home", "guest", "nobody", ""]) }
  private mutating func counter() -> String { pick(["fouls", "timeouts", "timeouts", "cards"]) }
  private mutating func timer() -> GameTimer.ID { pick([.game, .game, .shot, .breakClock]) }

  /// Another match of the same teams, or of others.
  private mutating func otherMatch() -> Scoreboard {
    var scoreboard = newBoard(pick([.volleyball, .basketball]))
    let actions: [Scoreboard.Action] = [
      .addScore(team: "home", by: 7), .setPeriod(to: 4), .startTimer(.game), .swapSides,
      .setTeam(team: "guest", name: "TIGERS", shortName: nil, color: 0xffffff),
      .addPenalty(team: "home", length: minute, number: 7),
    ]
    for action in actions { if pick([true, false]) { try? scoreboard.apply(action) } }
    return pick([scoreboard, scoreboard, Scoreboard(teams: [])])
  }

  private func pauseOrToggle(_ timer: GameTimer.ID) -> Scoreboard.Action {
    timer != .game ? .toggleTimer(timer) : .pauseTimer(timer)
  }

  mutating func next() -> Scoreboard.Action {
    switch Int.random(in: 0..<28, using: &random) {
    case 0: .setScore(team: team(), to: number())
    case 1, 2: .addScore(team: team(), by: number())
    case 3: .setPeriodScore(team: team(), period: number(), to: number())
    case 4: .setPeriod(to: number(), anyway: pick([nil, true]))
    case 5, 6: .addPeriod(by: number(), anyway: pick([nil, true]))
    case 7:
      .setTeam(
        team: team(), name: pick([nil, "LIONS", "", "\u{202e}x", "نمور", "👩‍👩‍👧‍👦"]),
        shortName: pick([nil, "", "LIO", "too long a name"]), color: pick([nil, 0, 0xffffff, .max]))
    case 8: .setServing(team: pick([nil, "home", "guest", "nobody"]))
    case 9: .setCounter(team: team(), counter: counter(), to: number())
    case 10:
      .addCounter(team: team(), counter: counter(), by: number(), anyway: pick([nil, nil, false, true]))
    case 11, 12: .startTimer(timer())
    case 13: pauseOrToggle(timer())
    case 14: .resetTimer(timer())
    case 15: .setTimer(timer(), to: time())
    case 16: .addTimer(timer(), by: time())
    case 17: .swapSides
    case 18: pick([.newGame, .reset, .restore(otherMatch())])
    case 19, 20: .undo
    case 21:
      .addPenalty(
        team: team(), length: pick([nil, 0, -1, 5 * second, minute, .max]), number: pick([nil, 7, 1000]))
    case 22: pick([.endPenalty(team: team(), number: pick([nil, 7])), .clearPenalties(team: team())])
    case 23:
      .startBreak(
        pick([.timeOut(team: team()), .timeOut(team: "home"), .interval, .halfTime, .warmUp]),
        length: pick([nil, nil, 0, 1, 3 * second, minute, -second, .max]), anyway: pick([nil, nil, true]))
    case 24: pick([.endBreak, .addCounter(team: "home", counter: "timeouts", by: pick([1, 1, -1]))])
    case 25:
      pick([.resetShot(to: time()), .undoSteps(pick([0, 1, 2, .max])), .redoSteps(pick([-1, 1, 2]))])
    case 26: .redo
    // At times every action, also one that has no line here.
    default: pick(CommandSamples.actions)
    }
  }

  /// The time until the next action. Sometimes the clock goes back, or leaps ahead.
  mutating func pause() -> Int64 {
    pick([0, 1, second / 10, second, 3 * second, 11 * second, -second, 1000 * minute])
  }
}

extension Scoreboard {
  /// Describes an inconsistency of the scoreboard at `now`; nil if there is none.
  func fault(at now: Int64) -> String? {
    let scoreboard = settled(at: now)
    guard scoreboard.isSound else { return "not sound: \(scoreboard)" }
    guard scoreboard.settled(at: now) == scoreboard else {
      return "settling twice gives another board: \(scoreboard)"
    }
    for team in scoreboard.teams {
      guard Scoreboard.scores.contains(team.score) else { return "score \(team)" }
      guard scoreboard.periodScores(of: team).count == scoreboard.period else { return "periods \(team)" }
      guard team.penalties.count <= Penalty.limit, team.penalties.allSatisfy(\.isValid) else {
        return "penalties \(team)"
      }
      guard team.penalties.allSatisfy({ $0.left(at: now) > 0 || now == .min }) else {
        return "an ended penalty"
      }
      guard scoreboard.rules.counters.allSatisfy({ Scoreboard.counters.contains(team.counter($0.id)) }) else {
        return "counters \(team)"
      }
      if let problem = ShownText.problem(in: team.name, maximum: ShownText.nameLimit) {
        return "name \(problem)"
      }
      guard scoreboard.periodsWon(by: team) <= scoreboard.period else { return "won \(team)" }
    }
    for id in GameTimer.ID.allCases {
      guard (reading(of: id, at: now) != nil) == scoreboard.timers.contains(id) else { return "timer \(id)" }
      guard let reading = reading(of: id, at: now), let course = scoreboard.course(of: id) else { continue }
      guard course.values.contains(reading.value) else { return "timer \(reading)" }
      if let end = course.stop, reading.value == end, reading.isRunning { return "runs at its end" }
    }
    if rules.shotFollows, rules.game != nil, scoreboard.shotTimer.since != nil,
      scoreboard.gameTimer.since == nil
    {
      return "the shot clock runs without the game clock"
    }
    if let pause = scoreboard.gameBreak {
      guard !rules.stopsInBreaks || scoreboard.gameTimer.since == nil else {
        return "the game clock runs during a break"
      }
      if let team = pause.kind.team, scoreboard.team(team) == nil { return "a time-out of nobody" }
      guard (pause.ended != nil) == (reading(of: .breakClock, at: now)?.hasEnded == true) else {
        return "a break whose end is not known: \(pause)"
      }
    }
    if let next = nextEvent(after: now), next <= now { return "an event in the past" }
    return nil
  }
}
