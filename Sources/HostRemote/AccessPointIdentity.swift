// SPDX-License-Identifier: Apache-2.0

import MachineNetwork

/// The name and the password of the machine's access point. They are drawn once, and stay the same, so that
/// phones that know them join again.
struct AccessPointIdentity: Hashable, Sendable {
  let name: String
  let password: WirelessPassword

  /// Without characters that look like others, and without small letters, which many typefaces of displays
  /// do not have.
  private static let letters = Array("ABCDEFGHJKMNPQRSTUVWXYZ23456789")
  /// 59 bits. Whoever records how a phone joins can try passwords without being near.
  private static let length = 12

  /// Nil if the password cannot be one.
  init?(name: String, password: String) {
    guard NetworkName(text: name) != nil, let password = WirelessPassword(password) else { return nil }
    self.name = name
    self.password = password
  }

  static func random() -> AccessPointIdentity {
    while true {
      let suffix = (0..<4).compactMap { _ in letters.randomElement() }
      let password = (0..<length).compactMap { _ in letters.randomElement() }
      if let made = AccessPointIdentity(name: "FLIPCLOCK-\(String(suffix))", password: String(password)) {
        return made
      }
    }
  }
}
