// SPDX-License-Identifier: Apache-2.0

/// How progress follows time: maps 0 to exactly 0 and 1 to exactly 1.
///
/// The cubic Béziers are those of CSS Easing Functions Level 1 (§2.1), which are Core Animation's.
public struct TimingFunction: Hashable, Sendable {
  private let x1: Double
  private let y1: Double
  private let x2: Double
  private let y2: Double

  /// `cubic-bezier(x1, y1, x2, y2)`; the x values are clamped to 0 … 1, as a function of time must be.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = min(max(x1, 0), 1)
    self.y1 = y1
    self.x2 = min(max(x2, 0), 1)
    self.y2 = y2
  }

  public static let linear = TimingFunction(0, 0, 1, 1)
  public static let ease = TimingFunction(0.25, 0.1, 0.25, 1)
  public static let easeIn = TimingFunction(0.42, 0, 1, 1)
  public static let easeOut = TimingFunction(0, 0, 0.58, 1)
  public static let easeInEaseOut = TimingFunction(0.42, 0, 0.58, 1)

  /// Progress at `time`; both are 0 … 1, times outside are clamped.
  public func callAsFunction(_ time: Double) -> Double {
    if !(time > 0) { return 0 }
    if time >= 1 { return 1 }
    if x1 == y1, x2 == y2 { return time }
    return Self.curve(y1, y2, at: parameter(for: time))
  }

  /// The curve's parameter at which x is `time`: x rises with it, so bisection always closes in.
  /// A fixed number of steps keeps the cost and the result the same everywhere; 48 halvings leave less
  /// than 2⁻⁴⁸ of the parameter, and also where x stands still (`cubic-bezier(1, …, 0, …)`) progress is
  /// within 2⁻¹⁶ of the curve.
  private func parameter(for time: Double) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if Self.curve(x1, x2, at: middle) < time { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func curve(_ a: Double, _ b: Double, at t: Double) -> Double {
    let u = 1 - t
    return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
  }
}
