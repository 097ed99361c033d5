// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings

extension ScoreSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    ScoreWidget(self, weight: weight, context: context)
  }

  /// The points of the widget's teams: `3 : 2`.
  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    teams(of: model).map(model.scoreboard.pointsText(of:)).joined(separator: " : ")
  }

  /// The teams that exist, in the order in which they are shown.
  fileprivate func teams(of model: StageModel) -> [Scoreboard.Team] {
    let teams = teams.compactMap { model.scoreboard.team($0) }
    return model.scoreboard.sidesSwapped ? teams.reversed() : teams
  }
}

/// The teams of a match side by side: the name with the team's colour, and the score on cards beneath. In the
/// scoreboard style, the widget also shows the period and the clocks, and beneath the cards a table of sets,
/// penalties and counters.
final class ScoreWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  let settings: ScoreSettings
  let context: WidgetContext
  let hasServe: Bool
  var rect = Rect.zero
  private(set) var columns: [Column] = []
  private(set) var period: PeriodLine?
  /// The parts of a scoreboard besides names and scores.
  private(set) var parts: [any MatchPartView] = []
  /// What the scoreboard is laid out for; nil in the plain style.
  private var contents: MatchContents?
  /// The layout of a scoreboard.
  private(set) var layout: MatchLayout?
  private let details: ScoreDetails
  private let rules: GameRules
  private var shown: [Scoreboard.Team] = []
  private var shownPoints: [String] = []
  private var model: StageModel?
  private var laidOutDigits = 0
  /// The number of each team's cards.
  private var cards = 0
  private(set) var images: CardImages?

  struct Column {
    let board: FlipBoard
    let title: TeamName
    let details: TeamDetails?
  }

  /// The line above all teams.
  struct PeriodLine {
    let label = Label()
    let box: Rect
    let cap: Double
  }

  init(_ settings: ScoreSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    rules = context.rules
    details = ScoreDetails(settings, rules)
    hasServe = settings.showServe && rules.serve != .none
    let limit = settings.style == .scoreboard ? .infinity : details.isEmpty ? 0.7 : 0.86
    sizing = .flexible(weight: weight, limit: limit)
  }

  // MARK: Sizes

  private var isScoreboard: Bool { settings.style == .scoreboard }

  /// The result is large enough for the cards of the highest score.
  func fittingSize(in box: Size) -> Size {
    let size = size(in: box, digits: usualDigits)
    // A scoreboard uses the whole box, because what it shows changes during a match.
    if isScoreboard, size.fits(in: box) { return box }
    let highest = self.size(in: size, digits: Self.mostDigits)
    guard !highest.fits(in: size) else { return size }
    return Size(width: max(size.width, highest.width), height: max(size.height, highest.height))
  }

  /// The number of cards per team for which the page is laid out.
  private var usualDigits: Int { settings.digits ?? (isScoreboard ? rules.usualDigits : 2) }

  private static let mostDigits = String(Scoreboard.scores.upperBound).count

  /// The size of a layout with this many digits; larger than the box if the box is too small.
  func size(in box: Size, digits: Int) -> Size {
    guard isScoreboard else { return geometry(in: box, digits: digits).size }
    // The time of day is only where there is space.
    var contents = contents(nil, digits: digits)
    contents.hasTime = false
    return MatchLayout(contents, in: box, page: context.page).size
  }

  func leftOutDetails(in size: Size) -> [String] {
    guard isScoreboard else {
      let geometry = geometry(in: size, digits: usualDigits)
      let hasNames = settings.showNames || hasServe
      return (hasNames && geometry.nameHeight == 0 ? ["names"] : [])
        + details.details(missingIn: geometry.details)
    }
    let contents = contents(nil, digits: usualDigits)
    let layouts = MatchLayout.moments(contents, in: size, page: context.page)
    let moments = contents.moments.map {
      MatchLayout($0, in: size, page: context.page, moments: layouts).leftOut
    }
    // Less may be shown in a break, or after the match.
    let others = [(1, rules.breaks.hasLengths, "in a break"), (2, true, "after the match")]
    return others.reduce(moments[0]) { details, other in
      details
        + moments[other.0].filter { other.1 && !moments[0].contains($0) }.map { "\($0) \(other.2)" }
    }
  }

  /// What a scoreboard shows of a match; nil: before it has begun.
  private func contents(_ model: StageModel?, digits: Int) -> MatchContents {
    MatchContents(
      settings, rules, model.map { $0.scoreboard.settled(at: $0.clock) }, at: model?.clock ?? 0,
      digits: digits, logos: Set(context.logos.keys), texts: texts(model))
  }

  private lazy var timeWidth = MatchViews.timeWidth(settings.clock, unit: unit, context: context)
  /// The intended size of a unit, in pixels.
  private var unit: Double { min(context.page.width, context.page.height) }

  private lazy var captions: MatchContents.Texts = {
    var texts = MatchContents.Texts()
    func width(_ words: [String]) -> Double {
      words.map { MatchViews.captionWidth($0, context: context) }.max() ?? 0
    }
    let words = context.language.words
    // Beside the time of day.
    texts.result = min(texts.result, max(context.page.width / unit - 0.4, 0.3))
    texts.period = width([rules.periodName, rules.overtimeName])
    // After the match other figures are in the same columns.
    texts.captions = [
      .points: width([words[.points], words[.tieBreak], rules.periodsName]),
      .games: width([MatchPart.Figure.games.name(rules, in: context.language)]),
      .periodsWon: width([rules.periodsName]),
      .periodPoints: width([
        rules.periodsName, MatchPart.Figure.games.name(rules, in: context.language),
      ]),
    ]
    return texts
  }()

  private func texts(_ model: StageModel?) -> MatchContents.Texts {
    var texts = captions
    texts.time = settings.showTime ? (1.05 * timeWidth + 2) / unit : 0
    guard let model, let name = MatchViews.breakName(model.scoreboard, context: context) else {
      return texts
    }
    texts.breakName = name.width
    func minutes(_ source: TimerSettings.Source) -> Int {
      var settings = TimerSettings()
      settings.source = source
      let timer = TimerSource(settings, zone: .utc, isTight: true)
      return timer.appearance(model).text?.groups.first.map { min($0.cards, 2) } ?? 1
    }
    (texts.gameMinutes, texts.breakMinutes) = (minutes(.gameClock), minutes(.breakClock))
    return texts
  }

  private func geometry(in box: Size, digits: Int) -> ScoreGeometry {
    let parts = ScoreGeometry.Parts(
      teams: settings.teams.count, digits: digits, hasNames: settings.showNames || hasServe, details: details,
      reference: min(context.page.width, context.page.height))
    return ScoreGeometry(parts, in: box)
  }

  // MARK: Layout

  /// Whether the first team is at the right.
  private var isMirrored: Bool { context.language.isRightToLeft }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    shown = settings.teams(of: model)
    rebuild(model, digits: digits(for: model))
  }

  /// The number of cards per team. A score with more digits than `settings.digits` adds cards to every team.
  private func digits(for model: StageModel) -> Int {
    points(settings.teams(of: model), model).map(\.count).reduce(usualDigits, max)
  }

  /// The text on the cards of each team. After a match whose sets consist of games, the sets won.
  private func points(_ teams: [Scoreboard.Team], _ model: StageModel) -> [String] {
    let hasSetsWon = hasSetsWon(model)
    return teams.map {
      hasSetsWon ? String(model.scoreboard.periodsWon(by: $0)) : model.scoreboard.pointsText(of: $0)
    }
  }

  private func hasSetsWon(_ model: StageModel) -> Bool {
    isScoreboard && rules.games != nil && model.scoreboard.isMatchOver
  }

  /// The number of a team's cards, in a layout for `digits`: no more than the sets won need.
  private func cardCount(_ model: StageModel, digits: Int) -> Int {
    hasSetsWon(model) ? points(shown, model).map(\.count).max() ?? digits : digits
  }

  /// Lays out the widget again, for the teams in `shown`.
  ///
  /// - Parameters:
  ///   - points: the text on the cards; nil: the teams' current points.
  ///   - before: what the other cards show at first; nil: `model`.
  private func rebuild(
    _ model: StageModel, digits: Int, points: [String]? = nil, before: StageModel? = nil
  ) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    columns = []
    laidOutDigits = digits
    cards = cardCount(model, digits: digits)
    (period, parts) = (nil, [])
    shownPoints = points ?? self.points(shown, model)
    if isScoreboard { buildScoreboard(model, digits, before ?? model) } else { buildColumns(digits) }
    showNames()
    showDetails(before ?? model, at: context.scene.time, animated: false)
  }

  private func buildColumns(_ digits: Int) {
    let geometry = geometry(in: rect.size, digits: digits)
    let images = CardImages(metrics: geometry.metrics, theme: context.theme, digits: context.language)
    self.images = images
    // With more digits than the page was laid out for, the cards are smaller, so centre them.
    let top = (rect.midY - geometry.size.height / 2).rounded()
    for (index, points) in shownPoints.enumerated() {
      let row = index / geometry.columns
      let inRow = min(geometry.columns, shown.count - row * geometry.columns)
      let column = index % geometry.columns
      let x = left(ofColumn: isMirrored ? inRow - 1 - column : column, of: inRow, geometry)
      let y = top + geometry.periodHeight + Double(row) * (geometry.rowHeight + geometry.gapHeight)
      add(self.column(symbols(points), geometry, images, x: x, y: y))
    }
    hasTitles = geometry.nameHeight > 0
    if geometry.periodHeight > 0, !shown.isEmpty {
      let period = PeriodLine(
        box: Rect(x: rect.x, y: top, width: rect.width, height: geometry.periodHeight * 0.8),
        cap: geometry.smallCapHeight)
      layer.addSublayer(period.label.layer)
      self.period = period
    }
  }

  private func buildScoreboard(_ model: StageModel, _ digits: Int, _ before: StageModel) {
    let contents = contents(model, digits: digits)
    self.contents = contents
    var layout = MatchLayout(contents, in: rect.size, page: context.page)
    layout.place(in: rect, isMirrored: isMirrored)
    self.layout = layout
    let images = CardImages(
      metrics: layout.scale.scoreMetrics, theme: context.theme, digits: context.language)
    self.images = images
    parts =
      MatchViews(
        layout: layout, context: context, motion: settings.motion, clock: settings.clock,
        match: ShownMatch(teams: shown, model: before)
      ).make()
    for part in parts { layer.addSublayer(part.layer) }
    for (index, points) in shownPoints.enumerated() {
      if let column = column(symbols(points), layout, images, index) { add(column) }
    }
    let frame = WinnerFrame(layout, theme: context.theme)
    layer.addSublayer(frame.layer)
    parts.append(frame)
    hasTitles = layout.contents.hasNames
  }

  private func add(_ column: Column) {
    layer.addSublayer(column.board.layer)
    layer.addSublayer(column.title.layer)
    if let details = column.details { layer.addSublayer(details.layer) }
    columns.append(column)
  }

  private var hasTitles = false

  /// Shows either long or short names for all teams. A name that would be cut is replaced by a part of it or
  /// by an abbreviation.
  private func showNames() {
    guard hasTitles else { return }
    let isShort = zip(shown, columns).contains { team, column in
      team.shortName != nil && !column.title.hasRoom(for: team.name)
    }
    let names = Scoreboard.Team.shownNames(of: shown, isShort: isShort, in: context.language)
    for (index, (team, column)) in zip(shown, columns).enumerated() {
      column.title.show(names[index], color: context.color(of: team))
    }
  }

  // MARK: Details

  private func showDetails(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let scoreboard = model.scoreboard
    let match = ShownMatch(teams: shown, model: model)
    for (index, (team, column)) in zip(shown, columns).enumerated() {
      column.details?.show(index, match)
      let serves = scoreboard.serving == team.id && contents?.isOver != true
      column.title.showServing(serves, animated: animated)
    }
    for part in parts { part.show(match, at: time, animated: animated) }
    guard let period else { return }
    let words = context.language.digits(in: scoreboard.periodText)
    guard words != period.label.text else { return }
    period.label.show(words, style: context.theme.labelStyle(cap: period.cap), in: period.box)
  }

  func symbols(_ points: String) -> [CardSymbol] {
    let text = points.map { CardSymbol($0) }
    let filler: CardSymbol = settings.leadingZero ? "0" : ""
    return Array(repeating: filler, count: max(cards - text.count, 0)) + text
  }

  // MARK: Changes

  func isRearranged(by model: StageModel) -> Bool {
    let digits = digits(for: model)
    return digits != laidOutDigits || contents.map { $0 != self.contents(model, digits: digits) } ?? false
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let teams = settings.teams(of: model)
    let digits = digits(for: model)
    if teams.map(\.id) != shown.map(\.id) {
      shown = teams
      rebuild(model, digits: digits)
      return
    }
    // After adding or removing cards, first show the previous scores, then flip to the new ones.
    if isRearranged(by: model) {
      let cards = cardCount(model, digits: digits)
      let isFitting = shownPoints.allSatisfy { $0.count <= cards }
      rebuild(
        model, digits: digits, points: isFitting ? shownPoints : self.points(teams, model), before: self.model
      )
    }
    let isRenamed = zip(teams, shown).contains { team, before in
      team.name != before.name || team.shortName != before.shortName || team.color != before.color
    }
    shown = teams
    shownPoints = points(teams, model)
    for (points, column) in zip(shownPoints, columns) {
      column.board.show(symbols(points), at: time, animated: animated)
    }
    if isRenamed { showNames() }
    showDetails(model, at: time, animated: animated)
  }

  func nextChange(after instant: Instant) -> Instant? {
    guard let model else { return nil }
    let match = ShownMatch(teams: shown, model: model)
    return parts.compactMap { $0.nextChange(match, after: instant) }.min()
  }

  /// Draws the cards of each score plus one, because scores usually rise by one. Drops all cards but these
  /// and the shown ones. If cards pass through all symbols, draws all digits instead.
  func prepare(after model: StageModel) -> Bool {
    guard let images else { return false }
    if parts.contains(where: { $0.prepare(after: model) }) { return true }
    guard settings.motion.symbols != .through else { return images.prepareDigit() }
    let coming = shown.map { team in
      let next = symbols(pointsAfterOne(team, model.scoreboard))
      return next.count == cards ? next : symbols(model.scoreboard.pointsText(of: team))
    }
    let kept = shownPoints.flatMap { symbols($0) }
    return images.prepare(shown: kept, coming: Array(coming.joined())) {
      for (column, symbols) in zip(columns, coming) { column.board.prepare(symbols) }
    }
  }

  private func pointsAfterOne(_ team: Scoreboard.Team, _ scoreboard: Scoreboard) -> String {
    var team = team
    team.score = min(team.score, Scoreboard.scores.upperBound - 1) + 1
    return scoreboard.pointsText(of: team)
  }
}
