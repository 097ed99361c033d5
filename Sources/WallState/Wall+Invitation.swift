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

  /// For pictures.
  package static let example = RemoteAddress(host: "192.168.1.20", readable: "192.168.1.20", port: 8080)
}

/// What the displays show for people with a phone: at least one of the two. A phone is paired after it has
/// joined the network.
package struct PhoneNotice: Hashable, Sendable {
  /// How a phone is paired.
  package enum Pairing: Hashable, Sendable {
    case invitation(Invitation, at: RemoteAddress)
    /// The offer for an owner's phone; without an address, there is only that of the access point's page.
    case offer(PairingCodes, at: RemoteAddress?)
  }

  /// The state of the machine's network.
  package var network: NetworkNotice?
  package var pairing: Pairing?
}

/// The invitation with which phones are paired.
extension Wall {
  /// A message replaces what stays.
  package var phoneNotice: PhoneNotice? {
    if let (invitation, address) = invitation {
      // A phone may have to join the access point before it can use the invitation.
      let network = network?.notice
      return PhoneNotice(
        network: network?.accessPoint == nil ? nil : network, pairing: .invitation(invitation, at: address))
    }
    if message?.since != nil { return nil }
    let offer = wantsSetUp ? setUpOffer : nil
    if network == nil, offer?.address == nil { return nil }
    return PhoneNotice(
      network: network?.notice, pairing: offer.map { .offer($0.codes, at: $0.address) })
  }

  /// Whether an owner's phone is to be paired with an offer that is always shown: while there is no owner, if
  /// the config says so, and while the machine's access point is open. The pages have another address there,
  /// to which the phone of an owner does not send its cookie.
  package var wantsSetUp: Bool {
    network?.notice.accessPoint != nil || configuration.remote.showsSetUp && !hasOwner
  }

  /// Shows an offer to pair an owner's phone, or another one in its place, while `wantsSetUp`. Does not light
  /// the displays.
  package mutating func offer(_ offer: SetUpOffer, now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    setUpOffer = offer
  }

  /// Handles the number of owners that flipclock-web reports.
  package mutating func reportOwners(_ count: Int, now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    guard hasOwner != (count > 0) else { return }
    hasOwner = count > 0
    setUpOffer = nil
    effects.saves = true
  }

  /// How long it is shown that a network was joined, in nanoseconds.
  static let joinedSpan: Int64 = 15_000_000_000

  /// Shows the state of the network; nil: none is shown.
  package mutating func reportNetwork(_ notice: NetworkNotice?, now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    network = notice.map { ($0, $0.phase == .joined ? now.clock + Self.joinedSpan : nil) }
    // The codes of an access point that was closed must not be valid at the next one.
    if !wantsSetUp { setUpOffer = nil }
  }

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
        milliseconds: Int((invitation.ends - now.clock) / 1_000_000)))
  }

  /// Uses up the invitation, and returns the role of the phone.
  package mutating func redeem(
    _ secret: String, now: Moment, _ effects: inout Effects
  ) throws(ControlError) -> RemoteRole {
    advance(to: now, &effects)
    do throws(ControlError) {
      var invitations = invitations
      let hadInvitation = invitations.open != nil
      defer { relight { $0.invitations = invitations } }
      let role = try invitations.redeem(
        secret, at: now.clock, orFirst: wantsSetUp ? setUpOffer?.codes : nil)
      if !hadInvitation { setUpOffer = nil }
      // flipclock-web reports the owners when it has stored this one.
      if role == .owner {
        hasOwner = true
        effects.saves = true
      }
      effects.notes.append("a phone was paired as \(role.rawValue)")
      return role
    } catch {
      if let line = refused.line(error.message, at: now.clock) { effects.notes.append(line) }
      throw error
    }
  }
}
