// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

extension TimingFunction {
  init(_ easing: EasingSettings) {
    switch easing {
    case .curve(let x1, let y1, let x2, let y2): self.init(x1, y1, x2, y2)
    case .steps(let count): self = .steps(count)
    }
  }
}

/// The progress of a card's change over time. It can be used as a whole, or divided into two halves at a
/// progress of 0.5, where a flap changes its picture.
struct Easing: Hashable {
  /// The two halves of a change, and the fraction of the duration (0 … 1) at which the first one ends.
  struct Halves: Hashable {
    var first: TimingFunction
    var second: TimingFunction
    var turn: Double
  }

  private enum Kind: Hashable {
    case easing(EasingSettings)
    /// The flap accelerates in the first half, as if it fell, and slows down in the second.
    case gravity
  }

  private let kind: Kind

  static let gravity = Easing(kind: .gravity)
  static let linear = Easing(.linear)
  static let easeInOut = Easing(.easeInOut)

  private init(kind: Kind) { self.kind = kind }

  init(_ settings: EasingSettings) { kind = .easing(settings) }

  var whole: TimingFunction {
    switch kind {
    case .easing(let easing): TimingFunction(easing)
    case .gravity: .easeInEaseOut
    }
  }

  var halves: Halves {
    switch kind {
    case .gravity:
      return Halves(first: .easeIn, second: .easeOut, turn: 0.5)
    case .easing(.curve(let x1, let y1, let x2, let y2)):
      return Self.cut(x1, y1, x2, y2)
    case .easing(.steps(let count)):
      let (first, second, turn) = TimingFunction.halvedSteps(count)
      return Halves(first: first, second: second, turn: turn)
    }
  }

  /// Splits the Bézier curve at half its height (De Casteljau); both parts are Bézier curves again.
  private static func cut(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Halves {
    func mix(_ a: Double, _ b: Double, _ s: Double) -> Double { a + (b - a) * s }
    func parts(_ a: Double, _ b: Double, _ s: Double) -> (Double, Double, Double, Double, Double) {
      let (p, q, r) = (a * s, mix(a, b, s), mix(b, 1, s))
      let (left, right) = (mix(p, q, s), mix(q, r, s))
      return (p, left, mix(left, right, s), right, r)
    }
    // The control points are in 0 … 1, so y is monotonic.
    var low = 0.0
    var high = 1.0
    for _ in 0..<52 {
      let middle = (low + high) / 2
      if parts(y1, y2, middle).2 < 0.5 { low = middle } else { high = middle }
    }
    let x = parts(x1, x2, high)
    let y = parts(y1, y2, high)
    let (turn, rest) = (x.2, 1 - x.2)
    return Halves(
      first: TimingFunction(x.0 / turn, 2 * y.0, x.1 / turn, 2 * y.1),
      second: TimingFunction((x.3 - turn) / rest, 2 * y.3 - 1, (x.4 - turn) / rest, 2 * y.4 - 1),
      turn: turn)
  }
}
