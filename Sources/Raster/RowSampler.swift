// SPDX-License-Identifier: Apache-2.0

import CKernels

/// A rectangle of 32-bit pixels to read from.
struct SourceRows {
  var base: UnsafeRawPointer
  var bytesPerRow: Int
  var width: Int
  var height: Int
  /// The bits to set in every pixel that is read: alpha for XRGB8888.
  var mask: UInt32
}

/// A run of premultiplied pixels of one destination row.
struct RowSpan {
  var start: Int
  var count: Int
  var pixels: UnsafeMutablePointer<UInt32>
  /// Whether `pixels` points into the screen itself, so that nothing is left to do.
  var isDrawn = false
}

/// Computes destination rows of a map of kind `.rows` or `.axisAligned`, such as the flap.
///
/// Depth is constant along a row, so a row is an affine resample of source rows. A source pixel is a square
/// of one colour. A pixel on the screen shows the mean of the source over the area that it covers. That area
/// is widened to at least one source pixel, so where the image is not made smaller, the result is bilinear.
/// The mean is multiplied by the part of the pixel that the image covers. So edges are one pixel soft at any
/// scale, and nothing outside the image's bounds is touched.
///
/// A row is first summed vertically (each source row is read once; the weights include coverage, opacity and
/// shade), then resampled horizontally. Where the slanted ends move far within one row, near edge-on, the row
/// is computed as up to 16 strips; there are few such rows.
struct RowSampler {
  var source: SourceRows
  /// The rectangle of the source that is visible, in source pixels.
  var outline: Rect
  var map: Homography
  var edges: PixelBuffer.EdgeStyle
  /// 0 … 1.
  var opacity: Double
  var shade: Shade
  /// The offset of `source`'s first row in the rectangle that the shade applies to, and that rectangle's
  /// height.
  var shadeRow: Double
  var shadeCount: Int
  /// The bits to set in every pixel that is written to the screen: alpha for XRGB8888.
  var storedBits: UInt32

  /// The top and bottom of the image on the screen.
  private let top: Double
  private let bottom: Double
  private let determinant: Double
  /// The number of strips per pixel that the ends of a row move.
  private let stripsPerPixel: Double
  let row: UnsafeMutablePointer<UInt32>
  let strips: UnsafeMutablePointer<UInt32>
  let stride: Int
  let weights: UnsafeMutablePointer<Kernels.RowWeight>

  /// - Parameter width: the maximum number of pixels in a destination row.
  init(
    source: SourceRows, outline: Rect, map: Homography, edges: PixelBuffer.EdgeStyle, opacity: Double,
    shade: Shade, shadeRow: Double, shadeCount: Int, storedBits: UInt32, width: Int,
    scratch: inout RowScratch
  ) {
    self.source = source
    self.outline = outline
    self.map = map
    self.edges = edges
    self.opacity = opacity
    self.shade = shade
    self.shadeRow = shadeRow
    self.shadeCount = shadeCount
    self.storedBits = storedBits
    let first = (map.e * outline.y + map.f) / (map.h * outline.y + map.i)
    let last = (map.e * outline.maxY + map.f) / (map.h * outline.maxY + map.i)
    top = min(first, last)
    bottom = max(first, last)
    determinant = map.e * map.i - map.f * map.h
    stripsPerPixel = RowSampler.stripsPerPixel(source.width)
    row = scratch.sourceRow(width: source.width)
    stride = (width + 15) & ~15
    strips = scratch.stripRows(stride: stride)
    weights = scratch.rowWeights()
  }

  /// The source row (a position, 0 … height) at `y` on the screen.
  @inline(__always)
  func sourceRow(at y: Double) -> Double {
    let v = (map.i * y - map.f) / (map.e - map.h * y)
    return v > 0 ? min(v, Double(source.height)) : 0
  }

  /// The source rows that the rows from `first` to `end` of the screen may show.
  func rows(from first: Int, to end: Int) -> Range<Int> {
    let a = sourceRow(at: min(max(Double(first), top), bottom))
    let b = sourceRow(at: min(max(Double(end), top), bottom))
    let low = max(Int(min(a, b)) - 2, 0)
    return low..<max(min(Int(max(a, b)) + 3, source.height), low)
  }

