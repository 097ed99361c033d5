// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The positions of a clock's cards, dots and captions. The groups of cards (hours, minutes and so on) are
/// side by side, or one above the other in a tall, narrow box.
struct ClockGeometry {
  /// The number of cards in each group, their aspect ratio, and whether there is a card for AM and PM.
  struct Parts {
    var groups: [Int]
    var aspect: Double
    var hasColon: Bool
    var hasPeriod: Bool
    /// Whether the last separator is a point instead of a colon.
    var hasPoint = false
    /// The minimum cap height of the captions beneath the groups, in pixels; nil: no captions.
    var captions: Double?
  }

  private(set) var metrics: CardMetrics
  private(set) var periodMetrics: CardMetrics
  /// The frames of the groups' cards in order, then of the AM/PM card; relative to the upper left.
  private(set) var cards: [Rect] = []
  /// The centres of the dots: two for a colon, one for the point.
  private(set) var dots: [Point] = []
  /// The boxes of the captions, and the cap height of their letters.
  private(set) var captions: [Rect] = []
  private(set) var captionCap = 0.0
  private(set) var size: Size

  // In card heights. `w` is the width of a card for one symbol.
  private static let w = CardMetrics.aspect
  private static let dotDiameter = 0.085
  private static let colonGap = 2 * 0.22 * w + dotDiameter
  private static let groupGap = 0.3 * w
  private static let lineGap = 0.12
  private static let periodHeight = 0.34
  private static let dotRise = 0.142
  private static let barWidth = 0.08
  private static let barHeight = 0.38
  private static let pointGap = 2 * 0.13 * w + dotDiameter
  private static let caption = 0.115
  /// In cap heights of the captions.
  private static let captionBlock = 2.5

  var dotDiameter: Int { max(Int((Self.dotDiameter * Double(metrics.height) / 2).rounded()) * 2, 2) }

  /// Makes the cards as large as `box` allows: in one line, or with stacked groups if their cards are much
  /// larger. Cards have at least the minimum height, even if they do not fit. If `box` is the `size` of a
  /// geometry of these parts, the result is that geometry.
  init(_ parts: Parts, in box: Size) {
    let line = Self.cardHeight(parts, isStacked: false, in: box)
    let stack = Self.cardHeight(parts, isStacked: true, in: box)
    // One line is easier to read, so the groups are stacked only if that makes the cards much larger.
    let isStacked = parts.groups.count > 1 && stack > line * 1.25
    // Rounding may leave space unused, so start slightly larger.
    var height = (isStacked ? stack : line) + 4
    while true {
      let metrics = CardMetrics(height: height, aspect: parts.aspect)
      self.metrics = metrics
      periodMetrics = CardMetrics(
        height: Double(metrics.height) * Self.periodHeight, aspect: CardMetrics.pairAspect)
      size = .zero
      cards = []
      dots = []
      captions = []
      captionCap = parts.captions.map { max(Self.caption * Double(metrics.height), $0) } ?? 0
      if isStacked { stackUp(parts) } else { lineUp(parts) }
      if (size.width <= box.width && size.height <= box.height) || metrics.height <= 8 { break }
      height = Double(metrics.height - 2)
    }
  }

  private static func cardHeight(_ parts: Parts, isStacked: Bool, in box: Size) -> Double {
    let widest = parts.groups.map { groupWidth($0, parts) }
    let count = Double(parts.groups.count)
    let caption = parts.captions == nil ? 0 : Self.caption * captionBlock
    let periodWidth = CardMetrics.pairAspect * periodHeight
    if isStacked {
      let height =
        count * (1 + caption) + (count - 1) * lineGap + (parts.hasPeriod ? lineGap + periodHeight : 0)
      return min(box.height / height, box.width / max(widest.max() ?? 1, periodWidth))
    }
    var width = widest.reduce(0, +) + (count - 1) * (parts.hasColon ? colonGap : groupGap)
    if parts.hasPoint { width += pointGap - colonGap }
    if parts.hasPeriod { width += groupGap / 2 + periodWidth }
    return min(box.height / (1 + caption), box.width / width)
  }

  private static func groupWidth(_ cards: Int, _ parts: Parts) -> Double {
    Double(cards) * parts.aspect + Double(max(cards - 1, 0)) * CardMetrics.gap
  }

  private func pixels(_ heights: Double) -> Double {
    max((heights * Double(metrics.height)).rounded(), 1)
  }

