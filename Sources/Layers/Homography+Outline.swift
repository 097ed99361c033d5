// SPDX-License-Identifier: Apache-2.0

import Glibc
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

  /// The pixels within `limit` that `rect`, inset on both sides, covers fully; empty if its image is not
  /// axis-aligned.
  func solidPart(of rect: Rect, insetX: Double = 0, insetY: Double = 0, in limit: PixelRect) -> PixelRect {
    guard isUpright, rect.width > 2 * insetX, rect.height > 2 * insetY,
      let a = self(Point(x: rect.x + insetX, y: rect.y + insetY)),
      let b = self(Point(x: rect.maxX - insetX, y: rect.maxY - insetY))
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

  /// The image of a rectangle with round corners as a polygon; empty if a part of it is behind the eye. The polygon
  /// deviates by at most about 1/100 px for radii up to 132 px on the screen.
  func outline(of rect: Rect, radius: Double, _ points: inout [Point]) {
    points.removeAll(keepingCapacity: true)
    let count = radius > 0 ? segments(of: rect, radius: radius) : 0
    for corner in 0..<4 {
      let isRight = corner == 1 || corner == 2
      let isBelow = corner >= 2
      let center = Point(
        x: isRight ? rect.maxX - radius : rect.x + radius, y: isBelow ? rect.maxY - radius : rect.y + radius)
      for step in 0...count {
        // The points run clockwise on the screen, from the left end of the top left corner. Without arcs, they are
        // only the corners.
        let angle = Double.pi / 2 * (Double(corner) + Double(step) / Double(max(count, 1)))
        let point = Point(x: center.x - radius * cos(angle), y: center.y - radius * sin(angle))
        guard let image = self(point) else {
          points.removeAll(keepingCapacity: true)
          return
        }
        points.append(image)
      }
    }
  }

  /// The number of chords that approximate a corner's arc.
  private func segments(of rect: Rect, radius: Double) -> Int {
    guard let image = bounds(of: rect) else { return 1 }
    let scale = max(Double(image.width) / rect.width, Double(image.height) / rect.height)
    let count = (31 * radius * scale).squareRoot().rounded(.up)
    return Int(min(max(count, 2), 64))
  }
}

/// The corners of a rectangle on the screen.
struct OutlineCorners {
  private let corners: (Point, Point, Point, Point)

  /// Nil if a corner is behind the eye.
  init?(of rect: Rect, _ plane: Homography) {
    guard let p = plane(Point(x: rect.x, y: rect.y)), let q = plane(Point(x: rect.maxX, y: rect.y)),
      let r = plane(Point(x: rect.maxX, y: rect.maxY)), let s = plane(Point(x: rect.x, y: rect.maxY))
    else { return nil }
    corners = (p, q, r, s)
  }

  /// Whether `rect` has the same corners, to within 1/1024 px. If so, the mask already makes its edges soft, and
  /// antialiasing them again would make them too soft.
  func isOutline(of rect: Rect, _ plane: Homography) -> Bool {
    guard let other = OutlineCorners(of: rect, plane)?.corners else { return false }
    func isSame(_ a: Point, _ b: Point) -> Bool {
      abs(a.x - b.x) <= 1.0 / 1024 && abs(a.y - b.y) <= 1.0 / 1024
    }
    return isSame(corners.0, other.0) && isSame(corners.1, other.1) && isSame(corners.2, other.2)
      && isSame(corners.3, other.3)
  }
}
