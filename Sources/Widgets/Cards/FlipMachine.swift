// SPDX-License-Identifier: Apache-2.0

import Settings

/// The state machine of a card. A flip has two phases: the flap falls from the top to the middle, then,
/// showing its back, from the middle to the bottom. All other transitions have one phase. A pure value: the
/// caller passes in events and performs the returned actions.
///
/// The model may change at any time. A change that has begun ends at its own symbol; the next one leads from
/// there to the newest symbol, directly or through the next flap of the drum. So a card shows only symbols
/// that were requested, or that are between them on the drum.
struct FlipMachine: Hashable {
  enum State: Hashable {
    case resting(CardSymbol)
    case topToMiddle(from: CardSymbol, to: CardSymbol)
    case middleToBottom(from: CardSymbol, to: CardSymbol)
    case changing(from: CardSymbol, to: CardSymbol)
  }

  enum Action: Hashable {
    case none
    /// Show the symbol at rest, immediately.
    case place(CardSymbol)
    /// Start a change between two symbols. For a flip: show the new upper half, the old lower half, and above
    /// it the flap with the old upper half, which starts to fall.
    case begin(from: CardSymbol, to: CardSymbol)
    /// The flap has reached the middle and shows its back, the new lower half. Let it fall further.
    case turnOver(to: CardSymbol)
    /// Show the new symbol at rest, and start the change to `next`, if any.
    case reset(to: CardSymbol, next: CardSymbol?)
  }

  private(set) var state: State
  /// The symbol that the model asks for.
  private(set) var target: CardSymbol
  /// Whether a change has two phases.
  let turns: Bool
  /// The symbols that the card passes through; nil: it changes directly.
  let drum: SymbolDrum?

  init(showing symbol: CardSymbol, turns: Bool = true, drum: SymbolDrum? = nil) {
    state = .resting(symbol)
    target = symbol
    self.turns = turns
    self.drum = drum
  }

  /// Call when the model changes.
  mutating func show(_ symbol: CardSymbol, animated: Bool) -> Action {
    target = symbol
    guard animated else {
      if state == .resting(symbol) { return .none }
      state = .resting(symbol)
      return .place(symbol)
    }
    guard case .resting(let current) = state, current != symbol else { return .none }
    return .begin(from: current, to: beginNext(from: current))
  }

  /// Call when the animation of a phase stops, because it ended or was removed.
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
      return .reset(to: to, next: beginNext(from: to))
    }
  }

  /// Starts the next change and returns its symbol.
  private mutating func beginNext(from symbol: CardSymbol) -> CardSymbol {
    let next = drum?.next(after: symbol, toward: target) ?? target
    state = turns ? .topToMiddle(from: symbol, to: next) : .changing(from: symbol, to: next)
    return next
  }
}
