// SPDX-License-Identifier: Apache-2.0

/// Maps time to progress: 1 exactly to 1 and, except in the second part of `halvedSteps`, 0 exactly to 0.
///
/// The cubic Béziers and the steps are those of CSS Easing Functions Level 1 (§2.2, §2.3); Core Animation has
/// the same Béziers.
public struct TimingFunction: Hashable, Sendable {
  private enum Curve: Hashable {
    case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
    /// The number of steps, which last equally long. Progress is `first`/`jumps` in the first step and
    /// 1/`jumps` more in each later one.
    case steps(Int, first: Double, jumps: Double)
    case spring(Spring)
  }

  private let curve: Curve

  private init(curve: Curve) { self.curve = curve }

  /// `cubic-bezier(x1, y1, x2, y2)`; the x values are clamped to 0 … 1, as CSS requires.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    curve = .bezier(x1: min(max(x1, 0), 1), y1: y1, x2: min(max(x2, 0), 1), y2: y2)
  }

  public static let linear = TimingFunction(0, 0, 1, 1)
  public static let ease = TimingFunction(0.25, 0.1, 0.25, 1)
  public static let easeIn = TimingFunction(0.42, 0, 1, 1)
  public static let easeOut = TimingFunction(0, 0, 0.58, 1)
  public static let easeInEaseOut = TimingFunction(0.42, 0, 0.58, 1)

  /// `steps(count)`, at least one step.
  public static func steps(_ count: Int) -> TimingFunction {
    let count = min(max(count, 1), 1 << 20)
    return TimingFunction(curve: .steps(count, first: 0, jumps: Double(count)))
  }

  /// `steps(count)` divided at the time at which its progress reaches one half. Each part is a timing
  /// function with its own time and a progress from 0 to 1. `turn` is the fraction of the time that the first
  /// part takes: all of it if there is only one step.
  public static func halvedSteps(_ count: Int) -> (
    first: TimingFunction, second: TimingFunction, turn: Double
  ) {
    let count = min(max(count, 1), 1 << 20)
    let before = (count + 1) / 2
    let half = Double(count) / 2
    return (
      TimingFunction(curve: .steps(before, first: 0, jumps: half)),
      TimingFunction(curve: .steps(count - before, first: Double(before) - half, jumps: half)),
      Double(before) / Double(count)
    )
  }

  /// The motion of a spring until it settles. It has the spring's real speed in an animation with a duration
  /// of `settlingDuration` seconds.
  public static func spring(_ spring: Spring) -> TimingFunction { TimingFunction(curve: .spring(spring)) }

  /// Progress at `time`; times outside 0 … 1 are clamped. Progress may overshoot.
  public func callAsFunction(_ time: Double) -> Double {
    let time = time > 0 ? min(time, 1) : 0
    switch curve {
    case .bezier(let x1, let y1, let x2, let y2):
      if time == 0 || time == 1 || (x1 == y1 && x2 == y2) { return time }
      return Self.curve(y1, y2, at: Self.parameter(x1, x2, for: time))
    case .steps(let count, let first, let jumps):
      return min((time * Double(count)).rounded(.down) + first, jumps) / jumps
    case .spring(let spring):
      return time == 0 || time == 1 ? time : spring.position(at: time * spring.settlingDuration)
    }
  }

  /// The amount that an initial velocity of one unit per second adds to the value at `time` (0 … 1) of an
  /// animation of `duration` seconds. It starts with slope 1; at the end, it and its slope are 0. For a
  /// spring, it is the motion that the velocity would cause in a real spring.
  func carried(_ time: Double, duration: Double) -> Double {
    guard time > 0, time < 1 else { return 0 }
    if case .spring(let spring) = curve {
      let settling = spring.settlingDuration
      return spring.kick(at: time * settling) * duration / settling
    }
    return duration * time * (1 - time) * (1 - time)
  }

  /// The derivative of `carried` with respect to the animation's time in seconds; 1 at the start.
  func carriedSlope(_ time: Double) -> Double {
    guard time >= 0, time < 1 else { return 0 }
    if case .spring(let spring) = curve { return spring.kickVelocity(at: time * spring.settlingDuration) }
    return (1 - time) * (1 - 3 * time)
  }

  /// Progress per unit of time; 0 for steps, which only jump. For Bézier curves it is limited to
  /// ±`maximumSlope`: a steeper curve looks like a jump, and a motion that continued at such a velocity would
  /// leave the display.
  func slope(at time: Double) -> Double {
    switch curve {
    case .bezier(let x1, let y1, let x2, let y2):
      if x1 == y1 && x2 == y2 { return 1 }
      let t = Self.parameter(x1, x2, for: min(max(time, 0), 1))
      let (x, y) = (Self.tangent(x1, x2, at: t), Self.tangent(y1, y2, at: t))
      var slope = y / x
      if x < 1e-6 {
        // Where the curve is nearly vertical, `y / x` is undefined or very large; use a difference quotient
        // instead.
        let (a, b) = (max(time - Self.epsilon, 0), min(time + Self.epsilon, 1))
        slope = (self(b) - self(a)) / (b - a)
      }
      return min(max(slope, -Self.maximumSlope), Self.maximumSlope)
    case .steps: return 0
    case .spring(let spring):
      return spring.velocity(at: time * spring.settlingDuration) * spring.settlingDuration
    }
  }

  private static let maximumSlope = 16.0
  private static let epsilon = 1.0 / 1_048_576

  /// Whether motion can begin with an initial velocity. Linear motion and steps cannot, nor can curves whose
  /// initial slope exceeds 8 in magnitude.
  var keepsVelocity: Bool {
    switch curve {
    case .bezier(let x1, let y1, let x2, let y2): !(x1 == y1 && x2 == y2) && initialSlope.magnitude <= 8
    case .steps: false
    case .spring: true
    }
  }

  /// Progress per unit of time at the start.
  var initialSlope: Double {
    switch curve {
    case .bezier(let x1, let y1, let x2, let y2):
      if x1 > 0 { return y1 / x1 }
      // The tangent is vertical or, if the first control point is the start, points to the second one.
      if y1 != 0 { return .infinity }
      return x2 > 0 ? y2 / x2 : y2 == 0 ? 1 : .infinity
    case .steps, .spring: return 0
    }
  }

  /// The curve's parameter at which x is `time`. Uses Newton's method, and bisection where a step leaves the
  /// known bracket (x increases with the parameter). Usually five steps reach 2⁻⁵⁰; where x is stationary
  /// (`cubic-bezier(1, …, 0, …)`) progress is within 2⁻¹⁶ of the curve.
  private static func parameter(_ x1: Double, _ x2: Double, for time: Double) -> Double {
    var low = 0.0
    var high = 1.0
    var t = time
    for _ in 0..<64 {
      let error = curve(x1, x2, at: t) - time
      if error < 0 { low = t } else { high = t }
      var next = t - error / tangent(x1, x2, at: t)
      if !(next > low && next < high) { next = (low + high) / 2 }
      if abs(next - t) < 0x1p-50 { return next }
      t = next
    }
    return t
  }

  private static func curve(_ a: Double, _ b: Double, at t: Double) -> Double {
    let u = 1 - t
    return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
  }

  private static func tangent(_ a: Double, _ b: Double, at t: Double) -> Double {
    let u = 1 - t
    return 3 * u * u * a + 6 * u * t * (b - a) + 3 * t * t * (1 - b)
  }
}
