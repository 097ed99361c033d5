// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard

/// The table beneath the cards of a scoreboard: each row has its name in the middle and the teams' values at
/// the sides. Redraws only what changes.
final class MatchTable {
  let layer = Layer()
  private(set) var names: [Label] = []
  /// The cells of the left and the right team, row by row.
  private(set) var cells: [(left: MatchCell, right: MatchCell)] = []
  private var hasPenalties = false

  init(
    _ rows: [MatchRow], _ geometry: MatchGeometry, in rect: Rect, theme: Theme,
    language: Language = .english
  ) {
    let style = Self.style(rows, geometry, in: rect, theme)
    for (index, row) in rows.enumerated() {
      let place = geometry.row(index, in: rect)
      var (left, right) = (place.left, place.right)
      // Penalties are long, so on an upright page their row has no name.
      if row.name.isEmpty || (geometry.isUpright && row.isPenalties) {
        (left, right) = geometry.halves(index, in: rect)
      } else {
        let name = Label()
        let isLong = !Label.fits(row.name, style: style, width: place.name.width)
        name.show(isLong ? row.initials : row.name, style: style, in: place.name)
        layer.addSublayer(name.layer)
        names.append(name)
      }
      let pair = (
        left: MatchCell(row, in: left, cap: geometry.cap, theme: theme, language: language),
        right: MatchCell(row, in: right, cap: geometry.cap, theme: theme, language: language)
      )
      for cell in [pair.left, pair.right] { layer.addSublayer(cell.layer) }
      cells.append(pair)
      if row.isPenalties { hasPenalties = true }
    }
  }

  /// The style of the names, all in the size that fits the longest, but at least `leastScale` of the usual
  /// size.
  private static func style(
    _ rows: [MatchRow], _ geometry: MatchGeometry, in rect: Rect, _ theme: Theme
  ) -> Label.Style {
    var style = theme.labelStyle(cap: 0.9 * geometry.cap, narrowing: 2)
    let scale =
      rows.enumerated().map { index, row in
        geometry.row(index, in: rect).name.width / max(Label.width(of: row.name, style: style), 1)
      }.min() ?? 1
    style.capHeight *= min(max(scale, leastScale), 1)
    return style
  }

  private static let leastScale = 0.6

  /// - Parameter teams: from left to right.
  func show(_ teams: [Scoreboard.Team], _ model: StageModel) {
    guard let left = teams.first, let right = teams.dropFirst().first else { return }
    for pair in cells {
      pair.left.show(left, model)
      pair.right.show(right, model)
    }
  }

  /// The next time, strictly after `instant`, at which a penalty shows another second.
  func nextChange(_ teams: [Scoreboard.Team], _ model: StageModel, after instant: Instant) -> Instant? {
    guard hasPenalties, let clock = model.clock(at: instant) else { return nil }
    return teams.flatMap { model.scoreboard.penalties(of: $0, at: clock) }.filter(\.isRunning)
      .map { instant.advanced(nanoseconds: ($0.left - 1) % 1_000_000_000 + 1) }.min()
  }
}

/// One team's value in a row of a scoreboard's table.
final class MatchCell {
  let layer = Layer()
  private(set) var text = ""
  private let row: MatchRow
  private let box: Rect
  private let cap: Double
  private let theme: Theme
  private let language: Language
  private let label: Label?
  private let counter: CounterLine?
  private let scores: TeamDetails?

  init(_ row: MatchRow, in box: Rect, cap: Double, theme: Theme, language: Language = .english) {
    self.row = row
    self.language = language
    self.box = box
    self.cap = cap
    self.theme = theme
    switch row {
    case .periodsWon, .games, .penalties:
      label = Label()
      (counter, scores) = (nil, nil)
    case .counter(let rule):
      counter = CounterLine(rule, .none, in: box, cap: 1.1 * cap, theme: theme, language: language)
      (label, scores) = (nil, nil)
    case .periodScores:
      var details = ScoreDetails.none
      details.hasSets = true
      // `TeamDetails` draws the figures slightly below the middle of its block, so the block is placed
      // higher.
      scores = TeamDetails(
        details, in: Rect(x: box.x, y: box.y - 0.45 * cap, width: box.width, height: box.height),
        cap: 0.95 * cap, theme: theme, language: language)
      (label, counter) = (nil, nil)
    }
    for part in [label?.layer, counter?.layer, scores?.layer].compactMap({ $0 }) { layer.addSublayer(part) }
  }

  func show(_ team: Scoreboard.Team, _ model: StageModel) {
    let scoreboard = model.scoreboard
    switch row {
    case .periodsWon: show(String(scoreboard.periodsWon(by: team)), cap: 1.2 * cap)
    case .games: show(String(team.games), cap: 1.2 * cap)
    case .penalties:
      let penalties = scoreboard.penalties(of: team, at: model.clock)
      func line(_ count: Int) -> String {
        let texts = penalties.prefix(count).map(Self.text).joined(separator: "   ")
        return penalties.count > count ? "\(texts) +\(penalties.count - count)" : texts
      }
      let hasRoom = Label.fits(line(2), style: theme.figureStyle(cap: 1.1 * cap), width: box.width)
      show(line(hasRoom ? 2 : 1), cap: 1.1 * cap)
    case .counter(let rule):
      text = String(team.counter(rule.id))
      counter?.show(team.counter(rule.id), of: scoreboard.limit(of: rule))
    case .periodScores: scores?.show(team, of: scoreboard)
    }
  }

  /// `#12 1:43`: the player's number and the time left.
  private static func text(_ penalty: Scoreboard.PenaltyReading) -> String {
    let seconds = (penalty.left + 999_999_999) / 1_000_000_000
    let time = "\(seconds / 60):\(padded(seconds % 60))"
    return penalty.number.map { "#\($0) \(time)" } ?? time
  }

  private func show(_ words: String, cap: Double) {
    guard words != text else { return }
    text = words
    label?.show(language.digits(in: words), style: theme.figureStyle(cap: cap), in: box)
  }
}
