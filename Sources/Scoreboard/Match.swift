// SPDX-License-Identifier: Apache-2.0

/// A scoreboard with its history: every change can be undone and redone.
///
/// Undo restores only the fields that the change modified, so undoing a score leaves a running clock alone.
/// Undoing a change of a clock restores its earlier state: after undoing a pause, or a new time, the clock
/// shows what it would show without that change.
///
/// Redo performs the action again at the current time, so redoing a start starts the clock now. Redo is
/// refused in the same cases as the action, except that it overrules what `anyway` overrules: those rules
/// were checked when the action was performed.
package struct Match: Hashable, Sendable {
  /// How many changes can be undone.
  package static let historyLimit = 1000

  /// One change.
  package struct Step: Hashable, Sendable, Codable {
    /// A serial number, unique within the match.
    package let number: Int
    /// The time of the change.
    package internal(set) var time: Int64
    package let action: Scoreboard.Action
    var patches: [Patch]
    /// The facts, if the action and the patches do not give all of them, e.g. that a set was won.
    var outcome: [Fact]?
    /// The summary as text, which state files of version 0.1 have instead of `outcome`.
    var oldNote: String?

    private enum CodingKeys: String, CodingKey {
      case number, time, action, patches, outcome
      case oldNote = "note"
    }
  }

  package internal(set) var scoreboard: Scoreboard
  /// The changes that can be undone, oldest first.
  package internal(set) var past: [Step] = []
  /// The changes that can be redone. The one that a redo takes first is at the end.
  package internal(set) var future: [Step] = []
  /// Raised with every change that is made, undone or redone.
  package internal(set) var revision = 0
  var nextNumber = 1

  package init(_ scoreboard: Scoreboard) { self.scoreboard = scoreboard }

  /// Restores a saved match; nil if its history is inconsistent.
  package init?(_ scoreboard: Scoreboard, past: [Step], future: [Step], revision: Int) {
    let numbers = (past + future).map(\.number)
    guard revision >= 0, Set(numbers).count == numbers.count,
      numbers.allSatisfy({ (0..<Int.max / 2).contains($0) }),
      (past + future).allSatisfy({ $0.patches.allSatisfy(\.isSound) })
    else { return nil }
    self.scoreboard = scoreboard
    self.past = Array(past.suffix(Self.historyLimit))
    self.future = Array(future.suffix(Self.historyLimit))
    self.revision = min(revision, Int.max / 2)
    nextNumber = (numbers.max() ?? 0) + 1
  }

  /// What an action did.
  package enum Outcome: Hashable, Sendable {
    case changed(Step)
    /// The action changed nothing, so there is nothing to undo.
    case unchanged
    case undone(Step)
    case redone(Step)
    /// The steps, in the order in which they were undone or redone.
    case undoneSteps([Step])
    case redoneSteps([Step])
  }

  /// Performs `action` at the instant `now`. A refused action changes nothing.
  @discardableResult
  package mutating func apply(
    _ action: Scoreboard.Action, at now: Int64 = 0
  ) throws(Scoreboard.Refusal) -> Outcome {
    switch action {
    case .undo: return .undone(try undo(at: now))
    case .redo: return .redone(try redo(at: now))
    case .undoSteps(let count):
      return .undoneSteps(
        try several(count, of: past.count) { match throws(Scoreboard.Refusal) in
          try match.undo(at: now)
        })
    case .redoSteps(let count):
      return .redoneSteps(
        try several(count, of: future.count) { match throws(Scoreboard.Refusal) in
          try match.redo(at: now)
        })
    default: break
    }
    let resolved = scoreboard.resolved(action, at: now)
    let (step, isChange) = try perform(resolved, number: nextNumber, at: now)
    guard isChange else { return .unchanged }
    future.removeAll()
    nextNumber += 1
    revision += 1
    return .changed(step)
  }

  /// Performs `action` and, if it changes something or is a redo, adds it to `past`.
  private mutating func perform(
    _ action: Scoreboard.Action, number: Int, at now: Int64, isRedo: Bool = false
  ) throws(Scoreboard.Refusal) -> (step: Step, isChange: Bool) {
    let settled = scoreboard.settled(at: now)
    var changed = settled
    try changed.apply(isRedo ? action.overruling ?? action : action, at: now)
    let isChange = changed != settled
    let step = Step(
      number: number, time: now, action: action, patches: Patch.all(from: scoreboard, to: changed),
      outcome: Self.outcome(of: action, from: settled, to: changed, at: now))
    guard isChange || isRedo else { return (step, false) }
    scoreboard = changed
    past.append(step)
    if past.count > Self.historyLimit { past.removeFirst(past.count - Self.historyLimit) }
    return (step, isChange)
  }

  /// Performs all of `count` steps, or none.
  private mutating func several(
    _ count: Int, of known: Int,
    _ body: (inout Match) throws(Scoreboard.Refusal) -> Step
  ) throws(Scoreboard.Refusal) -> [Step] {
    guard (1...max(known, 1)).contains(count) else { throw .tooManySteps(count: count, known: known) }
    var match = self
    var steps: [Step] = []
    for _ in 0..<count { steps.append(try body(&match)) }
    self = match
    return steps
  }

  private mutating func undo(at now: Int64) throws(Scoreboard.Refusal) -> Step {
    guard let step = past.popLast() else { throw .nothingToUndo }
    for patch in undone(step) { patch.apply(to: &scoreboard, undoing: true) }
    future.append(step)
    didUndo(at: now)
    return step
  }

  /// The patches that an undo takes back, in its order: not those of a name or colour that the config has
  /// changed since.
  private func undone(_ step: Step) -> [Patch] {
    let teams = scoreboard.teams + scoreboard.parked
    func isPresent(_ id: String, _ isValue: (Scoreboard.Team) -> Bool) -> Bool {
      teams.first { $0.id == id }.map(isValue) ?? false
    }
    // A short name belongs to the name of the same step.
    var names: [String: Bool] = [:]
    for case .name(let id, _, let to) in step.patches { names[id] = isPresent(id) { $0.name == to } }
    return step.patches.reversed().filter { patch in
      switch patch {
      case .name(let id, _, _): names[id] == true
      case .shortName(let id, _, let to): names[id] ?? isPresent(id) { $0.shortName == to }
      case .color(let id, _, let to): isPresent(id) { $0.color == to }
      default: true
      }
    }
  }

  private mutating func redo(at now: Int64) throws(Scoreboard.Refusal) -> Step {
    guard let step = future.last else { throw .nothingToRedo }
    let (redone, _) = try perform(step.action, number: step.number, at: now, isRedo: true)
    future.removeLast()
    revision += 1
    return redone
  }

  private mutating func didUndo(at now: Int64) {
    // The teams or the rules may have changed since the step.
    scoreboard.makeValid()
    scoreboard.holdShot(at: now)
    scoreboard.holdPenalties(at: now)
    scoreboard.holdBreak()
    revision += 1
  }

  /// Raises the revision by `count`.
  package mutating func skipRevisions(_ count: Int) { revision += count }

  /// Adds the older steps of `older`, which is the same match. This value has only the last ones.
  mutating func continueHistory(of older: Match) {
    past = Self.joined(older.past, past)
    future = Self.joined(older.future, future)
    nextNumber = ((past + future).map(\.number).max() ?? 0) + 1
  }

  /// The newer steps, after the steps in `older` that precede the first of them; if `older` does not have
  /// that first step, only the newer ones.
  private static func joined(_ older: [Step], _ newer: [Step]) -> [Step] {
    guard let first = newer.first, let index = older.firstIndex(where: { $0.number == first.number })
    else { return newer }
    return Array((older[..<index] + newer).suffix(historyLimit))
  }

  /// Adopts the teams and rules of another config. The history stays.
  package mutating func adopt(_ teams: [Scoreboard.Team], rules: GameRules, at now: Int64) {
    scoreboard.adopt(teams, rules: rules, at: now)
  }

  /// Begins a match of another game, with the names and colours of the teams. Nothing before it can be
  /// undone.
  package mutating func begin(_ teams: [Scoreboard.Team], rules: GameRules, at now: Int64) {
    adopt(teams, rules: rules, at: now)
    scoreboard.startOver(at: now)
    (past, future) = ([], [])
    revision += 1
  }

  /// Whether nothing has happened since it began, or all of it was undone.
  package var isUntouched: Bool { past.isEmpty && !scoreboard.hasContent }

  /// Moves all instants by `offset` nanoseconds, to convert them to a clock that was 0 at another time.
  ///
  /// - Parameter timers: the offset for the starts of timers and penalties; nil: `offset`. The two differ
  ///   after a time during which timers did not count.
  package mutating func shift(by offset: Int64, timers: Int64? = nil) {
    let timers = timers ?? offset
    scoreboard.shift(by: timers)
    for index in past.indices { past[index].shift(by: offset, timers: timers) }
    for index in future.indices { future[index].shift(by: offset, timers: timers) }
  }

  /// Stops the timers that run at `now`, without an entry in the history.
  package mutating func pauseTimers(at now: Int64) {
    scoreboard = scoreboard.settled(at: now)
    for id in GameTimer.ID.allCases {
      if let course = scoreboard.course(of: id) { scoreboard[id].stop(at: now, course) }
    }
    scoreboard.syncPenalties(at: now)
  }
}

extension Match.Step {
  fileprivate mutating func shift(by offset: Int64, timers: Int64) {
    time = time.addingClamped(offset)
    patches = patches.map { $0.shifted(by: timers) }
  }
}
