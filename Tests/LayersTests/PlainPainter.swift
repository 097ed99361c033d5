// SPDX-License-Identifier: Apache-2.0

import Raster

@testable import Layers

/// A simple reference painter: draws every layer completely, back to front, without display list, damage or
/// culling.
struct PlainPainter: ~Copyable {
  private var scratch = RowScratch()
  private var filler = PolygonFiller()
  /// The outlines of the enclosing masks that are not on whole pixels.
  private var masks: [OutlineCorners?] = []

  init() {}

  mutating func paint(_ root: Layer, into buffer: PixelBuffer) {
    buffer.fill(buffer.bounds, with: .black, clip: buffer.bounds)
    paint(root, base: .identity, space: .identity, opacity: 1, clip: buffer.bounds, buffer)
  }

  /// - Parameters:
  /// - base: maps the superlayer's plane to the screen.
  ///   - space: maps the superlayer's space to that plane.
  private mutating func paint(
    _ layer: Layer, base: Homography, space: Transform3D, opacity: Double, clip: PixelRect,
    _ buffer: PixelBuffer
  ) {
    let p = layer.presentation
    let opacity = opacity * min(max(p.opacity, 0), 1)
    if p.isHidden || opacity <= 0 { return }
    let placement = p.placement.concatenating(space)
    if layer.isTransformLayer {
      for one in farToNear(layer, placement, opacity) {
        place(one.layer, one.placement, base: base, opacity: one.opacity, clip: clip, buffer)
      }
    } else {
      place(layer, placement, base: base, opacity: opacity, clip: clip, buffer)
    }
  }

  private struct Placed {
    var layer: Layer
    var placement: Transform3D
    var opacity: Double

    var depth: Double {
      let (x, y) = (layer.presentation.bounds.midX, layer.presentation.bounds.midY)
      let t = placement
      let depth = (x * t.m13 + y * t.m23 + t.m43) / (x * t.m14 + y * t.m24 + t.m44)
      return depth.isFinite ? depth : 0
    }
  }

  /// The contents of a transform layer's space, back to front.
  private func farToNear(_ layer: Layer, _ placement: Transform3D, _ opacity: Double) -> [Placed] {
    var all: [Placed] = []
    func gather(_ layer: Layer, _ placement: Transform3D, _ opacity: Double) {
      guard layer.isTransformLayer else {
        all.append(Placed(layer: layer, placement: placement, opacity: opacity))
        return
      }
      let about = layer.presentation.sublayerPlacement ?? .identity
      for sublayer in layer.sublayers {
        let p = sublayer.presentation
        let opacity = opacity * min(max(p.opacity, 0), 1)
        if p.isHidden || opacity <= 0 { continue }
        gather(sublayer, p.placement.concatenating(about).concatenating(placement), opacity)
      }
    }
    gather(layer, placement, opacity)
    for index in all.indices {
      for place in stride(from: index, to: 0, by: -1) {
        guard all[place - 1].depth > all[place].depth + 1e-6 else { break }
        all.swapAt(place - 1, place)
      }
    }
    return all
  }

  private mutating func place(
    _ layer: Layer, _ placement: Transform3D, base: Homography, opacity: Double, clip: PixelRect,
    _ buffer: PixelBuffer
  ) {
    let p = layer.presentation
    let plane = placement.homography.concatenating(base)
    let masks = layer.masksToBounds && !layer.sublayers.isEmpty
    let touched = plane.bounds(of: p.bounds)?.intersection(clip) ?? .empty
    let inner = masks ? touched : clip
    guard masks, !isOnPixels(p.bounds, plane) else {
      let isMasked = (self.masks.last ?? nil)?.isOutline(of: p.bounds, plane) ?? false
      paintContents(layer, p, plane, opacity, clip, isMasked: isMasked, buffer)
      paintSublayers(layer, p, plane, opacity, inner, buffer)
      return
    }
    let own = Bitmap(width: buffer.width, height: buffer.height, format: .argb8888)
    paintContents(layer, p, plane, opacity, clip, isMasked: true, own.buffer)
    self.masks.append(OutlineCorners(of: p.bounds, plane))
    paintSublayers(layer, p, plane, opacity, inner, own.buffer)
    self.masks.removeLast()
    var points: [Point] = []
    plane.outline(of: p.bounds, &points)
    filler.compose(own.buffer, through: points, into: buffer, clip: touched)
  }

  private mutating func paintSublayers(
    _ layer: Layer, _ p: LayerProperties, _ plane: Homography, _ opacity: Double, _ clip: PixelRect,
    _ buffer: PixelBuffer
  ) {
    for sublayer in layer.sublayers {
      paint(
        sublayer, base: plane, space: p.sublayerPlacement ?? .identity, opacity: opacity, clip: clip, buffer)
    }
  }

