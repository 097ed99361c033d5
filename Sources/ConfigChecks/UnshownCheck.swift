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
    // A scoreboard has everything, unless the config switches it off.
    guard let score = scores.first?.0, !scores.contains(where: { $0.1.style == .scoreboard }) else {
      return []
    }
    let timers = Set(widgets.compactMap { ($0.content as? TimerSettings)?.source })
    let rules = configuration.game.rules
    var missing: [String] = []
    if let game = rules.game, game.length > 0, !timers.contains(.gameClock) { missing.append("game clock") }
    if rules.shot != nil, !timers.contains(.shotClock) { missing.append("shot clock") }
    if !rules.penalties.isEmpty { missing.append("penalties") }
    guard !missing.isEmpty else { return [] }
    return [
      SettingsChecks.Finding(
        .key(["game"]), "no page shows what this game has: \(missing.joined(separator: ", "))",
        hint: "write style = \"scoreboard\" in [widgets.\(score)]"
          + (missing == ["penalties"] ? "" : ", or add widgets of the type \"timer\""))
    ]
  }
}
