// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Remotes

/// A request about the machine's network and clock, which flipclock-host sets.
package enum SetupRequest: Hashable, Sendable {
  /// The texts of the page.
  case words
  /// What the network does now.
  case state
  /// The wireless networks.
  case networks
  /// Has the machine try a wireless network.
  case join(NetworkChoice)
  /// Sets the machine's time, if nothing has confirmed it.
  case time(PhoneTime)
  /// Sets whether the machine opens an access point when the network has been away for ten minutes; only for
  /// owners, and not on the access point.
  case fallback(Bool)
}

/// The addresses of the page for the network, over the access point and elsewhere.
enum SetupPath: String {
  case page = "/setup"
  case words = "/setup.json"
  case state = "/network.json"
  case networks = "/networks.json"
  case join = "/network"
  case time = "/time"
}

/// A text that is written nowhere by mistake: not in a log, and not in a failed test.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A wireless network to try.
package struct NetworkChoice: Hashable, Sendable {
  /// Its name, in which bytes that are not text are escaped, as flipclock-host does.
  package var network: String
  /// Nil: the network is open.
  package var password: Secret?
  /// Where the machine is: two capital letters (ISO 3166-1), on which the allowed channels depend. Nil: as it
  /// is.
  package var country: String?
}

extension NetworkChoice {
  /// The longest name: 32 bytes, each written as four characters.
  private static let nameBytes = 128

  /// Reads `{"network": "Home", "password": "…", "country": "CH"}`. No error contains a part of the body.
  init(reading json: String) throws(RequestRefusal) {
    let members = try SetupRequest.members(of: json, isOneOf: ["network", "password", "country"])
    guard let network = members["network"]?.string, (1...Self.nameBytes).contains(network.utf8.count)
    else {
      throw .badNetwork("network", "'network' is the name of a network, as in the list of networks.")
    }
    self.network = network
    switch members["password"] {
    case nil, .null, .string(""): break
    case .string(let text):
      let isKey = text.utf8.count == 64 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      let isPhrase =
        (8...63).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard isKey || isPhrase else {
        throw .badNetwork(
          "password", "'password' has 8 to 63 bytes, or 64 hexadecimal digits.")
      }
      password = Secret(text)
    default: throw .badNetwork("password", "'password' is a text.")
    }
    switch members["country"] {
    case nil, .null, .string(""): break
    case .string(let text)
    where text.utf8.count == 2
      && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }:
      country = text
    default: throw .badNetwork("country", "'country' is two capital letters, such as CH.")
    }
  }
}

/// The time of a phone.
package struct PhoneTime: Hashable, Sendable {
  /// Milliseconds since 1970, at the moment `clock`.
  package var time: Int64
  /// Milliseconds on this machine's CLOCK_BOOTTIME.
  package var clock: Int64
  /// The phone's time zone, such as `Europe/Zurich`; nil: unknown.
  package var zone: String?

  /// The beginnings of 2026 and of 2100.
  private static let times: Range<Int64> = 1_767_225_600_000..<4_102_444_800_000
  /// How old the time may be, in milliseconds.
  private static let oldest: Int64 = 30_000

  /// Reads `{"time": 1795651200000, "clock": 52310, "zone": "Europe/Zurich"}`.
  init(reading json: String) throws(RequestRefusal) {
    let members = try SetupRequest.members(of: json, isOneOf: ["time", "clock", "zone"])
    guard let time = members["time"]?.integer, let clock = members["clock"]?.integer,
      Self.times.contains(Int64(time)), (0...Int64.max / 1_000_000).contains(Int64(clock))
    else {
      throw RequestRefusal(
        400, "'time' is a time from 2026 on and 'clock' this machine's clock, in milliseconds.")
    }
    (self.time, self.clock) = (Int64(time), Int64(clock))
    switch members["zone"] {
    case nil, .null: break
    case .string(let text) where (1...64).contains(text.utf8.count): zone = text
    default: throw RequestRefusal(400, "'zone' is the name of a time zone.")
    }
  }

  /// The time at a later moment, in microseconds since 1970. Nil if too much time has passed, or less than
  /// none.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package func microseconds(at now: Int64) -> Int64? {
    let passed = now - clock * 1_000_000
    // The phone's estimate of the clock may be ahead of it.
    guard (-1_000_000_000...Self.oldest * 1_000_000).contains(passed) else { return nil }
    return time * 1_000 + passed / 1_000
  }
}

extension SetupRequest {
  /// Reads `{"allowed": true}`.
  static func permission(in json: String) throws(RequestRefusal) -> Bool {
    guard let isAllowed = try members(of: json, isOneOf: ["allowed"])["allowed"]?.bool else {
      throw RequestRefusal(400, "'allowed' is true or false.")
    }
    return isAllowed
  }

  /// The members of a JSON object that has no others than those with the given names.
  static func members(
    of json: String, isOneOf names: Set<String>
  ) throws(RequestRefusal) -> [String: JSONValue] {
    // The error of the reader could quote the body, and with it a password.
    guard let value = try? JSONReader.read(Array(json.utf8)), let members = value.object,
      Set(members.keys).isSubset(of: names)
    else {
      throw RequestRefusal(
        400,
        "The body is not a JSON object with no other members than \(names.sorted().joined(separator: ", ")).")
    }
    return members
  }
}

extension RequestRefusal {
  /// A network cannot be tried because of one of the fields of the request.
  static func badNetwork(_ field: String, _ message: String) -> RequestRefusal {
    var refusal = RequestRefusal(400, message)
    refusal.cause = HostInterface.error("BadNetwork", ["field": .string(field)])
    return refusal
  }
}
