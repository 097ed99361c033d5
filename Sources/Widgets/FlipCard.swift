// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// How a flap moves.
struct FlipMotion: Hashable {
  /// Both quarters, seconds.
  var duration: Double
  /// Between one card's start and that of its left neighbour, seconds.
  var stagger: Double
  /// The eye's distance, card heights.
  var perspective: Double

  var isOff: Bool { duration <= 0 }
}

/// One card: its bed, two resting halves, the flap and its pins, spread over the board's planes so
/// that a flap in flight is in front of every neighbour.
final class FlipCard {
  let frame: Rect
  let bed = Layer()
  let upper = Layer()
  let lower = Layer()
  /// Holds the flap and carries the perspective: the eye is before the middle of this card.
  let flapSpace = Layer()
  let flap = Layer()
  private let flapShadow = Layer()
  /// The line between the halves and the bearings at its ends, in front of every flap.
  let hinge = [Layer(), Layer(), Layer()]

  private let images: CardImages
  private let motion: FlipMotion
  private var machine: FlipMachine
  private weak var scene: Scene?

  private static let upperHalf = Rect(x: 0, y: 0, width: 1, height: 0.5)
  private static let lowerHalf = Rect(x: 0, y: 0.5, width: 1, height: 0.5)
  /// The flap's back, which lands upright when the flap hangs down.
  private static let invertedLowerHalf = Rect(x: 0, y: 1, width: 1, height: -0.5)

  private static let flipKey = "flip"
  private static let waitKey = "wait"

  /// Depth of the shading at the turn (0 … 1): the falling face, the half that the flap leaves, the
  /// half that it comes over.
  private enum Light {
    static let faceBeforeTurn = Shade(top: 0.55, bottom: 0.5)
    static let faceAfterTurn = Shade(top: 0.4, bottom: 0.45)
    static let uncovered = Shade(top: 0.3, bottom: 0.5)
    static let beneath = Shade(top: 0.6, bottom: 0.45)
    static let beneathAtEnd = Shade(top: 0.35, bottom: 0.35)
  }

  var symbol: String { machine.target }

  /// - Parameter frame: where the card stands, whole pixels, of the images' size.
  init(frame: Rect, symbol: String, images: CardImages, motion: FlipMotion, scene: Scene) {
    self.frame = frame
    self.images = images
    self.motion = motion
    self.scene = scene
    machine = FlipMachine(showing: symbol)

    let margin = Double(images.metrics.shadowMargin)
    let half = frame.height / 2
    bed.frame = Rect(
      x: frame.x - margin, y: frame.y - margin, width: frame.width + 2 * margin,
      height: frame.height + 2 * margin)
    bed.contents = images.bed
    upper.frame = Rect(x: frame.x, y: frame.y, width: frame.width, height: half)
    upper.contentsRect = Self.upperHalf
    lower.frame = Rect(x: frame.x, y: frame.y + half, width: frame.width, height: half)
    lower.contentsRect = Self.lowerHalf

    flapSpace.frame = frame
    flapSpace.sublayerTransform = .perspective(distance: max(motion.perspective, 0.6) * frame.height)
    flap.anchorPoint = Point(x: 0.5, y: 1)
    flap.bounds = Rect(x: 0, y: 0, width: frame.width, height: half)
    flap.position = Point(x: frame.width / 2, y: half)
    flap.isHidden = true
    flapShadow.anchorPoint = flap.anchorPoint
    flapShadow.bounds = Rect(x: 0, y: 0, width: frame.width + 2 * margin, height: half + margin)
    flapShadow.position = flap.position
    flapShadow.contents = images.flapShadow
    flapShadow.isHidden = true
    flapSpace.addSublayer(flapShadow)
    flapSpace.addSublayer(flap)

    let pinWidth = Double(images.metrics.pinWidth)
    let pinHeight = Double(images.metrics.pinHeight)
    let gap = Double(images.metrics.hingeGap)
    hinge[0].frame = Rect(x: frame.x, y: frame.y + half - gap / 2, width: frame.width, height: gap)
    hinge[0].contents = images.hingeLine
    for (pin, edge) in zip(hinge.dropFirst(), [frame.x, frame.maxX]) {
      pin.frame = Rect(
        x: (edge - pinWidth / 2).rounded(), y: frame.y + half - pinHeight / 2, width: pinWidth,
        height: pinHeight)
      pin.contents = images.pin
    }
    place(symbol)
  }

  /// Whether `show` would set a flap in motion now.
  func wouldFlip(to symbol: String) -> Bool {
    if case .resting(let current) = machine.state { return current != symbol }
    return false
  }

  /// Makes the card show `symbol`: at `time` (seconds of the scene) the flap begins to fall, or,
  /// when nothing is to move, at once.
  func show(_ symbol: String, at time: Double, animated: Bool) {
    _ = images.face(symbol)
    let animated = animated && !motion.isOff
    perform(machine.show(symbol, animated: animated), at: time)
  }

