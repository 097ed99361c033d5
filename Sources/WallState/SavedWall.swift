// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Walls

/// What a wall keeps across restarts. Instants of the match are match times.
package struct SavedWall: Hashable, Sendable {
  /// This wall's own match, or the shared one if this wall keeps no other.
  package var match: Match
  /// The match that `match` has replaced, and that comes back with its game; nil: none.
  package var replaced: ReplacedMatch?
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

/// A match that another one has replaced because the config has another game. While nothing has happened in
/// the new one, the match comes back when the config has its game again.
package struct ReplacedMatch: Hashable, Sendable {
  /// Its timers are paused.
  package var match: Match
  /// Under which id it was set aside; nil: it was finished, and was not set aside.
  package var id: String?
  /// The number of the game that has replaced it (`Scoreboard.game`).
  package var next: Int64

  package init(match: Match, id: String?, next: Int64) {
    self.match = match
    self.id = id
    self.next = next
  }

  /// Whether `match` is the one that has replaced it, and nothing has happened in that.
  func isBehind(_ match: Match) -> Bool { match.isUntouched && match.scoreboard.game == next }
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
