// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scoreboard

extension Scoreboard.Action {
  var isHistory: Bool {
    switch self {
    case .undo, .redo, .undoSteps, .redoSteps: true
    default: false
    }
  }
}

@Suite struct RedoTests {
  @Test("Redoing the start of a clock starts it now, not when it was first started")
  func start() throws {
    var match = Match(newBoard(.basketball))
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.undo, at: second)
    try match.apply(.redo, at: 9 * second)
    #expect(match.scoreboard.reading(of: .game, at: 9 * second)?.value == 10 * minute)
    #expect(match.scoreboard.reading(of: .game, at: 12 * second)?.value == 10 * minute - 3 * second)
    #expect(match.scoreboard.reading(of: .shot, at: 12 * second)?.value == 21 * second)
  }

  /// Clock actions, scores, undo and redo while time passes, and restarts of the daemon. A restart changes
  /// the origin of the instants, and timers do not count the time that it takes.
  @Test("Redo has the same effect as performing the action again", arguments: 0..<24)
  func redoIsNow(seed: UInt64) throws {
    var actions = RandomActions(seed: seed &+ 5000)
    var random = SplitMix(seed: seed)
    var match = Match(newBoard(.basketball))
    match.adopt(
      declaredTeams, rules: [busyRules, GameRules(.iceHockey), GameRules(.basketball)][Int(seed % 3)], at: 0)
    var now: Int64 = 0
    var redone = 0
    for _ in 0..<400 {
      now += Int64(random.int(0...12)) * second / 3
      switch random.int(0...9) {
      case 0...1: _ = try? match.apply(.undo, at: now)
      case 2...4:
        guard let step = match.future.last else { continue }
        var (performed, redo) = (match, match)
        // What may not begin now, or exceeds a limit, was confirmed or was allowed when it was performed.
        let action = step.action.overruling ?? step.action
        let refusals = [refusal(&performed, action, at: now), refusal(&redo, .redo, at: now)]
        #expect(refusals[0] == refusals[1])
        #expect(
          performed.scoreboard.settled(at: now) == redo.scoreboard.settled(at: now),
          "\(step.action) at \(now)")
        if refusals[1] == nil { redone += 1 }
        match = redo
      case 5:
        // A restart takes 100 s, which the timers do not count, and moves the origin of the instants by up to
        // 50 s.
        let offset = Int64(random.int(-50...50)) * second
        match.shift(by: offset, timers: offset + 100 * second)
        now += offset + 100 * second
        let before = match.scoreboard.reading(of: .game, at: now)?.value
        match.pauseTimers(at: now)
        #expect(match.scoreboard.reading(of: .game, at: now + minute)?.value == before)
      case 6: _ = try? match.apply([.startTimer(.game), .pauseTimer(.game)][random.int(0...1)], at: now)
      default: _ = try? match.apply(actions.next(), at: now)
      }
      #expect(match.scoreboard.fault(at: now) == nil)
    }
    #expect(redone > 5)
  }

  private func refusal(_ match: inout Match, _ action: Scoreboard.Action, at now: Int64) -> Scoreboard
    .Refusal?
  {
    do throws(Scoreboard.Refusal) { try match.apply(action, at: now) } catch { return error }
    return nil
  }

  @Test("Several steps are undone and redone together, or none")
  func several() throws {
    var match = Match(newBoard(.free))
    for _ in 0..<3 { try match.apply(.addScore(team: "home", by: 1)) }
    #expect(throws: Scoreboard.Refusal.tooManySteps(count: 4, known: 3)) { try match.apply(.undoSteps(4)) }
    #expect(throws: Scoreboard.Refusal.tooManySteps(count: 0, known: 3)) { try match.apply(.undoSteps(0)) }
    #expect(match.scoreboard.team("home")?.score == 3)
    guard case .undoneSteps(let steps) = try match.apply(.undoSteps(2)) else {
      Issue.record("not undone")
      return
    }
    #expect(steps.map(\.summary) == ["score of home: 2 → 3", "score of home: 1 → 2"])
    #expect(match.scoreboard.team("home")?.score == 1 && match.future.count == 2)
    try match.apply(.redoSteps(2))
    #expect(match.scoreboard.team("home")?.score == 3)
  }
}
