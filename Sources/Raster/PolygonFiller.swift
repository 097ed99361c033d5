// SPDX-License-Identifier: Apache-2.0

/// Fills polygons with exact area coverage: every edge adds to each cell the signed area it covers there, and
/// the running sums along a row are the coverage. The quality does not depend on the angle, and the cost is
/// that of the polygon's bounding box.
///
/// The outlines must not intersect themselves, and may have either direction. A pixel's coverage depends on
/// the outline alone, to the last bit, and not on the clip. Reuse an instance, because it keeps its memory: a
/// few rows, which are reallocated only for a box wider than all before.
public struct PolygonFiller: ~Copyable {
  private var memory = GrowingMemory()
  /// The width of the outline's bounding box in the buffer, and the rows of the current band.
  private var width = 0
  private var rows = 0..<0
  private var stride: Int { width + 2 }

  public init() {}

  /// Fills the polygon with `color` over an ARGB8888 or XRGB8888 buffer, within `clip`. `points` are pixel
  /// positions in the buffer (pixel edges are at whole numbers). Draws nothing if a coordinate is not a
  /// number or its magnitude exceeds 2²⁰.
  public mutating func fill(
    _ points: [Point], with color: Color, into buffer: PixelBuffer, clip: PixelRect
  ) {
    guard buffer.is32Bit, color.alpha > 0, let box = box(points, in: buffer, clip: clip) else { return }
    let pixel = color.premultiplied
    while nextBand(points, in: box) {
      for y in rows {
        let coverage = coverage(row: y, in: box)
        Kernels.over(
          buffer.row32(y) + box.target.x, colour: pixel, through: coverage, count: box.target.width,
          setting: buffer.storedBits)
      }
    }
  }

  /// Draws the pixels of `source`, whose origin is the buffer's, through the polygon: each is multiplied by
  /// the part of the pixel that lies inside. Both must have 32-bit formats; `points` are as for `fill`.
  public mutating func compose(
    _ source: PixelBuffer, through points: [Point], into buffer: PixelBuffer, clip: PixelRect
  ) {
    let clip = clip.saturated.intersection(source.bounds)
    guard buffer.is32Bit, source.is32Bit, let box = box(points, in: buffer, clip: clip) else { return }
    while nextBand(points, in: box) {
      for y in rows {
        let coverage = coverage(row: y, in: box)
        Kernels.over(
          buffer.row32(y) + box.target.x, source.row32(y) + box.target.x, through: coverage,
          count: box.target.width, sourceMask: source.storedBits, setting: buffer.storedBits)
      }
    }
  }

  /// The outline's bounding box within the buffer (`columns`), and the part of it that is drawn.
  private struct Box {
    var columns: PixelRect
    var target: PixelRect
  }

  /// The bounding box of an outline; nil if nothing is to be drawn: fewer than three points, an invalid
  /// coordinate, or a bounding box outside `clip`. Sets `width`, and sets `rows` to an empty range before the
  /// first band.
  private mutating func box(_ points: [Point], in buffer: PixelBuffer, clip: PixelRect) -> Box? {
    guard points.count > 2, let outline = Self.bounds(of: points) else { return nil }
    let columns = buffer.writable(outline, clip: buffer.bounds)
    let target = columns.intersection(clip.saturated)
    guard !target.isEmpty else { return nil }
    width = columns.width
    rows = target.y..<target.y
    return Box(columns: columns, target: target)
  }

  /// Accumulates the edges in the cells of the next few rows. Returns false if there are no more rows.
  private mutating func nextBand(_ points: [Point], in box: Box) -> Bool {
    guard rows.upperBound < box.target.maxY else { return false }
    let count = max(Self.bandCells / stride, 1)
    rows = rows.upperBound..<min(rows.upperBound + count, box.target.maxY)
    let cells = cells()
    for index in 0..<stride * rows.count { cells[index] = 0 }
    let left = Double(box.columns.x)
    var last = points[points.count - 1]
    for point in points {
      line(Point(x: last.x - left, y: last.y), Point(x: point.x - left, y: point.y), cells)
      last = point
    }
    return true
  }

  /// The number of cells per band, unless a row is longer.
  private static let bandCells = 1 << 14

