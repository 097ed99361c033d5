// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import Scoreboard

/// A match of which every step is undone, redone, saved and read back.
struct CheckedMatch {
  private(set) var match: Match
  private let start: Scoreboard

  init(_ preset: GameRules.Preset) { self.init(GameRules(preset)) }

  init(_ rules: GameRules) {
    match = Match(Scoreboard(teams: []))
    match.adopt(declaredTeams, rules: rules, at: 0)
    start = match.scoreboard
  }

  var scoreboard: Scoreboard { match.scoreboard }

  @discardableResult
  mutating func apply(_ action: Scoreboard.Action, at now: Int64) throws -> Match.Outcome {
    let before = match.scoreboard.settled(at: now)
    let outcome = try match.apply(action, at: now)
    guard case .changed = outcome else { return outcome }
    let after = match.scoreboard
    #expect(after.fault(at: now) == nil, "\(action)")
    var back = match
    try back.apply(.undo, at: now)
    // Undo also takes back what the clocks did before the action; they do it again.
    #expect(back.scoreboard.settled(at: now) == before, "undone: \(action)")
    try back.apply(.redo, at: now)
    #expect(back.scoreboard == after, "redone: \(action)")
    var read = try JSONValue(encoding: after).decoded(as: Scoreboard.self)
    read.adopt(declaredTeams, rules: after.rules, at: now)
    #expect(read == after, "saved and read: \(action)")
    let step = try #require(match.past.last)
    #expect(step.contradiction(from: before, to: after) == nil, "\(step.summary)")
    #expect(try JSONValue(encoding: step).decoded(as: Match.Step.self) == step)
    return outcome
  }

  /// Undoes the whole match and redoes it, with the times of its steps. Sends it to another wall.
  func replay(at now: Int64) throws {
    var back = match
    while !back.past.isEmpty { try back.apply(.undo, at: now) }
    #expect(back.scoreboard == start)
    while let step = back.future.last { try back.apply(.redo, at: step.time) }
    #expect(
      back.scoreboard == match.scoreboard, "\(Patch.all(from: match.scoreboard, to: back.scoreboard))")
    let sent = SharedMatch(HeldMatch(match), whole: true)
    #expect(try JSONValue(encoding: sent).decoded(as: SharedMatch.self) == sent)
  }
}

extension Match.Step {
  /// A fact with other values than the scoreboard shows before and after the step, or a team whose points
  /// have changed without a fact; nil: there is none.
  func contradiction(from old: Scoreboard, to new: Scoreboard) -> String? {
    for fact in facts {
      guard let before = fact.team.flatMap(old.team), let after = new.team(before.id),
        let from = fact.from, let to = fact.to
      else { continue }
      let shown =
        switch Fact.Kind(rawValue: fact.what) {
        case .score: (old.pointsText(of: before), new.pointsText(of: after))
        case .counter:
          (String(before.counter(fact.counter ?? "")), String(after.counter(fact.counter ?? "")))
        default: (from, to)
        }
      guard (from, to) == shown else { return "\(fact.text), but the scoreboard has \(shown)" }
    }
    // A game that is won sets the points of all teams back.
    guard case .addScore = action, old.period == new.period, old.teams.map(\.games) == new.teams.map(\.games)
    else { return nil }
    for (before, after) in zip(old.teams, new.teams) {
      let isNamed = facts.contains { $0.what == Fact.Kind.score.rawValue && $0.team == after.id }
      if !isNamed, old.pointsText(of: before) != new.pointsText(of: after) {
        return "nothing about \(after.id)"
      }
    }
    return nil
  }
}
