// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

extension Configuration {
  package var scoreboardTeams: [Scoreboard.Team] {
    teams.map { Scoreboard.Team(id: $0.id, name: $0.name, shortName: $0.shortName, color: $0.color) }
  }

  /// A match that has not begun.
  package var newMatch: Match {
    var match = Match(Scoreboard(teams: []))
    match.adopt(scoreboardTeams, rules: game.rules, at: 0)
    return match
  }
}
