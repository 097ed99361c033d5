// SPDX-License-Identifier: Apache-2.0

import Raster

/// The traversal of the tree that builds the display list.
extension Compositor {
  /// - Parameter outer: the transform that the superlayer applies to all its sublayers.
  mutating func visit(_ layer: Layer, outer: Transform3D?, _ inherited: InheritedState) {
    if inherited.isResting, layer.trace.restingFrame == frame - 1, !layer.trace.isChanged,
      !layer.trace.orderChanged
    {
      reuse(layer, inherited)
      return
    }
    let properties = layer.presentation
    var inherited = inherited
    inherited.isReordered = takeOrderChange(of: layer) || inherited.isReordered
    let isChanged = takeChange(of: layer)
    inherited.isResting = inherited.isResting && !inherited.isReordered && !isChanged
    inherited.opacity *= min(max(properties.opacity, 0), 1)
    guard !properties.isHidden, inherited.opacity > 0 else {
      recordResting(layer, isShown: false)
      return
    }
    var placement = properties.placement
    if let outer { placement = placement.concatenating(outer) }
    place(layer, properties, placement: placement, inherited)
  }

  /// Reuses what the last frame recorded for a layer. Called if nothing changed in it or in its superlayers.
  private mutating func reuse(_ layer: Layer, _ inherited: InheritedState) {
    layer.trace.restingFrame = frame
    guard layer.trace.isShown else { return }
    if layer.trace.frame == frame - 1, let item = layer.trace.item {
      items.append(item)
      current.append(layer)
      layer.trace.frame = frame
    }
    if layer.sublayers.isEmpty { return }
    var inner = inherited
    inner.base = layer.trace.plane
    inner.opacity = layer.trace.opacity
    for sublayer in layer.sublayers { visit(sublayer, outer: layer.trace.sublayerPlacement, inner) }
  }

  /// Adds the layer's own item and those of its sublayers. `placement` maps to the plane of the closest
  /// superlayer that is not a transform layer.
  mutating func place(
    _ layer: Layer, _ properties: LayerProperties, placement: Transform3D, _ inherited: InheritedState
  ) {
    if layer.isTransformLayer {
      enterSpace(of: layer, properties, placement: placement, inherited)
      return
    }
    let plane = placement.homography.concatenating(inherited.base)
    let isMasking = layer.masksToBounds && !layer.sublayers.isEmpty
    var inner = inherited
    var mask: DrawItem?
    if isMasking {
      let bounds = properties.bounds
      inner.screen = plane.bounds(of: bounds)?.intersection(inherited.screen) ?? .empty
      if !plane.keepsWholePixels(of: bounds), !inner.screen.isEmpty {
        mask = DrawItem(mask: bounds, plane: plane, bounds: inner.screen)
        inner.solid = plane.solidPart(
          of: bounds, in: inner.screen.intersection(inherited.solid ?? inner.screen))
      }
    }
    var isMasked = false
    if let corners = inherited.mask, corners.isOutline(of: properties.bounds, plane) { isMasked = true }
    if let mask {
      beginMask(mask, of: layer, isReordered: inherited.isReordered)
      inner.mask = OutlineCorners(of: properties.bounds, plane)
      isMasked = true
    }
    if var item = DrawItem(
      layer, properties, plane: plane, opacity: inherited.opacity, screen: inherited.screen,
      isMasked: isMasked)
    {
      item.keepOpaqueParts(in: inner.solid)
      add(item, of: layer, properties.contents, isReordered: inherited.isReordered)
    }
    let outer = properties.sublayerPlacement
    if !isMasking {
      recordResting(layer, isShown: true, plane: plane, sublayers: outer, opacity: inherited.opacity)
    }
    if !layer.sublayers.isEmpty {
      inner.base = plane
      for sublayer in layer.sublayers { visit(sublayer, outer: outer, inner) }
    }
    if let mask { endMask(mask) }
  }

  /// Records what the next frame can reuse if nothing changes.
  private func recordResting(
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

  /// Whether the layer's position among its siblings changed since the last frame. Clears the mark, except
  /// for a snapshot.
  func takeOrderChange(of layer: Layer) -> Bool {
    let isChanged = layer.trace.orderChanged
    if !isSnapshot { layer.trace.orderChanged = false }
    return isChanged
  }

  /// Whether something in the layer changed since it was last visited. Clears the mark, except for a
  /// snapshot.
  func takeChange(of layer: Layer) -> Bool {
    let isChanged = layer.trace.isChanged
    if !isSnapshot { layer.trace.isChanged = false }
    return isChanged
  }
}

/// What the compositor recorded of a layer in the last frame: what it drew, and what it can reuse if the
/// layer does not change.
struct LayerTrace {
  /// Whether something was set or animated since the layer was last visited.
  var isChanged = true
  /// Whether the layer must be redrawn although no property changed, because its order among its siblings
  /// changed.
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
  /// Whether the last frame was drawn from `image`. A layer that alternates between several images must not
  /// draw into that one, because changes are detected by the image's identity.
  public func isDrawn(from image: LayerImage) -> Bool { trace.image === image }
}