  /// The left end of the image at source row `v` (the right one if the map mirrors).
  @inline(__always)
  private func start(_ v: Double) -> Double {
    (map.a * outline.x + map.b * v + map.c) / (map.h * v + map.i)
  }

  /// The right end of the image at source row `v` (the left one if the map mirrors).
  @inline(__always)
  private func end(_ v: Double) -> Double {
    (map.a * outline.maxX + map.b * v + map.c) / (map.h * v + map.i)
  }

  /// A horizontal line on the screen, with the source row and the ends of the image there.
  struct Edge {
    var y: Double
    var row = 0.0
    /// The ends of the image.
    var start = 0.0
    var end = 0.0

    /// An edge that is not the edge of any row.
    static let none = Edge(y: -.infinity)
  }

  @inline(__always)
  private func edge(at y: Double) -> Edge {
    let row = sourceRow(at: y)
    return Edge(y: y, row: row, start: start(row), end: end(row))
  }

  /// The pixels of row `y` between `left` and `right` that the image touches; valid until the next call. If
  /// they are all opaque they may be written directly to `destination`, that row of the screen. `edge` is the
  /// previous row's lower edge, or `.none`; on return it is the lower edge of this row.
  func span(
    _ y: Int, left: Int, right: Int, below edge: inout Edge,
    or destination: UnsafeMutablePointer<UInt32>? = nil
  ) -> RowSpan? {
    let from = max(Double(y), top)
    let to = min(Double(y) + 1, bottom)
    guard from < to else { return nil }
    let upper = edge.y == from ? edge : self.edge(at: from)
    let lower = self.edge(at: to)
    edge = lower
    let shift = max(abs(lower.start - upper.start), abs(lower.end - upper.end))
    let needed = shift * stripsPerPixel
    if needed > 1 { return strips(y, upper, lower, needed, left: left, right: right) }

    let height = to - from
    let (middle, at, below) = ((from + to) / 2, (from + (from + height)) / 2, from + height)
    let scale = scale(at: middle)
    let v = sourceRow(at: at)
    let weighed: Weighed
    let coverage = edges == .extended ? 1 : height
    if abs(scale) >= 1 {
      let end = below == to ? lower.row : sourceRow(at: below)
      weighed = weigh(min(upper.row, end), max(upper.row, end), light: light(v), coverage: coverage)
    } else {
      // The source row at the centre of the pixel, which may be slightly outside the image.
      let position = (at == middle ? v : sourceRow(at: middle)) + (Double(y) + 0.5 - middle) * scale
      weighed = weigh(position - 0.5, position + 0.5, light: light(v), coverage: coverage)
    }
    return resample(v, weighed, left: left, right: right, into: strips, or: destination)
  }

  /// The number of source rows per screen row at `y`.
  @inline(__always)
  func scale(at y: Double) -> Double {
    let slant = map.e - map.h * y
    return determinant / (slant * slant)
  }

  /// The whole pixels from `least` to `most`, clipped to `left` and `right`.
  @inline(__always)
  static func pixels(_ least: Double, _ most: Double, _ left: Int, _ right: Int) -> Range<Int>? {
    guard least + Homography.tolerance < Double(right), most - Homography.tolerance > Double(left) else {
      return nil
    }
    let first = max(least + Homography.tolerance, Double(left))
    let end = min(most - Homography.tolerance, Double(right))
    guard first < end else { return nil }
    return Range(uncheckedBounds: (floor(first), -floor(-end)))
  }

  /// Rounds down. Inline, because `rounded` is a call before SSE 4.1. The value must fit into an Int.
  @inline(__always)
  static func floor(_ value: Double) -> Int {
    let whole = ckernels_whole(value)
    return Double(whole) > value ? whole &- 1 : whole
  }

  /// Rounds to nearest. The value must fit into an Int.
  @inline(__always)
  static func nearest(_ value: Double) -> Int { floor(value + 0.5) }

  @inline(__always)
  func light(_ v: Double) -> Double {
    shade == .none ? 1 : shade.light(row: v - 0.5 + shadeRow, of: shadeCount)
  }
}
