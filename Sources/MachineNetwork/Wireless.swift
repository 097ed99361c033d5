// SPDX-License-Identifier: Apache-2.0

/// A Wi-Fi network that the radio has found.
package struct Wireless: Hashable, Sendable {
  /// What a device must know to join a network.
  package enum Security: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case open
    /// A password, for WPA or WPA2.
    case wpa
    /// A password, for WPA3 only.
    case wpa3
    /// Something that cannot be entered here: a user's name and certificate, or a WEP key.
    case other
  }

  package var name: NetworkName
  /// 0 … 100.
  package var strength: Int
  package var security: Security

  package init(name: NetworkName, strength: Int, security: Security) {
    self.name = name
    self.strength = strength
    self.security = security
  }

  /// One entry for each name, with the strongest of its access points, strongest first.
  package static func list(_ found: [Wireless]) -> [Wireless] {
    var best: [NetworkName: Wireless] = [:]
    for network in found {
      guard let known = best[network.name] else {
        best[network.name] = network
        continue
      }
      if (network.strength, network.security.rawValue) > (known.strength, known.security.rawValue) {
        best[network.name] = network
      }
    }
    return best.values.sorted {
      $0.strength != $1.strength ? $0.strength > $1.strength : $0.name.text < $1.name.text
    }
  }
}

/// The password of a Wi-Fi network: 8 to 63 bytes of text, or the key itself, as 64 hexadecimal digits. Its
/// description is not the password, so that it cannot be logged by mistake.
package struct WirelessPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// For NetworkManager.
  package let secret: String

  package init?(_ text: String) {
    let bytes = text.utf8
    let isText = (8...63).contains(bytes.count) && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    let isKey = bytes.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isText || isKey else { return nil }
    secret = text
  }

  package var description: String { "(a password)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What somebody asks for: join this network.
package struct JoinRequest: Hashable, Sendable {
  package var network: NetworkName
  /// Nil: an open network.
  package var password: WirelessPassword?

  package init(network: NetworkName, password: WirelessPassword?) {
    self.network = network
    self.password = password
  }
}
