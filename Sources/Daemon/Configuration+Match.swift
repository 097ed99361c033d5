// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Scoreboard
import Settings

extension StateDocument {
  /// The match under this config, with its clocks as `resume` says.
  func resumed(by configuration: Configuration, at now: Moment = .now) -> Match {
    resumed(
      configuration.scoreboardTeams, rules: configuration.game.rules, at: now,
      runs: configuration.game.resume == .running)
  }
}
