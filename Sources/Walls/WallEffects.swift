// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// The present on both clocks, in nanoseconds.
package struct Moment: Codable, Hashable, Sendable {
  /// CLOCK_BOOTTIME.
  package var clock: Int64
  /// CLOCK_REALTIME.
  package var realtime: Int64

  private enum CodingKeys: String, CodingKey {
    case clock
    case realtime = "wall"
  }

  package init(clock: Int64, realtime: Int64) {
    self.clock = clock
    self.realtime = realtime
  }
}

/// What a wall is to do.
package struct WallEffects: Hashable, Sendable {
  package struct Outgoing: Hashable, Sendable {
    package var message: WallMessage
    /// Whether the broker keeps it.
    package var isRetained = false
  }

  /// A match that was replaced by another.
  package struct SetAside: Hashable, Sendable {
    package var history: SharedHistory
    package var held: HeldMatch
  }

  package enum TakeoverResult: Hashable, Sendable {
    case led
    case alreadyLeads
    /// A person is to confirm it: the leader was not heard since then; nil: never.
    case unconfirmed(since: Int64?)
    /// This wall has never received the match.
    case neverReceived
  }

  /// Sent in this order, when `saves` is done.
  package var messages: [Outgoing] = []
  /// Whether the member and the match are to be saved.
  package var saves = false
  /// Whether the match was replaced, and when it is to be shown; nil: now.
  package var adopts = false
  package var showAt: Int64?
  /// To be kept on the disk.
  package var asides: [SetAside] = []
  /// No longer to be kept: their changes are in the present match.
  package var contained: [SharedHistory] = []
  /// Commands of other walls, with their ids and the wall that waits for the answer.
  package var requests: [Request] = []
  /// Answers to commands that this wall has sent to the leader.
  package var answers: [String: String] = [:]
  /// Commands whose answer did not come.
  package var unanswered: [String] = []
  package var takeover: TakeoverResult?
  /// For the log.
  package var notes: [String] = []

  package struct Request: Hashable, Sendable {
    package var id: String
    package var from: String
    package var request: WallMessage.Request
  }

  package init() {}

  package mutating func send(_ message: WallMessage, isRetained: Bool = false) {
    messages.append(Outgoing(message: message, isRetained: isRetained))
  }
}
