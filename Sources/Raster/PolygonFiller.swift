// SPDX-License-Identifier: Apache-2.0

/// Fills polygons with exact area coverage: every edge leaves in each cell what it covers of it, signed, and
/// the sums along a row are the coverage. As good at one angle as at any other, and the cost is that of the
/// box around the polygon.
///
/// Right for outlines that do not cross themselves, in either direction. A pixel's coverage depends on the
/// outline alone, to the last bit, and not on the clip. Keep one for its memory: it allocates only when a
/// larger box comes than any before.
public struct PolygonFiller: ~Copyable {
  private var memory = GrowingMemory()
  /// What of the outline's box may be touched: its columns from the buffer's edge, its rows from the clip's.
  private var width = 0
  private var rows = 0..<0
  private var stride: Int { width + 2 }

  public init() {}

  /// Fills the polygon with `color` over an ARGB8888 or XRGB8888 buffer, within `clip`; `points` are pixel
  /// positions there (edges of pixels at whole numbers). Points that are no numbers draw nothing.
  public mutating func fill(
    _ points: [Point], with color: Color, into buffer: PixelBuffer, clip: PixelRect
  ) {
    guard buffer.is32Bit, color.alpha > 0, let left = accumulate(points, in: buffer, clip: clip) else {
      return
    }
    let pixel = color.premultiplied
    let target = PixelRect(x: left, y: rows.lowerBound, width: width, height: rows.count).intersection(clip)
    for y in rows {
      let coverage = coverage(row: y, columns: target.x - left..<target.maxX - left)
      Kernels.over(
        buffer.row32(y) + target.x, colour: pixel, through: coverage, count: target.width,
        setting: buffer.storedBits)
    }
  }

  /// Draws the pixels of `source`, which lies on the buffer with its corner on the buffer's, through the
  /// polygon: times the part of each pixel that lies inside. Both are of the 32-bit formats; `points` as
  /// with `fill`.
  public mutating func compose(
    _ source: PixelBuffer, through points: [Point], into buffer: PixelBuffer, clip: PixelRect
  ) {
    let clip = clip.saturated.intersection(source.bounds)
    guard buffer.is32Bit, source.is32Bit, let left = accumulate(points, in: buffer, clip: clip) else {
      return
    }
    let target = PixelRect(x: left, y: rows.lowerBound, width: width, height: rows.count).intersection(clip)
    for y in rows {
      let coverage = coverage(row: y, columns: target.x - left..<target.maxX - left)
      Kernels.over(
        buffer.row32(y) + target.x, source.row32(y) + target.x, through: coverage, count: target.width,
        sourceMask: source.storedBits, setting: buffer.storedBits)
    }
  }

  /// Notes what the edges leave in each cell of the rows that `clip` and the outline share; the first column
  /// of them, or nil where there are none.
  private mutating func accumulate(_ points: [Point], in buffer: PixelBuffer, clip: PixelRect) -> Int? {
    guard points.count > 2, let box = Self.bounds(of: points) else { return nil }
    let columns = buffer.writable(box, clip: buffer.bounds)
    let target = columns.intersection(clip.saturated)
    guard !target.isEmpty else { return nil }
    width = columns.width
    rows = target.y..<target.maxY
    // One cell more, for what lies to the right of the last.
    let count = stride * rows.count
    let cells = memory.reserve(byteCount: count * MemoryLayout<Float>.stride + width)
      .assumingMemoryBound(to: Float.self)
    for index in 0..<count { cells[index] = 0 }
    let left = Double(columns.x)
    var last = points[points.count - 1]
    for point in points {
      line(Point(x: last.x - left, y: last.y), Point(x: point.x - left, y: point.y), cells)
      last = point
    }
    return columns.x
  }

  /// The coverage of some columns of a row; valid until the next call.
  private mutating func coverage(row y: Int, columns: Range<Int>) -> UnsafePointer<UInt8> {
    let count = stride * rows.count
    let cells = memory.reserve(byteCount: count * MemoryLayout<Float>.stride + width)
      .assumingMemoryBound(to: Float.self)
    let coverage = UnsafeMutableRawPointer(cells + count).assumingMemoryBound(to: UInt8.self)
    let row = cells + (y - rows.lowerBound) * stride
    var sum: Float = 0
    for x in 0..<columns.upperBound {
      sum += row[x]
      coverage[x] = UInt8(min(abs(sum), 1) * 255 + 0.5)
    }
    return UnsafePointer(coverage + columns.lowerBound)
  }

  /// The whole pixels around the points; nil where one is not a number or beyond 2²⁰.
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

  /// Makes the memory now that filling boxes of up to `width` by `height` pixels needs: two cells more than
  /// pixels in a row, and a row of coverage.
  public mutating func reserve(width: Int, height: Int) {
    _ = memory.reserve(byteCount: (width + 2) * height * MemoryLayout<Float>.stride + width)
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

  /// Adds an edge that goes from `left` to `right` while it covers `amount` of the row's height: each cell
  /// takes what lies to the right of the edge within it, as a difference to the cell before.
  private func span(_ left: Double, _ right: Double, _ amount: Double, _ row: UnsafeMutablePointer<Float>) {
    let limit = Double(width)
    let low = min(max(left, 0), limit)
    let high = min(max(right, 0), limit)
    let length = right - left
    // What is cut off at the sides stands upright there.
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

  /// An edge's part whose mean place is `x`.
  private func put(_ x: Double, _ amount: Double, _ row: UnsafeMutablePointer<Float>, cell: Int? = nil) {
    let index = min(cell ?? Int(x.rounded(.down)), width)
    let inside = Float(amount * (Double(index + 1) - x))
    row[index] += inside
    row[index + 1] += Float(amount) - inside
  }
}
