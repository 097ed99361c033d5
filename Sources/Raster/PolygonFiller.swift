// SPDX-License-Identifier: Apache-2.0

/// Fills polygons with exact area coverage: every edge leaves in each cell what it covers of it, signed, and
/// the sums along a row are the coverage. As good at one angle as at any other, and the cost is that of the
/// box around the polygon.
///
/// Right for outlines that do not cross themselves, in either direction. Keep one for its memory: it
/// allocates only when a larger box comes than any before.
public struct PolygonFiller: ~Copyable {
  private var memory = GrowingMemory()
  private var width = 0
  private var height = 0

  public init() {}

  /// Fills the polygon with `color` over an ARGB8888 or XRGB8888 buffer, within `clip`; `points` are pixel
  /// positions there (edges of pixels at whole numbers). Points that are no numbers draw nothing.
  public mutating func fill(
    _ points: [Point], with color: Color, into buffer: PixelBuffer, clip: PixelRect
  ) {
    guard buffer.is32Bit, color.alpha > 0, points.count > 2, let box = Self.bounds(of: points) else { return }
    let target = buffer.writable(box, clip: clip)
    guard !target.isEmpty else { return }
    width = target.width
    height = target.height
    // One cell more, for what lies to the right of the last.
    let stride = width + 2
    let cells = memory.reserve(byteCount: stride * height * MemoryLayout<Float>.stride + width)
      .assumingMemoryBound(to: Float.self)
    for index in 0..<(stride * height) { cells[index] = 0 }
    var last = points[points.count - 1]
    for point in points {
      line(
        Point(x: last.x - Double(target.x), y: last.y - Double(target.y)),
        Point(x: point.x - Double(target.x), y: point.y - Double(target.y)), cells, stride)
      last = point
    }
    let coverage = UnsafeMutableRawPointer(cells + stride * height).assumingMemoryBound(to: UInt8.self)
    let pixel = color.premultiplied
    for y in 0..<height {
      let row = cells + y * stride
      var sum: Float = 0
      for x in 0..<width {
        sum += row[x]
        coverage[x] = UInt8(min(abs(sum), 1) * 255 + 0.5)
      }
      Kernels.over(
        buffer.row32(target.y + y) + target.x, colour: pixel, through: coverage, count: width,
        setting: buffer.storedBits)
    }
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
  private func line(_ p: Point, _ q: Point, _ cells: UnsafeMutablePointer<Float>, _ stride: Int) {
    guard p.y != q.y else { return }
    let sign = p.y < q.y ? 1.0 : -1.0
    let (a, b) = p.y < q.y ? (p, q) : (q, p)
    let top = max(a.y, 0)
    let bottom = min(b.y, Double(height))
    guard top < bottom else { return }
    let slope = (b.x - a.x) / (b.y - a.y)
    var y = top
    var row = Int(top.rounded(.down))
    while row < height, y < bottom {
      let end = min(Double(row + 1), bottom)
      let x0 = a.x + (y - a.y) * slope
      let x1 = a.x + (end - a.y) * slope
      span(min(x0, x1), max(x0, x1), (end - y) * sign, cells + row * stride)
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
