// SPDX-License-Identifier: Apache-2.0

import Raster

/// The part of a picture that a `contentsRect` selects, clipped to the picture.
struct ContentsPart {
  /// The part in the picture's pixels.
  let exact: Rect
  /// The pixels whose centres lie in the part; a centre on an edge belongs to the part before that edge.
  let pixels: PixelRect
  let isFlipped: Bool

  /// The maximum magnitude of coordinates.
  private static let limit = Double(1 << 24)
  /// Positions closer than this to a pixel's edge are on it.
  private static let tolerance = 1.0 / 1024

  /// Nil if no pixel of the picture is selected, or if a coordinate reaches the limit.
  init?(_ rect: Rect, of picture: PixelBuffer) {
    isFlipped = rect.height < 0
    let top = isFlipped ? rect.y + rect.height : rect.y
    let x = Self.span(rect.x, rect.maxX, picture.width)
    let y = Self.span(top, top + abs(rect.height), picture.height)
    guard let x, let y else { return nil }
    exact = Rect(x: x.0, y: y.0, width: x.1 - x.0, height: y.1 - y.0)
    pixels = PixelRect(
      x: Self.edge(x.0), y: Self.edge(y.0), width: Self.edge(x.1) - Self.edge(x.0),
      height: Self.edge(y.1) - Self.edge(y.0))
    if pixels.isEmpty { return nil }
  }

  private static func span(_ first: Double, _ last: Double, _ count: Int) -> (Double, Double)? {
    let size = Double(count)
    guard abs(first * size) < limit, abs(last * size) < limit else { return nil }
    let (low, high) = (max(first * size, 0), min(last * size, size))
    return low < high ? (low, high) : nil
  }

  /// The first pixel whose centre is after `position`. The tolerance allows for inexact positions near a
  /// pixel's centre, so that the end of one part is the beginning of the next.
  private static func edge(_ position: Double) -> Int { Int((position + 0.5 + tolerance / 2).rounded(.down)) }

  /// Whether all edges are pixel edges.
  var isWhole: Bool {
    func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) <= Self.tolerance }
    return isWhole(exact.x) && isWhole(exact.y) && isWhole(exact.maxX) && isWhole(exact.maxY)
  }

  var whole: Rect {
    Rect(x: 0, y: 0, width: Double(pixels.width), height: Double(pixels.height))
  }

  /// The pixels needed to show the exact part, including a margin for the filter.
  var neededPixels: PixelRect {
    let margin = 2
    let left = max(Int(exact.x.rounded(.down)) - margin, 0)
    let top = max(Int(exact.y.rounded(.down)) - margin, 0)
    return PixelRect(
      x: left, y: top, width: Int(exact.maxX.rounded(.up)) + margin - left,
      height: Int(exact.maxY.rounded(.up)) + margin - top)
  }

  /// Maps positions relative to the top left corner of `part` to `rect`, in which the part is shown, upside
  /// down if `isFlipped`.
  func map(from part: Rect, to rect: Rect) -> Homography {
    var map = Homography.translation(x: rect.x, y: rect.y)
    var scaleY = rect.height / part.height
    if isFlipped {
      map = .translation(x: rect.x, y: rect.maxY)
      scaleY = -scaleY
    }
    let scaleX = rect.width / part.width
    return scaleX != 1 || scaleY != 1 ? Homography.scale(x: scaleX, y: scaleY).concatenating(map) : map
  }
}
