// SPDX-License-Identifier: Apache-2.0

import Raster

/// The spaces of transform layers.
extension Compositor {
  /// All that lies in the space of a transform layer, from far to near: the sublayers of the transform
  /// layers within lie in it too.
  mutating func enterSpace(
    of layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ around: Surroundings
  ) {
    var around = around
    // Who lies there is placed anew in every frame.
    around.isResting = false
    let first = space.count
    gather(layer, properties, placement: placement, opacity: around.opacity, around.isReordered, from: first)
    let end = space.count
    var nearest = -1
    for index in first..<end {
      let entry = space[index]
      // Whatever was nearer than something that is nearer now has changed places with it.
      let isMoved = entry.layer.trace.depthOrder < nearest
      nearest = max(nearest, entry.layer.trace.depthOrder)
      if !isSnapshot { entry.layer.trace.depthOrder = index - first }
      var here = around
      here.opacity = entry.opacity
      here.isReordered = entry.isReordered || isMoved
      _ = takeChange(of: entry.layer)
      let properties = entry.layer.presentation
      if entry.layer.isTransformLayer {
        placeContents(of: entry.layer, properties, placement: entry.placement, here)
      } else {
        place(entry.layer, properties, placement: entry.placement, here)
      }
    }
    space.removeLast(end - first)
  }

  /// Puts the transform layer's own contents, if it has any, and its sublayers in the order of their depths,
  /// those of the same depth in the order of the tree.
  private mutating func gather(
    _ layer: Layer, _ properties: LayerProperties, placement: Transform3D, opacity: Double,
    _ isReordered: Bool, from first: Int
  ) {
    if properties.contents != nil || properties.backgroundColor.alpha > 0 {
      insert(layer, properties, placement, opacity: opacity, isReordered, from: first)
    }
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

  /// A transform layer's contents, in the plane that it would lie in. Neither rounded nor one-sided.
  private mutating func placeContents(
    of layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ around: Surroundings
  ) {
    var properties = properties
    properties.cornerRadius = 0
    let plane = placement.homography.concatenating(around.base)
    guard
      var item = DrawItem(
        layer, properties, plane: plane, opacity: around.opacity, screen: around.screen, isMasked: false)
    else { return }
    item.keepOpaqueParts(in: around.solid)
    add(item, of: layer, properties.contents, isReordered: around.isReordered)
  }
}

extension Transform3D {
  /// Depths that differ by less are those of one plane, and rounding; pixels.
  static let sameDepth = 1e-6

  /// How far towards the eye the middle of `rect` comes to lie, perspective and all; 0 where that is no
  /// number.
  func depth(of rect: Rect) -> Double {
    let z = rect.midX * m13 + rect.midY * m23 + m43
    let w = rect.midX * m14 + rect.midY * m24 + m44
    let depth = z / w
    return depth.isFinite ? depth : 0
  }
}
