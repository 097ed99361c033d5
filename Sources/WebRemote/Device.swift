// SPDX-License-Identifier: Apache-2.0

import CNettle
import Commands
import Glibc
import JSON
import Remotes
import Varlink
import WebServer

/// A secret that a paired device has, and of which only the hash is stored.
package struct DeviceToken: Hashable, Sendable {
  /// 43 characters of base64 for URLs (RFC 4648 §5): 256 bits.
  package let text: String

  /// A new token. The numbers are from getrandom(2). It does not begin with a dash, because programs would
  /// take it for an option.
  package static func random() -> DeviceToken {
    var generator = SystemRandomNumberGenerator()
    while true {
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = Base64.text(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
      if text.first != "-" { return DeviceToken(text: String(text.prefix { $0 != "=" })) }
    }
  }

  private init(text: String) { self.text = text }

  /// Nil if the text cannot be a token.
  package init?(_ text: String) {
    guard text.utf8.count == 43, text.utf8.allSatisfy(Self.isTokenCharacter) else { return nil }
    self.text = text
  }

  static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  package var hash: TokenHash { TokenHash(of: Array(text.utf8)) }
}

/// The SHA-256 of a token.
package struct TokenHash: Hashable, Sendable {
  package let bytes: [UInt8]

  init(of message: [UInt8]) { bytes = sha256(message) }

  /// Reads 64 hexadecimal digits.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    bytes = (0..<32).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
  }

  package var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Compares in a time that does not depend on the bytes.
  func isEqual(to other: TokenHash) -> Bool {
    bytes.count == other.bytes.count && flipclock_equal(bytes, other.bytes, bytes.count) != 0
  }
}

/// The SHA-256 of a message, by Nettle.
func sha256(_ message: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: Int(FLIPCLOCK_SHA256_BYTES))
  flipclock_sha256(message, message.count, &digest)
  return digest
}

/// A paired device, or a program with a token.
package struct Device: Hashable, Sendable {
  /// Six characters, by which people name the device.
  package var id: String
  package var hash: TokenHash
  package var role: DeviceRole
  /// Whether it is a program with a token.
  package var isProgram: Bool
  /// The only board that it may set; nil: it is not restricted to one.
  package var board: String?
  /// The kind of device, such as `iPhone`, or the name that the program was given.
  package var name: String
  /// Seconds of CLOCK_REALTIME.
  package var paired: Int64
  package var seen: Int64
}

extension Device {
  /// What it may do on a page.
  var pageRole: RemoteRole {
    switch role {
    case .owner: .owner
    case .scorer: .scorer
    case .viewer, .board: .viewer
    }
  }

  /// Checks that it may make a change.
  func check(_ change: Change) throws(RequestRefusal) {
    switch (role, change) {
    case (.owner, _), (.scorer, _): return
    case (.board, .setBoard(let name, let text)):
      if text.showsPage { throw Self.refusal("set boards, but not change the page: leave out 'show'") }
      try check(board: name)
    case (.board, .clearBoard(let name)), (.board, .reportProblem(let name, _)): try check(board: name)
    case (.board, _): throw Self.refusal("only set and clear boards")
    case (.viewer, _): throw Self.refusal("watch, but not change anything")
    }
  }

  /// Checks that it may do what is on the page of settings.
  func checkOwner() throws(RequestRefusal) {
    guard role != .owner else { return }
    var refusal = RequestRefusal(
      403, "Only an owner's phone may do this. 'flipclockctl remote owner' pairs one.",
      logged: "a request for owners by another device")
    refusal.cause = Self.notOwner
    throw refusal
  }

  /// For pages that say it in their own language.
  static let notOwner = VarlinkError(name: "\(WebInterface.name).NotOwner")

  private func check(board name: String) throws(RequestRefusal) {
    if let board, board != name { throw Self.refusal("set only the board '\(board)'".printable) }
  }

  private static func refusal(_ permission: String) -> RequestRefusal {
    RequestRefusal(
      403,
      "This device may \(permission). 'flipclockctl remote' pairs a scorer, 'flipclockctl remote token' makes tokens.",
      logged: "a change by a device without permission")
  }

  /// The kind of device, from the header field `User-Agent`.
  package static func name(userAgent: String?) -> String {
    let agent = userAgent ?? ""
    return kinds.first { strstr(agent, $0.word) != nil }?.name ?? unknownKind
  }

  private static let kinds: [(word: String, name: String)] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"),
    ("Macintosh", "Mac"), ("Windows", "Windows"), ("Linux", "Linux"),
  ]
  private static let unknownKind = "unknown"

  /// Whether a name is that of a kind of device. Names of programs rarely are.
  static func isKind(_ name: String) -> Bool { name == unknownKind || kinds.contains { $0.name == name } }
}

/// By what a request shows that its sender is paired.
struct Credentials {
  /// The token of a program, in the header field `Authorization` (RFC 6750), else those in the cookies of a
  /// browser.
  let tokens: [DeviceToken]
  /// Whether `Authorization` says that it has a token. Other schemes, such as that of a proxy that asks for a
  /// password, are ignored.
  let isOfProgram: Bool

  init(of request: HTTPRequest) {
    let words = request.headers["authorization"]?.split(separator: " ") ?? []
    isOfProgram = words.first?.lowercased() == "bearer"
    tokens =
      isOfProgram
      ? (words.count == 2 ? [DeviceToken(String(words[1]))].compactMap { $0 } : [])
      : Cookies.tokens(request.headers["cookie"])
  }
}

/// The cookies of a request (RFC 6265).
package enum Cookies {
  package static let name = "flipclock"
  /// Seconds. Browsers keep a cookie for at most 400 days.
  private static let age = 400 * 86_400

  /// The tokens in the header field `Cookie`; at most four, because programs on other ports of this machine
  /// can set cookies of the same name.
  package static func tokens(_ header: String?) -> [DeviceToken] {
    guard let header else { return [] }
    let values = header.split(separator: ";").compactMap { pair -> DeviceToken? in
      let pair = pair.drop { $0 == " " }
      guard pair.hasPrefix("\(name)=") else { return nil }
      return DeviceToken(String(pair.dropFirst(name.count + 1)))
    }
    return Array(values.prefix(4))
  }

  /// The value of `Set-Cookie` that stores the token.
  ///
  /// - Parameter isSecure: whether the browser sends the token only over HTTPS.
  package static func setting(_ token: DeviceToken, isSecure: Bool) -> String {
    value(token.text, age: age, isSecure)
  }

  /// The value of `Set-Cookie` that removes a token that is not known any more.
  package static func removing(isSecure: Bool) -> String { value("", age: 0, isSecure) }

  private static func value(_ text: String, age: Int, _ isSecure: Bool) -> String {
    "\(name)=\(text); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(age)" + (isSecure ? "; Secure" : "")
  }
}
