// SPDX-License-Identifier: Apache-2.0

import Raster

/// Draws a layer tree: walks it into a display list, finds what differs from the last frame, and
/// draws only that, leaving out what opaque layers cover.
///
/// Nothing is allocated in a frame but where layers came since the last one (`reserve`), where a source
/// turned about y is larger than any before, and in the rarest tangle of damage.
struct Compositor: ~Copyable {
  private var items: [DrawItem] = []
  private var previous: [Layer] = []
  private var current: [Layer] = []
  private var damage = Region()
  private var remaining = Region()
  /// For each item, which of `clips` are its own.
  private var clipRanges: [Range<Int>] = []
  private var clips: [PixelRect] = []
  private var scratch = RowScratch()
  private var frame: UInt64 = 0
  private var isInvalid = true
  /// Of what lies on the screen the layers keep note; of a snapshot they do not.
  private var isSnapshot = false

  /// Makes room for that many layers, on a screen of that size.
  mutating func reserve(layers: Int, size: PixelSize) {
    guard layers > items.capacity else { return }
    let count = max(2 * items.capacity, layers)
    items.reserveCapacity(count)
    previous.reserveCapacity(count)
    current.reserveCapacity(count)
    clipRanges.reserveCapacity(count)
    clips.reserveCapacity(4 * count + 4 * Region.maximumRects)
    damage.reserveCapacity()
    remaining.reserveCapacity()
    scratch.reserve(for: size)
  }

  mutating func invalidate() { isInvalid = true }

  mutating func render(_ root: Layer, into buffer: PixelBuffer) -> [PixelRect] {
    frame += 1
    items.removeAll(keepingCapacity: true)
    swap(&previous, &current)
    current.removeAll(keepingCapacity: true)
    damage.removeAll()
    visit(
      root, base: .identity, space: nil, outer: nil, opacity: 1, screen: buffer.bounds,
      reordered: false)
    for layer in previous where layer.drawnFrame != frame {
      if let drawn = layer.drawn { damage.insert(drawn.bounds) }
      layer.drawn = nil
      layer.drawnImage = nil
    }
    if isInvalid {
      damage.removeAll()
      damage.insert(buffer.bounds)
      isInvalid = false
    }
    damage.formIntersection(buffer.bounds)
    if !damage.isEmpty { draw(into: buffer) }
    return damage.rects
  }

  /// A picture of `root` and all below it in its own space: its bounds as they are presented, with
  /// neither its placement, opacity and hiddenness nor what its superlayers do to it. XRGB8888 where
  /// every pixel is opaque, else ARGB8888. Nothing of what the layers know of the screen changes.
  static func snapshot(of root: Layer) -> Bitmap {
    var compositor = Compositor()
    compositor.isSnapshot = true
    let properties = root.presentation
    let screen = PixelRect(
      x: 0, y: 0, width: pixels(properties.bounds.width), height: pixels(properties.bounds.height))
    let placement = Transform3D.translation(x: -properties.bounds.x, y: -properties.bounds.y)
    compositor.place(
      root, properties, placement: placement, base: .identity, opacity: 1, screen: screen, reordered: false)
    compositor.remaining.insert(screen)
    for item in compositor.items {
      compositor.remaining.subtract(item.opaque.0)
      compositor.remaining.subtract(item.opaque.1)
    }
    let isOpaque = compositor.remaining.isEmpty
    let bitmap = Bitmap(
      width: screen.width, height: screen.height, format: isOpaque ? .xrgb8888 : .argb8888)
    compositor.damage.insert(screen)
    compositor.draw(into: bitmap.buffer)
    return bitmap
  }

  /// A side of a picture: whole pixels, and no more than any display has.
  private static func pixels(_ length: Double) -> Int {
    length > 0 ? Int(min((length - 1.0 / 1024).rounded(.up), 16_384)) : 0
  }

  // MARK: The display list

