// SPDX-License-Identifier: Apache-2.0

/// A kind of code that people type to pair a phone, if they cannot scan the QR code. A new case is drawn,
/// shown, accepted and limited like the others.
package enum PairingCode: CaseIterable, Hashable, Sendable {
  /// Six digits. The first case, because `ShowPairing` promises six digits in `code`.
  case digits

  package var example: String {
    switch self {
    case .digits: "123456"
    }
  }

  fileprivate func draw(_ generator: inout some RandomNumberGenerator) -> String {
    switch self {
    case .digits: String((0..<6).map { _ in Character("\(Int.random(in: 0..<10, using: &generator))") })
    }
  }

  /// A code as people read it: digits in two groups, `123 456`.
  package static func shown(_ code: String) -> String {
    code.allSatisfy(\.isNumber) ? "\(code.prefix(3)) \(code.dropFirst(3))" : code
  }
}

/// What pairs a phone: the secret in the QR code, and a code of each kind that people type.
package struct PairingCodes: Hashable, Sendable {
  private static let secretLength = 22

  /// 132 random bits as 22 characters of base64url (RFC 4648 §5).
  package let secret: String
  /// A code for each case of `PairingCode`, in their order.
  package let typed: [String]

  package init(_ generator: inout some RandomNumberGenerator) {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    secret = String((0..<Self.secretLength).map { _ in digits[Int.random(in: 0..<64, using: &generator)] })
    typed = PairingCode.allCases.map { $0.draw(&generator) }
  }

  private init(secret: String, typed: [String]) {
    (self.secret, self.typed) = (secret, typed)
  }

  /// For pictures and tests.
  package static let example = PairingCodes(
    secret: "flipclock-flipclock-fl", typed: PairingCode.allCases.map(\.example))

  /// Whether a text can be guessed, so that tries must be limited: it is shorter than the secret.
  package static func canBeGuessed(_ text: String) -> Bool { text.utf8.count < secretLength }

  /// Whether `text` is one of the codes. Of the texts that cannot be guessed, only the secret is accepted.
  package func accept(_ text: String) -> Bool {
    // All are compared, so that the time does not depend on which one was tried.
    let isTyped = typed.map { Self.isEqual(text, $0) }.contains(true)
    let isSecret = Self.isEqual(text, secret)
    return Self.canBeGuessed(text) ? isTyped : isSecret
  }

  /// Compares in a time that depends only on the lengths.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
