// SPDX-License-Identifier: Apache-2.0

/// What to do when a flip never completes, harder each time. Pure.
struct RecoveryLadder: Equatable {
  enum Step: Equatable {
    /// Set the mode anew, with fresh buffers.
    case modeset
    /// Close the card and begin at the beginning.
    case reopen
    /// Say that there is no display; begin again after so many nanoseconds.
    case giveUp(retryAfter: Int64)
  }

  /// Completed flips in a row until the display counts as well again: one alone may be luck.
  static let healthyFlips = 3
  static let longestRetry: Int64 = 60_000_000_000

  private var lost = 0
  private var completed = 0

  mutating func flipWasLost() -> Step {
    completed = 0
    lost += 1
    switch lost {
    case 1: return .modeset
    case 2: return .reopen
    default:
      let doublings = min(lost - 3, 6)
      return .giveUp(retryAfter: min(1_000_000_000 << Int64(doublings), Self.longestRetry))
    }
  }

  mutating func flipCompleted() {
    guard lost > 0 else { return }
    completed += 1
    if completed >= Self.healthyFlips { self = RecoveryLadder() }
  }
}
