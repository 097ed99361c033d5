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
  private let details: ScoreDetails
  private let hasServe: Bool
  private var rect = Rect.zero
  private(set) var columns: [Column] = []
  private(set) var period = Label()
  private var shown: [Scoreboard.Team] = []
  private var laidOutDigits = 0

  struct Column {
    let board: FlipBoard
    let title: TeamName
    let details: TeamDetails?

    var name: Label { title.label }
    var bar: Layer { title.bar }
  }

  /// - Parameter rules: those of the game, which say what there may be to show; a new config with others
  ///   makes a new widget.
  init(_ settings: ScoreSettings, weight: Double, rules: GameRules = GameRules(), context: WidgetContext) {
    self.settings = settings
    self.context = context
    details = ScoreDetails(settings, rules)
    hasServe = settings.showServe && rules.serve != .none
    sizing = .flexible(weight: weight, limit: details.isEmpty ? 0.7 : 0.86)
  }

  var text: String { shown.map { String($0.score) }.joined(separator: " : ") }

  func fittingSize(in box: Size) -> Size { geometry(in: box, digits: settings.digits).size }

  private func geometry(in box: Size, digits: Int) -> ScoreGeometry {
    let parts = ScoreGeometry.Parts(
      teams: settings.teams.count, digits: digits, hasNames: settings.showNames || hasServe, details: details,
      reference: min(context.page.width, context.page.height))
    return ScoreGeometry(parts, in: box)
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    shown = teams(of: model)
    rebuild(model.scoreboard, digits: digits(for: model))
  }

  /// A score of more digits than there are cards takes one card more on every team.
  private func digits(for model: StageModel) -> Int {
    let largest = teams(of: model).map(\.score).max() ?? 0
    return max(settings.digits, String(largest).count)
  }

  private func teams(of model: StageModel) -> [Scoreboard.Team] {
    let teams = settings.teams.compactMap { model.scoreboard.team($0) }
    return model.scoreboard.sidesSwapped ? teams.reversed() : teams
  }

  /// Lays out the cards anew, with the names and scores that are shown.
  private func rebuild(_ scoreboard: Scoreboard, digits: Int) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    columns = []
    laidOutDigits = digits
    let geometry = geometry(in: rect.size, digits: digits)
    // Cards have a least size: where there is no room for as many as are needed, nothing could be read.
    guard geometry.fits(rect.size) else { return hideAll() }
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    images.prepareDigits()
    // A score with more digits than the page was laid out for makes smaller cards: they stay in the middle.
    let top = (rect.midY - geometry.size.height / 2).rounded()
    for (index, team) in shown.enumerated() {
      let row = index / geometry.columns
      let inRow = min(geometry.columns, shown.count - row * geometry.columns)
      let x = left(ofColumn: index % geometry.columns, of: inRow, geometry)
      let y = top + geometry.periodHeight + Double(row) * (geometry.rowHeight + geometry.gapHeight)
      let column = column(team, digits: digits, geometry, images, x: x, y: y)
      layer.addSublayer(column.board.layer)
      if geometry.nameHeight > 0 { layer.addSublayer(column.title.layer) }
      if let details = column.details { layer.addSublayer(details.layer) }
      columns.append(column)
    }
    hasTitles = geometry.nameHeight > 0
    showNames()
    period = Label()
    if geometry.periodHeight > 0, !shown.isEmpty {
      layer.addSublayer(period.layer)
      periodBox = Rect(x: rect.x, y: top, width: rect.width, height: geometry.periodHeight * 0.8)
      periodCap = geometry.smallCapHeight
    } else {
      periodBox = nil
    }
    showFacts(scoreboard, animated: false)
  }

  private func hideAll() {
    period = Label()
    periodBox = nil
    hasTitles = false
  }

  private func column(
    _ team: Scoreboard.Team, digits: Int, _ geometry: ScoreGeometry, _ images: CardImages, x: Double,
    y: Double
  ) -> Column {
    let card = Double(geometry.metrics.height)
    // A name may be wider than its cards, but not reach the next team's nor the next widget's.
    let free = min(x - rect.x, rect.maxX - x - geometry.group) + 0.02 * context.page.width
    let room = max(min(spacing(geometry) * 0.42, card * 0.4, free), 0)
    let nameBox = Rect(x: x - room, y: y, width: geometry.group + 2 * room, height: geometry.nameHeight)
    let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
    for (position, symbol) in symbols(team.score, digits: digits).enumerated() {
      let step = Double(geometry.metrics.width) + geometry.cardGap
      board.addCard(
        symbol,
        frame: Rect(
          x: x + Double(position) * step, y: y + geometry.nameHeight, width: Double(geometry.metrics.width),
          height: card), images: images, drum: .digits)
    }
    let title = TeamName(
      in: nameBox, cap: geometry.capHeight, hasName: settings.showNames, hasMark: hasServe, context: context)
    guard geometry.detailHeight > 0 else { return Column(board: board, title: title, details: nil) }
    let below = Rect(
      x: x, y: y + geometry.nameHeight + card, width: geometry.group, height: geometry.detailHeight)
    let details = TeamDetails(
      geometry.details, in: below, cap: geometry.smallCapHeight, theme: context.theme)
    return Column(board: board, title: title, details: details)
  }

  private var hasTitles = false

  /// Long names or short ones, but not a mixture of both.
  private func showNames() {
    guard hasTitles else { return }
    let isShort = zip(shown, columns).contains { team, column in
      team.shortName != nil && !column.title.hasRoom(for: team.name)
    }
    for (team, column) in zip(shown, columns) {
      column.title.show(team, isShort: isShort, color: color(of: team))
    }
  }

  private func color(of team: Scoreboard.Team) -> Color {
    team.color.map { Color(rgb: $0) } ?? context.teamColors[team.id] ?? context.theme.label
  }

  /// Between the groups of a full row.
  private func spacing(_ geometry: ScoreGeometry) -> Double {
    let columns = Double(geometry.columns)
    return columns > 1
      ? max((rect.width - geometry.group * columns) / (columns - 1), 0) : rect.width - geometry.group
  }

  /// A row that is not full stands in the middle.
  private func left(ofColumn column: Int, of count: Int, _ geometry: ScoreGeometry) -> Double {
    let step = geometry.group + spacing(geometry)
    let width = geometry.group + Double(count - 1) * step
    return (rect.midX - width / 2 + Double(column) * step).rounded()
  }

  // MARK: What is told beside names and points

  private var periodBox: Rect?
  private var periodCap = 0.0

  private func showFacts(_ scoreboard: Scoreboard, animated: Bool) {
    for (team, column) in zip(shown, columns) {
      column.details?.show(team, of: scoreboard)
      column.title.showServing(scoreboard.serving == team.id, animated: animated)
    }
    guard let periodBox else { return }
    let words = scoreboard.periodText
    guard words != period.text else { return }
    let style = Label.Style(
      face: context.theme.labelFace, color: context.theme.label, capHeight: periodCap,
      tracking: context.theme.labelTracking)
    period.show(words, style: style, in: periodBox)
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
      rebuild(model.scoreboard, digits: digits)
      return
    }
    // Cards for one digit more, or one less, first show what was shown, and then flip to what is new.
    if digits != laidOutDigits {
      let fitting = shown.map { String($0.score).count <= digits }
      if fitting.contains(false) { shown = teams }
      rebuild(model.scoreboard, digits: digits)
    }
    let isRenamed = zip(teams, shown).contains { team, before in
      team.name != before.name || team.shortName != before.shortName || team.color != before.color
    }
    for (team, column) in zip(teams, columns) {
      column.board.show(symbols(team.score, digits: digits), at: time, animated: animated)
    }
    shown = teams
    if isRenamed { showNames() }
    showFacts(model.scoreboard, animated: animated)
  }

  func nextChange(after instant: Instant) -> Instant? { nil }
}

extension Scoreboard {
  /// `SET 3`; beyond the last period of a game whose score goes on, `OVERTIME` and `OVERTIME 2`.
  var periodText: String {
    let beyond = period - rules.periods
    guard rules.scoring == .total, beyond > 0 else { return "\(rules.periodName) \(period)" }
    return beyond == 1 ? "OVERTIME" : "OVERTIME \(beyond)"
  }
}
