// SPDX-License-Identifier: Apache-2.0

import Raster

@testable import Layers

/// What a layer tree looks like, told plainly: every layer drawn whole, from far to near, with no list, no
/// damage and nothing left out.
struct PlainPainter: ~Copyable {
  private var scratch = RowScratch()

  init() {}

  mutating func paint(_ root: Layer, into buffer: PixelBuffer) {
    buffer.fill(buffer.bounds, with: .black, clip: buffer.bounds)
    paint(root, base: .identity, space: .identity, opacity: 1, clip: buffer.bounds, buffer)
  }

  /// - Parameters:
  ///   - base: from the plane that the superlayer lies in to the screen.
  ///   - space: from the superlayer's space to that plane.
  private mutating func paint(
    _ layer: Layer, base: Homography, space: Transform3D, opacity: Double, clip: PixelRect,
    _ buffer: PixelBuffer
  ) {
    let p = layer.presentation
    let opacity = opacity * min(max(p.opacity, 0), 1)
    if p.isHidden || opacity <= 0 { return }
    let placement = p.placement.concatenating(space)
    let plane = placement.homography.concatenating(base)
    if p.bounds.width > 0, p.bounds.height > 0, let touched = plane.bounds(of: p.bounds) {
      let clip = clip.intersection(touched)
      if let image = p.contents {
        paint(image, p, plane: plane, opacity: opacity, clip: clip, buffer)
      } else if p.backgroundColor.alpha > 0 {
        paint(p.backgroundColor, p.bounds, plane: plane, opacity: opacity, clip: clip, touched, buffer)
      }
    }
    var inner = clip
    if layer.masksToBounds { inner = clip.intersection(plane.bounds(of: p.bounds) ?? .empty) }
    let about = p.sublayerPlacement ?? .identity
    for sublayer in layer.sublayers {
      if layer.isTransformLayer {
        paint(
          sublayer, base: base, space: about.concatenating(placement), opacity: opacity, clip: inner, buffer)
      } else {
        paint(sublayer, base: plane, space: about, opacity: opacity, clip: inner, buffer)
      }
    }
  }

  private mutating func paint(
    _ image: LayerImage, _ p: LayerProperties, plane: Homography, opacity: Double, clip: PixelRect,
    _ buffer: PixelBuffer
  ) {
    let source = image.bitmap.buffer
    let (x, y, width, height) = (
      p.contentsRect.x, p.contentsRect.y, p.contentsRect.width, p.contentsRect.height
    )
    let top = min(y, y + height)
    let left = Int((x * Double(source.width)).rounded())
    let right = Int(((x + width) * Double(source.width)).rounded())
    let first = Int((top * Double(source.height)).rounded())
    let last = Int(((top + abs(height)) * Double(source.height)).rounded())
    let part = PixelRect(x: left, y: first, width: right - left, height: last - first)
      .intersection(source.bounds)
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
    let stretch = Homography.scale(
      x: p.bounds.width / Double(part.width),
      y: (height < 0 ? -1 : 1) * p.bounds.height / Double(part.height))
    let map = stretch.concatenating(.translation(x: p.bounds.x, y: height < 0 ? p.bounds.maxY : p.bounds.y))
    buffer.draw(
      source, part, through: map.concatenating(plane), opacity: opacity, shade: p.shade, clip: clip,
      scratch: &scratch)
  }

  private mutating func paint(
    _ color: Color, _ bounds: Rect, plane: Homography, opacity: Double, clip: PixelRect, _ touched: PixelRect,
    _ buffer: PixelBuffer
  ) {
    func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) <= 1.0 / 1024 }
    if let a = plane(Point(x: bounds.x, y: bounds.y)), let b = plane(Point(x: bounds.maxX, y: bounds.maxY)),
      [a.x, a.y, b.x, b.y].allSatisfy(isWhole), plane.kind.isUpright
    {
      var color = color
      color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
      buffer.fill(touched, with: color, clip: clip)
      return
    }
    let pixel = bitmap(1, 1) { _, _ in color.premultiplied }
    let map = Homography.scale(x: bounds.width, y: bounds.height)
      .concatenating(.translation(x: bounds.x, y: bounds.y)).concatenating(plane)
    buffer.draw(
      pixel.buffer, pixel.buffer.bounds, through: map, opacity: opacity, shade: .none, clip: clip,
      scratch: &scratch)
  }
}

extension Homography.Kind {
  fileprivate var isUpright: Bool {
    switch self {
    case .translation, .axisAligned: true
    case .rows, .columns, .general: false
    }
  }
}
