// SPDX-License-Identifier: Apache-2.0

import CFreeType

extension Outline {
  /// The outline in 26.6 pixels: scaled, with curves split into chords, rounded, then moved. Rounding before
  /// moving keeps the shape identical at every position.
  ///
  /// FreeType's rasteriser splits curves itself, but the remaining deviation is visible: a pixel of small
  /// text differs by up to 44 of 255 from the average of that pixel's area in enlarged text. These chords
  /// deviate by at most 1/64 px.
  ///
  /// - Parameters:
  ///   - scaleX: pixels per unit.
  ///   - x: the origin in 1/64 px.
  func placed(scaleX: Double, scaleY: Double, x: FT_Pos, y: FT_Pos) -> Outline {
    var flattener = Flattener(x: x, y: y)
    var first = 0
    for end in ends {
      let last = Int(end)
      guard first <= last, last < points.count else { break }
      let contour = (first...last).map { index in
        Flattener.Node(
          x: Double(points[index].x) * scaleX, y: Double(points[index].y) * scaleY, tag: tags[index])
      }
      flattener.add(contour)
      first = last + 1
    }
    return flattener.outline
  }
}

/// Replaces curves with chords.
private struct Flattener {
  struct Node {
    var x: Double
    var y: Double
    var tag: UInt8

    func middle(_ other: Node) -> Node {
      Node(x: (x + other.x) / 2, y: (y + other.y) / 2, tag: Outline.Tag.on)
    }

    /// The length of the second difference: twice this point's distance from the midpoint of its neighbours.
    func bend(_ before: Node, _ after: Node) -> Double {
      let dx = before.x - 2 * x + after.x
      let dy = before.y - 2 * y + after.y
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  private(set) var outline = Outline()
  private let x: FT_Pos
  private let y: FT_Pos
  private var current = Node(x: 0, y: 0, tag: Outline.Tag.on)

  /// `FT_Outline` stores its point count in a short. Beyond this number of points, curves are split into
  /// fewer chords.
  private static let pointBudget = 20_000

  init(x: FT_Pos, y: FT_Pos) {
    self.x = x
    self.y = y
  }

  /// Adds a contour in the form that `FT_Outline_Decompose` reads: two consecutive conic points have an
  /// implied point between them, and cubic points come in pairs. The rest of a malformed contour is dropped.
  mutating func add(_ contour: [Node]) {
    guard var start = contour.first, let last = contour.last, start.tag != Outline.Tag.cubic else { return }
    var rest = contour.dropFirst()
    if start.tag == Outline.Tag.conic {
      // The first point is off the curve: start at the last point if that is on the curve, else halfway
      // between both.
      rest = contour[...]
      if last.tag == Outline.Tag.on {
        start = last
        rest = contour.dropLast()
      } else {
        start = start.middle(last)
      }
    }
    let firstPoint = outline.points.count
    line(start)
    while let node = rest.popFirst() {
      switch node.tag {
      case Outline.Tag.on: line(node)
      case Outline.Tag.conic:
        let next = rest.first ?? start
        if next.tag == Outline.Tag.on {
          rest = rest.dropFirst()
          conic(node, next)
        } else {
          conic(node, node.middle(next))
        }
      default:
        guard let second = rest.popFirst(), second.tag == Outline.Tag.cubic else { return close(firstPoint) }
        cubic(node, second, rest.popFirst() ?? start)
      }
    }
    close(firstPoint)
  }

  private mutating func close(_ firstPoint: Int) {
    guard outline.points.count > firstPoint else { return }
    outline.ends.append(UInt16(clamping: outline.points.count - 1))
  }

  private mutating func line(_ node: Node) {
    func position(_ value: Double) -> FT_Pos { FT_Pos(min(max(value, -1e9), 1e9).rounded()) }
    guard outline.points.count < 32_000 else { return }
    outline.points.append(FT_Vector(x: x + position(node.x), y: y + position(node.y)))
    outline.tags.append(Outline.Tag.on)
    current = node
  }

  private mutating func conic(_ control: Node, _ end: Node) {
    let start = current
    // The deviation of n chords is bend / 4n² for a conic, and at most 3 · bend / 4n² for a cubic.
    for t in Self.steps(control.bend(start, end) / 4, outline.points.count) {
      let u = 1 - t
      line(
        Node(
          x: u * u * start.x + 2 * u * t * control.x + t * t * end.x,
          y: u * u * start.y + 2 * u * t * control.y + t * t * end.y, tag: Outline.Tag.on))
    }
    line(Node(x: end.x, y: end.y, tag: Outline.Tag.on))
  }

  private mutating func cubic(_ first: Node, _ second: Node, _ end: Node) {
    let start = current
    let bend = max(first.bend(start, second), second.bend(first, end))
    for t in Self.steps(bend * 0.75, outline.points.count) {
      let u = 1 - t
      let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
      line(
        Node(
          x: a * start.x + b * first.x + c * second.x + d * end.x,
          y: a * start.y + b * first.y + c * second.y + d * end.y, tag: Outline.Tag.on))
    }
    line(Node(x: end.x, y: end.y, tag: Outline.Tag.on))
  }

  /// The parameters strictly inside a curve at which to split it, given the deviation of a single chord in
  /// 1/64 px.
  private static func steps(_ deviation: Double, _ points: Int) -> [Double] {
    let wanted = deviation.squareRoot().rounded(.up)
    let count = Int(min(max(wanted, 1), points < pointBudget ? 200 : 2))
    return (1..<max(count, 1)).map { Double($0) / Double(count) }
  }
}
