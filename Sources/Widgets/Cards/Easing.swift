// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster
import Settings

/// The progress of a card's change over time. Available as a whole, or cut into two halves where the progress is
/// 0.5, because a flap changes its picture there.
struct Easing: Hashable {
  /// The course of one interval of time, 0 … 1, in which the progress goes from 0 to 1.
  enum Timeline: Hashable {
    case curve(TimingFunction)
    /// Consecutive intervals, each with a constant progress.
    case held([Hold])
  }

  struct Hold: Hashable {
    var begin: Double
    var end: Double
    var progress: Double
  }

  /// The two halves of a change, and the time at which the first one ends.
  struct Halves: Hashable {
    var first: Timeline
    var second: Timeline
    var turn: Double
  }

  private enum Kind: Hashable {
    case curve(Double, Double, Double, Double)
    case steps(Int)
    /// Gravity accelerates the flap in the first half, and the card's bed slows it down in the second.
    case gravity
  }

  private let kind: Kind

  static let gravity = Easing(kind: .gravity)
  static let linear = Easing(kind: .curve(0, 0, 1, 1))
  static let easeInEaseOut = Easing(kind: .curve(0.42, 0, 0.58, 1))

  private init(kind: Kind) { self.kind = kind }

  /// Nil for `.automatic`, where each transition uses its own easing.
  init?(_ settings: EasingSettings) {
    switch settings {
    case .automatic: return nil
    case .curve(let x1, let y1, let x2, let y2): kind = .curve(x1, y1, x2, y2)
    case .steps(let count): kind = .steps(max(count, 1))
    }
  }

  var whole: Timeline {
    switch kind {
    case .curve(let x1, let y1, let x2, let y2): .curve(TimingFunction(x1, y1, x2, y2))
    case .gravity: .curve(.easeInEaseOut)
    case .steps(let count):
      .held((0..<count).map { Self.hold($0, of: count, from: 0, length: 1) { $0 } })
    }
  }

  var halves: Halves {
    switch kind {
    case .gravity:
      return Halves(first: .curve(.easeIn), second: .curve(.easeOut), turn: 0.5)
    case .curve(let x1, let y1, let x2, let y2):
      return Self.cut(x1, y1, x2, y2)
    case .steps(let count):
      let before = (count + 1) / 2
      let turn = Double(before) / Double(count)
      return Halves(
        first: .held((0..<before).map { Self.hold($0, of: count, from: 0, length: turn) { 2 * $0 } }),
        second: .held(
          (before..<count).map { Self.hold($0, of: count, from: turn, length: 1 - turn) { 2 * $0 - 1 } }),
        turn: turn)
    }
  }

  private static func hold(
    _ index: Int, of count: Int, from: Double, length: Double, _ progress: (Double) -> Double
  ) -> Hold {
    let step = 1 / Double(count)
    let begin = Double(index) * step
    return Hold(
      begin: (begin - from) / length, end: min((begin + step - from) / length, 1), progress: progress(begin))
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
      first: .curve(TimingFunction(x.0 / turn, 2 * y.0, x.1 / turn, 2 * y.1)),
      second: .curve(
        TimingFunction((x.3 - turn) / rest, 2 * y.3 - 1, (x.4 - turn) / rest, 2 * y.4 - 1)),
      turn: turn)
  }
}

/// An interval of a card's change: animations of layer properties that run together.
struct Stretch {
  /// Scene seconds.
  var begin: Double
  var duration: Double
  var timeline: Easing.Timeline
  /// The strength of the shading, 0 … 1.
  var shading = 1.0

  /// Animates a property over the whole interval. `completion` gets the exact time of the end.
  func animate(
    _ layer: Layer, _ key: PropertyKey, from: LayerValue, to: LayerValue,
    _ function: Animation.ValueFunction = .identity, named name: String? = nil,
    completion: ((_ finished: Bool, _ time: Double) -> Void)? = nil
  ) {
    let name = name ?? "\(key)"
    switch timeline {
    case .curve(let timing):
      var animation = Animation(key, from: from, to: to, duration: duration)
      animation.beginTime = begin
      animation.timingFunction = timing
      animation.valueFunction = function
      animation.fillMode = .both
      animation.completion = completion
      layer.add(animation, forKey: name)
    case .held(let holds):
      for (index, hold) in holds.enumerated() {
        let value = from.interpolated(to: to, Self.value(function, hold.progress))
        var animation = Animation(key, from: value, to: value, duration: duration * (hold.end - hold.begin))
        animation.beginTime = begin + duration * hold.begin
        // Each one stays beneath the next, so that there is no gap between them.
        animation.fillMode = index == 0 ? .both : .forwards
        animation.isRemovedOnCompletion = false
        if index == holds.count - 1 { animation.completion = completion }
        layer.add(animation, forKey: "\(name).\(index)")
      }
      // Without intervals, the change is immediate.
      if holds.isEmpty {
        var animation = Animation(key, from: to, to: to, duration: 0)
        animation.beginTime = begin
        animation.completion = completion
        layer.add(animation, forKey: name)
      }
    }
  }

  private static func value(_ function: Animation.ValueFunction, _ progress: Double) -> Double {
    switch function {
    case .identity: progress
    case .sine: sin(progress * .pi / 2)
    case .versine: 1 - cos(progress * .pi / 2)
    }
  }

  /// Animates the shading together with the motion.
  func darken(
    _ layer: Layer, from: Shade, to: Shade, _ function: Animation.ValueFunction = .identity
  ) {
    animate(layer, .shade, from: .shade(from.scaled(shading)), to: .shade(to.scaled(shading)), function)
  }

  func fade(
    _ layer: Layer, from: Double, to: Double, _ function: Animation.ValueFunction = .identity
  ) {
    animate(layer, .opacity, from: .scalar(from), to: .scalar(to), function)
  }
}

extension Shade {
  fileprivate func scaled(_ factor: Double) -> Shade { Shade(top: top * factor, bottom: bottom * factor) }
}
