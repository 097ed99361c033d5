// SPDX-License-Identifier: Apache-2.0

import Raster

/// The parts of the screen that an item covers with opaque pixels.
extension DrawItem {
  /// Finds the screen rectangles inside the source's opaque parts, for maps that keep rows horizontal or
  /// columns vertical.
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

  /// Inside a mask, an item hides only the pixels that the mask shows fully.
  mutating func keepOpaqueParts(in solid: PixelRect?) {
    guard let solid else { return }
    opaque.0 = opaque.0.intersection(solid)
    opaque.1 = opaque.1.intersection(solid)
  }

  private func screenPart(_ part: PixelRect) -> PixelRect {
    let cut = part.intersection(sourceRect)
    guard !cut.isEmpty else { return .empty }
    if case .translation(let x, let y) = map.kind, visible == nil {
      return cut.offset(x: x - sourceRect.x, y: y - sourceRect.y).intersection(bounds)
    }
    // Where the contents are enlarged, filtering also uses the neighbours of the pixel sampled.
    var left = Double(cut.x - sourceRect.x) + (cut.x > sourceRect.x ? 1 : 0)
    var right = Double(cut.maxX - sourceRect.x) - (cut.maxX < sourceRect.maxX ? 1 : 0)
    var top = Double(cut.y - sourceRect.y) + (cut.y > sourceRect.y ? 1 : 0)
    var bottom = Double(cut.maxY - sourceRect.y) - (cut.maxY < sourceRect.maxY ? 1 : 0)
    if let visible {
      left = max(left, visible.x)
      right = min(right, visible.maxX)
      top = max(top, visible.y)
      bottom = min(bottom, visible.maxY)
    }
    guard left < right, top < bottom else { return .empty }
    guard let a = map(Point(x: left, y: top)), let b = map(Point(x: right, y: top)),
      let c = map(Point(x: left, y: bottom)), let d = map(Point(x: right, y: bottom))
    else { return .empty }
    let across = Self.between(a.x, c.x, and: b.x, d.x)
    let down = Self.between(a.y, b.y, and: c.y, d.y)
    // Stays one pixel inside the trapezoid, because its edge is antialiased.
    let x0 = Self.pixel(across.from.rounded(.up)) + 1
    let x1 = Self.pixel(across.to.rounded(.down)) - 1
    let y0 = Self.pixel(down.from.rounded(.up)) + 1
    let y1 = Self.pixel(down.to.rounded(.down)) - 1
    guard x0 < x1, y0 < y1 else { return .empty }
    return PixelRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0).intersection(bounds)
  }

  /// The interval between two opposite edges. The ends of one edge have the coordinates `a` and `b`, those of
  /// the other edge `c` and `d`. Either edge may come first.
  private static func between(_ a: Double, _ b: Double, and c: Double, _ d: Double) -> (
    from: Double, to: Double
  ) {
    a + b <= c + d ? (max(a, b), min(c, d)) : (max(c, d), min(a, b))
  }

  /// Clamps any coordinate to a range that is larger than all screens. NaN becomes 0.
  private static func pixel(_ coordinate: Double) -> Int {
    guard !coordinate.isNaN else { return 0 }
    return Int(min(max(coordinate, -16_777_216), 16_777_216))
  }
}