  private mutating func lineUp(_ parts: Parts) {
    let height = Double(metrics.height)
    var x = 0.0
    for (index, count) in parts.groups.enumerated() {
      if index > 0 {
        let hasPoint = parts.hasPoint && index == parts.groups.count - 1
        let gap = pixels(
          hasPoint ? Self.pointGap : parts.hasColon ? Self.colonGap : Self.groupGap)
        if hasPoint {
          // The point is on the baseline of the digits.
          let foot = (height + metrics.capHeight - Double(dotDiameter)) / 2
          dots.append(Point(x: x + gap / 2, y: foot.rounded()))
        } else if parts.hasColon {
          let rise = pixels(Self.dotRise)
          dots.append(Point(x: x + gap / 2, y: height / 2 - rise))
          dots.append(Point(x: x + gap / 2, y: height / 2 + rise))
        }
        x += gap
      }
      addGroup(count, x: x, y: 0)
      addCaption(parts, x: x, y: height, of: count)
      x += metrics.width(of: count)
    }
    if parts.hasPeriod {
      x += pixels(Self.groupGap / 2)
      cards.append(
        Rect(
          x: x, y: height - Double(periodMetrics.height), width: Double(periodMetrics.width),
          height: Double(periodMetrics.height)))
      x += Double(periodMetrics.width)
    }
    size = Size(width: x, height: height + captionHeight)
  }

  private mutating func stackUp(_ parts: Parts) {
    let widths = parts.groups.map(metrics.width(of:))
    let widest = widths.max() ?? 0
    var y = 0.0
    for (count, width) in zip(parts.groups, widths) {
      if y > 0 { y += pixels(Self.lineGap) }
      let x = ((widest - width) / 2).rounded()
      addGroup(count, x: x, y: y)
      y += Double(metrics.height)
      addCaption(parts, x: x, y: y, of: count)
      y += captionHeight
    }
    if parts.hasPeriod {
      y += pixels(Self.lineGap)
      cards.append(
        Rect(
          x: ((widest - Double(periodMetrics.width)) / 2).rounded(), y: y,
          width: Double(periodMetrics.width), height: Double(periodMetrics.height)))
      y += Double(periodMetrics.height)
    }
    size = Size(width: widest, height: y)
  }

  private var captionHeight: Double { (Self.captionBlock * captionCap).rounded(.up) }

  /// Adds a caption that is slightly wider than its group.
  private mutating func addCaption(_ parts: Parts, x: Double, y: Double, of count: Int) {
    guard parts.captions != nil else { return }
    let width = metrics.width(of: count)
    let room = parts.groups.count > 1 ? (0.35 * pixels(Self.colonGap)).rounded(.down) : 0
    captions.append(Rect(x: x - room, y: y, width: width + 2 * room, height: captionHeight))
  }

  private mutating func addGroup(_ count: Int, x: Double, y: Double) {
    for index in 0..<count {
      cards.append(
        Rect(
          x: x + Double(index) * (Double(metrics.width) + metrics.gap), y: y,
          width: Double(metrics.width), height: Double(metrics.height)))
    }
  }
}

extension ClockGeometry {
  /// The upper left of a clock that is centred in `rect`, in whole pixels.
  func origin(in rect: Rect) -> Point {
    Point(
      x: rect.x + ((rect.width - size.width) / 2).rounded(),
      y: rect.y + ((rect.height - size.height) / 2).rounded())
  }

  /// The dots of the colons, and the point, of a clock at `origin`.
  func dots(at origin: Point, _ color: Color) -> [Layer] {
    let image = LayerImage(Disc.image(diameter: dotDiameter, color: color))
    let side = Double(dotDiameter)
    return dots.map { center in
      let dot = Layer()
      dot.frame = Rect(
        x: (origin.x + center.x - side / 2).rounded(), y: (origin.y + center.y - side / 2).rounded(),
        width: side, height: side)
      dot.contents = image
      return dot
    }
  }

  /// The two bars that replace the dots of a colon while the clock of a break is paused.
  func pauseBars(at origin: Point, _ color: Color) -> [Layer] {
    let (width, height) = (pixels(Self.barWidth), pixels(Self.barHeight))
    return stride(from: 0, to: dots.count - 1, by: 2).flatMap { index in
      let (upper, lower) = (dots[index], dots[index + 1])
      return [-1.5 * width, 0.5 * width].map { x in
        let bar = Layer()
        bar.frame = Rect(
          x: (origin.x + upper.x + x).rounded(),
          y: (origin.y + (upper.y + lower.y - height) / 2).rounded(), width: width, height: height)
        bar.backgroundColor = color
        return bar
      }
    }
  }
}