  private func perform(_ action: FlipMachine.Action, at time: Double) {
    switch action {
    case .none: break
    case .place(let symbol): place(symbol)
    case .letFall(let from, let to):
      wait(until: time) { card, start in card.letFall(from: from, to: to, at: start) }
    case .turnOver(let to): turnOver(to: to, at: time)
    case .reset(let symbol, let next):
      place(symbol)
      guard let next else { break }
      wait(until: time) { card, start in card.letFall(from: symbol, to: next, at: start) }
    }
  }

  /// Runs `body` just after `time`: a flap at 0° is the resting picture, and until then nothing of
  /// the next symbol may lie under its edges.
  private func wait(until time: Double, _ body: @escaping (FlipCard, Double) -> Void) {
    var animation = Animation(.custom("wait"), duration: 0)
    animation.beginTime = time.nextUp
    animation.completion = { [weak self] finished, stopped in
      guard let self else { return }
      if finished { body(self, time) } else { self.flightStopped(finished: false, at: stopped) }
    }
    flap.add(animation, forKey: Self.waitKey)
  }

  /// ResetForNext: both halves at rest, the flap away.
  private func place(_ symbol: String) {
    let face = images.face(symbol)
    immediately {
      // The machine rests already, or has set out anew: the end of a flight finds nothing more to do.
      for part in [flap, flapShadow, upper, lower] { part.removeAllAnimations() }
      for half in [upper, lower] { half.contents = face }
      flap.isHidden = true
      flap.contents = nil
      flapShadow.isHidden = true
    }
  }

  /// TopToMiddle.
  private func letFall(from: String, to: String, at time: Double) {
    immediately {
      upper.contents = images.face(to)
      lower.contents = images.face(from)
      flap.contents = images.face(from)
      flap.contentsRect = Self.upperHalf
      flap.isHidden = false
      flapShadow.isHidden = false
    }
    let quarter = Quarter(first: true, begin: time, duration: motion.duration / 2)
    turn(quarter, from: 0, to: -.pi / 2)
    quarter.darken(flap, from: .none, to: Light.faceBeforeTurn, .sine)
    quarter.fade(flapShadow, from: 0, to: 1, .sine)
    quarter.darken(upper, from: Light.uncovered, to: .none, .versine)
    quarter.darken(lower, from: .none, to: Light.beneath, .versine)
  }

  /// MiddleToBottom.
  private func turnOver(to symbol: String, at time: Double) {
    immediately {
      flap.contents = images.face(symbol)
      flap.contentsRect = Self.invertedLowerHalf
    }
    let quarter = Quarter(first: false, begin: time, duration: motion.duration / 2)
    turn(quarter, from: -.pi / 2, to: -.pi)
    quarter.darken(flap, from: Light.faceAfterTurn, to: .none, .versine)
    quarter.darken(lower, from: Light.beneath, to: Light.beneathAtEnd, .versine)
    quarter.fade(flapShadow, from: 1, to: 0, .versine)
  }

  /// Changes that appear together and without motion of their own.
  private func immediately(_ body: () -> Void) {
    if let scene { scene.transaction(disableActions: true, body) } else { body() }
  }

  private func turn(_ quarter: Quarter, from: Double, to: Double) {
    var animation = quarter.animation(.rotationX, from: .scalar(from), to: .scalar(to))
    animation.completion = { [weak self] finished, time in
      self?.flightStopped(finished: finished, at: time)
    }
    flap.add(animation, forKey: Self.flipKey)
    flapShadow.add(quarter.animation(.rotationX, from: .scalar(from), to: .scalar(to)), forKey: Self.flipKey)
  }

  private func flightStopped(finished: Bool, at time: Double) {
    perform(machine.animationDidStop(finished: finished), at: time)
  }
}

/// One half of a flip: gravity takes the flap into the turn, the card's bed takes it out.
private struct Quarter {
  var first: Bool
  var begin: Double
  var duration: Double

  func animation(_ key: PropertyKey, from: LayerValue, to: LayerValue) -> Animation {
    var animation = Animation(key, from: from, to: to, duration: duration)
    animation.beginTime = begin
    animation.timingFunction = first ? .easeIn : .easeOut
    animation.fillMode = .both
    return animation
  }

  /// Shades a part in step with the turn: the light goes by the sine of the flap's angle.
  func darken(_ layer: Layer, from: Shade, to: Shade, _ function: Animation.ValueFunction) {
    var animation = animation(.shade, from: .shade(from), to: .shade(to))
    animation.valueFunction = function
    layer.add(animation, forKey: "shade")
  }

  func fade(_ layer: Layer, from: Double, to: Double, _ function: Animation.ValueFunction) {
    var animation = animation(.opacity, from: .scalar(from), to: .scalar(to))
    animation.valueFunction = function
    layer.add(animation, forKey: "fade")
  }
}
