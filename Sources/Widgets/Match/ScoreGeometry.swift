// SPDX-License-Identifier: Apache-2.0

import Raster

/// The layout of a score: columns and rows of teams, and the parts of each team. A pure function of the
/// sizes.
struct ScoreGeometry {
  /// The parts to lay out.
  struct Parts: Hashable {
    var teams: Int
    var digits: Int
    var hasNames: Bool
    var details: ScoreDetails
    /// The shorter side of the page, which sets the minimum size of names: they are read from as far away as
    /// scores.
    var reference: Double
  }

  private(set) var metrics: CardMetrics
  private(set) var columns: Int
  private(set) var rows: Int
  /// The width of one team's cards.
  private(set) var group: Double
  /// The cap height of names, and the height of their block above the cards; 0 without names.
  private(set) var capHeight: Double
  private(set) var nameHeight: Double
  /// The details that fit, their cap height, and the height of the block beneath the cards.
  private(set) var details: ScoreDetails
  private(set) var smallCapHeight: Double
  private(set) var detailHeight: Double
  /// The height of the line above all teams.
  private(set) var periodHeight: Double
  private(set) var size: Size

  /// The minimum cap height of names, as a fraction of `Parts.reference`.
  private static let leastNameCap = 0.026

  // In card heights.
  private static let teamGap = 0.5
  static let rowGap = 0.22
  private static let nameCap = 0.08
  private static let nameUnits = 0.21
  /// The cap height of details, as a fraction of that of names.
  private static let smallCap = 0.775

  /// Puts the teams in one row, or in more if that makes the cards much larger (a tall page, many teams).
  /// Details that would take too much space from the cards are left out, counters first.
  init(_ parts: Parts, in box: Size) {
    var bare = Self.largest(parts, .none, in: box)
    if parts.hasNames, !bare.fits(box) {
      var nameless = parts
      nameless.hasNames = false
      bare = Self.largest(nameless, .none, in: box)
    }
    self = bare
    for details in parts.details.fromFullest where !details.isEmpty {
      let candidate = Self.largest(parts, details, in: box)
      let height = Double(candidate.metrics.height)
      if height >= max(0.5 * Double(bare.metrics.height), 20), candidate.fits(box) {
        self = candidate
        return
      }
    }
  }

  /// Whether everything fits. Cards have a minimum size, so a small box may be too small.
  func fits(_ box: Size) -> Bool { size.fits(in: box) }

  private static func largest(_ parts: Parts, _ details: ScoreDetails, in box: Size) -> ScoreGeometry {
    let teams = max(parts.teams, 1)
    var best = ScoreGeometry(parts, details, in: box, rows: 1)
    for rows in 2...max(teams, 2) where rows <= teams {
      let candidate = ScoreGeometry(parts, details, in: box, rows: rows)
      let isLarger = Double(candidate.metrics.height) > 1.2 * Double(best.metrics.height)
      if candidate.fits(box) != best.fits(box) ? candidate.fits(box) : isLarger { best = candidate }
    }
    return best
  }

  private init(_ parts: Parts, _ details: ScoreDetails, in box: Size, rows: Int) {
    let teams = max(parts.teams, 1)
    let columns = (teams + rows - 1) / rows
    let cards = Double(parts.digits)
    let groupUnits = cards * CardMetrics.aspect + (cards - 1) * CardMetrics.gap
    let widthUnits = Double(columns) * groupUnits + Double(columns - 1) * Self.teamGap
    let hasText = parts.hasNames || !details.isEmpty
    let leastCap = hasText ? max(Self.leastNameCap * parts.reference, 8) : 0
    let gaps = Double(rows - 1) * Self.rowGap
    // The space beneath a team's cards, and each row's share of the period's line above all teams, in cap
    // heights of names.
    let beneath = details.height * Self.smallCap
    let above = (details.hasPeriod ? ScoreDetails.periodHeight : 0) * Self.smallCap / Double(rows)
    let extra = beneath + above
    var height = min(
      (box.height / Double(rows))
        / (1 + (parts.hasNames ? Self.nameUnits : 0) + extra * Self.nameCap + gaps / Double(rows)),
      box.width / widthUnits)
    if Self.nameCap * height < leastCap {
      let names = parts.hasNames || details.isEmpty ? 2.6 : 0
      height = min(
        (box.height / Double(rows) - (names + extra) * leastCap) / (1 + gaps / Double(rows)),
        box.width / widthUnits)
    }
    metrics = CardMetrics(height: max(height, 8), aspect: CardMetrics.aspect)
    self.details = details
    self.columns = columns
    self.rows = rows
    (group, size) = (0, .zero)
    (capHeight, nameHeight, smallCapHeight, detailHeight, periodHeight) = (0, 0, 0, 0, 0)
    // Rounding to whole pixels may have made the layout larger than the box.
    while true {
      measure(parts, leastCap: leastCap, in: box)
      if fits(box) || metrics.height <= 8 { break }
      metrics = CardMetrics(height: Double(metrics.height - 2), aspect: CardMetrics.aspect)
    }
  }

  /// Computes everything that follows from the size of the cards.
  private mutating func measure(_ parts: Parts, leastCap: Double, in box: Size) {
    let card = Double(metrics.height)
    let cap = leastCap > 0 ? max(Self.nameCap * card, leastCap) : 0
    capHeight = parts.hasNames ? cap : 0
    nameHeight = (2.6 * capHeight).rounded()
    smallCapHeight = Self.smallCap * cap
    detailHeight = (details.height * smallCapHeight).rounded(.down)
    periodHeight = details.hasPeriod ? (ScoreDetails.periodHeight * smallCapHeight).rounded(.down) : 0
    group = metrics.width(of: parts.digits)
    // On a wide page the distance between the teams grows, up to a limit.
    let across = Double(columns)
    let width = min(box.width, across * group + (across - 1) * card * 1.1)
    let needed = Double(rows) * rowHeight + Double(rows - 1) * gapHeight + periodHeight
    size = Size(width: max(width, across * group + (across - 1) * metrics.gap), height: needed)
  }

  /// The height of a row of teams, without the gap to the next one.
  var rowHeight: Double { Double(metrics.height) + nameHeight + detailHeight }
  var gapHeight: Double { (Self.rowGap * Double(metrics.height)).rounded() }
}