  private mutating func paintContents(
    _ layer: Layer, _ p: LayerProperties, _ plane: Homography, _ opacity: Double, _ clip: PixelRect,
    isMasked: Bool, _ buffer: PixelBuffer
  ) {
    guard p.bounds.width > 0, p.bounds.height > 0, let touched = plane.bounds(of: p.bounds) else { return }
    let clip = clip.intersection(touched)
    if let image = p.contents {
      paint(image, p, plane: plane, opacity: opacity, clip: clip, isMasked ? .extended : .antialiased, buffer)
      return
    }
    var color = p.backgroundColor
    if color.alpha == 0 { return }
    let pixel = bitmap(1, 1) { _, _ in color.premultiplied }
    color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
    if isMasked || isOnPixels(p.bounds, plane) {
      buffer.fill(touched, with: color, clip: clip)
    } else if plane.kind == .general {
      var points: [Point] = []
      plane.outline(of: p.bounds, &points)
      filler.fill(points, with: color, into: buffer, clip: clip)
    } else {
      let map = Homography.scale(x: p.bounds.width, y: p.bounds.height)
        .concatenating(.translation(x: p.bounds.x, y: p.bounds.y)).concatenating(plane)
      buffer.draw(
        pixel.buffer, pixel.buffer.bounds, through: map, opacity: opacity, shade: .none, clip: clip,
        scratch: &scratch)
    }
  }

  private mutating func paint(
    _ image: LayerImage, _ p: LayerProperties, plane: Homography, opacity: Double, clip: PixelRect,
    _ edges: PixelBuffer.EdgeStyle, _ buffer: PixelBuffer
  ) {
    let source = image.bitmap.buffer
    let (width, height) = (Double(source.width), Double(source.height))
    let c = p.contentsRect
    let left = max(c.x * width, 0)
    let right = min(c.maxX * width, width)
    let top = max(min(c.y, c.y + c.height) * height, 0)
    let bottom = min(max(c.y, c.y + c.height) * height, height)
    if right <= left || bottom <= top { return }
    func nearest(_ x: Double) -> Int { Int((x + 0.5 + 1.0 / 2048).rounded(.down)) }
    let part = PixelRect(
      x: nearest(left), y: nearest(top), width: nearest(right) - nearest(left),
      height: nearest(bottom) - nearest(top))
    if part.isEmpty { return }
    if image.extent == .repeatSideways {
      let corner = Homography.translation(x: p.bounds.x, y: p.bounds.y).concatenating(plane)
      guard case .translation(let left, let top) = corner.kind else { return }
      for column in 0..<(Int(p.bounds.width) / part.width + 1) {
        buffer.blend(
          source, part, to: left + column * part.width, top, opacity: opacity, shade: p.shade, clip: clip)
      }
      return
    }
    /// Returns the map to the screen that stretches a rectangle of this size at (0, 0) over the bounds.
    func map(_ width: Double, _ height: Double) -> Homography {
      Homography.scale(x: p.bounds.width / width, y: (c.height < 0 ? -1 : 1) * p.bounds.height / height)
        .concatenating(.translation(x: p.bounds.x, y: c.height < 0 ? p.bounds.maxY : p.bounds.y))
        .concatenating(plane)
    }
    let rounded = map(Double(part.width), Double(part.height))
    let isWhole = [left, right, top, bottom].allSatisfy { abs($0 - $0.rounded()) <= 1.0 / 1024 }
    if isWhole || rounded.kind.translation != nil {
      buffer.draw(
        source, part, through: rounded, edges: edges, opacity: opacity, shade: p.shade, clip: clip,
        scratch: &scratch)
      return
    }
    let picture = Homography.translation(x: -left, y: -top).concatenating(map(right - left, bottom - top))
    if c.height > 0, let (x, y) = picture.kind.translation {
      buffer.blend(source, part, to: x + part.x, y + part.y, opacity: opacity, shade: p.shade, clip: clip)
      return
    }
    let around = PixelRect(
      x: Int(left) - 2, y: Int(top) - 2, width: Int(right.rounded(.up)) - Int(left) + 4,
      height: Int(bottom.rounded(.up)) - Int(top) + 4)
    let origin = Point(x: Double(max(around.x, 0)), y: Double(max(around.y, 0)))
    buffer.draw(
      source,
      PixelRect(
        x: Int(origin.x), y: Int(origin.y), width: around.maxX - Int(origin.x),
        height: around.maxY - Int(origin.y)),
      visible: Rect(x: left - origin.x, y: top - origin.y, width: right - left, height: bottom - top),
      through: Homography.translation(x: origin.x, y: origin.y).concatenating(picture), edges: edges,
      opacity: opacity, shade: p.shade, clip: clip, scratch: &scratch)
  }

  /// Whether the image of the rectangle consists of whole pixels.
  private func isOnPixels(_ bounds: Rect, _ plane: Homography) -> Bool {
    func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) <= 1.0 / 1024 }
    guard plane.kind.isUpright, let a = plane(Point(x: bounds.x, y: bounds.y)),
      let b = plane(Point(x: bounds.maxX, y: bounds.maxY))
    else { return false }
    return [a.x, a.y, b.x, b.y].allSatisfy(isWhole)
  }
}

extension Homography.Kind {
  fileprivate var isUpright: Bool {
    switch self {
    case .translation, .axisAligned: true
    case .rows, .columns, .general: false
    }
  }

  fileprivate var translation: (Int, Int)? {
    if case .translation(let x, let y) = self { (x, y) } else { nil }
  }
}
