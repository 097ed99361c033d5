// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// Finds what a game has and none of the pages of a config shows.
package enum UnshownCheck {
  /// At most one finding, at the table `[game]`.
  package static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    let names = Set(configuration.allPages.flatMap { $0.layout.rows.joined() })
    let widgets = configuration.widgets.filter { names.contains($0.name) }
    let scores = widgets.compactMap { widget in (widget.content as? ScoreSettings).map { (widget.name, $0) } }
    guard let (name, score) = scores.first(where: { $0.1.style == .scoreboard }) ?? scores.first else {
      return []
    }
    let isPlain = score.style == .plain
    let hasClocks = scores.contains { $0.1.style == .scoreboard && $0.1.showClocks }
    let timers = Set(widgets.compactMap { ($0.content as? TimerSettings)?.source })
    let rules = configuration.game.rules
    let hasLength = rules.game.map { $0.length > 0 } ?? false
    let clocks: [(name: String, isInGame: Bool, timer: TimerSettings.Source)] = [
      ("game clock", hasLength, .gameClock), ("shot clock", rules.shot != nil, .shotClock),
      ("breaks", rules.breaks.hasLengths, .breakClock),
    ]
    let others: [(name: String, isInGame: Bool)] = [
      ("penalties", !rules.penalties.isEmpty), ("set and match points", rules.hasWinningPoints),
      ("the end of the match", rules.hasWinningScore || hasLength),
    ]
    let unshown = hasClocks ? [] : clocks.filter { $0.isInGame && !timers.contains($0.timer) }.map(\.name)
    let missing = unshown + (isPlain ? others.filter(\.isInGame).map(\.name) : [])
    guard !missing.isEmpty else { return [] }
    return [
      SettingsChecks.Finding(
        .key(["game"]), "no page shows what this game has: \(missing.joined(separator: ", "))",
        hint: "write \(isPlain ? "style = \"scoreboard\"" : "show-clocks = true") in [widgets.\(name)]"
          + (unshown.isEmpty ? "" : ", or add widgets of the type \"timer\""))
    ]
  }
}
