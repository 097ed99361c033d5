// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster

/// A tube with transparent sides rolls like a pencil from right to left across the outgoing page and picks it
/// up, strip by strip. The animation is a series of turns by one side each. At the stop before each turn, the
/// next strip is handed over to the tube.
///
/// The tube is in front of the page. The side at the tube's foot is in the page's plane. As the tube rolls to
/// the left, this side rises on the right. It first shows its strip from the inside, and later, on top, the
/// strip's mirrored back.
final class PageRoll: PageTransition {
  private let tube = Layer()
  /// The strips of the flat page, from left to right. Those that the tube has picked up are hidden.
  private var row: [Layer] = []
  /// The tube's sides. Side n is n turns away from the foot. The last side is left out: its strip would cover
  /// the next strip that still lies flat.
  private var sides: [Layer] = []

  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let edges = context.edges(context.motion.bands)
    let geometry = PageRollGeometry(sides: context.motion.sides)
    let path = PageRollPath(
      edges: edges, geometry: geometry, begin: time, duration: context.motion.duration)
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: context.width, height: context.height)
    space.sublayerTransform = .perspective(distance: PageRollGeometry.distance * context.width)
    tube.frame = space.frame
    tube.isTransformLayer = true
    let apothem = geometry.apothem * path.stripWidth
    tube.zPosition = apothem
    sides = (0..<geometry.sides - 1).map { index in
      let side = Layer()
      side.position = Point(x: context.width / 2, y: context.height / 2)
      // Moves the side from the axis down to the foot, and then rotates it about the axis to its place.
      side.transform = Transform3D.translation(x: 0, y: 0, z: -apothem)
        .concatenating(.rotation(-geometry.step * Double(index), x: 0, y: 1, z: 0))
      side.isHidden = true
      return side
    }
    context.scene.transaction(disableActions: true) {
      for (left, right) in zip(edges, edges.dropFirst()) {
        let strip = context.strip(left, right)
        row.append(strip)
        context.overlay.addSublayer(strip)
      }
      for index in geometry.farToNear where index < sides.count { tube.addSublayer(sides[index]) }
      space.addSublayer(tube)
      context.overlay.addSublayer(space)
      turn(0, along: path, context, completion)
    }
  }

  /// Animates the turn from one stop to the next.
  private func turn(
    _ stop: Int, along path: PageRollPath, _ context: PageTransitionContext,
    _ completion: @escaping (Double) -> Void
  ) {
    handOver(row.count - 1 - stop, context)
    let begin = path.time(stop)
    let turning = context.motion.stretch(at: begin, duration: path.time(stop + 1) - begin, .linear)
    var moving = turning
    moving.duration *= PageRollPath.settling
    let middle = context.width / 2
    moving.animate(
      tube, .sublayerTranslationX, from: .scalar(path.axis(stop) - middle),
      to: .scalar(path.axis(stop + 1) - middle))
    let geometry = path.geometry
    for (index, side) in sides.enumerated() where !side.isHidden {
      turning.darken(side, from: geometry.shade(turns: index), to: geometry.shade(turns: index + 1))
    }
    turning.animate(tube, .sublayerRotationY, from: .scalar(0), to: .scalar(-geometry.step)) {
      [weak self] finished, end in
      guard finished, let self else { return }
      guard stop + 1 < path.stops else { return completion(end) }
      context.scene.transaction(disableActions: true) {
        self.turn(stop + 1, along: path, context, completion)
      }
    }
  }

  /// Passes the picture of each side on to the next one, and gives the side at the foot the strip beneath it.
  private func handOver(_ strip: Int, _ context: PageTransitionContext) {
    for index in sides.indices.dropFirst().reversed() {
      let (side, before) = (sides[index], sides[index - 1])
      side.isHidden = before.isHidden
      side.contents = before.contents
      side.contentsRect = before.contentsRect
      // Sides beyond the foot are one pixel wider, so that the page is not visible between two sides.
      let width = index == 1 ? before.bounds.width + 1 : before.bounds.width
      side.bounds = Rect(x: 0, y: 0, width: width, height: context.height)
    }
    guard let foot = sides.first else { return }
    foot.isHidden = strip < 0
    guard strip >= 0 else { return }
    foot.contents = context.outgoing
    foot.contentsRect = row[strip].contentsRect
    foot.bounds = row[strip].bounds
    row[strip].isHidden = true
  }
}

/// The shape of the tube, in widths of a side.
struct PageRollGeometry: Hashable {
  /// The distance of the viewer from the page, in page widths.
  static let distance = 2.0

  let sides: Int

  init(sides: Int) { self.sides = max(sides, 3) }

  /// The angle between two sides, in radians.
  var step: Double { 2 * .pi / Double(sides) }
  /// The distance from the axis to the middle of a side.
  var apothem: Double { 0.5 / tan(.pi / Double(sides)) }
  /// The distance from the axis to an edge.
  var radius: Double { 0.5 / sin(.pi / Double(sides)) }

  /// The sides from far to near, by number of turns from the foot. The order is computed for the middle of a
  /// turn. It is valid for the whole turn, because sides whose order changes during a turn do not overlap.
  var farToNear: [Int] {
    func depth(_ side: Int) -> Double { -cos(step * (Double(side) + 0.5)) }
    return (0..<sides).sorted { (depth($0), $0) < (depth($1), $1) }
  }

  /// The shading of a side: light at the foot and on top, dark where it is steep.
  func shade(turns: Int) -> Shade {
    let angle = step * Double(turns)
    let amount = 0.5 * abs(sin(angle)) + 0.09 * (1 - cos(angle))
    return Shade(amount)
  }
}

/// The positions and times of the tube's stops.
struct PageRollPath {
  /// The fraction of a turn's duration in which the tube moves to the next stop.
  static let settling = 0.98

  private let centers: [Double]
  let stripWidth: Double
  /// The number of turns until the tube has left the page.
  let stops: Int
  let geometry: PageRollGeometry
  private let begin: Double
  private let duration: Double

  /// - Parameter edges: the columns where the strips begin and end.
  init(edges: [Int], geometry: PageRollGeometry, begin: Double, duration: Double) {
    let count = edges.count - 1
    centers = (0..<count).reversed().map { Double(edges[$0] + edges[$0 + 1]) / 2 }
    stripWidth = Double((edges.last ?? 0) - (edges.first ?? 0)) / Double(max(count, 1))
    stops = count - 1 + Int((0.55 + geometry.radius).rounded(.up))
    self.geometry = geometry
    self.begin = begin
    self.duration = duration
  }

  /// The time at which the tube is at a stop.
  func time(_ stop: Int) -> Double {
    stop == stops ? begin + duration : begin + duration * Double(stop) / Double(stops)
  }

  /// The position of the tube's axis at a stop.
  func axis(_ stop: Int) -> Double {
    if stop < centers.count { return centers[stop] }
    return (centers.last ?? 0) - stripWidth * Double(stop - centers.count + 1)
  }
}
