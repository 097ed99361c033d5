// SPDX-License-Identifier: Apache-2.0

/// What a flip card is doing: TopToMiddle, MiddleToBottom, ResetForNext (seed 000). A pure value:
/// events go in, the caller does what comes out.
///
/// The model may change at any moment; a flap that is under way lands on the symbol it set out for,
/// and the next flight goes straight to the newest. So nothing that was never asked for is shown.
struct FlipMachine: Hashable {
  enum State: Hashable {
    case resting(String)
    case topToMiddle(from: String, to: String)
    case middleToBottom(from: String, to: String)
  }

  enum Action: Hashable {
    case none
    /// Show the symbol at rest, at once.
    case place(String)
    /// The new upper half, the old lower one, and the flap with the old upper half over it: let it fall.
    case letFall(from: String, to: String)
    /// The flap turned its back: the new lower half. Let it fall on.
    case turnOver(to: String)
    /// Put the new halves at rest, hide the flap; and where a next symbol waits, let the flap fall again.
    case reset(to: String, next: String?)
  }

  private(set) var state: State
  /// What the model says.
  private(set) var target: String

  init(showing symbol: String) {
    state = .resting(symbol)
    target = symbol
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
    state = .topToMiddle(from: current, to: symbol)
    return .letFall(from: current, to: symbol)
  }

  /// The flap's animation stopped: at its end, or because somebody took it away.
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
    case .middleToBottom(_, let to):
      guard target != to else {
        state = .resting(to)
        return .reset(to: to, next: nil)
      }
      state = .topToMiddle(from: to, to: target)
      return .reset(to: to, next: target)
    }
  }
}
