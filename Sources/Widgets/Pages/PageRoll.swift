// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster

/// The outgoing page cut into strips that a tube of transparent sides takes up as it rolls from right to
/// left across the page, like a pencil: one side's turn at a time, the next strip handed over at each stop.
///
/// The tube lies before the page: the side at its foot is in the page's plane, and turns up behind it,
/// showing the strip's face from within and then, from outside, the strip mirrored, as through the paper.
final class PageRoll: PageTransition {
  private let motion: PageMotion
  private let geometry: PageRollGeometry
  private let tube = Layer()
  /// The strips that still lie flat, from left to right.
  private var row: [Layer] = []
  /// By how many turns from the foot. The one before the foot stays empty: it comes down on a strip that
  /// is in its place already, and its own is behind the tube by then.
  private var sides: [Layer] = []

  init(_ motion: PageMotion) {
    self.motion = motion
    geometry = PageRollGeometry(sides: motion.sides)
  }

  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void) {
    let edges = scenery.edges(motion.bands)
    let path = PageRollPath(edges: edges, geometry: geometry, begin: time, duration: motion.duration)
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: scenery.width, height: scenery.height)
    space.sublayerTransform = .perspective(distance: PageRollGeometry.distance * scenery.width)
    tube.frame = space.frame
    tube.isTransformLayer = true
    let apothem = geometry.apothem * path.stripWidth
    tube.zPosition = apothem
    sides = (0..<geometry.sides - 1).map { index in
      let side = Layer()
      side.position = Point(x: scenery.width / 2, y: scenery.height / 2)
      // About the axis: down to the foot, then around.
      side.transform = Transform3D.translation(x: 0, y: 0, z: -apothem)
        .concatenating(.rotation(-geometry.step * Double(index), x: 0, y: 1, z: 0))
      side.isHidden = true
      return side
    }
    scenery.scene.transaction(disableActions: true) {
      for (left, right) in zip(edges, edges.dropFirst()) {
        let strip = scenery.strip(left, right)
        row.append(strip)
        scenery.overlay.addSublayer(strip)
      }
      for index in geometry.farToNear where index < sides.count { tube.addSublayer(sides[index]) }
      space.addSublayer(tube)
      scenery.overlay.addSublayer(space)
      turn(0, along: path, scenery, completion)
    }
  }

  /// From stop `stop` to the next.
  private func turn(
    _ stop: Int, along path: PageRollPath, _ scenery: PageScenery, _ completion: @escaping (Double) -> Void
  ) {
    handOver(row.count - 1 - stop, scenery)
    let begin = path.time(stop)
    let duration = path.time(stop + 1) - begin
    let timing = motion.timing ?? .linear
    var turning = Animation(
      .sublayerRotationY, from: .scalar(0), to: .scalar(-geometry.step), at: begin, duration: duration,
      timing: timing)
    turning.completion = { [weak self] finished, end in
      guard finished, let self else { return }
      if stop + 1 < path.stops {
        scenery.scene.transaction(disableActions: true) {
          self.turn(stop + 1, along: path, scenery, completion)
        }
      } else {
        completion(end)
      }
    }
    let middle = scenery.width / 2
    let moving = Animation(
      .sublayerTranslationX, from: .scalar(path.axis(stop) - middle),
      to: .scalar(path.axis(stop + 1) - middle), at: begin, duration: duration * PageRollPath.settling,
      timing: timing)
    tube.add(moving, forKey: "move")
    for (index, side) in sides.enumerated() where motion.isShaded && !side.isHidden {
      side.add(
        Animation(
          .shade, from: .shade(geometry.shade(turns: index)), to: .shade(geometry.shade(turns: index + 1)),
          at: begin, duration: duration, timing: timing), forKey: "shade")
    }
    tube.add(turning, forKey: "turn")
  }

  /// Each side takes what the one behind it had, and the foot the strip that lies beneath it.
  private func handOver(_ strip: Int, _ scenery: PageScenery) {
    for index in sides.indices.dropFirst().reversed() {
      let (side, before) = (sides[index], sides[index - 1])
      side.isHidden = before.isHidden
      side.contents = before.contents
      side.contentsRect = before.contentsRect
      // One pixel over: the sides meet at an angle, and the page must not shine through their joint.
      let width = index == 1 ? before.bounds.width + 1 : before.bounds.width
      side.bounds = Rect(x: 0, y: 0, width: width, height: scenery.height)
    }
    guard let foot = sides.first else { return }
    foot.isHidden = strip < 0
    guard strip >= 0 else { return }
    foot.contents = scenery.outgoing
    foot.contentsRect = row[strip].contentsRect
    foot.bounds = row[strip].bounds
    row[strip].isHidden = true
  }
}

/// The shape of the tube, in widths of a side.
struct PageRollGeometry: Hashable {
  /// The eye's distance from the page, page widths.
  static let distance = 2.0

  let sides: Int

  init(sides: Int) { self.sides = max(sides, 3) }

  /// The turn from one side to the next, radians.
  var step: Double { 2 * .pi / Double(sides) }
  /// From the axis to the middle of a side.
  var apothem: Double { 0.5 / tan(.pi / Double(sides)) }
  /// From the axis to an edge.
  var radius: Double { 0.5 / sin(.pi / Double(sides)) }

  /// The sides, by turns from the foot, in the order that is right to paint them in all the way from one
  /// stop to the next: by their depth half way. Two sides whose order changes under way do not overlap.
  var farToNear: [Int] {
    func depth(_ side: Int) -> Double { -cos(step * (Double(side) + 0.5)) }
    return (0..<sides).sorted { (depth($0), $0) < (depth($1), $1) }
  }

  /// A side stands in the light at the foot and nearly so on top, and in the dark where it is steep.
  func shade(turns: Int) -> Shade {
    let angle = step * Double(turns)
    let amount = 0.5 * abs(sin(angle)) + 0.09 * (1 - cos(angle))
    return Shade(amount)
  }
}

/// Where the tube stops, and when.
struct PageRollPath {
  /// The part of a turn after which the way to the next stop is done.
  static let settling = 0.98

  private let centers: [Double]
  let stripWidth: Double
  /// Turns from beginning to end: until the tube has left the page.
  let stops: Int
  private let begin: Double
  private let duration: Double

  /// - Parameter edges: where the strips begin and end.
  init(edges: [Int], geometry: PageRollGeometry, begin: Double, duration: Double) {
    let count = edges.count - 1
    centers = (0..<count).reversed().map { Double(edges[$0] + edges[$0 + 1]) / 2 }
    stripWidth = Double((edges.last ?? 0) - (edges.first ?? 0)) / Double(max(count, 1))
    stops = count - 1 + Int((0.55 + geometry.radius).rounded(.up))
    self.begin = begin
    self.duration = duration
  }

  /// When the tube is at a stop.
  func time(_ stop: Int) -> Double {
    stop == stops ? begin + duration : begin + duration * Double(stop) / Double(stops)
  }

  /// Where its axis is then.
  func axis(_ stop: Int) -> Double {
    if stop < centers.count { return centers[stop] }
    return (centers.last ?? 0) - stripWidth * Double(stop - centers.count + 1)
  }
}
