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
  private let sets: TextLines
  private var counters: [CounterLine] = []

  /// - Parameters:
  ///   - frame: the block's rectangle; its height is not used.
  ///   - cap: the cap height, in pixels.
  init(
    _ details: ScoreDetails, in frame: Rect, cap: Double, theme: Theme, language: Language = .english
  ) {
    self.language = language
    self.details = details
    self.frame = frame
    self.cap = cap
    self.theme = theme
    sets = TextLines(theme: theme)
    layer.addSublayer(sets.layer)
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

  func show(_ team: Int, _ match: ShownMatch) {
    guard let shown = match.teams.at(team) else { return }
    for line in counters {
      line.show(shown.counter(line.counter.id), of: match.scoreboard.limit(of: line.counter))
    }
    if details.hasSets { showSets(team, match) }
  }

  private func showSets(_ team: Int, _ match: ShownMatch) {
    let past = match.scoreboard.pastPeriods(of: match.teams, at: match.model.clock)
    let digits = max(TextLines.Line.digits(ofPastPoints: past), 2)
    let line = Rect(
      x: frame.x, y: frame.y + 0.3 * cap, width: frame.width, height: (ScoreDetails.setsHeight - 0.3) * cap)
    sets.show(
      TextLines.Line.pastPoints(
        of: team, in: past, rect: line, slot: (0.95 * Double(digits) + 1.2) * cap, cap: 1.1 * cap,
        theme: theme, language: language))
  }
}
