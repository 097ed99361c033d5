// SPDX-License-Identifier: Apache-2.0

/// A board with its history: every change can be taken back and done again.
///
/// Undo gives back the fields that the change had changed, and leaves the others: to undo a score does not
/// rewind a clock that runs. To undo a clock's change restores what the clock did before: after the undo of a
/// pause, or of a new time on it, it shows what it would show had nobody touched it.
public struct Match: Hashable, Sendable {
  /// How many changes can be taken back.
  public static let historyLimit = 1000

  /// One change that was made.
  public struct Step: Hashable, Sendable, Codable {
    /// Counts all changes of the match; no two steps have the same.
    public let number: Int
    /// The instant at which it was made.
    public internal(set) var time: Int64
    public let action: Scoreboard.Action
    var patches: [Patch]
  }

  public internal(set) var board: Scoreboard
  /// What can be undone, the latest last.
  public internal(set) var past: [Step] = []
  /// What can be done again, the next one last.
  public internal(set) var future: [Step] = []
  /// Grows by one with every change that is made, undone or redone.
  public internal(set) var revision = 0
  var nextNumber = 1

  public init(_ board: Scoreboard) { self.board = board }

  /// What was saved; nil when no match leads to it.
  public init?(_ board: Scoreboard, past: [Step], future: [Step], revision: Int) {
    let numbers = (past + future).map(\.number)
    guard revision >= 0, Set(numbers).count == numbers.count,
      numbers.allSatisfy({ (0..<Int.max / 2).contains($0) }),
      (past + future).allSatisfy({ $0.patches.allSatisfy(\.isSound) })
    else { return nil }
    self.board = board
    self.past = Array(past.suffix(Self.historyLimit))
    self.future = Array(future.suffix(Self.historyLimit))
    self.revision = min(revision, Int.max / 2)
    nextNumber = (numbers.max() ?? 0) + 1
  }

  /// What an action did.
  public enum Outcome: Hashable, Sendable {
    case changed(Step)
    /// All was so already; there is nothing to undo.
    case unchanged
    case undone(Step)
    case redone(Step)
  }

  /// Does `action` at the instant `now`, or refuses it and changes nothing.
  @discardableResult
  public mutating func apply(
    _ action: Scoreboard.Action, at now: Int64 = 0
  ) throws(Scoreboard.Refusal) -> Outcome {
    switch action {
    case .undo: return .undone(try undo(at: now))
    case .redo: return .redone(try redo(at: now))
    default: break
    }
    let settled = board.settled(at: now)
    var changed = settled
    try changed.apply(action, at: now)
    guard changed != settled else { return .unchanged }
    let step = Step(
      number: nextNumber, time: now, action: action, patches: Patch.all(from: board, to: changed))
    board = changed
    past.append(step)
    if past.count > Self.historyLimit { past.removeFirst(past.count - Self.historyLimit) }
    future.removeAll()
    nextNumber += 1
    revision += 1
    return .changed(step)
  }

  private mutating func undo(at now: Int64) throws(Scoreboard.Refusal) -> Step {
    guard let step = past.popLast() else { throw .nothingToUndo }
    for patch in step.patches.reversed() { patch.reversed.apply(to: &board) }
    future.append(step)
    afterwards(at: now)
    return step
  }

  private mutating func redo(at now: Int64) throws(Scoreboard.Refusal) -> Step {
    guard let step = future.popLast() else { throw .nothingToRedo }
    for patch in step.patches { patch.apply(to: &board) }
    past.append(step)
    afterwards(at: now)
    return step
  }

  private mutating func afterwards(at now: Int64) {
    // Teams may have come and gone since, or the rules be others.
    board.makeValid()
    board.holdShot(at: now)
    revision += 1
  }

  /// Takes the teams and rules of another config; the history stays.
  public mutating func adopt(_ teams: [Scoreboard.Team], rules: GameRules, at now: Int64) {
    board.adopt(teams, rules: rules, at: now)
  }

  /// Moves all instants, for a clock that has another zero.
  public mutating func shift(by offset: Int64) {
    board.gameTimer.shift(by: offset)
    board.shotTimer.shift(by: offset)
    for index in past.indices { past[index].shift(by: offset) }
    for index in future.indices { future[index].shift(by: offset) }
  }

  /// Timers that ran at `now` stand from then on; nothing is added to the history.
  public mutating func pauseTimers(at now: Int64) {
    board = board.settled(at: now)
    for id in GameTimer.ID.allCases {
      if let course = board.course(of: id) { board[id].stop(at: now, course) }
    }
  }
}

extension Match.Step {
  fileprivate mutating func shift(by offset: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(offset)
    time = overflow ? (offset < 0 ? .min : .max) : sum
    patches = patches.map { $0.shifted(by: offset) }
  }
}
