// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster

/// A clock hand: setting its `angle` (radians, clockwise from twelve) turns the hand there in the shorter
/// direction. It is filled as a polygon with exact coverage, so its edges look the same at every angle, and
/// only its bounding box is redrawn.
final class AnalogClockHand: Layer {
  static let angle = PropertyKey.custom("angle")

  /// The outline relative to the arbour (the axle), pointing at twelve; y grows downwards.
  private let outline: [Point]
  private let arbour: Point
  private let color: Color
  /// An outline drawn beneath the hand, which separates it from numerals; nil: none.
  private let rim: (outline: [Point], color: Color)?
  private var turned: [Point]
  private var filler = PolygonFiller()
  /// Two images, because the pixels on the screen must not change while the next ones are drawn.
  private let images: [LayerImage]

  init(outline: [Point], rim: (outline: [Point], color: Color)? = nil, arbour: Point, color: Color) {
    self.outline = outline
    self.rim = rim
    self.arbour = arbour
    self.color = color
    let outer = rim?.outline ?? outline
    turned = outer
    var reach = 0.0
    for a in outer {
      for b in outer { reach = max(reach, hypot(a.x - b.x, a.y - b.y)) }
    }
    let side = Int(min(reach, 8192).rounded(.up)) + 2
    images = (0..<2).map { _ in LayerImage(Bitmap(width: side, height: side, format: .argb8888)) }
    filler.reserve(width: side)
    super.init()
    anchorPoint = .zero
    set(Self.angle, to: .scalar(0))
  }

  override func needsDisplay(forKey key: PropertyKey) -> Bool { key == Self.angle }

  override func period(forKey key: PropertyKey) -> Double? { key == Self.angle ? 2 * .pi : nil }

  override func display(_ presentation: LayerProperties) {
    guard case .scalar(let angle)? = presentation.custom["angle"] else { return }
    turn(rim?.outline ?? outline, by: angle, about: arbour)
    // A snapshot calls `display` too, although it is not a frame, so the images cannot simply alternate.
    let image = isDrawn(from: images[0]) ? images[1] : images[0]
    let buffer = image.bitmap.buffer
    guard let box = PolygonFiller.bounds(of: turned), !box.isEmpty, box.width <= buffer.width,
      box.height <= buffer.height
    else { return }
    let part = PixelRect(x: 0, y: 0, width: box.width, height: box.height)
    let centre = Point(x: arbour.x - Double(box.x), y: arbour.y - Double(box.y))
    buffer.clear(part, clip: part)
    if let rim {
      turn(rim.outline, by: angle, about: centre)
      filler.fill(turned, with: rim.color, into: buffer, clip: part)
    }
    turn(outline, by: angle, about: centre)
    filler.fill(turned, with: color, into: buffer, clip: part)
    contents = image
    contentsRect = Rect(
      x: 0, y: 0, width: Double(box.width) / Double(buffer.width),
      height: Double(box.height) / Double(buffer.height))
    frame = Rect(
      x: Double(box.x), y: Double(box.y), width: Double(box.width), height: Double(box.height))
  }

  /// Stores a rotated outline in `turned`, which has the same number of points.
  private func turn(_ outline: [Point], by angle: Double, about centre: Point) {
    let (s, c) = (sin(angle), cos(angle))
    for (index, point) in outline.enumerated() where index < turned.count {
      turned[index] = Point(x: centre.x + point.x * c - point.y * s, y: centre.y + point.x * s + point.y * c)
    }
  }

  // MARK: Outlines

  /// A bar with round ends, from `tail` behind the arbour to `length` in front of it. `base` and `tip` are
  /// half widths.
  static func bar(length: Double, tail: Double, base: Double, tip: Double) -> [Point] {
    arc(center: -length + tip, radius: tip, from: .pi) + arc(center: tail - base, radius: base, from: 0)
  }

  /// A thin hand with a counterweight.
  static func needle(length: Double, tail: Double, width: Double, weight: Double) -> [Point] {
    let neck = tail * 0.42
    return arc(center: -length + width, radius: width, from: .pi)
      + [Point(x: width, y: neck), Point(x: weight, y: neck + weight * 2)]
      + arc(center: tail - weight, radius: weight, from: 0)
      + [Point(x: -weight, y: neck + weight * 2), Point(x: -width, y: neck)]
  }

  /// A semicircle around (0, `center`), clockwise.
  private static func arc(center: Double, radius: Double, from start: Double) -> [Point] {
    let steps = 16
    return (0...steps).map { step in
      let angle = start + .pi * Double(step) / Double(steps)
      return Point(x: cos(angle) * radius, y: center + sin(angle) * radius)
    }
  }
}
