// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import LinuxSystem
import Settings
import Widgets

/// The card with which phones are paired, and the timer that takes it away.
final class ShownInvitation {
  /// Called after the card is shown, changed or removed.
  var changed: () -> Void = {}

  private var invitations = Invitations()
  private var refused = RefusedAttempts()
  private var address: RemoteAddress?
  private let timer: LoopTimer
  private var generator = SystemRandomNumberGenerator()

  init(on loop: EventLoop) throws(SystemError) {
    timer = try MatchTime.timer(on: loop)
    timer.handler = { [weak self] _ in _ = self?.close() }
  }

  /// What to show over the page.
  var notice: InvitationNotice? {
    guard let invitation = invitations.open, let address else { return nil }
    return InvitationNotice(
      url: "http://\(address.host):\(address.port)/pair#\(invitation.secret)",
      address: "\(address.readable):\(address.port)", code: invitation.code,
      isForScorer: invitation.role == .scorer, ends: invitation.ends)
  }

  var isOpen: Bool { invitations.open != nil }

  func invite(_ role: RemoteRole, at address: RemoteAddress) -> InvitationReply {
    let invitation = invitations.invite(role, at: MatchTime.now, &generator)
    self.address = address
    timer.arm(at: ClockTime(totalNanoseconds: invitation.ends))
    changed()
    return InvitationReply(
      address: "\(address.readable):\(address.port)", code: invitation.code,
      milliseconds: Int(Invitation.duration / 1_000_000))
  }

  /// Returns false if there was no invitation.
  func close() -> Bool {
    guard invitations.close() else { return false }
    timer.disarm()
    changed()
    return true
  }

  func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    let role = try invitations.redeem(secret, at: MatchTime.now, &generator)
    changed()
    return role
  }

  /// What to log about an attempt that was refused; nil: nothing.
  func line(about error: ControlError) -> String? { refused.line(error.message, at: MatchTime.now) }
}

/// Where phones find flipclock-web.
struct RemoteAddress: Hashable {
  /// As the host of a URL: an IPv6 address is in brackets.
  var host: String
  /// The same for people to type.
  var readable: String
  var port: Int

  /// The address that the config has, or that of the machine. Fails if the machine has none, or if nothing listens on
  /// the port.
  static func find(_ settings: RemoteSettings) throws(ControlError) -> RemoteAddress {
    if let address = settings.address {
      let host = address.contains(":") ? "[\(address)]" : address
      return RemoteAddress(host: host, readable: host, port: settings.port)
    }
    let tables = ["tcp", "tcp6"].map { text("/proc/self/net/\($0)") }
    guard ListeningPorts.contains(settings.port, in: tables) else { throw .noRemote(port: settings.port) }
    let addresses: [NetworkAddress]
    do throws(SystemError) { addresses = try NetworkAddress.all() } catch { throw .failed("\(error)") }
    guard let address = NetworkAddress.reachable(addresses, routes: text("/proc/self/net/route")) else {
      throw .noAddress
    }
    // Avahi publishes the host's name in the local network.
    let isPublished = access("/run/avahi-daemon/socket", F_OK) == 0
    return RemoteAddress(
      host: address.host, readable: isPublished ? "\(HostName.current).local" : address.host,
      port: settings.port)
  }

  private static func text(_ path: String) -> String {
    guard let bytes = try? readFile(path, limit: 1 << 20) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
