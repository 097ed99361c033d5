// SPDX-License-Identifier: Apache-2.0

import Raster

/// One thing to draw in a frame, in the order from far to near: a layer's contents with everything
/// settled. It owns nothing: the layer keeps the pixels alive.
struct DrawItem {
  enum Kind: Hashable {
    case image
    case tile
    case fill
  }

  var kind: Kind
  var source: PixelBuffer
  var sourceRect: PixelRect
  /// From the source rectangle's pixels to the screen's.
  var map: Homography
  /// What it touches of the screen, cut by the masks above it.
  var bounds: PixelRect
  var opacity: Double
  var shade: Shade
  var color: Color
  /// Parts of the screen that it covers entirely.
  var opaque: (PixelRect, PixelRect) = (.empty, .empty)

  /// Whether drawing this or `other` leaves the same pixels.
  func looks(like other: DrawItem) -> Bool {
    kind == other.kind && source.base == other.source.base && sourceRect == other.sourceRect
      && map == other.map && bounds == other.bounds && opacity == other.opacity && shade == other.shade
      && color == other.color
  }

  func draw(into buffer: PixelBuffer, clip: PixelRect, scratch: inout RowScratch) {
    switch kind {
    case .image:
      buffer.draw(
        source, sourceRect, through: map, opacity: opacity, shade: shade, clip: clip, scratch: &scratch)
    case .fill:
      buffer.fill(bounds, with: color, clip: clip)
    case .tile:
      guard case .translation(let x, let y) = map.kind else { return }
      // The pattern is aligned to the layer's left edge, whatever part of it is drawn.
      buffer.tile(source, sourceRect, from: x, y, over: clip, opacity: opacity, shade: shade)
    }
  }

  /// The screen rectangles inside the source's opaque parts, where the map keeps rows horizontal or
  /// columns upright.
  mutating func findOpaqueParts(of image: LayerImage) {
    guard opacity >= 1 else { return }
    switch map.kind {
    case .translation(_, let y) where kind == .tile:
      guard image.opaqueParts.0.contains(sourceRect) else { return }
      opaque.0 = PixelRect(x: bounds.x, y: y, width: bounds.width, height: sourceRect.height)
        .intersection(bounds)
    case .axisAligned where kind == .tile, .rows where kind == .tile, .columns where kind == .tile:
      break
    case .translation, .axisAligned, .rows, .columns:
      opaque.0 = screenPart(image.opaqueParts.0)
      opaque.1 = screenPart(image.opaqueParts.1)
    case .general:
      break
    }
  }

  private func screenPart(_ part: PixelRect) -> PixelRect {
    let cut = part.intersection(sourceRect)
    guard !cut.isEmpty else { return .empty }
    if case .translation(let x, let y) = map.kind {
      return cut.offset(x: x - sourceRect.x, y: y - sourceRect.y).intersection(bounds)
    }
    // Where the contents are enlarged, a pixel takes from the neighbours of the one that it lies in.
    let left = Double(cut.x - sourceRect.x) + (cut.x > sourceRect.x ? 1 : 0)
    let right = Double(cut.maxX - sourceRect.x) - (cut.maxX < sourceRect.maxX ? 1 : 0)
    let top = Double(cut.y - sourceRect.y) + (cut.y > sourceRect.y ? 1 : 0)
    let bottom = Double(cut.maxY - sourceRect.y) - (cut.maxY < sourceRect.maxY ? 1 : 0)
    guard left < right, top < bottom else { return .empty }
    guard let a = map(Point(x: left, y: top)), let b = map(Point(x: right, y: top)),
      let c = map(Point(x: left, y: bottom)), let d = map(Point(x: right, y: bottom))
    else { return .empty }
    let across = Self.between(a.x, c.x, and: b.x, d.x)
    let down = Self.between(a.y, b.y, and: c.y, d.y)
    // One pixel inside the trapezoid: the rim is antialiased.
    let x0 = Self.pixel(across.from.rounded(.up)) + 1
    let x1 = Self.pixel(across.to.rounded(.down)) - 1
    let y0 = Self.pixel(down.from.rounded(.up)) + 1
    let y1 = Self.pixel(down.to.rounded(.down)) - 1
    guard x0 < x1, y0 < y1 else { return .empty }
    return PixelRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0).intersection(bounds)
  }

  /// What lies between one edge, from `a` to `b`, and the opposite one, whichever comes first.
  private static func between(_ a: Double, _ b: Double, and c: Double, _ d: Double) -> (
    from: Double, to: Double
  ) {
    a + b <= c + d ? (max(a, b), min(c, d)) : (max(c, d), min(a, b))
  }

  /// A coordinate that may be anything, as one that is beyond every screen at most. What is no number
  /// makes the rectangle empty.
  private static func pixel(_ coordinate: Double) -> Int {
    guard !coordinate.isNaN else { return 0 }
    return Int(min(max(coordinate, -16_777_216), 16_777_216))
  }
}
