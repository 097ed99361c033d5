// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The page as one big flap about its middle: its upper half falls, shows its back, on which the lower
/// half of the incoming page is drawn inverted, and lands upright.
///
/// On the flap's back the incoming page can only be a picture. So that its two halves never differ, both are
/// pictures of one moment, taken again whenever the page changes; it does not move until the flap has landed.
final class PageFlip: PageTransition {
  private let motion: PageMotion
  private var incoming: LayerImage
  private let flap = Layer()
  /// The outgoing page's lower half, until the flap has come over it.
  private var lower = Layer()
  /// The incoming page's upper half, behind the flap.
  private let upper = Layer()
  private var hasTurned = false

  var wantsStillPage: Bool { true }

  /// The eye's distance, page heights.
  private static let distance = 1.6
  private enum Light {
    static let faceAtTurn = Shade(top: 0.62, bottom: 0.5)
    static let backAtTurn = Shade(top: 0.42, bottom: 0.5)
    static let beneath = Shade(top: 0.62, bottom: 0.42)
    static let uncovered = Shade(top: 0.35, bottom: 0.55)
  }

  init(_ motion: PageMotion, incoming: LayerImage) {
    self.motion = motion
    self.incoming = incoming
  }

  /// The hinge lies between two rows.
  private var middle = 0.0

  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void) {
    let (width, height) = (scenery.width, scenery.height)
    middle = Double(scenery.size.height / 2)
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: width, height: middle * 2)
    space.sublayerTransform = .perspective(distance: Self.distance * height)
    lower.contents = scenery.outgoing
    lower.contentsRect = Rect(x: 0, y: middle / height, width: 1, height: 1 - middle / height)
    lower.frame = Rect(x: 0, y: middle, width: width, height: height - middle)
    upper.contents = incoming
    upper.contentsRect = Rect(x: 0, y: 0, width: 1, height: middle / height)
    upper.frame = Rect(x: 0, y: 0, width: width, height: middle)
    flap.contents = scenery.outgoing
    flap.contentsRect = Rect(x: 0, y: 0, width: 1, height: middle / height)
    flap.anchorPoint = Point(x: 0.5, y: 1)
    flap.bounds = Rect(x: 0, y: 0, width: width, height: middle)
    flap.position = Point(x: width / 2, y: middle)
    space.addSublayer(flap)
    scenery.scene.transaction(disableActions: true) {
      for layer in [upper, lower, space] { scenery.overlay.addSublayer(layer) }
      turn(first: true, at: time) { [weak self, weak overlay = scenery.overlay] turned in
        guard let self, let overlay else { return }
        self.turnOver(scenery.size, in: overlay, at: turned, completion: completion)
      }
    }
  }

  private func turnOver(
    _ size: PixelSize, in overlay: Layer, at time: Double, completion: @escaping (Double) -> Void
  ) {
    hasTurned = true
    let height = Double(size.height)
    flap.removeAllAnimations()
    lower.removeAllAnimations()
    // Of an odd number of rows the lower half has one more than the upper.
    flap.bounds = Rect(x: 0, y: 0, width: Double(size.width), height: height - middle)
    showBack()
    turn(first: false, at: time, completion: completion)
  }

  private func showBack() {
    let height = Double(incoming.bitmap.height)
    flap.contents = incoming
    flap.contentsRect = Rect(x: 0, y: 1, width: 1, height: -(1 - middle / height))
  }

  func pageChanged(_ picture: () -> LayerImage) {
    incoming = picture()
    upper.contents = incoming
    if hasTurned { showBack() }
  }

  private func turn(first: Bool, at time: Double, completion: @escaping (Double) -> Void) {
    let timing = motion.timing ?? (first ? .easeIn : .easeOut)
    func animation(_ key: PropertyKey, _ from: LayerValue, _ to: LayerValue) -> Animation {
      Animation(key, from: from, to: to, at: time, duration: motion.duration / 2, timing: timing)
    }
    var turning = animation(
      .rotationX, .scalar(first ? 0 : -.pi / 2), .scalar(first ? -.pi / 2 : -.pi))
    // Another transition that takes the place of this one takes the layers away.
    turning.completion = { finished, end in if finished { completion(end) } }
    if motion.isShaded {
      var face = animation(
        .shade, .shade(first ? .none : Light.backAtTurn), .shade(first ? Light.faceAtTurn : .none))
      face.valueFunction = first ? .sine : .versine
      flap.add(face, forKey: "shade")
      var below = animation(
        .shade, .shade(first ? .none : Light.beneath), .shade(Light.beneath))
      below.valueFunction = .versine
      lower.add(below, forKey: "shade")
      if first {
        var uncovered = animation(.shade, .shade(Light.uncovered), .shade(.none))
        uncovered.valueFunction = .sine
        upper.add(uncovered, forKey: "shade")
      }
    }
    flap.add(turning, forKey: "turn")
  }
}
