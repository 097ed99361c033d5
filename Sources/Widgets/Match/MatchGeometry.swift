// SPDX-License-Identifier: Apache-2.0

import Raster

/// The layout of a scoreboard for two teams: the teams' cards side by side under the names, and a table of
/// rows beneath. Period and clocks are between the cards, or above them on an upright page. A pure function
/// of the sizes.
struct MatchGeometry {
  /// The parts to lay out.
  struct Parts: Hashable {
    var digits: Int
    var hasNames: Bool
    /// The rows of the table beneath the cards.
    var rows: Int
    var hasPeriod: Bool
    var hasGameClock: Bool
    var hasShotClock: Bool
    var page: Size

    var hasCenter: Bool { hasPeriod || hasGameClock || hasShotClock }
  }

  private(set) var parts: Parts
  /// Whether period and clocks are above the cards instead of between them.
  let isUpright: Bool
  private(set) var metrics = CardMetrics(height: 8, aspect: CardMetrics.aspect)
  /// The cap height of the table, in pixels.
  private(set) var cap = 0.0
  /// The scale of gaps and row heights, at least 1.
  private var air = 1.0
  private(set) var size = Size.zero

  // In card heights.
  private static let cardGapUnits = 0.07 * CardMetrics.aspect
  private static let nameCap = 0.095
  private static let header = 0.62
  private static let headerGap = 0.16
  private static let widestCenter = 1.9
  // In cap heights.
  private static let nameBlock = 2.25
  private static let tableGap = 0.8
  private static let row = 1.85

  /// Drops the last rows of the table while it takes too much space from the cards.
  init(_ parts: Parts, in box: Size) {
    let bare = Self.bare(parts, in: box)
    for rows in stride(from: parts.rows, to: 0, by: -1) {
      var some = parts
      some.rows = rows
      let candidate = Self.best(some, in: box)
      let least = max(0.5 * Double(bare.metrics.height), 20)
      if Double(candidate.metrics.height) >= least, candidate.fits(box) {
        self = candidate
        return
      }
    }
    self = bare
  }

  func fits(_ box: Size) -> Bool { size.fits(in: box) }

  /// A layout without table; if that does not fit, also without period and clocks, then also without names.
  private static func bare(_ parts: Parts, in box: Size) -> MatchGeometry {
    var parts = parts
    parts.rows = 0
    let first = best(parts, in: box)
    if first.fits(box) { return first }
    (parts.hasPeriod, parts.hasGameClock, parts.hasShotClock) = (false, false, false)
    let second = best(parts, in: box)
    if second.fits(box) { return second }
    parts.hasNames = false
    return best(parts, in: box)
  }

  private static func best(_ parts: Parts, in box: Size) -> MatchGeometry {
    let flat = MatchGeometry(parts, isUpright: false, in: box)
    guard parts.hasCenter || parts.rows > 0 else { return flat }
    let upright = MatchGeometry(parts, isUpright: true, in: box)
    if flat.fits(box) != upright.fits(box) { return flat.fits(box) ? flat : upright }
    return Double(upright.metrics.height) > 1.15 * Double(flat.metrics.height) ? upright : flat
  }

  private init(_ parts: Parts, isUpright: Bool, in box: Size) {
    self.parts = parts
    self.isUpright = isUpright
    let widest = box.width / (2 * groupUnits + centerUnits)
    let shorter = min(parts.page.width, parts.page.height)
    let least = max(0.024 * shorter, 7)
    let wanted = max(0.0355 * min(parts.page.height, 1.25 * parts.page.width), least)
    // Large letters leave less height for the cards. Make the letters smaller until the cards have at least
    // 78 % of the height that they have with the smallest letters.
    let largest = cardHeight(cap: least, widest: widest, in: box)
    cap = wanted
    var height = cardHeight(cap: cap, widest: widest, in: box)
    while height < 0.78 * largest, cap > least {
      cap = max(cap * 0.95, least)
      height = cardHeight(cap: cap, widest: widest, in: box)
    }
    let limit = (isUpright ? 0.17 : 0.1) * height
    while cap * 1.03 <= limit, total(height, cap: cap * 1.03) <= box.height { cap *= 1.03 }
    // An upright page has more height than the cards can use, so rows and gaps share the rest.
    while isUpright, air < 1.6, total(height, cap: cap, air: air + 0.05) <= box.height { air += 0.05 }
    metrics = CardMetrics(height: max(height, 8), aspect: CardMetrics.aspect)
    // Rounding to whole pixels may have made the layout larger than the box.
    while true {
      measure(in: box)
      if fits(box) || metrics.height <= 8 { break }
      metrics = CardMetrics(height: Double(metrics.height - 2), aspect: CardMetrics.aspect)
    }
  }

  private var groupUnits: Double {
    Double(parts.digits) * CardMetrics.aspect + Double(parts.digits - 1) * Self.cardGapUnits
  }

  private var centerUnits: Double {
    if isUpright { return 0.3 }
    if parts.hasGameClock || parts.hasShotClock { return 1.3 }
    return parts.hasPeriod || parts.rows > 0 ? 0.95 : 0.5
  }

  /// The cap height of names: slightly larger than the table's, within limits that depend on the height of
  /// the cards.
  private func nameCap(_ height: Double, cap: Double) -> Double {
    max(min(1.15 * cap, max(0.13 * height, cap)), Self.nameCap * height)
  }

