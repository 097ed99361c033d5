// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls

/// An invitation to pair one phone with one of its codes. Instants are match times.
package struct Invitation: Hashable, Sendable {
  /// How long it is valid, in nanoseconds.
  package static let duration: Int64 = 120_000_000_000
  /// The maximum number of wrong guesses within `failureSpan`, which is in nanoseconds.
  static let failureLimit = 5
  static let failureSpan: Int64 = 60_000_000_000

  package let role: RemoteRole
  package let ends: Int64
  package let codes: PairingCodes

  package init(role: RemoteRole, at now: Int64, _ codes: PairingCodes) {
    self.role = role
    ends = now + Self.duration
    self.codes = codes
  }
}

/// The open invitation, and the wrong guesses. The guesses outlast the invitation, so that a new invitation
/// does not allow further guesses. A client that guesses can keep others from typing codes, but not from
/// using the secret.
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

  /// Accepts one of the codes, and closes the invitation. Returns the role of the phone that is paired.
  mutating func redeem(_ text: String, at now: Int64) throws(ControlError) -> RemoteRole {
    failures.removeAll { now - $0 >= Invitation.failureSpan }
    guard let invitation = open, now < invitation.ends else { throw .pairingRefused(.noInvitation) }
    let canBeGuessed = PairingCodes.canBeGuessed(text)
    if canBeGuessed, failures.count >= Invitation.failureLimit { throw .pairingRefused(.tooManyTries) }
    guard invitation.codes.accept(text) else {
      if canBeGuessed { failures.append(now) }
      throw .pairingRefused(.wrongCode)
    }
    open = nil
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
