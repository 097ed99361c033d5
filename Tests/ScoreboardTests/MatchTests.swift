// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import FoundationEssentials
import Testing

@testable import Scoreboard

@Suite struct MatchTests {
  @Test("Any actions, followed by as many undos, restore the scoreboard", arguments: 0..<40)
  func identity(seed: UInt64) throws {
    var actions = RandomActions(seed: seed)
    var match = Match(newBoard(.basketball))
    match.adopt(declaredTeams, rules: seed % 2 == 0 ? busyRules : GameRules(.tennis), at: 0)
    let initial = match.scoreboard
    var now: Int64 = 0
    var boards = [initial]
    for _ in 0..<200 {
      var action = actions.next()
      while action.isHistory { action = actions.next() }
      now += actions.pause()
      do throws(Scoreboard.Refusal) {
        if case .changed = try match.apply(action, at: now) { boards.append(match.scoreboard) }
      } catch {}
    }
    #expect(match.past.count == boards.count - 1)
    #expect(boards.count > 30)
    for before in boards.dropLast().reversed() {
      now += actions.pause()
      try match.apply(.undo, at: now)
      #expect(match.scoreboard == before)
    }
    #expect(match.scoreboard == initial)
    #expect(throws: Scoreboard.Refusal.nothingToUndo) { try match.apply(.undo, at: now) }
    #expect(match.revision == 2 * (boards.count - 1))
  }

  @Test("A hundred thousand random actions never leave a scoreboard that cannot be shown", arguments: 0..<10)
  func storm(seed: UInt64) {
    var actions = RandomActions(seed: seed &+ 1000)
    var match = Match(newBoard(.free))
    let others: [GameRules] = GameRules.Preset.allCases.map { GameRules($0) } + [busyRules]
    var now: Int64 = 0
    var faults: [String] = []
    var changes = 0
    for index in 0..<10_000 {
      now += actions.pause()
      if index % 500 == 0 {
        match.adopt(declaredTeams, rules: others[(index / 500 + Int(seed)) % others.count], at: now)
      }
      let before = (match.scoreboard, match.revision, match.past.last, match.future.last)
      let action = actions.next()
      do throws(Scoreboard.Refusal) {
        if try match.apply(action, at: now) != .unchanged { changes += 1 }
      } catch {
        if before != (match.scoreboard, match.revision, match.past.last, match.future.last) {
          faults.append("a refusal of \(action) changed something")
        }
      }
      for time in index % 8 == 0 ? [now, now + 500 * second, .max, .min] : [now] {
        if let fault = match.scoreboard.fault(at: time) { faults.append("\(action): \(fault)") }
      }
      if faults.count > 3 { break }
    }
    #expect(faults == [])
    #expect(changes > 1000)
    #expect(match.past.count <= Match.historyLimit)
  }

  @Test("Scoreboards and steps can be encoded and decoded", arguments: 0..<20)
  func coding(seed: UInt64) throws {
    var actions = RandomActions(seed: seed &+ 77)
    var match = Match(newBoard(.basketball))
    match.adopt(declaredTeams, rules: busyRules, at: 0)
    var now: Int64 = 5
    for _ in 0..<150 {
      now += actions.pause()
      do throws(Scoreboard.Refusal) { try match.apply(actions.next(), at: now) } catch {}
    }
    // What the clocks have done is stored with the next action.
    try match.apply(.swapSides, at: now)
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    var read = try decoder.decode(Scoreboard.self, from: encoder.encode(match.scoreboard))
    read.adopt(declaredTeams, rules: busyRules, at: now)
    // Rules are not saved, so `adopt` has set them.
    #expect(read == match.scoreboard)
    let past = try decoder.decode([Match.Step].self, from: encoder.encode(match.past))
    let future = try decoder.decode([Match.Step].self, from: encoder.encode(match.future))
    let whole = try #require(Match(read, past: past, future: future, revision: match.revision))
    #expect(whole.past == match.past && whole.future == match.future)
    #expect(whole.scoreboard == match.scoreboard && whole.revision == match.revision)
    var (a, b) = (match, whole)
    let refusals = (0..<30).map { _ in outcome(&a, .undo) == outcome(&b, .undo) }
    #expect(refusals.allSatisfy { $0 } && a.scoreboard == b.scoreboard)
  }

  private func outcome(_ match: inout Match, _ action: Scoreboard.Action) -> Scoreboard.Refusal? {
    do throws(Scoreboard.Refusal) { try match.apply(action) } catch { return error }
    return nil
  }

