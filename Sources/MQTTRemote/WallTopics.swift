// SPDX-License-Identifier: Apache-2.0

/// The topics of a wall that shares a match with others.
struct WallTopics: Hashable {
  let board: String
  /// This wall's name among them.
  let wall: String

  /// The leader's last state, retained.
  var state: String { topic("state") }
  /// Messages for all walls.
  var all: String { topic("all") }

  /// Messages for one wall.
  func to(_ wall: String) -> String { topic("to/\(wall)") }

  var filters: [String] { [state, all, to(wall)] }

  func contains(_ topic: String) -> Bool { topic.hasPrefix(prefix) }

  private var prefix: String { "flipclock/\(board)/walls/" }

  private func topic(_ name: String) -> String { prefix + name }
}
