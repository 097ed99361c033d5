// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Scoreboard
import Settings

extension StateDocument {
  /// The match with the teams and rules of this config. Its clocks are paused or continue as `resume` in `[game]`
  /// specifies.
  func resumed(by configuration: Configuration, at now: Moment = .now) -> Match {
    resumed(
      configuration.scoreboardTeams, rules: configuration.game.rules, at: now,
      runs: configuration.game.resume == .running)
  }
}
