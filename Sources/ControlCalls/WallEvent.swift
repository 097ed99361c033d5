// SPDX-License-Identifier: Apache-2.0

/// What a wall sends to the walls with which it shares a match: the interface's type `WallEvent`.
package struct WallEvent: Codable, Hashable, Sendable {
  /// The name of the shared match; nil: this wall shares none.
  package var board: String?
  /// This wall's name among them.
  package var wall: String?
  package var message: Message?

  package struct Message: Codable, Hashable, Sendable {
    /// One line of JSON.
    package var text: String
    /// The wall that it is for; nil: all.
    package var to: String?
    /// Whether the broker keeps it for walls that subscribe later.
    package var retained: Bool

    package init(text: String, to: String? = nil, retained: Bool = false) {
      self.text = text
      self.to = to
      self.retained = retained
    }
  }

  package init(board: String?, wall: String? = nil, message: Message? = nil) {
    self.board = board
    self.wall = wall
    self.message = message
  }
}

/// A wall's part in a shared match, for `status`.
package struct WallStatus: Encodable, Hashable, Sendable {
  package var board: String
  /// `leader`, `follower` or `candidate`.
  package var role: String
  /// Whether the other walls can be reached, and a change would be performed now, here or by the leader.
  package var reachable: Bool
  /// Whether the leader's clock is known, so that walls flip at the same moment.
  package var synchronized: Bool
  /// The leader's time of day minus this wall's, in milliseconds; nil: unknown.
  package var clockDifference: Int?
  /// How many matches are set aside because another wall led meanwhile.
  package var setAside: Int

  package init(
    board: String, role: String, reachable: Bool, synchronized: Bool, clockDifference: Int? = nil,
    setAside: Int = 0
  ) {
    self.board = board
    self.role = role
    self.reachable = reachable
    self.synchronized = synchronized
    self.clockDifference = clockDifference
    self.setAside = setAside
  }
}
