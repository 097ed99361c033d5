// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings

/// The teams of a match side by side: a name with its colour, and the score on cards beneath.
final class ScoreWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: ScoreSettings
  private let context: WidgetContext
  private var rect = Rect.zero
  private(set) var columns: [Column] = []
  private var shown: [Scoreboard.Team] = []

  struct Column {
    let board: FlipBoard
    let name = Label()
    let bar = Layer()
    let nameBox: Rect
    let capHeight: Double
  }

  // In card heights.
  private static let teamGap = 0.5
  private static let rowGap = 0.22

  /// Where the cards stand: columns and rows of teams, and what each team takes.
  private struct Geometry {
    var metrics: CardMetrics
    var columns: Int
    var rows: Int
    /// The cards of one team, side by side.
    var group: Double
    /// Of the letters of a name, and the block above the cards that it stands in; 0 without names.
    var capHeight: Double
    var nameHeight: Double
    var size: Size
  }

  init(_ settings: ScoreSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    sizing = .flexible(weight: weight, limit: 0.7)
  }

  var text: String { shown.map { String($0.score) }.joined(separator: " : ") }

  func fittingSize(in box: Size) -> Size { geometry(in: box, digits: settings.digits).size }

  /// The teams in one row, or in more where that makes much larger cards (a tall page, many teams).
  private func geometry(in box: Size, digits: Int) -> Geometry {
    let teams = max(settings.teams.count, 1)
    var best = geometry(in: box, digits: digits, rows: 1)
    for rows in 2...max(teams, 2) where rows <= teams {
      let candidate = geometry(in: box, digits: digits, rows: rows)
      if Double(candidate.metrics.height) > 1.2 * Double(best.metrics.height) { best = candidate }
    }
    return best
  }

  private func geometry(in box: Size, digits: Int, rows: Int) -> Geometry {
    let teams = max(settings.teams.count, 1)
    let columns = (teams + rows - 1) / rows
    let cards = Double(digits)
    let groupUnits = cards * CardMetrics.aspect + (cards - 1) * 0.07 * CardMetrics.aspect
    let widthUnits = Double(columns) * groupUnits + Double(columns - 1) * Self.teamGap
    // Names are read from as far as the scores: they are no smaller than this on any page.
    let least = settings.showNames ? max(0.026 * min(context.page.width, context.page.height), 8) : 0
    let gaps = Double(rows - 1) * Self.rowGap
    var height = min(
      (box.height / Double(rows)) / (1 + (settings.showNames ? 0.21 : 0) + gaps / Double(rows)),
      box.width / widthUnits)
    if 0.08 * height < least {
      height = min(
        (box.height / Double(rows) - 2.6 * least) / (1 + gaps / Double(rows)), box.width / widthUnits)
    }
    let metrics = CardMetrics(height: max(height, 8), aspect: CardMetrics.aspect)
    let card = Double(metrics.height)
    let cap = settings.showNames ? max(0.08 * card, least) : 0
    let nameHeight = (2.6 * cap).rounded()
    let group = Double(digits * metrics.width) + Double(digits - 1) * cardGap(metrics)
    // The teams keep their distance when the page is wide, but not more than belongs together.
    let width = min(box.width, Double(columns) * group + Double(columns - 1) * card * 1.1)
    let rowHeight = card + nameHeight
    let total = Double(rows) * rowHeight + Double(rows - 1) * (Self.rowGap * card).rounded()
    return Geometry(
      metrics: metrics, columns: columns, rows: rows, group: group, capHeight: cap, nameHeight: nameHeight,
      size: Size(width: max(width, group), height: min(total, box.height)))
  }

  private func cardGap(_ metrics: CardMetrics) -> Double {
    max((0.07 * CardMetrics.aspect * Double(metrics.height)).rounded(), 1)
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    shown = teams(of: model)
    rebuild(digits: digits(for: model))
  }

  /// A score of more digits than there are cards takes one card more on every team.
  private func digits(for model: StageModel) -> Int {
    let largest = teams(of: model).map(\.score).max() ?? 0
    return max(settings.digits, String(largest).count)
  }

  private func teams(of model: StageModel) -> [Scoreboard.Team] {
    settings.teams.compactMap { model.scoreboard.team($0) }
  }

  /// Lays out the cards anew, with the names and scores that are shown.
  private func rebuild(digits: Int) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    columns = []
    let geometry = geometry(in: rect.size, digits: digits)
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    images.prepareDigits()
    let card = Double(geometry.metrics.height)
    let rowHeight = card + geometry.nameHeight + (Self.rowGap * card).rounded()
    // A score with more digits than the page was laid out for makes smaller cards: they stay in the middle.
    let top = (rect.midY - geometry.size.height / 2).rounded()
    for (index, team) in shown.enumerated() {
      let row = index / geometry.columns
      let inRow = min(geometry.columns, shown.count - row * geometry.columns)
      let x = left(ofColumn: index % geometry.columns, of: inRow, geometry)
      let y = top + Double(row) * rowHeight
      // A name may be wider than its cards, but not reach the next team's nor the page's edge.
      let free = min(x, context.page.width - x - geometry.group) - 0.02 * context.page.width
      let room = max(min(spacing(geometry) * 0.42, card * 0.4, free), 0)
      let column = Column(
        board: FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene),
        nameBox: Rect(x: x - room, y: y, width: geometry.group + 2 * room, height: geometry.nameHeight),
        capHeight: geometry.capHeight)
      for (position, symbol) in symbols(team.score, digits: digits).enumerated() {
        let step = Double(geometry.metrics.width) + cardGap(geometry.metrics)
        column.board.addCard(
          symbol,
          frame: Rect(
            x: x + Double(position) * step, y: y + geometry.nameHeight, width: Double(geometry.metrics.width),
            height: card), images: images, drum: .digits)
      }
      layer.addSublayer(column.board.layer)
      if settings.showNames {
        layer.addSublayer(column.bar)
        layer.addSublayer(column.name.layer)
        showName(team, in: column)
      }
      columns.append(column)
    }
  }

  /// Between the groups of a full row.
  private func spacing(_ geometry: Geometry) -> Double {
    let columns = Double(geometry.columns)
    return columns > 1
      ? max((rect.width - geometry.group * columns) / (columns - 1), 0) : rect.width - geometry.group
  }

  /// A row that is not full stands in the middle.
  private func left(ofColumn column: Int, of count: Int, _ geometry: Geometry) -> Double {
    let step = geometry.group + spacing(geometry)
    let width = geometry.group + Double(count - 1) * step
    return (rect.midX - width / 2 + Double(column) * step).rounded()
  }

  private func showName(_ team: Scoreboard.Team, in column: Column) {
    let cap = column.capHeight
    let barWidth = max((0.29 * cap).rounded(), 2)
    let barHeight = max((cap * 1.36 / 2).rounded() * 2, 6)
    let air = max((0.46 * cap).rounded(), 2)
    let style = Label.Style(
      face: context.theme.nameFace, color: context.theme.onGround, capHeight: cap, tracking: 0.05)
    // The block is lifted a little: the names belong to the cards, not to the line between.
    var box = column.nameBox
    box.height *= 0.86
    let free = box.width - barWidth - air
    let width = min(Label.width(of: team.name, style: style), free)
    let left = (box.midX - (width + barWidth + air) / 2).rounded()
    let letters = column.name.show(
      team.name, style: style, in: Rect(x: left + barWidth + air, y: box.y, width: free, height: box.height),
      alignment: 0)
    column.bar.contents = LayerImage(
      Self.bar(
        width: Int(barWidth), height: Int(barHeight),
        color: context.teamColors[team.id] ?? context.theme.label))
    column.bar.frame = Rect(
      x: left, y: (letters.midY - barHeight / 2).rounded(), width: barWidth, height: barHeight)
  }

  private static func bar(width: Int, height: Int, color: Color) -> Bitmap {
    let bitmap = Bitmap(width: width, height: height, format: .argb8888)
    let radius = min(Double(width) * 0.35, 6)
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)), topRadius: radius,
      bottomRadius: radius)
    for y in 0..<height {
      for x in 0..<width {
        bitmap.buffer.row32(y)[x] = Paint(color).pixel(coverage: shape.coverage(x, y), threshold: 0)
      }
    }
    return bitmap
  }

  private func symbols(_ score: Int, digits: Int) -> [String] {
    let text = String(score).map(String.init)
    let filler = settings.leadingZero ? "0" : ""
    return Array(repeating: filler, count: max(digits - text.count, 0)) + text
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let teams = teams(of: model)
    let digits = digits(for: model)
    if teams.map(\.id) != shown.map(\.id) {
      shown = teams
      rebuild(digits: digits)
      return
    }
    // Cards for one digit more, or one less, first show what was shown, and then flip to what is new.
    if columns.first.map({ $0.board.cards.count != digits }) ?? false {
      let fitting = shown.map { String($0.score).count <= digits }
      if fitting.contains(false) { shown = teams }
      rebuild(digits: digits)
    }
    for (index, (team, column)) in zip(teams, columns).enumerated() {
      if settings.showNames, team.name != shown[index].name { showName(team, in: column) }
      column.board.show(symbols(team.score, digits: digits), at: time, animated: animated)
    }
    shown = teams
  }

  func nextChange(after instant: Instant) -> Instant? { nil }
}
