// SPDX-License-Identifier: Apache-2.0

/// What a card is doing. One that flips: TopToMiddle, MiddleToBottom, ResetForNext (seed 000); every
/// other transition goes in one phase. A pure value: events go in, the caller does what comes out.
///
/// The model may change at any moment; a change that is under way ends at the symbol it set out for, and
/// the next one goes on from there to the newest: straight, or by the next flap of the drum. So nothing
/// that was never asked for is shown, but what a drum has on its way.
struct FlipMachine: Hashable {
  enum State: Hashable {
    case resting(String)
    case topToMiddle(from: String, to: String)
    case middleToBottom(from: String, to: String)
    case changing(from: String, to: String)
  }

  enum Action: Hashable {
    case none
    /// Show the symbol at rest, at once.
    case place(String)
    /// Set out from one symbol for the other. For a flap: the new upper half, the old lower one, and the
    /// flap with the old upper half over it; let it fall. For every other transition: the whole of it.
    case letFall(from: String, to: String)
    /// The flap turned its back: the new lower half. Let it fall on.
    case turnOver(to: String)
    /// Put the new symbol at rest; and where a next one waits, set out for it.
    case reset(to: String, next: String?)
  }

  private(set) var state: State
  /// What the model says.
  private(set) var target: String
  /// Whether a change has two phases.
  let turns: Bool
  /// What the card has to pass; nil where it goes straight.
  let drum: SymbolDrum?

  init(showing symbol: String, turns: Bool = true, drum: SymbolDrum? = nil) {
    state = .resting(symbol)
    target = symbol
    self.turns = turns
    self.drum = drum
  }

  /// The model changed.
  mutating func show(_ symbol: String, animated: Bool) -> Action {
    target = symbol
    guard animated else {
      if state == .resting(symbol) { return .none }
      state = .resting(symbol)
      return .place(symbol)
    }
    guard case .resting(let current) = state, current != symbol else { return .none }
    return .letFall(from: current, to: setOut(from: current))
  }

  /// The animation of a phase stopped: at its end, or because somebody took it away.
  mutating func animationDidStop(finished: Bool) -> Action {
    guard finished else {
      if state == .resting(target) { return .none }
      state = .resting(target)
      return .place(target)
    }
    switch state {
    case .resting:
      return .none
    case .topToMiddle(let from, let to):
      state = .middleToBottom(from: from, to: to)
      return .turnOver(to: to)
    case .middleToBottom(_, let to), .changing(_, let to):
      guard target != to else {
        state = .resting(to)
        return .reset(to: to, next: nil)
      }
      return .reset(to: to, next: setOut(from: to))
    }
  }

  /// Begins the next change and says where it leads.
  private mutating func setOut(from symbol: String) -> String {
    let next = drum?.next(after: symbol, toward: target) ?? target
    state = turns ? .topToMiddle(from: symbol, to: next) : .changing(from: symbol, to: next)
    return next
  }
}
