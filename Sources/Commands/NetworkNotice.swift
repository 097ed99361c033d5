// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// What the wall shows about the machine's network: the interface's type `NetworkNotice`.
package struct NetworkNotice: Codable, Hashable, Sendable {
  package enum Phase: String, Codable, CaseIterable, Hashable, Sendable {
    /// The machine has opened an access point.
    case accessPoint = "access_point"
    case joining
    case joined
    case failed
  }

  /// Why a network was not joined.
  package enum Problem: String, Codable, CaseIterable, Hashable, Sendable {
    case wrongPassword = "wrong_password"
    case notFound = "not_found"
    case noAddress = "no_address"
    case failed
  }

  /// The machine's own access point.
  package struct AccessPoint: Codable, Hashable, Sendable {
    package var name: String
    /// That of WPA2: 8 to 63 characters of ASCII without small letters, because many typefaces for displays
    /// have only capitals.
    package var password: String
    /// The page to open on a phone that has joined it: `http://10.42.0.1/`.
    package var url: String

    package init(name: String, password: String, url: String) {
      (self.name, self.password, self.url) = (name, password, url)
    }

    /// The content of a QR code with which a phone joins it. The format is that of ZXing ("Barcode Contents",
    /// <https://github.com/zxing/zxing/wiki/Barcode-Contents>), which the cameras of phones read.
    package var code: String { "WIFI:T:WPA;S:\(Self.escaped(name));P:\(Self.escaped(password));;" }

    /// Puts a backslash before each character that has a meaning in the format, and quotes around a text that
    /// could be read as hexadecimal digits.
    private static func escaped(_ text: String) -> String {
      var result = ""
      for character in text {
        if "\\;,\":".contains(character) { result.append("\\") }
        result.append(character)
      }
      let isHexadecimal = text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
      }
      return isHexadecimal ? "\"\(result)\"" : result
    }
  }

  package var phase: Phase
  /// The network that is joined, or that was tried.
  package var network: String?
  package var problem: Problem?
  package var accessPoint: AccessPoint?

  package init(
    _ phase: Phase, network: String? = nil, problem: Problem? = nil, accessPoint: AccessPoint? = nil
  ) {
    (self.phase, self.network, self.problem, self.accessPoint) = (phase, network, problem, accessPoint)
  }

  /// Whether it has what its phase needs, and can be shown.
  package var isSound: Bool {
    // The name may have escapes for bytes that are not text.
    if let network, !Self.isName(network, bytes: 128) { return false }
    if let accessPoint {
      let length = accessPoint.password.utf8.count
      guard Self.isName(accessPoint.name, bytes: 32), (8...63).contains(length), accessPoint.password.isPlain,
        !accessPoint.password.utf8.contains(where: { (0x61...0x7a).contains($0) }),
        accessPoint.url.hasPrefix("http://"), accessPoint.url.utf8.count <= 80, accessPoint.url.isPlain
      else { return false }
    }
    switch phase {
    case .accessPoint: return accessPoint != nil && (network == nil) == (problem == nil)
    case .joining, .joined: return network != nil && problem == nil && accessPoint == nil
    case .failed: return network != nil && problem != nil && accessPoint == nil
    }
  }

  /// A name has up to 32 bytes (IEEE 802.11).
  private static func isName(_ text: String, bytes limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && ShownText.problem(in: text, maximum: limit) == nil
  }
}

extension String {
  /// Whether all characters are printable ASCII.
  fileprivate var isPlain: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
