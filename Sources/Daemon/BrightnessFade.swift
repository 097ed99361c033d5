// SPDX-License-Identifier: Apache-2.0

/// A gradual change of the brightness within a minute, in steps of at least one per cent: at most 100 redraws, each at least
/// 0.6 s after the one before.
struct BrightnessFade: Hashable {
  /// Nanoseconds.
  static let duration: Int64 = 60_000_000_000

  /// The levels at the beginning in percent, by the display whose own level it is; nil: the common one.
  private let from: [String?: Int]
  private let steps: Int
  private var step = 0

  /// Nil if nothing changes.
  init?(from: [String?: Int], to: [String?: Int]) {
    let largest = from.map { abs($0.value - (to[$0.key] ?? $0.value)) }.max() ?? 0
    guard largest > 0 else { return nil }
    self.from = from
    steps = min(largest, 100)
  }

  /// The time between two steps, in nanoseconds.
  var interval: Int64 { Self.duration / Int64(steps) }

  /// Goes on to the next step; returns false after the last one.
  mutating func advance() -> Bool {
    step += 1
    return step < steps
  }

  /// The level now of a display whose level in the end is `target`.
  func level(of display: String?, to target: Int) -> Int {
    guard let start = from[display] ?? from[nil] else { return target }
    return Int((Double(start) + Double(target - start) * Double(step) / Double(steps)).rounded())
  }
}
