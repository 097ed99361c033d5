// SPDX-License-Identifier: Apache-2.0

import Raster

/// The pixels that a layer shows, and what the compositor computes about them in advance. Shared between
/// layers by reference; the pixels must not change once a layer shows them.
public final class LayerImage {
  public enum Extent: Sendable {
    /// The part that `contentsRect` selects is scaled to the layer's bounds.
    case resize
    /// The rows are repeated horizontally over the bounds, for example a gradient in a narrow tile.
    case repeatSideways
  }

  public let bitmap: Bitmap
  public let extent: Extent
  /// Rectangles of fully opaque pixels: one of full height and one of full width. If none has full height, as
  /// in a card with a gap at the hinge, both have full width. The compositor does not draw what they cover.
  let opaqueParts: (PixelRect, PixelRect)

  public init(_ bitmap: Bitmap, extent: Extent = .resize) {
    self.bitmap = bitmap
    self.extent = extent
    opaqueParts = Self.opaqueParts(of: bitmap.buffer)
  }

  /// Finds the widest run of columns around the middle that is opaque over the full height, and the tallest
  /// run of rows that is opaque over the full width. If there are no such columns, finds the two tallest runs
  /// of rows.
  private static func opaqueParts(of buffer: PixelBuffer) -> (PixelRect, PixelRect) {
    guard buffer.width > 0, buffer.height > 0 else { return (.empty, .empty) }
    switch buffer.format {
    case .argb8888: break
    case .xrgb8888: return (buffer.bounds, .empty)
    case .rgb565, .a8, .xrgb2101010: return (.empty, .empty)
    }
    var left = 0
    var right = buffer.width
    var rows = 0..<0
    var otherRows = 0..<0
    var run = 0..<0
    for y in 0..<buffer.height {
      let row = buffer.row32(y)
      func isOpaque(_ x: Int) -> Bool { row[x] >= 0xff00_0000 }
      // The columns around the middle that are opaque in all rows so far.
      var first = buffer.width / 2
      while first > left, isOpaque(first - 1) { first -= 1 }
      var last = buffer.width / 2
      while last < right, isOpaque(last) { last += 1 }
      (left, right) = (first, last)
      var end = 0
      while end < buffer.width, isOpaque(end) { end += 1 }
      let isFull = end == buffer.width
      run = isFull ? (run.isEmpty ? y : run.lowerBound)..<(y + 1) : 0..<0
      if run.lowerBound == rows.lowerBound || run.count > rows.count {
        if run.lowerBound != rows.lowerBound { otherRows = rows }
        if !run.isEmpty { rows = run }
      } else if run.count > otherRows.count {
        otherRows = run
      }
    }
    func full(_ rows: Range<Int>) -> PixelRect {
      PixelRect(x: 0, y: rows.lowerBound, width: buffer.width, height: rows.count)
    }
    let columns =
      left < right
      ? PixelRect(x: left, y: 0, width: right - left, height: buffer.height) : full(otherRows)
    return (columns, full(rows))
  }
}
