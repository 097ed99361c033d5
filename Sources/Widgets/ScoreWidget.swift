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

  let settings: ScoreSettings
  let context: WidgetContext
  private let details: ScoreDetails
  let hasServe: Bool
  var rect = Rect.zero
  private(set) var columns: [Column] = []
  private(set) var period = Label()
  private var shown: [Scoreboard.Team] = []
  private var laidOutDigits = 0
  private(set) var images: CardImages?

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

  /// Large enough for the cards that the highest score needs.
  func fittingSize(in box: Size) -> Size {
    let size = geometry(in: box, digits: settings.digits).size
    let highest = geometry(in: size, digits: Self.mostDigits).size
    guard !highest.fits(in: size) else { return size }
    return Size(width: max(size.width, highest.width), height: max(size.height, highest.height))
  }

  static let mostDigits = String(Scoreboard.scores.upperBound).count

  func geometry(in box: Size, digits: Int) -> ScoreGeometry {
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
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    self.images = images
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

  func symbols(_ score: Int, digits: Int) -> [String] {
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

  /// Mostly a score grows by one: the cards for that are kept beside those that are shown.
  func prepare(after model: StageModel) -> Bool {
    guard let images else { return false }
    guard settings.motion.symbols != .through else { return images.prepareDigit() }
    let coming = shown.map { team in
      let next = symbols(min(team.score, Int.max - 1) + 1, digits: laidOutDigits)
      return next.count == laidOutDigits ? next : symbols(team.score, digits: laidOutDigits)
    }
    let kept = shown.flatMap { symbols($0.score, digits: laidOutDigits) }
    return images.prepare(shown: kept, coming: Array(coming.joined())) {
      for (column, symbols) in zip(columns, coming) { column.board.prepare(symbols) }
    }
  }
}
