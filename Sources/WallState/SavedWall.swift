// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Walls

/// What a wall keeps across restarts. Instants of the match are match times.
package struct SavedWall: Hashable, Sendable {
  /// This wall's own match, or the shared one if this wall keeps no other.
  package var match: Match
  /// The page that was last set by command or reached by rotation; nil: the first one.
  package var page: String?
  /// The break in which a page was set by command.
  package var overruledBreak: GameBreak.Kind?
  /// What was set by command; the light is not kept.
  package var holds = Holds()
  /// The commands that were performed.
  package var performed = PerformedCommands()
  /// The texts that were pushed to boards.
  package var boards: [String: PushedEntry] = [:]
  package var countdowns: [String: SavedCountdown] = [:]
  /// This wall's part in a match that several walls share; nil: it has never had one.
  package var shared: SavedPart?
  package var finished = FinishedMatches()
  /// Whether a phone is paired as owner.
  package var hasOwner = false

  package init(_ match: Match) { self.match = match }
}

/// What a wall keeps of its part in a match that several walls share.
package struct SavedPart: Codable, Hashable, Sendable {
  package var member: WallMember.Saved
  /// Whether the config said that this wall leads when this was saved.
  package var isConfiguredLeader: Bool
  /// The shared match, while this wall keeps its own match beside it; nil: `SavedWall.match` is the shared
  /// one. Instants are CLOCK_REALTIME.
  package var followed: SharedMatch?
}
