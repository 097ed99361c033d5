// SPDX-License-Identifier: Apache-2.0

import Raster

/// What the compositor recorded of a layer in the last frame: what it drew, and what it can reuse if the layer
/// does not change.
struct LayerTrace {
  /// Whether something was set or animated since the layer was visited.
  var isChanged = true
  /// Whether the layer must be redrawn although no property changed, because its order among its siblings changed.
  var orderChanged = false
  /// What was drawn of the layer, and the image it was drawn from, which is kept alive for comparison.
  var item: DrawItem?
  var image: LayerImage?
  var frame: UInt64 = 0
  /// What was drawn of the layer's mask.
  var mask: DrawItem?
  var maskFrame: UInt64 = 0
  /// The layer's place in the depth order of its transform layer's space.
  var depthOrder = 0

  /// The last frame for which the following properties are valid.
  var restingFrame: UInt64 = 0
  /// Whether the layer or any of its sublayers could be visible.
  var isShown = false
  /// Maps the layer's plane to the screen.
  var plane = Homography.identity
  /// The transform that is applied to the sublayers before `plane`.
  var sublayerPlacement: Transform3D?
  /// The product of the opacities of the layer and its superlayers.
  var opacity = 1.0
}

extension Layer {
  /// Whether the last frame was drawn from `image`. A layer that alternates between several images must not draw
  /// into that one, because changes are detected by the image's identity.
  public func isDrawn(from image: LayerImage) -> Bool { trace.image === image }
}
