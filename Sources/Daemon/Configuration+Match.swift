// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

extension Configuration {
  var scoreboardTeams: [Scoreboard.Team] {
    teams.map { Scoreboard.Team(id: $0.id, name: $0.name, shortName: $0.shortName, color: $0.color) }
  }

  var gameRules: GameRules { GameRules(game) }

  /// A match in which nothing has happened.
  var newMatch: Match {
    var match = Match(Scoreboard(teams: []))
    match.adopt(scoreboardTeams, rules: gameRules, at: 0)
    return match
  }
}

extension StateDocument {
  /// The match under this config, with its clocks as `resume` says.
  func resumed(by configuration: Configuration, at now: Moment = .now) -> Match {
    resumed(
      configuration.scoreboardTeams, rules: configuration.gameRules, at: now,
      runs: configuration.game.resume == .running)
  }
}
