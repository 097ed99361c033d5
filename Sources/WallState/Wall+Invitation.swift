// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Walls

/// Where phones find flipclock-web.
package struct RemoteAddress: Hashable, Sendable {
  /// As the host of a URL: an IPv6 address is in brackets.
  package var host: String
  /// The same, for people to type.
  package var readable: String
  package var port: Int

  package init(host: String, readable: String, port: Int) {
    self.host = host
    self.readable = readable
    self.port = port
  }
}

/// The invitation with which phones are paired.
extension Wall {
  /// The open invitation, and its address.
  package var invitation: (invitation: Invitation, address: RemoteAddress)? {
    invitations.open.map { ($0, invitationAddress) }
  }

  /// Shows an invitation, and lights the displays while it is open.
  package mutating func invite(
    _ invitation: Invitation, at address: RemoteAddress, now: Moment, _ effects: inout Effects
  ) -> ChangeReply {
    advance(to: now, &effects)
    relight { $0.invitations.open(invitation) }
    invitationAddress = address
    return .invited(
      InvitationReply(
        address: "\(address.readable):\(address.port)", codes: invitation.codes.typed,
        milliseconds: Int(Invitation.duration / 1_000_000)))
  }

  /// Uses up the invitation, and returns the role of the phone.
  package mutating func redeem(
    _ secret: String, now: Moment, _ effects: inout Effects
  ) throws(ControlError) -> RemoteRole {
    advance(to: now, &effects)
    do throws(ControlError) {
      var invitations = invitations
      defer { relight { $0.invitations = invitations } }
      let role = try invitations.redeem(secret, at: now.clock)
      effects.notes.append("a phone was paired as \(role.rawValue)")
      return role
    } catch {
      if let line = refused.line(error.message, at: now.clock) { effects.notes.append(line) }
      throw error
    }
  }
}
