// SPDX-License-Identifier: Apache-2.0

/// The topics of a board that several walls share.
struct WallTopics: Hashable {
  let board: String

  /// Retained: the leader's last state.
  var state: String { topic("state") }
  /// Retained: the topic of the leader's availability.
  var leader: String { topic("leader") }
  /// A follower's command.
  var request: String { topic("request") }
  /// Its result.
  var answer: String { topic("answer") }
  /// A follower asks the leader to send its state again.
  var refresh: String { topic("refresh") }
  /// A follower's state, which is later than that of the leader.
  var offer: String { topic("offer") }

  func contains(_ topic: String) -> Bool { topic.hasPrefix(prefix) }

  private var prefix: String { "flipclock/\(board)/walls/" }

  private func topic(_ name: String) -> String { prefix + name }
}
