// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// One card: its dark background (bed), two resting halves, the flap, and the hinge with its pins. They are
/// added to different layers of the board, so that a flap in flight is in front of all neighbouring cards.
final class FlipCard {
  let frame: Rect
  let bed = Layer()
  let upper = Layer()
  let lower = Layer()
  /// Contains the flap and its shadow, in the perspective of a viewer in front of the middle of this card.
  let flapSpace = Layer()
  let flap = Layer()
  let flapShadow = Layer()
  /// The line between the halves and the bearings at its ends, in front of every flap.
  let hinge = [Layer(), Layer(), Layer()]
  /// Nil: the card flips, or changes without motion.
  let window: CardChange?

  let images: CardImages
  let motion: FlipMotion
  private(set) var machine: FlipMachine
  private weak var scene: Scene?

  static let upperHalf = Rect(x: 0, y: 0, width: 1, height: 0.5)
  static let lowerHalf = Rect(x: 0, y: 0.5, width: 1, height: 0.5)
  private static let waitKey = "wait"

  /// - Parameters:
  ///   - frame: the card's place, in whole pixels; its size is that of the images.
  ///   - drum: the symbols in order, for a motion that passes through them.
  init(
    frame: Rect, symbol: CardSymbol, images: CardImages, motion: FlipMotion, drum: SymbolDrum? = nil,
    scene: Scene
  ) {
    self.frame = frame
    self.images = images
    self.motion = motion
    self.scene = scene
    let distance = max(motion.perspective, 0.6) * frame.height
    let change = motion.isOff ? nil : motion.transition.change
    window = change.map { $0.init(frame: frame, images: images, distance: distance) }
    machine = FlipMachine(
      showing: symbol, turns: change == nil, drum: motion.flapRate == nil ? nil : drum)

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
    flapSpace.sublayerTransform = .perspective(distance: distance)
    flap.anchorPoint = Point(x: 0.5, y: 1)
    flap.bounds = Rect(x: 0, y: 0, width: frame.width, height: half)
    flap.position = Point(x: frame.width / 2, y: half)
    flap.isHidden = true
    flapShadow.anchorPoint = flap.anchorPoint
    flapShadow.bounds = Rect(x: 0, y: 0, width: frame.width + 2 * margin, height: half + margin)
    flapShadow.position = flap.position
    flapShadow.isHidden = true
    flapSpace.addSublayer(flapShadow)
    flapSpace.addSublayer(flap)

    let pinWidth = Double(images.metrics.pinWidth)
    let pinHeight = Double(images.metrics.pinHeight)
    let gap = Double(images.metrics.hingeGap)
    hinge[0].frame = Rect(x: frame.x, y: frame.y + half - gap / 2, width: frame.width, height: gap)
    hinge[0].contents = images.hingeLine
    for (pin, edge) in zip(hinge.dropFirst(), [frame.x, frame.maxX]) where images.pin != nil {
      pin.frame = Rect(
        x: (edge - pinWidth / 2).rounded(), y: frame.y + half - pinHeight / 2, width: pinWidth,
        height: pinHeight)
      pin.contents = images.pin
    }
    if castsShadow { images.hasFlaps = true }
    if window != nil { images.hasWindows = true }
    place(symbol)
  }

  /// The strength of light and shadow: the motion's and the theme's.
  var shading: Double { motion.shading * images.shading }

  /// Whether the flap casts a shadow.
  var castsShadow: Bool { window == nil && !motion.isOff && motion.hasShadows && images.hasShadows }

  /// Whether `show` would start a change now.
  func wouldFlip(to symbol: CardSymbol) -> Bool {
    if case .resting(let current) = machine.state { return current != symbol }
    return false
  }

  /// Makes the card show `symbol`. The change starts at `time` (scene seconds) or, if another change is in
  /// progress, when that ends. Without motion, the change is immediate.
  func show(_ symbol: CardSymbol, at time: Double, animated: Bool) {
    let animated = animated && !motion.isOff
    if animated { prepare(symbol) }
    perform(machine.show(symbol, animated: animated), at: time)
  }

  /// Draws everything that the change to `symbol` needs, before anything moves.
  func prepare(_ symbol: CardSymbol) {
    guard machine.target != symbol else { return }
    var stops = [machine.target]
    while let last = stops.last, last != symbol, stops.count < 64 {
      stops.append(machine.drum?.next(after: last, toward: symbol) ?? symbol)
    }
    for stop in stops {
      _ = images.card(stop)
      if window != nil { _ = images.panel(stop) }
    }
    if window != nil { _ = images.card("") }
    if castsShadow { _ = images.flapShadow }
  }

  private func perform(_ action: FlipMachine.Action, at time: Double) {
    switch action {
    case .none: break
    case .place(let symbol): place(symbol)
    case .begin(let from, let to): beginChange(from: from, to: to, at: time)
    case .turnOver(let to): turnOver(to: to, at: time)
    case .reset(let symbol, let next):
      place(symbol)
      guard let next else { break }
      beginChange(from: symbol, to: next, at: time)
    }
  }

  /// Starts a change just after `time`. At `time` itself the card is at rest, and until then no part of the
  /// next symbol may be visible at its edges.
  private func beginChange(from: CardSymbol, to: CardSymbol, at time: Double) {
    var animation = Animation(.custom("wait"), duration: 0)
    animation.beginTime = time.nextUp
    animation.completion = { [weak self] finished, stopped in
      guard let self else { return }
      if !finished {
        self.phaseStopped(finished: false, at: stopped)
      } else if self.machine.turns {
        self.dropFlap(from: from, to: to, at: time)
      } else {
        self.change(from: from, to: to, at: time)
      }
    }
    flap.add(animation, forKey: Self.waitKey)
  }

  /// Shows `symbol` at rest, with the flap hidden.
  private func place(_ symbol: CardSymbol) {
    let picture = images.card(symbol)
    immediately {
      // Removing an unfinished animation calls `phaseStopped`. The machine is already at rest then, and
      // ignores it.
      for part in [flap, flapShadow, upper, lower] { part.removeAllAnimations() }
      for half in [upper, lower] { half.contents = picture }
      flap.isHidden = true
      flap.contents = nil
      flapShadow.isHidden = true
      window?.end()
    }
  }

  func phaseStopped(finished: Bool, at time: Double) {
    perform(machine.animationDidStop(finished: finished), at: time)
  }

  /// Runs `body` in a transaction without implicit animations.
  func immediately(_ body: () -> Void) {
    if let scene { scene.transaction(disableActions: true, body) } else { body() }
  }
}
