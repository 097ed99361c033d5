// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// The animations between one symbol and the next.
extension FlipCard {
  /// The shading (0 … 1) of the falling flap, of the half that it uncovers and of the half that it covers.
  /// `uncovered` is for the start of the fall, `beneathAtEnd` for its end, and the rest for the moment when
  /// the flap is edge-on.
  private enum Light {
    static let faceBeforeTurn = Shade(top: 0.55, bottom: 0.5)
    static let faceAfterTurn = Shade(top: 0.4, bottom: 0.45)
    static let uncovered = Shade(top: 0.3, bottom: 0.5)
    static let beneath = Shade(top: 0.6, bottom: 0.45)
    static let beneathAtEnd = Shade(top: 0.35, bottom: 0.35)
  }

  /// The part of a card's picture that the flap's back shows. It is upside down, so that it looks upright
  /// when the flap hangs down.
  private static let invertedLowerHalf = Rect(x: 0, y: 1, width: 1, height: -0.5)

  /// The first phase: the flap falls from the top to the middle.
  func dropFlap(from: CardSymbol, to: CardSymbol, at time: Double) {
    immediately {
      upper.contents = images.card(to)
      lower.contents = images.card(from)
      flap.contents = images.card(from)
      flap.contentsRect = Self.upperHalf
      flap.isHidden = false
      if castsShadow { flapShadow.contents = images.flapShadow }
      flapShadow.isHidden = !castsShadow
    }
    let halves = motion.easing(isPassing: machine.target != to).halves
    let quarter = Stretch(
      begin: time, duration: motion.stepDuration * halves.turn, timing: halves.first,
      shading: shading)
    turn(quarter, from: 0, to: -.pi / 2)
    quarter.darken(flap, from: .none, to: Light.faceBeforeTurn, .sine)
    quarter.fade(flapShadow, from: 0, to: motion.shading, .sine)
    quarter.darken(upper, from: Light.uncovered, to: .none, .versine)
    quarter.darken(lower, from: .none, to: Light.beneath, .versine)
  }

  /// The second phase: the flap falls from the middle to the bottom.
  func turnOver(to symbol: CardSymbol, at time: Double) {
    immediately {
      for layer in [upper, lower, flap, flapShadow] { layer.removeAllAnimations() }
      flap.contents = images.card(symbol)
      flap.contentsRect = Self.invertedLowerHalf
    }
    let halves = motion.easing(isPassing: machine.target != symbol).halves
    let quarter = Stretch(
      begin: time, duration: motion.stepDuration * (1 - halves.turn), timing: halves.second,
      shading: shading)
    turn(quarter, from: -.pi / 2, to: -.pi)
    quarter.darken(flap, from: Light.faceAfterTurn, to: .none, .versine)
    quarter.darken(lower, from: Light.beneath, to: Light.beneathAtEnd, .versine)
    quarter.fade(flapShadow, from: motion.shading, to: 0, .versine)
  }

  private func turn(_ quarter: Stretch, from: Double, to: Double) {
    quarter.animate(flapShadow, .rotationX, from: .scalar(from), to: .scalar(to))
    quarter.animate(flap, .rotationX, from: .scalar(from), to: .scalar(to)) { [weak self] in
      self?.phaseStopped(finished: $0, at: $1)
    }
  }

  /// A one-phase transition. The blank card is shown around the window.
  func change(from: CardSymbol, to: CardSymbol, at time: Double) {
    guard let window else { return }
    let rim = images.card("")
    let stretch = Stretch(
      begin: time, duration: motion.stepDuration,
      timing: motion.easing(isPassing: machine.target != to).whole, shading: shading)
    immediately {
      for half in [upper, lower] { half.contents = rim }
      window.begin(from: images.panel(from), to: images.panel(to), stretch) { [weak self] in
        self?.phaseStopped(finished: $0, at: $1)
      }
    }
  }
}