  /// - Parameters:
  ///   - base: from the nearest flattened plane to the screen.
  ///   - space: from the superlayer's space to that plane, when the superlayer is a transform layer.
  ///   - outer: what the superlayer applies to all its sublayers.
  private mutating func visit(
    _ layer: Layer, base: Homography, space: Transform3D?, outer: Transform3D?, opacity: Double,
    screen: PixelRect, reordered: Bool
  ) {
    let properties = layer.presentation
    let reordered = reordered || layer.orderChanged
    if !isSnapshot { layer.orderChanged = false }
    let opacity = opacity * min(max(properties.opacity, 0), 1)
    guard !properties.isHidden, opacity > 0 else { return }

    var placement = properties.placement
    if let outer { placement = placement.concatenating(outer) }
    if let space { placement = placement.concatenating(space) }
    place(
      layer, properties, placement: placement, base: base, opacity: opacity, screen: screen,
      reordered: reordered)
  }

  /// The layer's own item and those of its sublayers. `placement` leads to the nearest flattened plane.
  private mutating func place(
    _ layer: Layer, _ properties: LayerProperties, placement: Transform3D, base: Homography,
    opacity: Double, screen: PixelRect, reordered: Bool
  ) {
    let plane = placement.homography.concatenating(base)
    if var item = Self.item(for: layer, properties, plane: plane, opacity: opacity, screen: screen) {
      add(&item, of: layer, reordered: reordered)
    }

    guard !layer.sublayers.isEmpty else { return }
    var inner = screen
    if layer.masksToBounds {
      inner = screen.intersection(plane.bounds(of: properties.bounds) ?? .empty)
    }
    let sublayerPlacement = properties.sublayerPlacement
    for sublayer in layer.sublayers {
      if layer.isTransformLayer {
        visit(
          sublayer, base: base, space: placement, outer: sublayerPlacement, opacity: opacity,
          screen: inner, reordered: reordered)
      } else {
        visit(
          sublayer, base: plane, space: nil, outer: sublayerPlacement, opacity: opacity, screen: inner,
          reordered: reordered)
      }
    }
  }

  private mutating func add(_ item: inout DrawItem, of layer: Layer, reordered: Bool) {
    items.append(item)
    if isSnapshot { return }
    current.append(layer)
    if let drawn = layer.drawn, layer.drawnFrame == frame - 1 {
      if reordered || !drawn.looks(like: item) {
        damage.insert(drawn.bounds)
        damage.insert(item.bounds)
      }
    } else {
      damage.insert(item.bounds)
    }
    layer.drawn = item
    layer.drawnImage = layer.presentation.contents
    layer.drawnFrame = frame
  }

  private static func item(
    for layer: Layer, _ properties: LayerProperties, plane: Homography, opacity: Double,
    screen: PixelRect
  ) -> DrawItem? {
    let bounds = properties.bounds
    guard bounds.width > 0, bounds.height > 0 else { return nil }
    var image = properties.contents
    if image == nil {
      guard properties.backgroundColor.alpha > 0 else { return nil }
      if plane.keepsWholePixels(of: bounds) {
        return fill(properties, plane: plane, opacity: opacity, screen: screen)
      }
      image = layer.solidImage(properties.backgroundColor)
    }
    guard let image else { return nil }
    let source = image.bitmap.buffer
    let (part, isFlipped) = sourceRect(properties.contentsRect, in: source)
    guard !part.isEmpty else { return nil }
    var map = Homography.translation(x: bounds.x, y: bounds.y)
    if image.extent == .resize {
      var scaleY = bounds.height / Double(part.height)
      if isFlipped {
        map = .translation(x: bounds.x, y: bounds.maxY)
        scaleY = -scaleY
      }
      let scaleX = bounds.width / Double(part.width)
      if scaleX != 1 || scaleY != 1 { map = Homography.scale(x: scaleX, y: scaleY).concatenating(map) }
    }
    map = map.concatenating(plane)
    guard let touched = plane.bounds(of: bounds)?.intersection(screen), !touched.isEmpty else {
      return nil
    }
    var item = DrawItem(
      kind: image.extent == .resize ? .image : .tile, source: source, sourceRect: part, map: map,
      bounds: touched, opacity: opacity, shade: properties.contents == nil ? .none : properties.shade,
      color: .clear)
    item.findOpaqueParts(of: image)
    return item
  }

