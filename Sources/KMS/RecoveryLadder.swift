// SPDX-License-Identifier: Apache-2.0

/// Decides what to do when flips do not complete, with a stronger measure each time. A pure value.
struct RecoveryLadder: Equatable {
  enum Step: Equatable {
    /// Set the mode again, with new buffers.
    case modeset
    /// Close the card and start from the beginning.
    case reopen
    /// Report that there is no display, and start again after this many nanoseconds.
    case giveUp(retryAfter: Int64)
  }

  /// The number of consecutive completed flips after which the display counts as healthy again. A single flip
  /// may complete by chance.
  static let healthyFlips = 3
  /// The maximum delay before the next attempt, in nanoseconds.
  static let longestRetry: Int64 = 60_000_000_000

  private var lost = 0
  private var completed = 0

  /// - Parameter mayReopen: whether closing the card disturbs no other display.
  mutating func flipWasLost(mayReopen: Bool) -> Step {
    completed = 0
    lost += 1
    switch lost {
    case 1: return .modeset
    case 2: return mayReopen ? .reopen : .modeset
    default:
      let doublings = min(lost - 3, 6)
      return .giveUp(retryAfter: min(1_000_000_000 << Int64(doublings), Self.longestRetry))
    }
  }

  /// Whether no flip was lost lately.
  var isHealthy: Bool { lost == 0 }

  /// Whether the last step was `giveUp`. If so, each further lost flip leads to `giveUp` again.
  var hasGivenUp: Bool { lost > 2 }

  mutating func flipCompleted() {
    guard lost > 0 else { return }
    completed += 1
    if completed >= Self.healthyFlips { self = RecoveryLadder() }
  }
}
