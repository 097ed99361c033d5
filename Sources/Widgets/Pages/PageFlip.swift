// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// Flips the page like one large flap about its middle. The upper half of the outgoing page falls, shows its
/// back with the lower half of the incoming page, and lands upright.
///
/// The back of the flap can only be a picture of the incoming page. Both halves of that page are taken from
/// one picture, which is renewed whenever the page changes, so that they always match. The incoming page does
/// not move until the flap has landed.
final class PageFlip: PageTransition {
  private var incoming: LayerImage
  private let flap = Layer()
  /// The outgoing page's lower half, until the flap covers it.
  private var lower = Layer()
  /// The incoming page's upper half, behind the flap.
  private let upper = Layer()
  private var hasTurned = false

  var wantsStillPage: Bool { true }

  /// The distance of the viewer, in page heights.
  private static let distance = 1.6
  private enum Light {
    static let faceAtTurn = Shade(top: 0.62, bottom: 0.5)
    static let backAtTurn = Shade(top: 0.42, bottom: 0.5)
    static let beneath = Shade(top: 0.62, bottom: 0.42)
    static let uncovered = Shade(top: 0.35, bottom: 0.55)
  }

  init(incoming: LayerImage) { self.incoming = incoming }

  /// The row of the hinge, which is between two rows of pixels.
  private var middle = 0.0

  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let (width, height) = (context.width, context.height)
    middle = Double(context.size.height / 2)
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: width, height: middle * 2)
    space.sublayerTransform = .perspective(distance: Self.distance * height)
    lower.contents = context.outgoing
    lower.contentsRect = Rect(x: 0, y: middle / height, width: 1, height: 1 - middle / height)
    lower.frame = Rect(x: 0, y: middle, width: width, height: height - middle)
    upper.contents = incoming
    upper.contentsRect = Rect(x: 0, y: 0, width: 1, height: middle / height)
    upper.frame = Rect(x: 0, y: 0, width: width, height: middle)
    flap.contents = context.outgoing
    flap.contentsRect = Rect(x: 0, y: 0, width: 1, height: middle / height)
    flap.anchorPoint = Point(x: 0.5, y: 1)
    flap.bounds = Rect(x: 0, y: 0, width: width, height: middle)
    flap.position = Point(x: width / 2, y: middle)
    space.addSublayer(flap)
    context.scene.transaction(disableActions: true) {
      for layer in [upper, lower, space] { context.overlay.addSublayer(layer) }
      turn(first: true, context.motion, at: time) { [weak self] turned in
        self?.turnOver(context.size, context.motion, at: turned, completion: completion)
      }
    }
  }

  private func turnOver(
    _ size: PixelSize, _ motion: PageMotion, at time: Double, completion: @escaping (Double) -> Void
  ) {
    hasTurned = true
    let height = Double(size.height)
    flap.removeAllAnimations()
    lower.removeAllAnimations()
    // With an odd number of rows, the lower half has one more than the upper.
    flap.bounds = Rect(x: 0, y: 0, width: Double(size.width), height: height - middle)
    showBack()
    turn(first: false, motion, at: time, completion: completion)
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

  private func turn(
    first: Bool, _ motion: PageMotion, at time: Double, completion: @escaping (Double) -> Void
  ) {
    let half = motion.stretch(at: time, duration: motion.duration / 2, first ? .easeIn : .easeOut)
    half.darken(
      flap, from: first ? .none : Light.backAtTurn, to: first ? Light.faceAtTurn : .none,
      first ? .sine : .versine)
    half.darken(lower, from: first ? .none : Light.beneath, to: Light.beneath, .versine)
    if first { half.darken(upper, from: Light.uncovered, to: .none, .sine) }
    half.animate(
      flap, .rotationX, from: .scalar(first ? 0 : -.pi / 2), to: .scalar(first ? -.pi / 2 : -.pi)
    ) { finished, end in
      // A transition that replaces this one removes the layers; then the completion must not be called.
      if finished { completion(end) }
    }
  }
}
