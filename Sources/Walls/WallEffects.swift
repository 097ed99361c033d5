// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A moment on both clocks, in nanoseconds.
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

/// What the owner of a `WallMember` is to do after a call.
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
    /// A person must confirm the takeover: the leader was not heard since then; nil: it was never heard, or
    /// this wall was not following.
    case unconfirmed(since: Int64?)
    /// This wall has never received the match.
    case neverReceived
  }

  /// To be sent in this order, after the save if `saves` is set.
  package var messages: [Outgoing] = []
  /// Whether the member and the match are to be saved.
  package var saves = false
  /// Whether the match was replaced, and when it is to be shown; nil: now.
  package var adopts = false
  package var showAt: Int64?
  /// Matches to keep on the disk.
  package var asides: [SetAside] = []
  /// Matches that need not be kept any more: their changes are in the present match, or too many were set
  /// aside.
  package var contained: [SharedHistory] = []
  /// Commands of other walls for this wall to perform.
  package var requests: [Request] = []
  /// The leader's answers to commands of this wall, by the ids of the commands.
  package var answers: [String: String] = [:]
  /// The ids of this wall's commands that the leader has not answered in time.
  package var unanswered: [String] = []
  package var takeover: TakeoverResult?
  /// Lines for the log.
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
