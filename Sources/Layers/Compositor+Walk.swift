// SPDX-License-Identifier: Apache-2.0

import Raster

/// The walk through the tree that makes the display list.
extension Compositor {
  /// - Parameter outer: what the superlayer applies to all its sublayers.
  mutating func visit(_ layer: Layer, outer: Transform3D?, _ around: Surroundings) {
    if around.isResting, layer.trace.restingFrame == frame - 1, !layer.trace.isChanged,
      !layer.trace.orderChanged
    {
      keep(layer, around)
      return
    }
    let properties = layer.presentation
    var around = around
    around.isReordered = takeOrderChange(of: layer) || around.isReordered
    let isChanged = takeChange(of: layer)
    around.isResting = around.isResting && !around.isReordered && !isChanged
    around.opacity *= min(max(properties.opacity, 0), 1)
    guard !properties.isHidden, around.opacity > 0 else {
      rest(layer, isShown: false)
      return
    }
    var placement = properties.placement
    if let outer { placement = placement.concatenating(outer) }
    place(layer, properties, placement: placement, around)
  }

  /// What was found of a layer in the last frame holds: nothing changed in it, nor around it.
  private mutating func keep(_ layer: Layer, _ around: Surroundings) {
    layer.trace.restingFrame = frame
    guard layer.trace.isShown else { return }
    if layer.trace.frame == frame - 1, let item = layer.trace.item {
      items.append(item)
      current.append(layer)
      layer.trace.frame = frame
    }
    if layer.sublayers.isEmpty { return }
    var inner = around
    inner.base = layer.trace.plane
    inner.opacity = layer.trace.opacity
    for sublayer in layer.sublayers { visit(sublayer, outer: layer.trace.sublayerPlacement, inner) }
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
    guard layer.isDoubleSided || plane.determinant > 0 else {
      rest(layer, isShown: false)
      return
    }
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
      add(item, of: layer, properties.contents, isReordered: around.isReordered)
    }
    if let mask, !isMasking { endMask(mask) }
    if !isMasking {
      inner.solid = around.solid
      inner.mask = around.mask
    }
    let outer = properties.sublayerPlacement
    if !isMasking && mask == nil {
      rest(layer, isShown: true, plane: plane, sublayers: outer, opacity: around.opacity)
    }
    if !layer.sublayers.isEmpty {
      inner.base = plane
      for sublayer in layer.sublayers { visit(sublayer, outer: outer, inner) }
    }
    if let mask, isMasking { endMask(mask) }
  }

  /// Notes what the next frame need not find again, if nothing changes.
  private func rest(
    _ layer: Layer, isShown: Bool, plane: Homography = .identity, sublayers: Transform3D? = nil,
    opacity: Double = 0
  ) {
    if isSnapshot { return }
    layer.trace.restingFrame = frame
    layer.trace.isShown = isShown
    layer.trace.plane = plane
    layer.trace.sublayerPlacement = sublayers
    layer.trace.opacity = opacity
  }

  /// Whether the layer stands elsewhere among its siblings than in the last frame.
  func takeOrderChange(of layer: Layer) -> Bool {
    let isChanged = layer.trace.orderChanged
    if !isSnapshot { layer.trace.orderChanged = false }
    return isChanged
  }

  /// Whether something of the layer changed since it was visited.
  func takeChange(of layer: Layer) -> Bool {
    let isChanged = layer.trace.isChanged
    if !isSnapshot { layer.trace.isChanged = false }
    return isChanged
  }
}
