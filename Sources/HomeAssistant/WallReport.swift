// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Scoreboard

/// What is known of a wall.
package struct WallReport: Hashable, Sendable {
  package var match: MatchState
  /// When the match was received, in nanoseconds of CLOCK_BOOTTIME: its timers show that moment.
  package var matchInstant: Int64
  package var display: DisplayState
  /// The same for the display, whose countdowns show that moment.
  package var displayInstant: Int64
  /// Nil: the daemon has not reported it.
  package var health: Health?

  package init(
    match: MatchState, matchInstant: Int64, display: DisplayState, displayInstant: Int64? = nil,
    health: Health? = nil
  ) {
    self.displayInstant = displayInstant ?? matchInstant
    self.match = match
    self.matchInstant = matchInstant
    self.display = display
    self.health = health
  }

  /// The teams, at most 16, whose id can be a part of a topic.
  var teams: [MatchState.Team] { match.teams.prefix(16).filter { EntityTopics.isLevel($0.id) } }

  /// The boards, at most 16, whose name can be a part of a topic.
  var boards: [BoardState] { display.boards.prefix(16).filter { EntityTopics.isLevel($0.name) } }

  /// The countdowns.
  var countdowns: [CountdownState] { display.countdowns.filter { EntityTopics.isLevel($0.name) } }

  /// Whether a point can win a set.
  var hasWinningPoints: Bool { match.scoring == GameRules.Scoring.sets.rawValue && match.countsDown == false }
  /// The names of the breaks of the game.
  var breaks: [String] { GameBreak.Kind.names.filter { match.breaks?[$0] != nil } }

  /// The game clock and the shot clock, if the game has them.
  var timers: [(object: String, timer: MatchState.Timer)] {
    [("clock", "game"), ("shot_clock", "shot")].compactMap { object, id in
      match.timers[id].map { (object, $0) }
    }
  }
}
