// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A damped spring from 0 to 1, in closed form: starts at 0 without velocity and comes to rest at 1 (Core
/// Animation's `CASpringAnimation`).
public struct Spring: Hashable, Sendable {
  public let mass: Double
  public let stiffness: Double
  public let damping: Double
  /// A time in seconds after which the position stays within 1/8192 of 1, or 60 if that takes longer.
  public let settlingDuration: Double

  /// The undamped frequency in radians per second, and the damping ratio.
  private let frequency: Double
  private let ratio: Double

  private static let threshold = 1.0 / 8192
  private static let longest = 60.0

  /// A value that is not positive and finite is replaced by its default: mass 1, stiffness 100, damping 10.
  /// Other values are clamped to 10⁻⁶ … 10⁹.
  public init(mass: Double = 1, stiffness: Double = 100, damping: Double = 10) {
    func positive(_ value: Double, _ other: Double) -> Double {
      value.isFinite && value > 0 ? min(max(value, 1e-6), 1e9) : other
    }
    self.mass = positive(mass, 1)
    self.stiffness = positive(stiffness, 100)
    self.damping = positive(damping, 10)
    frequency = (self.stiffness / self.mass).squareRoot()
    ratio = self.damping / (2 * (self.stiffness * self.mass).squareRoot())
    settlingDuration = Self.settling(frequency: frequency, ratio: ratio)
  }

  /// The position `time` seconds after the start.
  public func position(at time: Double) -> Double { time > 0 ? 1 - displacement(at: time) : 0 }

  /// The velocity at `time`, in units per second.
  func velocity(at time: Double) -> Double { frequency * frequency * kick(at: max(time, 0)) }

  /// The velocity of a body that left its rest position 0 with a velocity of 1 per second.
  func kickVelocity(at time: Double) -> Double {
    displacement(at: time) - 2 * ratio * frequency * kick(at: time)
  }

  /// The displacement of a body released at 1 without velocity; its rest position is 0.
  func displacement(at time: Double) -> Double {
    switch regime {
    case .under(let swing):
      let decay = exp(-ratio * frequency * time)
      return decay * (cos(swing * time) + ratio * frequency / swing * sin(swing * time))
    case .critical:
      return exp(-frequency * time) * (1 + frequency * time)
    case .over(let slow, let fast):
      return (fast * exp(-slow * time) - slow * exp(-fast * time)) / (fast - slow)
    }
  }

  /// The displacement of a body that left its rest position 0 with a velocity of 1 per second.
  func kick(at time: Double) -> Double {
    switch regime {
    case .under(let swing): exp(-ratio * frequency * time) * sin(swing * time) / swing
    case .critical: exp(-frequency * time) * time
    case .over(let slow, let fast): (exp(-slow * time) - exp(-fast * time)) / (fast - slow)
    }
  }

  private enum Regime {
    case under(Double)
    case critical
    /// The motion is the difference of two exponential decays, with these rates per second.
    case over(slow: Double, fast: Double)
  }

  private var regime: Regime {
    if abs(ratio - 1) < 1e-8 { return .critical }
    if ratio < 1 { return .under(frequency * ((1 - ratio) * (1 + ratio)).squareRoot()) }
    let fast = frequency * (ratio + ((ratio - 1) * (ratio + 1)).squareRoot())
    return .over(slow: frequency * frequency / fast, fast: fast)
  }

  /// The time after which an upper bound of the displacement stays below `threshold`; at most `longest`.
  private static func settling(frequency: Double, ratio: Double) -> Double {
    // |x| ≤ (1 + push·t)·e^(−slow·t), where `slow` is the slowest rate of decay.
    let root = max((ratio - 1) * (ratio + 1), 0).squareRoot()
    let slow = ratio < 1 ? ratio * frequency : frequency / (ratio + root)
    let push = slow + (ratio < 1 ? frequency : 0)
    var low = 1 / slow
    var high = longest
    guard low < high, (1 + push * high) * exp(-slow * high) < threshold else { return longest }
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if (1 + push * middle) * exp(-slow * middle) < threshold { high = middle } else { low = middle }
    }
    return high
  }
}
