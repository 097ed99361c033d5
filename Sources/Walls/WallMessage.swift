// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Varlink

/// A state as it is sent to other walls: JSON of about 2 KB. Instants are CLOCK_REALTIME of the sender, in nanoseconds.
package struct WallMessage: Hashable, Sendable, Codable {
  /// How long after a change the walls flip. A message needs less in a local network.
  package static let lead: Int64 = 150_000_000
  /// The largest message, in bytes.
  package static let limit = 32 * 1024
  /// The version of this format.
  private static let version = 1

  package var stamp: BoardStamp
  /// When the state was sent.
  package var sent: Int64
  /// When walls show it.
  package var showAt: Int64
  /// Whether the sender's clock is synchronized.
  package var isSynchronized: Bool
  package var state: SharedBoard
  private var version = Self.version

  package init(stamp: BoardStamp, sent: Int64, showAt: Int64, isSynchronized: Bool, state: SharedBoard) {
    self.stamp = stamp
    self.sent = sent
    self.showAt = showAt
    self.isSynchronized = isSynchronized
    self.state = state
  }

  package var text: String? { try? JSONValue(encoding: self).text }

  /// Why a message was refused.
  package struct Malformed: Error, Hashable, Sendable {
    package var reason: String
  }

  package init(reading text: String) throws(Malformed) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else { throw Malformed(reason: "it has \(bytes.count) bytes") }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(bytes) } catch {
      throw Malformed(reason: "it is not JSON: \(error)")
    }
    guard let version = value["version"]?.integer else { throw Malformed(reason: "it is not from a wall") }
    guard version == Self.version else {
      throw Malformed(reason: "it has version \(version); this program knows version \(Self.version)")
    }
    guard let message = try? value.decoded(as: WallMessage.self), message.stamp.isSound else {
      throw Malformed(reason: "a value is missing or out of range")
    }
    self = message
  }
}
