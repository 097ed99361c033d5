// SPDX-License-Identifier: Apache-2.0

import Raster

extension Homography {
  /// Whether the image of `rect` is a rectangle of whole pixels, to within 1/1024 px.
  func keepsWholePixels(of rect: Rect) -> Bool {
    guard isUpright, let a = self(Point(x: rect.x, y: rect.y)),
      let b = self(Point(x: rect.maxX, y: rect.maxY))
    else { return false }
    func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) <= 1.0 / 1024 }
    return isWhole(a.x) && isWhole(a.y) && isWhole(b.x) && isWhole(b.y)
  }

  private var isUpright: Bool {
    switch kind {
    case .translation, .axisAligned: true
    case .rows, .columns, .general: false
    }
  }

  /// The pixels within `limit` that `rect` covers fully; empty if its image is not axis-aligned.
  func solidPart(of rect: Rect, in limit: PixelRect) -> PixelRect {
    guard isUpright, rect.width > 0, rect.height > 0, let a = self(Point(x: rect.x, y: rect.y)),
      let b = self(Point(x: rect.maxX, y: rect.maxY))
    else { return .empty }
    // A pixel that lacks less than this still rounds to full coverage.
    let tolerance = 1.0 / 4096
    func inside(_ p: Double, _ q: Double, _ low: Int, _ high: Int) -> Range<Int> {
      let first = max((min(p, q) - tolerance).rounded(.up), Double(low))
      let end = min((max(p, q) + tolerance).rounded(.down), Double(high))
      return first < end ? Int(first)..<Int(end) : 0..<0
    }
    let x = inside(a.x, b.x, limit.x, limit.maxX)
    let y = inside(a.y, b.y, limit.y, limit.maxY)
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  /// The image of a rectangle as a polygon; empty if a corner is behind the eye.
  func outline(of rect: Rect, _ points: inout [Point]) {
    points.removeAll(keepingCapacity: true)
    guard let corners = OutlineCorners(of: rect, self)?.corners else { return }
    points.append(corners.0)
    points.append(corners.1)
    points.append(corners.2)
    points.append(corners.3)
  }
}

/// The corners of a rectangle on the screen.
struct OutlineCorners {
  /// Clockwise on the screen, from the upper left.
  let corners: (Point, Point, Point, Point)

  /// Nil if a corner is behind the eye.
  init?(of rect: Rect, _ plane: Homography) {
    guard let p = plane(Point(x: rect.x, y: rect.y)), let q = plane(Point(x: rect.maxX, y: rect.y)),
      let r = plane(Point(x: rect.maxX, y: rect.maxY)), let s = plane(Point(x: rect.x, y: rect.maxY))
    else { return nil }
    corners = (p, q, r, s)
  }

  /// Whether `rect` has the same corners, to within 1/1024 px. If so, the mask already makes its edges soft,
  /// and antialiasing them again would make them too soft.
  func isOutline(of rect: Rect, _ plane: Homography) -> Bool {
    guard let other = OutlineCorners(of: rect, plane)?.corners else { return false }
    func isSame(_ a: Point, _ b: Point) -> Bool {
      abs(a.x - b.x) <= 1.0 / 1024 && abs(a.y - b.y) <= 1.0 / 1024
    }
    return isSame(corners.0, other.0) && isSame(corners.1, other.1) && isSame(corners.2, other.2)
      && isSame(corners.3, other.3)
  }
}
