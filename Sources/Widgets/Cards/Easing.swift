// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster
import Settings

/// How the progress of a card's change follows time. Whole, or cut in two where half of the way is
/// done: a flap changes its picture there.
struct Easing: Hashable {
  /// One stretch of time, 0 … 1, in which the progress goes from 0 to 1.
  enum Timeline: Hashable {
    case curve(TimingFunction)
    /// So many pieces of time, in each of which the progress stands.
    case held([Hold])
  }

  struct Hold: Hashable {
    var begin: Double
    var end: Double
    var progress: Double
  }

  /// The two halves of the way, and the time at which the first is done.
  struct Halves: Hashable {
    var first: Timeline
    var second: Timeline
    var turn: Double
  }

  private enum Kind: Hashable {
    case curve(Double, Double, Double, Double)
    case steps(Int)
    /// Gravity takes a flap into the turn, the card's bed takes it out.
    case gravity
  }

  private let kind: Kind

  static let gravity = Easing(kind: .gravity)
  static let linear = Easing(kind: .curve(0, 0, 1, 1))
  static let easeInEaseOut = Easing(kind: .curve(0.42, 0, 0.58, 1))

  private init(kind: Kind) { self.kind = kind }

  /// Nil for `.automatic`: each transition has its own.
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

  /// De Casteljau's cut of the Bézier where it is half way up: both parts are Béziers again.
  private static func cut(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Halves {
    func mix(_ a: Double, _ b: Double, _ s: Double) -> Double { a + (b - a) * s }
    func parts(_ a: Double, _ b: Double, _ s: Double) -> (Double, Double, Double, Double, Double) {
      let (p, q, r) = (a * s, mix(a, b, s), mix(b, 1, s))
      let (left, right) = (mix(p, q, s), mix(q, r, s))
      return (p, left, mix(left, right, s), right, r)
    }
    // The control points lie in 0 … 1, so y rises all the way.
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

/// A stretch of a card's change: animations of its layers' properties that go together.
struct Stretch {
  /// Seconds of the scene.
  var begin: Double
  var duration: Double
  var timeline: Easing.Timeline
  /// How much of the shading is shown, 0 … 1.
  var shading = 1.0

  /// Takes a property from one value to another over the whole stretch. `completion` hears the exact end.
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
        // Each stays under the next one, so that there is no moment between them.
        animation.fillMode = index == 0 ? .both : .forwards
        animation.isRemovedOnCompletion = false
        if index == holds.count - 1 { animation.completion = completion }
        layer.add(animation, forKey: "\(name).\(index)")
      }
      // A stretch without a piece is over at once.
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

  /// Shades a part in step with the motion.
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