  @Test("Undoing a score does not rewind the clock")
  func undoKeepsTheClock() throws {
    var match = Match(newBoard(.basketball))
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.addScore(team: "home", by: 2), at: 5 * second)
    try match.apply(.undo, at: 60 * second)
    #expect(match.scoreboard.team("home")?.score == 0)
    #expect(match.scoreboard.reading(of: .game, at: 60 * second)?.value == 9 * minute)
    #expect(match.scoreboard.reading(of: .game, at: 60 * second)?.isRunning == true)
  }

  @Test("Undoing a pause counts the paused time; undoing a start restores the time")
  func undoOfClocks() throws {
    var match = Match(newBoard(.basketball))
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.pauseTimer(.game), at: 60 * second)
    #expect(match.scoreboard.reading(of: .game, at: 90 * second)?.value == 9 * minute)
    try match.apply(.undo, at: 90 * second)
    #expect(match.scoreboard.reading(of: .game, at: 90 * second)?.value == 8 * minute + 30 * second)
    try match.apply(.undo, at: 91 * second)
    #expect(match.scoreboard.reading(of: .game, at: 99 * second)?.value == 10 * minute)
    try match.apply(.redo, at: 120 * second)
    #expect(match.scoreboard.reading(of: .game, at: 121 * second)?.value == 10 * minute - second)
  }

  @Test("Actions that change nothing are not in the history, and a new change clears the redo steps")
  func history() throws {
    var match = Match(newBoard(.free))
    #expect(try match.apply(.setScore(team: "home", to: 0)) == .unchanged)
    #expect(try match.apply(.pauseTimer(.game)) == .unchanged)
    #expect(match.past.isEmpty && match.revision == 0)
    try match.apply(.setScore(team: "home", to: 3))
    try match.apply(.undo)
    #expect(match.future.map(\.summary) == ["score of home: 0 → 3"])
    try match.apply(.setScore(team: "guest", to: 1))
    #expect(match.future.isEmpty)
    for score in 0..<1100 { try match.apply(.setScore(team: "home", to: score % 2 + 1)) }
    #expect(match.past.count == 1000)
    #expect(Set(match.past.map(\.number)).count == 1000)
  }

  @Test("Adopting another config's teams and rules leaves the history valid")
  func adoption() throws {
    var match = Match(newBoard(.volleyball))
    try match.apply(.setScore(team: "home", to: 25))
    try match.apply(.addPeriod(by: 1))
    try match.apply(.addScore(team: "guest", by: 2))
    try match.apply(.setTeam(team: "home", name: "LIONS", shortName: nil, color: nil))
    match.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "third", name: "THIRD")], rules: GameRules(), at: 9)
    #expect(match.scoreboard.team("home")?.name == "LIONS")
    #expect(match.scoreboard.fault(at: 9) == nil)
    while !match.past.isEmpty { try match.apply(.undo) }
    #expect(match.scoreboard.fault(at: 9) == nil)
    match.adopt(declaredTeams, rules: GameRules(.volleyball), at: 9)
    #expect(match.scoreboard.fault(at: 9) == nil)
    #expect(match.scoreboard.team("guest")?.score == 0)
  }

  @Test("A team that the config no longer has takes part in sets and a new game, and in undo")
  func parkedTeams() throws {
    var match = Match(newBoard(.volleyball))
    let rules = GameRules(.volleyball)
    try match.apply(.setScore(team: "guest", to: 20))
    try match.apply(.setCounter(team: "guest", counter: "timeouts", to: 1))
    match.adopt([declaredTeams[0]], rules: rules, at: 0)
    try match.apply(.addPeriod(by: 1, anyway: true))
    match.adopt(declaredTeams, rules: rules, at: 0)
    let guest = try #require(match.scoreboard.team("guest"))
    #expect(guest.score == 0 && guest.periodScores == [20] && guest.counters.isEmpty)
    try match.apply(.setScore(team: "guest", to: 3))
    match.adopt([declaredTeams[0]], rules: rules, at: 0)
    try match.apply(.newGame)
    match.adopt(declaredTeams, rules: rules, at: 0)
    var fresh = newBoard(.volleyball)
    fresh.game = match.scoreboard.game
    #expect(match.scoreboard == fresh)
    try match.apply(.undo)
    #expect(match.scoreboard.team("guest")?.score == 3)
    #expect(match.scoreboard.team("guest")?.periodScores == [20])
    for _ in 0..<2 { try match.apply(.undo) }
    #expect(match.scoreboard.team("guest")?.score == 20)
    #expect(match.scoreboard.team("guest")?.counters == ["timeouts": 1])
  }

  @Test("A new start score applies to a game that has not begun, and gives no points in one that has")
  func startScore() throws {
    var match = Match(newBoard(.free))
    match.adopt(declaredTeams, rules: GameRules(.darts), at: 0)
    #expect(match.scoreboard.teams.map(\.score) == [501, 501])
    try match.apply(.addScore(team: "home", by: -60))
    match.adopt(declaredTeams, rules: GameRules(.free), at: 0)
    #expect(match.scoreboard.teams.map(\.score) == [441, 501])
    try match.apply(.newGame)
    #expect(match.scoreboard.teams.map(\.score) == [0, 0])
  }

  @Test("A change that only reverts what the clock did is still described")
  func summaryAfterTheClock() throws {
    var match = Match(newBoard(.basketball))
    match.adopt(declaredTeams, rules: busyRules, at: 0)
    try match.apply(.startTimer(.game), at: 0)
    guard case .changed(let step) = try match.apply(.addPeriod(by: -1), at: 11 * second) else {
      Issue.record("no change")
      return
    }
    #expect(step.summary == "period -1" && match.scoreboard.period == 1)
    try match.apply(.undo, at: 11 * second)
    #expect(match.scoreboard.settled(at: 11 * second).period == 2)
  }

  @Test("A match with impossible steps is rejected")
  func unsound() throws {
    var match = Match(newBoard(.free))
    try match.apply(.setScore(team: "home", to: 3))
    #expect(Match(match.scoreboard, past: match.past, future: match.past, revision: 1) == nil)
    #expect(Match(match.scoreboard, past: match.past, future: [], revision: -1) == nil)
    var bad = match.past
    bad[0].patches = [.score(team: "home", from: 0, to: 1000)]
    #expect(Match(match.scoreboard, past: bad, future: [], revision: 1) == nil)
    bad[0].patches = [.period(from: 0, to: 1)]
    #expect(Match(match.scoreboard, past: bad, future: [], revision: 1) == nil)
    bad[0].patches = [.timer(.game, from: GameTimer(value: .max), to: GameTimer())]
    #expect(Match(match.scoreboard, past: bad, future: [], revision: 1) == nil)
  }

  @Test("All instants shift together when the clock has another origin")
  func shifting() throws {
    var match = Match(newBoard(.basketball))
    try match.apply(.startTimer(.game), at: 100 * second)
    try match.apply(.pauseTimer(.game), at: 160 * second)
    match.shift(by: -40 * second)
    try match.apply(.undo, at: 150 * second)
    #expect(match.scoreboard.reading(of: .game, at: 150 * second)?.value == 8 * minute + 30 * second)
    match.shift(by: .max)
    match.shift(by: .max)
    #expect(match.scoreboard.fault(at: 0) == nil)
    match.shift(by: .min)
    match.shift(by: .min)
    match.pauseTimers(at: .max)
    #expect(match.scoreboard.reading(of: .game, at: 0)?.value == 0)
  }

  /// What is done before, an action, and its description.
  static let summaries: [(before: [Scoreboard.Action], action: Scoreboard.Action, text: String)] =
    CommandSamples.all.compactMap { sample in
      sample.action.flatMap { action in sample.summary.map { (sample.before, action, $0) } }
    } + [
      ([.setPeriod(to: 4)], .addPeriod(by: 1), "period: QUARTER 4 → OVERTIME"),
      (
        [.setCounter(team: "guest", counter: "fouls", to: 4)],
        .addCounter(team: "guest", counter: "fouls", by: -1), "fouls of guest: 4 → 3"
      ),
      (
        [], .setTeam(team: "home", name: "LIONS", shortName: "", color: 0xff),
        "home: named LIONS, home: short name derived from the name, home: colour #0000ff"
      ),
      ([], .addTimer(.game, by: -15 * second / 10), "game timer -0:01.5"),
      ([], .addTimer(.game, by: second), "game timer +0:01"),
      (
        [.addPenalty(team: "home", length: nil, number: 7)], .endPenalty(team: "home", number: 7),
        "penalty of home, number 7 ended"
      ),
    ]

  @Test("Every step describes its change", arguments: summaries)
  func descriptions(_ before: [Scoreboard.Action], _ action: Scoreboard.Action, _ text: String) throws {
    var match = Match(newBoard(.basketball))
    match.adopt(declaredTeams, rules: busyRules, at: 0)
    for action in before { try match.apply(action) }
    guard case .changed(let step) = try match.apply(action) else {
      Issue.record("nothing was changed")
      return
    }
    #expect(step.summary == text)
  }

  @Test("Every action that is not about the history itself has a description")
  func described() {
    for sample in CommandSamples.all where sample.summary == nil {
      #expect(sample.action?.isHistory ?? true, "\(sample.change): the sample has no description")
    }
  }
}
