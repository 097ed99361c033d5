// SPDX-License-Identifier: Apache-2.0

import Raster

/// What the compositor knows of a layer from the last frame: what it drew of it, and what it need not find
/// out again of a layer that stands still.
struct LayerTrace {
  /// Something was set, or animated, since the layer was visited.
  var isChanged = true
  /// Set when what lies on the screen must be drawn anew although no property tells so.
  var orderChanged = false
  /// What was drawn of the layer, and the pixels it was drawn from, kept alive to be compared.
  var item: DrawItem?
  var image: LayerImage?
  var frame: UInt64 = 0
  /// The same of its mask.
  var mask: DrawItem?
  var maskFrame: UInt64 = 0
  /// Its place in the space of the transform layer that it was in.
  var depthOrder = 0

  /// The frame that found what follows; none, where that was not all.
  var restingFrame: UInt64 = 0
  /// Whether it, or anything in it, could be seen.
  var isShown = false
  /// From the layer's plane to the screen.
  var plane = Homography.identity
  /// What its sublayers pass through before that.
  var sublayerPlacement: Transform3D?
  /// That of the superlayers and its own.
  var opacity = 1.0
}

extension Layer {
  /// Whether the last frame was drawn from `image`: a layer that draws into pictures by turns leaves that one as it
  /// is, for what has changed is told by which picture there is.
  public func isDrawn(from image: LayerImage) -> Bool { trace.image === image }
}
