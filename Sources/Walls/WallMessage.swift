// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard

/// A message between walls that share a match: JSON. Instants are CLOCK_BOOTTIME of the sender, in
/// nanoseconds.
package struct WallMessage: Hashable, Sendable, Codable {
  /// How long after a change all walls show it, in nanoseconds. A message needs less in a local network.
  package static let lead: Int64 = 150_000_000
  /// The largest message, in bytes.
  package static let limit = 48 * 1024
  /// The version of this format. Version 1 was used before release 0.2 and had only states.
  package static let version = 2

  package enum Kind: String, Hashable, Sendable, Codable {
    /// The leader's match. The broker keeps the last one.
    case state
    /// The match of a wall that does not lead, for the one that does.
    case offer
    /// Shows that the leader runs, or that a wall leads soon if it hears of no leader.
    case beat
    /// Asks for the match.
    case ask
    /// A follower's question for the leader's clock, and the answer.
    case ping
    case pong
    /// A follower asks the leader to hand the lead over. The leader's answer is its last state.
    case handover
    /// Declines the last state of a handover because it came too late: the old leader goes on.
    case decline
    /// A follower's command, and the leader's answer.
    case request
    case answer
  }

  package var kind: Kind
  /// The sender's name, and the random number of its process. Walls with copied memory cards have the same
  /// name.
  package var from: String
  package var process: UInt32
  /// The name of the wall for which it is; nil: for all.
  package var to: String?
  /// When it was sent.
  package var sent: Int64
  /// The same moment, as CLOCK_REALTIME.
  package var realtime: Int64
  /// Whether the sender's config says that it leads, or, in a handover, that of a wall that the sender has
  /// heard; nil: no.
  package var leads: Bool?
  /// The history of the sender's match. A beat without it comes from a wall that does not lead yet.
  package var history: SharedHistory?
  /// Whether that match has ever been changed.
  package var hasContent = false
  package var board: SharedMatch?
  /// When walls show the state; nil: when it arrives.
  package var showAt: Int64?
  /// The id of a handover, a request or an answer.
  package var id: String?
  package var request: Request?
  package var answer: String?
  /// An instant of the receiver's clock: when it sent the ping, or when the handover was asked for.
  package var peerTime: Int64?
  /// When the ping arrived.
  package var received: Int64?
  private var version = Self.version

  /// A command in the form of a Varlink call.
  package struct Request: Codable, Hashable, Sendable {
    package var method: String
    package var parameters: String
    /// When it was given, by the leader's clock as the follower knows it.
    package var time: Int64
    /// The match must have this revision; nil: any.
    package var revision: Int?

    package init(method: String, parameters: String, time: Int64, revision: Int? = nil) {
      self.method = method
      self.parameters = parameters
      self.time = time
      self.revision = revision
    }
  }

  package init(
    _ kind: Kind, from: String, process: UInt32, to: String? = nil, sent: Int64, realtime: Int64 = 0
  ) {
    self.kind = kind
    self.from = from
    self.process = process
    self.to = to
    self.sent = sent
    self.realtime = realtime
  }

  package var text: String? { try? JSONValue(encoding: self).text }

  /// Why a message was refused.
  package struct Malformed: Error, Hashable, Sendable {
    package var reason: String
  }

  package init(reading text: String) throws(Malformed) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else {
      throw Malformed(reason: "it has \(bytes.count) bytes, more than \(Self.limit)")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(bytes) } catch {
      throw Malformed(reason: "it is not JSON: \(error)")
    }
    guard let version = value["version"]?.integer else { throw Malformed(reason: "it is not from a wall") }
    guard version == Self.version else {
      throw Malformed(
        reason: "it has version \(version) of the walls' format, and this program uses version "
          + "\(Self.version); install the same release on all walls")
    }
    guard let message = try? value.decoded(as: WallMessage.self), message.isSound else {
      throw Malformed(reason: "a value is missing or out of range")
    }
    self = message
  }

  private var isSound: Bool {
    MatchStamp.isName(from) && history?.isSound ?? true && (1...96).contains(id?.utf8.count ?? 1)
  }
}