  /// Returns the memory: the cells of a band, with two extra ones per row for edges right of the last column,
  /// and a row of coverage.
  private mutating func cells() -> UnsafeMutablePointer<Float> {
    memory.reserve(byteCount: max(Self.bandCells, stride) * MemoryLayout<Float>.stride + width)
      .assumingMemoryBound(to: Float.self)
  }

  /// The coverage of a row of the band, for the drawn columns; valid until the next call.
  private mutating func coverage(row y: Int, in box: Box) -> UnsafePointer<UInt8> {
    let cells = cells()
    let coverage = UnsafeMutableRawPointer(cells + max(Self.bandCells, stride))
      .assumingMemoryBound(to: UInt8.self)
    let row = cells + (y - rows.lowerBound) * stride
    var sum: Float = 0
    for x in 0..<box.target.maxX - box.columns.x {
      sum += row[x]
      coverage[x] = UInt8(min(abs(sum), 1) * 255 + 0.5)
    }
    return UnsafePointer(coverage + (box.target.x - box.columns.x))
  }

  /// The smallest rectangle of whole pixels around the points; nil if there are no points, or if a coordinate
  /// is not a number or its magnitude exceeds 2²⁰.
  public static func bounds(of points: [Point]) -> PixelRect? {
    guard let first = points.first else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for point in points {
      guard abs(point.x) <= 0x1p20, abs(point.y) <= 0x1p20 else { return nil }
      left = min(left, point.x)
      right = max(right, point.x)
      top = min(top, point.y)
      bottom = max(bottom, point.y)
    }
    let (x, y) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
    return PixelRect(x: x, y: y, width: Int(right.rounded(.up)) - x, height: Int(bottom.rounded(.up)) - y)
  }

  /// Allocates the memory for boxes of up to `width` pixels in advance.
  public mutating func reserve(width: Int) {
    self.width = max(width, 0)
    _ = cells()
  }

  /// Adds an edge, row by row.
  private func line(_ p: Point, _ q: Point, _ cells: UnsafeMutablePointer<Float>) {
    guard p.y != q.y else { return }
    let sign = p.y < q.y ? 1.0 : -1.0
    let (a, b) = p.y < q.y ? (p, q) : (q, p)
    let bottom = min(b.y, Double(rows.upperBound))
    var y = max(a.y, Double(rows.lowerBound))
    guard y < bottom else { return }
    let slope = (b.x - a.x) / (b.y - a.y)
    var row = Int(y.rounded(.down))
    while row < rows.upperBound, y < bottom {
      let end = min(Double(row + 1), bottom)
      let x0 = a.x + (y - a.y) * slope
      let x1 = a.x + (end - a.y) * slope
      span(min(x0, x1), max(x0, x1), (end - y) * sign, cells + (row - rows.lowerBound) * stride)
      y = end
      row += 1
    }
  }

  /// Adds the part of an edge within one row, from `left` to `right`, that covers `amount` of the row's
  /// height. Each cell accumulates its own area to the right of the edge, as the difference from that of the
  /// previous cell.
  private func span(_ left: Double, _ right: Double, _ amount: Double, _ row: UnsafeMutablePointer<Float>) {
    let limit = Double(width)
    let low = min(max(left, 0), limit)
    let high = min(max(right, 0), limit)
    let length = right - left
    // Parts beyond the sides are replaced by vertical edges at the sides.
    if left < 0 { put(0, length > 0 ? amount * (min(right, 0) - left) / length : amount, row) }
    if right > limit { put(limit, length > 0 ? amount * (right - max(left, limit)) / length : 0, row) }
    if length <= 0 {
      if left >= 0 { put(low, amount, row) }
      return
    }
    var x = low
    while x < high {
      let end = min(x.rounded(.down) + 1, high)
      put((x + end) / 2, amount * (end - x) / length, row, cell: Int(x.rounded(.down)))
      x = end
    }
  }

  /// Adds a part of an edge with the mean position `x`.
  private func put(_ x: Double, _ amount: Double, _ row: UnsafeMutablePointer<Float>, cell: Int? = nil) {
    let index = min(cell ?? Int(x.rounded(.down)), width)
    let inside = Float(amount * (Double(index + 1) - x))
    row[index] += inside
    row[index + 1] += Float(amount) - inside
  }
}
