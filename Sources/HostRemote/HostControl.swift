// SPDX-License-Identifier: Apache-2.0

import JSON
import LinuxSystem
import MachineNetwork
import Remotes
import Varlink
import VarlinkSockets

/// Serves the interface org.flipclock.Host.
final class HostControl: VarlinkInterface {
  private unowned let host: HostRemote
  private var watchers = StateWatchers<HostInterface.State>()

  init(_ host: HostRemote) { self.host = host }

  var name: String { HostInterface.name }
  var description: String { String(decoding: PackageResources.org_flipclock_Host_varlink, as: UTF8.self) }

  func perform(_ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void) {
    do throws(VarlinkError) {
      var parameters = ParameterReader(call)
      switch call.member {
      case "GetState": try watchers.answer(call, from: client, with: host.state, reply)
      case "Scan":
        try parameters.finish()
        host.scan { networks in
          do throws(VarlinkError) { reply(try Self.reply(networks)) } catch { reply(.failing(error)) }
        }
      case "Join":
        let network = try parameters.string("network")
        let password = try parameters.optionalString("password")
        let country = try parameters.optionalString("country")
        try parameters.finish()
        let request = try Self.request(network, password, country)
        try Self.refusing(call.member) { () throws(NetworkSetup.Refusal) in
          try host.join(request, country: country)
        }
        reply(.returning([:]))
      case "OpenAccessPoint":
        try parameters.finish()
        try Self.refusing(call.member, host.openAccessPoint)
        reply(.returning([:]))
      case "Use":
        try parameters.finish()
        host.use()
        reply(.returning([:]))
      case "CloseAccessPoint":
        try parameters.finish()
        try Self.refusing(call.member, host.closeAccessPoint)
        reply(.returning([:]))
      case "ForgetNetworks":
        try parameters.finish()
        try Self.refusing(call.member, host.forgetNetworks)
        reply(.returning([:]))
      case "SetFallback":
        let isAllowed = try parameters.boolean("allowed")
        try parameters.finish()
        host.allowFallback(isAllowed)
        reply(.returning([:]))
      case "SetTime":
        let microseconds = Int64(try parameters.integer("microseconds"))
        try parameters.finish()
        guard HostClock.plausible.contains(microseconds / 1_000_000) else {
          throw .invalidParameter("microseconds")
        }
        try setTime(microseconds)
        reply(.returning([:]))
      default: throw .methodNotFound(call.method)
      }
    } catch {
      reply(.failing(error))
    }
  }

  func forget(client: UInt64) { watchers.forget(client: client) }

  func stateChanged() { watchers.send(host.state) }

  // MARK: Values

  static func request(
    _ network: String, _ password: String?, _ country: String?
  ) throws(VarlinkError) -> JoinRequest {
    func bad(_ field: String, _ reason: String) -> VarlinkError {
      VarlinkError(HostInterface.Failure.badNetwork(field: field, reason: reason))
    }
    guard let name = NetworkName(text: network) else {
      throw bad("network", "a name has 1 to \(NetworkName.limit) bytes")
    }
    if let country, !HostState.isCountry(country) {
      throw bad("country", "a country is two capital letters, such as DE")
    }
    guard let password, !password.isEmpty else { return JoinRequest(network: name, password: nil) }
    guard let secret = WirelessPassword(password) else {
      throw bad("password", "a password has 8 to 63 characters, or is a key of 64 hexadecimal digits")
    }
    return JoinRequest(network: name, password: secret)
  }

  private static func refusing(
    _ operation: String, _ body: () throws(NetworkSetup.Refusal) -> Void
  ) throws(VarlinkError) {
    do throws(NetworkSetup.Refusal) { try body() } catch {
      let failure: HostInterface.Failure =
        switch error {
        case .noWireless: .noWireless
        case .busy: .busy
        case .notRunning: .failed(operation: operation, reason: "NetworkManager does not run")
        case .unsupportedSecurity:
          .badNetwork(field: "network", reason: "it needs more than a password, which cannot be entered here")
        case .passwordMissing: .badNetwork(field: "password", reason: "the network needs a password")
        }
      throw VarlinkError(failure)
    }
  }

  private func setTime(_ microseconds: Int64) throws(VarlinkError) {
    guard !host.isTimeConfirmed else { throw VarlinkError(HostInterface.Failure.timeIsKnown) }
    do throws(SystemError) { try host.setTime(microseconds) } catch {
      throw VarlinkError(HostInterface.Failure.failed(operation: "SetTime", reason: "\(error)"))
    }
  }

  private static func reply(_ networks: [Wireless]) throws(VarlinkError) -> VarlinkReply {
    let list = networks.map {
      HostInterface.Wireless(
        name: $0.name.text, strength: $0.strength,
        security: ($0.security == .wpa3 ? .wpa : $0.security).rawValue)
    }
    guard let value = try? JSONValue(encoding: list) else { throw .invalidParameter("networks") }
    return .returning(["networks": value])
  }
}