  private func total(_ height: Double, cap: Double, air: Double = 1) -> Double {
    let names = parts.hasNames ? Self.nameBlock * nameCap(height, cap: cap) : 0
    let table = parts.rows > 0 ? (Self.tableGap + Double(parts.rows) * Self.row) * cap * air : 0
    let header = isUpright && parts.hasCenter ? (Self.header + Self.headerGap * air) * height : 0
    return header + names + height + table
  }

  /// The height of the largest cards that fit with this cap height.
  private func cardHeight(cap: Double, widest: Double, in box: Size) -> Double {
    if total(widest, cap: cap) <= box.height { return widest }
    var (low, high) = (0.0, widest)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      if total(middle, cap: cap) <= box.height { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func measure(in box: Size) {
    let height = Double(metrics.height)
    let narrowest = (centerUnits * height).rounded()
    let widest = isUpright ? box.width - 2 * group : max(Self.widestCenter * height, narrowest)
    let center = max(min(widest, box.width - 2 * group), narrowest)
    size = Size(
      width: (2 * group + center).rounded(.down),
      height: headerHeight + headerGap + nameHeight + height + tableHeight)
  }

  // MARK: Parts, in whole pixels

  private var height: Double { Double(metrics.height) }
  var cardGap: Double { max((Self.cardGapUnits * height).rounded(), 1) }
  /// The width of one team's cards.
  var group: Double { Double(parts.digits * metrics.width) + Double(parts.digits - 1) * cardGap }
  var nameCapHeight: Double { nameCap(height, cap: cap) }
  var nameHeight: Double { parts.hasNames ? (Self.nameBlock * nameCapHeight).rounded() : 0 }
  private var tableHeight: Double {
    parts.rows > 0 ? (Self.tableGap * air * cap).rounded() + Double(parts.rows) * rowHeight : 0
  }
  private var rowHeight: Double { (Self.row * air * cap).rounded() }
  private var headerHeight: Double { isUpright && parts.hasCenter ? (Self.header * height).rounded() : 0 }
  private var headerGap: Double {
    isUpright && parts.hasCenter ? (Self.headerGap * air * height).rounded() : 0
  }

  // MARK: Positions

  private func top(in rect: Rect) -> Double { (rect.midY - size.height / 2).rounded() }
  private func cardTop(in rect: Rect) -> Double { top(in: rect) + headerHeight + headerGap + nameHeight }

  /// The upper left of the first card of team 0 or 1.
  func cards(_ team: Int, in rect: Rect) -> Point {
    // On an upright page the cards stay close together, although the table is as wide as the page.
    let between = isUpright ? min(rect.width - 2 * group, (0.5 * height).rounded()) : rect.width - 2 * group
    let left = (rect.midX - between / 2 - group).rounded()
    return Point(x: team == 0 ? left : left + group + between.rounded(.down), y: cardTop(in: rect))
  }

  /// The box of a team's name, from the page's edge to its middle, and the middle of the team's cards, over
  /// which the name is centred.
  func name(_ team: Int, in rect: Rect) -> (box: Rect, middle: Double) {
    let edge = (0.015 * parts.page.width).rounded(.up)
    let inside = rect.midX - (0.4 * nameCapHeight).rounded(.up) * (team == 0 ? 1 : -1)
    let (left, right) = team == 0 ? (edge, inside) : (inside, parts.page.width - edge)
    let y = cardTop(in: rect) - nameHeight
    return (
      Rect(x: left, y: y, width: max(right - left, 1), height: nameHeight),
      cards(team, in: rect).x + group / 2
    )
  }

  /// The box of the period and the clocks.
  func center(in rect: Rect) -> Rect {
    if isUpright { return Rect(x: rect.x, y: top(in: rect), width: rect.width, height: headerHeight) }
    let left = cards(0, in: rect).x + group
    let width = cards(1, in: rect).x - left
    let gap = (0.13 * height).rounded()
    return Rect(x: left + gap, y: cardTop(in: rect), width: max(width - 2 * gap, 1), height: height)
  }

  /// A row of the table: the name in the middle, the teams' values at the sides.
  func row(_ index: Int, in rect: Rect) -> (left: Rect, name: Rect, right: Rect) {
    let y = cardTop(in: rect) + height + (Self.tableGap * air * cap).rounded() + Double(index) * rowHeight
    func cell(_ x: Double, _ width: Double) -> Rect { Rect(x: x, y: y, width: width, height: rowHeight) }
    if isUpright {
      let side = (0.24 * rect.width).rounded()
      return (
        cell(rect.x, side), cell(rect.x + side, rect.width - 2 * side), cell(rect.maxX - side, side)
      )
    }
    let (left, right) = (cards(0, in: rect).x, cards(1, in: rect).x)
    let air = (0.5 * cap).rounded()
    return (
      cell(left, group), cell(left + group + air, max(right - left - group - 2 * air, 1)), cell(right, group)
    )
  }

  /// The boxes of the values in a row without a name. On an upright page each is as wide as half of the row,
  /// less one cap height.
  func halves(_ index: Int, in rect: Rect) -> (left: Rect, right: Rect) {
    let row = row(index, in: rect)
    guard isUpright else { return (row.left, row.right) }
    let width = (rect.width / 2 - cap).rounded(.down)
    return (
      Rect(x: rect.x, y: row.left.y, width: width, height: rowHeight),
      Rect(x: rect.maxX - width, y: row.left.y, width: width, height: rowHeight)
    )
  }
}
