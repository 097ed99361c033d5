// SPDX-License-Identifier: Apache-2.0

import Raster

/// The walk through the tree that makes the display list.
extension Compositor {
  /// - Parameter outer: what the superlayer applies to all its sublayers.
  mutating func visit(_ layer: Layer, outer: Transform3D?, _ around: Surroundings) {
    let properties = layer.presentation
    var around = around
    around.isReordered = takeOrderChange(of: layer) || around.isReordered
    around.opacity *= min(max(properties.opacity, 0), 1)
    guard !properties.isHidden, around.opacity > 0 else { return }
    var placement = properties.placement
    if let outer { placement = placement.concatenating(outer) }
    place(layer, properties, placement: placement, around)
  }

  /// The layer's own item and those of its sublayers. `placement` leads to the nearest flattened plane.
  mutating func place(
    _ layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ around: Surroundings
  ) {
    if layer.isTransformLayer {
      enterSpace(of: layer, properties, placement: placement, around)
      return
    }
    let plane = placement.homography.concatenating(around.base)
    // What is seen from behind is so wholly: the sublayers lie in the same plane.
    guard layer.isDoubleSided || plane.determinant > 0 else { return }
    let isMasking = layer.masksToBounds && !layer.sublayers.isEmpty
    let radius = properties.roundedRadius
    var inner = around
    var mask: DrawItem?
    if isMasking || (radius > 0 && properties.contents != nil) {
      let bounds = properties.bounds
      let touched = plane.bounds(of: bounds)?.intersection(around.screen) ?? .empty
      if isMasking { inner.screen = touched }
      if radius > 0 || !plane.keepsWholePixels(of: bounds), !touched.isEmpty {
        mask = DrawItem(
          mask: bounds, radius: radius, holdsSublayers: isMasking, plane: plane, bounds: touched)
        inner.solid = plane.solidPart(
          of: bounds, insetX: radius, in: touched.intersection(around.solid ?? touched))
      }
    }
    var isMasked = false
    if let corners = around.mask, corners.isOutline(of: properties.bounds, plane) { isMasked = true }
    if let mask {
      beginMask(mask, of: layer, isReordered: around.isReordered)
      inner.mask = OutlineCorners(of: properties.bounds, plane)
      isMasked = true
    }
    if var item = DrawItem(
      layer, properties, plane: plane, opacity: around.opacity, screen: around.screen, isMasked: isMasked)
    {
      item.keepOpaqueParts(in: inner.solid)
      add(item, of: layer, isReordered: around.isReordered)
    }
    if let mask, !isMasking { endMask(mask) }
    if !isMasking {
      inner.solid = around.solid
      inner.mask = around.mask
    }
    if !layer.sublayers.isEmpty {
      inner.base = plane
      let outer = properties.sublayerPlacement
      for sublayer in layer.sublayers { visit(sublayer, outer: outer, inner) }
    }
    if let mask, isMasking { endMask(mask) }
  }

  /// All that lies in the space of a transform layer, from far to near: the sublayers of the transform
  /// layers within lie in it too.
  private mutating func enterSpace(
    of layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ around: Surroundings
  ) {
    let first = space.count
    gather(layer, properties, placement: placement, opacity: around.opacity, around.isReordered, from: first)
    let end = space.count
    var nearest = -1
    for index in first..<end {
      let entry = space[index]
      // Whatever was nearer than something that is nearer now has changed places with it.
      let isMoved = entry.layer.depthOrder < nearest
      nearest = max(nearest, entry.layer.depthOrder)
      if !isSnapshot { entry.layer.depthOrder = index - first }
      var here = around
      here.opacity = entry.opacity
      here.isReordered = entry.isReordered || isMoved
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
    add(item, of: layer, isReordered: around.isReordered)
  }

  /// Whether the layer stands elsewhere among its siblings than in the last frame.
  private func takeOrderChange(of layer: Layer) -> Bool {
    let isChanged = layer.orderChanged
    if !isSnapshot { layer.orderChanged = false }
    return isChanged
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
