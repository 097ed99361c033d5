// SPDX-License-Identifier: Apache-2.0

import Raster

/// The 3D spaces of transform layers.
extension Compositor {
  /// Visits everything in the 3D space of a transform layer, back to front, including the sublayers of nested
  /// transform layers.
  mutating func enterSpace(
    of layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ inherited: InheritedState
  ) {
    var inherited = inherited
    // Layers in a space are placed again in every frame.
    inherited.isResting = false
    let first = space.count
    gather(
      layer, properties, placement: placement, opacity: inherited.opacity, inherited.isReordered, from: first)
    let end = space.count
    var nearest = -1
    for index in first..<end {
      let entry = space[index]
      // A layer has moved if it is in front of a layer that was in front of it in the last frame.
      let isMoved = entry.layer.trace.depthOrder < nearest
      nearest = max(nearest, entry.layer.trace.depthOrder)
      if !isSnapshot { entry.layer.trace.depthOrder = index - first }
      var here = inherited
      here.opacity = entry.opacity
      here.isReordered = entry.isReordered || isMoved
      _ = takeChange(of: entry.layer)
      place(entry.layer, entry.layer.presentation, placement: entry.placement, here)
    }
    space.removeLast(end - first)
  }

  /// Adds the transform layer's sublayers to `space` in order of depth, and in tree order for equal depths.
  private mutating func gather(
    _ layer: Layer, _ properties: LayerProperties, placement: Transform3D, opacity: Double,
    _ isReordered: Bool, from first: Int
  ) {
    let outer = properties.sublayerPlacement
    for sublayer in layer.sublayers {
      let properties = sublayer.presentation
      let isReordered = takeOrderChange(of: sublayer) || isReordered
      let opacity = opacity * min(max(properties.opacity, 0), 1)
      guard !properties.isHidden, opacity > 0 else { continue }
      var inner = properties.placement
      if let outer { inner = inner.concatenating(outer) }
      inner = inner.concatenating(placement)
      if sublayer.isTransformLayer {
        gather(sublayer, properties, placement: inner, opacity: opacity, isReordered, from: first)
      } else {
        insert(sublayer, properties, inner, opacity: opacity, isReordered, from: first)
      }
    }
  }

  private mutating func insert(
    _ layer: Layer, _ properties: LayerProperties, _ placement: Transform3D, opacity: Double,
    _ isReordered: Bool, from first: Int
  ) {
    let depth = placement.depth(of: properties.bounds)
    space.append(
      SpaceEntry(
        layer: layer, placement: placement, depth: depth, opacity: opacity, isReordered: isReordered))
    var index = space.count - 1
    while index > first, space[index - 1].depth > depth + Transform3D.sameDepth {
      space.swapAt(index - 1, index)
      index -= 1
    }
  }
}

extension Transform3D {
  /// Depths that differ by at most this many pixels count as equal: the difference is a rounding error within
  /// one plane.
  static let sameDepth = 1e-6

  /// The depth of the middle of `rect` after perspective, larger closer to the eye; 0 if it is not finite.
  func depth(of rect: Rect) -> Double {
    let z = rect.midX * m13 + rect.midY * m23 + m43
    let w = rect.midX * m14 + rect.midY * m24 + m44
    let depth = z / w
    return depth.isFinite ? depth : 0
  }
}
