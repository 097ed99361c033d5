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
  private var columns: [Column] = []
  private var shown: [Scoreboard.Team] = []

  private struct Column {
    let board: FlipBoard
    let name = Label()
    let bar = Layer()
    let nameBox: Rect
    let cardHeight: Double
  }

  // In card heights.
  private static let nameBlock = 0.2
  private static let teamGap = 0.5

  init(_ settings: ScoreSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    sizing = .flexible(weight: weight, limit: 0.62)
  }

  var text: String { shown.map { String($0.score) }.joined(separator: " : ") }

  func fittingSize(in box: Size) -> Size { geometry(in: box, digits: settings.digits).size }

  private func geometry(in box: Size, digits: Int) -> (metrics: CardMetrics, group: Double, size: Size) {
    let teams = Double(max(settings.teams.count, 1))
    let cards = Double(digits)
    let groupUnits = cards * CardMetrics.aspect + (cards - 1) * 0.07 * CardMetrics.aspect
    let widthUnits = teams * groupUnits + (teams - 1) * Self.teamGap
    let heightUnits = 1 + (settings.showNames ? Self.nameBlock : 0)
    let metrics = CardMetrics(
      height: min(box.height / heightUnits, box.width / widthUnits), aspect: CardMetrics.aspect)
    let height = Double(metrics.height)
    let group = Double(digits * metrics.width) + Double(digits - 1) * cardGap(metrics)
    // The teams keep their distance when the page is wide: a third of the rest goes between them.
    let width = min(box.width, max(teams * group + (teams - 1) * height * 1.1, 0))
    return (metrics, group, Size(width: width, height: min(height * heightUnits, box.height)))
  }

  private func cardGap(_ metrics: CardMetrics) -> Double {
    max((0.07 * CardMetrics.aspect * Double(metrics.height)).rounded(), 1)
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    rebuild(model)
  }

  /// A score of more digits than there are cards takes one card more on every team.
  private func digits(for model: StageModel) -> Int {
    let largest = teams(of: model).map(\.score).max() ?? 0
    return max(settings.digits, String(largest).count)
  }

  private func teams(of model: StageModel) -> [Scoreboard.Team] {
    settings.teams.compactMap { model.scoreboard.team($0) }
  }

  private func rebuild(_ model: StageModel) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    columns = []
    shown = teams(of: model)
    let digits = digits(for: model)
    let (metrics, group, _) = geometry(in: rect.size, digits: digits)
    let images = CardImages(metrics: metrics, theme: context.theme)
    let height = Double(metrics.height)
    let nameHeight = settings.showNames ? rect.height - height : 0
    let count = max(shown.count, 1)
    let spacing = count > 1 ? (rect.width - group * Double(count)) / Double(count - 1) : 0
    for (index, team) in shown.enumerated() {
      let x =
        count > 1
        ? (rect.x + Double(index) * (group + spacing)).rounded()
        : (rect.midX - group / 2).rounded()
      let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
      let symbols = symbols(team.score, digits: digits)
      for (position, symbol) in symbols.enumerated() {
        board.addCard(
          symbol,
          frame: Rect(
            x: x + Double(position) * (Double(metrics.width) + cardGap(metrics)), y: rect.maxY - height,
            width: Double(metrics.width), height: height), images: images,
          drum: .digits)
      }
      let room = min(spacing * 0.42, height * 0.4)
      let column = Column(
        board: board, nameBox: Rect(x: x - room, y: rect.y, width: group + 2 * room, height: nameHeight),
        cardHeight: height)
      layer.addSublayer(board.layer)
      if settings.showNames {
        layer.addSublayer(column.bar)
        layer.addSublayer(column.name.layer)
        showName(team, in: column)
      }
      columns.append(column)
    }
  }

  private func showName(_ team: Scoreboard.Team, in column: Column) {
    let cap = max(0.075 * column.cardHeight, 5)
    let barWidth = max((0.022 * column.cardHeight).rounded(), 2)
    let barHeight = max((cap * 1.36 / 2).rounded() * 2, 6)
    let air = max((0.035 * column.cardHeight).rounded(), 2)
    let style = Label.Style(
      face: context.theme.nameFace, color: context.theme.symbol, capHeight: cap, tracking: 0.05)
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
      Self.bar(width: Int(barWidth), height: Int(barHeight), color: context.teamColors[team.id] ?? context.theme.label))
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
    if teams.map(\.id) != shown.map(\.id) || columns.first.map({ $0.board.cards.count != digits }) ?? false {
      rebuild(model)
      return
    }
    for (index, (team, column)) in zip(teams, columns).enumerated() {
      if settings.showNames, team.name != shown[index].name { showName(team, in: column) }
      column.board.show(symbols(team.score, digits: digits), at: time, animated: animated)
    }
    shown = teams
  }

  func nextChange(after instant: Instant) -> Instant? { nil }
}
