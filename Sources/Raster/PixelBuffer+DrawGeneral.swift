// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws any projective map: maps each pixel back and samples the source, in doubles. Slow; used for maps
  /// that are neither axis-aligned nor a rotation about x or y.
  func drawGeneral(_ drawing: Drawing) {
    guard let back = drawing.map.inverse, let outline = Outline(drawing.map, drawing.outline) else { return }
    let sampler = PointSampler(drawing: drawing, back: back)
    for y in drawing.target.y..<drawing.target.maxY {
      let destination = row32(y)
      for x in drawing.target.x..<drawing.target.maxX {
        let centre = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let coverage = drawing.edges == .extended ? 1 : outline.coverage(at: centre)
        guard coverage > 0 else { continue }
        let pixel = sampler.pixel(at: centre, coverage: coverage)
        if pixel != 0 { destination[x] = Kernels.composed(pixel, destination[x]) | storedBits }
      }
    }
  }
}

/// The four edges of an image on the screen, as half-planes.
private struct Outline {
  /// A point is inside if a·x + b·y + c > 0. This value is the distance from the edge; its unit is the width
  /// of a pixel along the edge's normal.
  private struct Edge {
    var a: Double
    var b: Double
    var c: Double

    init(from p: Point, to q: Point, turn: Double) {
      let dx = q.x - p.x
      let dy = q.y - p.y
      // The edge's length times the width of a pixel along the edge's normal. Divided by it, |a| + |b| is 1.
      let length = abs(dx) + abs(dy)
      let k = length > 0 ? turn / length : 0
      a = -dy * k
      b = dx * k
      c = length > 0 ? -(a * p.x + b * p.y) : -1
    }

    /// The exact area of the pixel around `point` that lies inside the edge. The area grows quadratically
    /// while the edge crosses a corner of the pixel, and linearly in between.
    func coverage(_ point: Point) -> Double {
      let distance = min(max(a * point.x + b * point.y + c + 0.5, 0), 1)
      let corner = min(abs(a), abs(b))
      let slope = 1 - corner
      if distance < corner { return distance * distance / (2 * corner * slope) }
      if distance > slope { return 1 - (1 - distance) * (1 - distance) / (2 * corner * slope) }
      return (distance - corner / 2) / slope
    }
  }

  private let top: Edge
  private let right: Edge
  private let bottom: Edge
  private let left: Edge

  init?(_ map: Homography, _ rect: Rect) {
    guard let p = map(Point(x: rect.x, y: rect.y)), let q = map(Point(x: rect.maxX, y: rect.y)),
      let r = map(Point(x: rect.maxX, y: rect.maxY)), let s = map(Point(x: rect.x, y: rect.maxY))
    else { return nil }
    let area = (r.x - p.x) * (s.y - q.y) - (r.y - p.y) * (s.x - q.x)
    guard area.isFinite, area != 0 else { return nil }
    let turn = area > 0 ? 1.0 : -1.0
    top = Edge(from: p, to: q, turn: turn)
    right = Edge(from: q, to: r, turn: turn)
    bottom = Edge(from: r, to: s, turn: turn)
    left = Edge(from: s, to: p, turn: turn)
  }

  /// The part of a pixel that lies inside: exact where one edge crosses the pixel, approximate at corners.
  func coverage(at centre: Point) -> Double {
    max(top.coverage(centre) + bottom.coverage(centre) - 1, 0)
      * max(left.coverage(centre) + right.coverage(centre) - 1, 0)
  }
}

/// Samples source pixels bilinearly, averaging where a pixel covers several of them.
private struct PointSampler {
  let drawing: PixelBuffer.Drawing
  let back: Homography
  private let mask: UInt32

  /// The maximum number of samples per axis for a pixel.
  private static let maximumSamples = 16.0

  init(drawing: PixelBuffer.Drawing, back: Homography) {
    self.drawing = drawing
    self.back = back
    mask = drawing.source.storedBits
  }

  func pixel(at centre: Point, coverage: Double) -> UInt32 {
    guard let middle = back(centre) else { return 0 }
    let depth = back.g * centre.x + back.h * centre.y + back.i
    let across = max(
      abs(back.a - back.g * middle.x) / depth, abs(back.d - back.g * middle.y) / depth)
    let down = max(
      abs(back.b - back.h * middle.x) / depth, abs(back.e - back.h * middle.y) / depth)
    let columns = min(max((across * 1.5).rounded(), 1), PointSampler.maximumSamples)
    let rows = min(max((down * 1.5).rounded(), 1), PointSampler.maximumSamples)
    var sum = SIMD4<Double>(repeating: 0)
    for row in 0..<Int(rows) {
      for column in 0..<Int(columns) {
        let point = Point(
          x: centre.x + (Double(column) + 0.5) / columns - 0.5, y: centre.y + (Double(row) + 0.5) / rows - 0.5
        )
        sum += sample(back(point) ?? middle)
      }
    }
    let light = drawing.shade.light(row: middle.y - 0.5 + drawing.shadeRow, of: drawing.shadeCount)
    let amount = coverage * drawing.opacity / (columns * rows)
    let scaled = (sum * SIMD4(light, light, light, 1) * amount).rounded(.toNearestOrEven)
    let alpha = min(scaled[3], 255)
    func byte(_ index: Int) -> UInt32 { UInt32(min(scaled[index], alpha)) }
    return UInt32(alpha) &<< 24 | byte(2) &<< 16 | byte(1) &<< 8 | byte(0)
  }

  /// Samples bilinearly; positions outside are clamped to the nearest edge.
  private func sample(_ point: Point) -> SIMD4<Double> {
    let (x, fx) = PointSampler.split(point.x, drawing.part.width)
    let (y, fy) = PointSampler.split(point.y, drawing.part.height)
    let right = min(x + 1, drawing.part.width - 1)
    let below = min(y + 1, drawing.part.height - 1)
    let upper = load(x, y) * (1 - fx) + load(right, y) * fx
    let lower = load(x, below) * (1 - fx) + load(right, below) * fx
    return upper * (1 - fy) + lower * fy
  }

  private static func split(_ position: Double, _ count: Int) -> (Int, Double) {
    let clamped = position > 0.5 ? min(position - 0.5, Double(count - 1)) : 0
    let whole = clamped.rounded(.down)
    return (Int(whole), clamped - whole)
  }

  private func load(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let pixel = drawing.source.row32(drawing.part.y + y)[drawing.part.x + x] | mask
    return SIMD4(
      Double(pixel & 0xff), Double(pixel &>> 8 & 0xff), Double(pixel &>> 16 & 0xff), Double(pixel &>> 24))
  }
}
