// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// An interval in which animations of layer properties run together.
struct Stretch {
  /// The beginning, in seconds of the scene's time.
  var begin: Double
  var duration: Double
  var timing: TimingFunction
  /// How much of the shading is shown, 0 … 1.
  var shading = 1.0
  /// Whether layers move by whole pixels, so that large ones need not be resampled in every frame.
  var movesByWholePixels = false
  /// Whether the last values apply after the end, until the layers are removed.
  var holdsEnd = false

  /// Animates a property from one value to another over the whole stretch. `completion` gets the exact time
  /// of the end.
  func animate(
    _ layer: Layer, _ key: PropertyKey, from: LayerValue, to: LayerValue,
    _ function: Animation.ValueFunction = .identity, completion: Animation.Completion? = nil
  ) {
    var animation = Animation(key, from: from, to: to, duration: duration)
    animation.beginTime = begin
    animation.timingFunction = timing
    animation.valueFunction = function
    animation.fillMode = .both
    animation.isRemovedOnCompletion = !holdsEnd
    animation.movesByWholePixels = movesByWholePixels
    animation.completion = completion
    layer.add(animation, forKey: "\(key)")
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
