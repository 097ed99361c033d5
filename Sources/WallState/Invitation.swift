// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls

/// An invitation to pair a phone: a secret in a QR code and six digits to type (`PairingCode`), each valid
/// for one phone. After a phone was paired, both are new, so that the next phone can be paired. Instants are
/// match times.
package struct Invitation: Hashable, Sendable {
  /// How long it is valid, in nanoseconds.
  package static let duration: Int64 = 120_000_000_000
  /// The maximum number of wrong codes of six digits within `failureSpan`, which is in nanoseconds.
  static let failureLimit = 5
  static let failureSpan: Int64 = 60_000_000_000

  package let role: RemoteRole
  package let ends: Int64
  /// 128 random bits as 22 characters of base64url (RFC 4648 §5).
  package private(set) var secret: String
  package private(set) var code: String

  package init(role: RemoteRole, at now: Int64, _ generator: inout some RandomNumberGenerator) {
    let (secret, code) = Self.draw(&generator)
    self.init(role: role, at: now, secret: secret, code: code)
  }

  package init(role: RemoteRole, at now: Int64, secret: String, code: String) {
    self.role = role
    ends = now + Self.duration
    self.secret = secret
    self.code = code
  }

  private static func draw(_ generator: inout some RandomNumberGenerator) -> (secret: String, code: String) {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let secret = String((0..<22).map { _ in digits[Int.random(in: 0..<64, using: &generator)] })
    let code = String(
      (0..<PairingCode.count).map { _ in digits[52 + Int.random(in: 0..<10, using: &generator)] })
    return (secret, code)
  }

  /// Whether `text` is the secret or the six digits. If it is, both are replaced.
  mutating func accept(_ text: String, _ generator: inout some RandomNumberGenerator) -> Bool {
    // Both are compared, so that the time does not depend on which one was tried.
    let isSecret = Self.isEqual(text, secret)
    let isCode = Self.isEqual(text, code)
    guard isSecret || isCode else { return false }
    (secret, code) = Self.draw(&generator)
    return true
  }

  /// Compares in a time that depends only on the lengths.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The open invitation, and the wrong digits that were tried. These attempts outlast the invitation, so that
/// a new invitation does not allow further guesses. A client that tries wrong digits can keep others from
/// using digits, but not from using the secret.
struct Invitations {
  private(set) var open: Invitation?
  private var failures: [Int64] = []

  /// Opens an invitation in place of the previous one.
  mutating func open(_ invitation: Invitation) { open = invitation }

  /// Ends the invitation; returns false if there was none.
  mutating func close() -> Bool {
    defer { open = nil }
    return open != nil
  }

  /// Uses up the secret or the six digits. Returns the role of the phone that they pair.
  mutating func redeem(
    _ text: String, at now: Int64, _ generator: inout some RandomNumberGenerator
  ) throws(ControlError) -> RemoteRole {
    failures.removeAll { now - $0 >= Invitation.failureSpan }
    guard var invitation = open, now < invitation.ends else { throw .pairingRefused(.noInvitation) }
    let isDigits = PairingCode.matches(text)
    if isDigits, failures.count >= Invitation.failureLimit { throw .pairingRefused(.tooManyTries) }
    guard invitation.accept(text, &generator) else {
      if isDigits { failures.append(now) }
      throw .pairingRefused(.wrongCode)
    }
    open = invitation
    return invitation.role
  }
}

/// Limits the log of refused attempts to a line a minute.
struct RefusedAttempts {
  private static let interval: Int64 = 60_000_000_000
  private var logged: Int64?
  private var more = 0

  /// The line for an attempt; nil if the attempt is only counted.
  mutating func line(_ reason: String, at now: Int64) -> String? {
    if let logged, now - logged < Self.interval {
      more += 1
      return nil
    }
    let others = more == 0 ? "" : " (and \(more) more since the last such line)"
    (logged, more) = (now, 0)
    return "a phone was not paired: \(reason)\(others)"
  }
}