  private static func fill(
    _ properties: LayerProperties, plane: Homography, opacity: Double, screen: PixelRect
  ) -> DrawItem? {
    guard let touched = plane.bounds(of: properties.bounds)?.intersection(screen), !touched.isEmpty
    else { return nil }
    var color = properties.backgroundColor
    color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
    var item = DrawItem(
      kind: .fill, source: Layer.noPixels.buffer, sourceRect: .empty, map: .identity, bounds: touched,
      opacity: 1, shade: .none, color: color)
    if color.alpha == 255 { item.opaque.0 = touched }
    return item
  }

  /// Coordinates of contents lie within ±this.
  private static let limit = Double(1 << 24)

  /// The whole pixels that a `contentsRect` names, and whether they are shown upside down.
  private static func sourceRect(_ rect: Rect, in source: PixelBuffer) -> (PixelRect, Bool) {
    let isFlipped = rect.height < 0
    let top = isFlipped ? rect.y + rect.height : rect.y
    let x0 = (rect.x * Double(source.width)).rounded()
    let x1 = (rect.maxX * Double(source.width)).rounded()
    let y0 = (top * Double(source.height)).rounded()
    let y1 = ((top + abs(rect.height)) * Double(source.height)).rounded()
    guard abs(x0) < limit, abs(x1) < limit, abs(y0) < limit, abs(y1) < limit else { return (.empty, false) }
    let part = PixelRect(x: Int(x0), y: Int(y0), width: Int(x1 - x0), height: Int(y1 - y0))
    return (part.intersection(source.bounds), isFlipped)
  }

  // MARK: Drawing

  /// From near to far: each item is drawn where the damage is not covered by opaque ones above it.
  private mutating func draw(into buffer: PixelBuffer) {
    clips.removeAll(keepingCapacity: true)
    clipRanges.removeAll(keepingCapacity: true)
    remaining.removeAll()
    remaining.formUnion(damage)
    for index in items.indices.reversed() {
      let first = clips.count
      let bounds = items[index].bounds
      for rect in remaining.rects {
        let clip = rect.intersection(bounds)
        if !clip.isEmpty { clips.append(clip) }
      }
      clipRanges.append(first..<clips.count)
      guard first < clips.count else { continue }
      let opaque = items[index].opaque
      if !opaque.0.isEmpty { remaining.subtract(opaque.0) }
      if !opaque.1.isEmpty { remaining.subtract(opaque.1) }
    }
    if buffer.format == .xrgb8888 {
      for rect in remaining.rects { buffer.fill(rect, with: .black, clip: rect) }
    }
    for index in items.indices {
      for clip in clips[clipRanges[items.count - 1 - index]] {
        items[index].draw(into: buffer, clip: clip, scratch: &scratch)
      }
    }
  }
}

extension Layer {
  /// Stands for pixels where an item has none.
  nonisolated(unsafe) static let noPixels = Bitmap(width: 1, height: 1, format: .xrgb8888)

  /// The background colour as a pixel to be stretched, where its edges are not those of pixels.
  func solidImage(_ color: Color) -> LayerImage {
    let pixel = color.premultiplied
    if let solid, solid.bitmap.buffer.row32(0)[0] == pixel { return solid }
    let bitmap = Bitmap(width: 1, height: 1, format: .argb8888)
    bitmap.buffer.row32(0)[0] = pixel
    let image = LayerImage(bitmap)
    solid = image
    return image
  }
}

extension Homography {
  /// Whether `rect` comes out as a rectangle of whole pixels, to within 1/1024 of one.
  fileprivate func keepsWholePixels(of rect: Rect) -> Bool {
    switch kind {
    case .translation, .axisAligned: break
    case .rows, .columns, .general: return false
    }
    guard let a = self(Point(x: rect.x, y: rect.y)), let b = self(Point(x: rect.maxX, y: rect.maxY))
    else { return false }
    func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) <= 1.0 / 1024 }
    return isWhole(a.x) && isWhole(a.y) && isWhole(b.x) && isWhole(b.y)
  }
}
