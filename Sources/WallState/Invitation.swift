// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls

/// An invitation to pair one phone with one of its codes, for a while. Instants are match times.
package struct Invitation: Hashable, Sendable {
  /// How long it is valid by default, in nanoseconds.
  package static let duration: Int64 = 120_000_000_000
  /// The maximum number of wrong guesses within `failureSpan`, which is in nanoseconds.
  static let failureLimit = 5
  static let failureSpan: Int64 = 60_000_000_000

  package let role: RemoteRole
  package let ends: Int64
  package let codes: PairingCodes

  /// - Parameter milliseconds: how long it is valid; nil: as long as by default.
  package init(role: RemoteRole, at now: Int64, for milliseconds: Int? = nil, _ codes: PairingCodes) {
    self.role = role
    ends = now + (milliseconds.map { Int64($0) * 1_000_000 } ?? Self.duration)
    self.codes = codes
  }
}

/// What pairs an owner's phone while there is no owner, or while the access point is open
/// (`Wall.wantsSetUp`). Unlike an invitation, it has no end of its own.
package struct SetUpOffer: Hashable, Sendable {
  package var codes: PairingCodes
  /// Nil: the machine has no address under which phones reach it.
  package var address: RemoteAddress?

  package init(_ codes: PairingCodes, at address: RemoteAddress?) {
    (self.codes, self.address) = (codes, address)
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
  ///
  /// - Parameter codes: those of the present `SetUpOffer`, which are accepted while no invitation is open.
  mutating func redeem(
    _ text: String, at now: Int64, orFirst codes: PairingCodes? = nil
  ) throws(ControlError) -> RemoteRole {
    failures.removeAll { now - $0 >= Invitation.failureSpan }
    let invitation = open.flatMap { now < $0.ends ? $0 : nil }
    guard let codes = invitation?.codes ?? codes else { throw .pairingRefused(.noInvitation) }
    let canBeGuessed = PairingCodes.canBeGuessed(text)
    if canBeGuessed, failures.count >= Invitation.failureLimit { throw .pairingRefused(.tooManyTries) }
    guard codes.accept(text) else {
      if canBeGuessed { failures.append(now) }
      throw .pairingRefused(.wrongCode)
    }
    open = nil
    return invitation?.role ?? .owner
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
