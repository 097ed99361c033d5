// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Scoreboard

/// The block beneath the cards of one team: its scores in the past periods and its counters, as dots or as
/// numbers. Redraws only what changes.
final class TeamDetails {
  let layer = Layer()

  private let theme: Theme
  private let language: Language
  private let details: ScoreDetails
  private let frame: Rect
  private let cap: Double
  private var sets: [Label] = []
  private var shownSets: [SetFigure] = []
  private var shownSlot = 0.0
  private var counters: [CounterLine] = []

  private struct SetFigure: Hashable {
    var text: String
    var isWon: Bool
  }

  /// - Parameters:
  ///   - frame: the block's rectangle; its height is not used.
  ///   - cap: the cap height, in pixels.
  init(
    _ details: ScoreDetails, in frame: Rect, cap: Double, theme: Theme, language: Language = .english
  ) {
    self.theme = theme
    self.language = language
    self.details = details
    self.frame = frame
    self.cap = cap
    let line = ScoreDetails.counterHeight * cap
    var y = frame.y + (details.hasSets ? ScoreDetails.setsHeight : ScoreDetails.air) * cap
    let naming = CounterLine.naming(details.counters, width: frame.width, cap: cap, theme: theme)
    for counter in details.counters {
      let box = Rect(x: frame.x, y: y, width: frame.width, height: line)
      let shown = CounterLine(counter, naming, in: box, cap: cap, theme: theme, language: language)
      counters.append(shown)
      layer.addSublayer(shown.layer)
      y += line
    }
  }

  func show(_ team: Scoreboard.Team, of scoreboard: Scoreboard) {
    for line in counters { line.show(team.counter(line.counter.id), of: scoreboard.limit(of: line.counter)) }
    if details.hasSets { showSets(team, scoreboard) }
  }

  private func showSets(_ team: Scoreboard.Team, _ scoreboard: Scoreboard) {
    let longest = scoreboard.teams.flatMap(\.periodScores).map { String($0).utf8.count }.max() ?? 1
    let slot = (0.95 * Double(max(longest, 2)) + 1.2) * cap
    let room = max(Int((frame.width / slot).rounded(.down)), 1)
    let first = max(team.periodScores.count - room, 0)
    let figures = team.periodScores.indices.dropFirst(first).map { period in
      SetFigure(
        text: language.digits(in: String(team.periodScores[period])),
        isWon: scoreboard.isPeriodWon(period, by: team))
    }
    // The width of a figure's slot depends on the other teams' scores too.
    guard figures != shownSets || slot != shownSlot else { return }
    shownSets = figures
    shownSlot = slot
    while sets.count > figures.count { sets.removeLast().layer.removeFromSuperlayer() }
    while sets.count < figures.count {
      let label = Label()
      layer.addSublayer(label.layer)
      sets.append(label)
    }
    let width = min(slot, frame.width)
    let left = frame.midX - width * Double(figures.count) / 2
    for (index, (figure, label)) in zip(figures, sets).enumerated() {
      var style = theme.figureStyle(cap: cap * 1.1)
      if !figure.isWon { style.color = theme.label }
      let box = Rect(
        x: left + Double(index) * width, y: frame.y + 0.3 * cap, width: width,
        height: (ScoreDetails.setsHeight - 0.3) * cap)
      label.show(figure.text, style: style, in: box)
    }
  }
}
