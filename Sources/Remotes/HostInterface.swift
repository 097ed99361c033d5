// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import Varlink
import VarlinkSockets

/// The interface org.flipclock.Host of flipclock-host, which sets the machine's network and clock.
/// `Sources/HostRemote` serves it; flipclock-web, flipclockctl and keys of the config call it.
package enum HostInterface {
  package static let name = "org.flipclock.Host"

  /// The sockets to try, in order, as in `SocketPath`.
  package static func candidates(
    option: String? = nil, environment: (String) -> String?
  ) -> [String] {
    SocketPath.candidates(
      option: option, variable: "FLIPCLOCK_HOST_SOCKET", directory: "flipclock-host", environment: environment
    )
  }

  package static func call(_ method: String, _ parameters: [String: JSONValue] = [:]) -> VarlinkCall {
    VarlinkCall(method: "\(name).\(method)", parameters: parameters)
  }

  package static func error(_ error: String, _ parameters: [String: JSONValue] = [:]) -> VarlinkError {
    VarlinkError(name: "\(name).\(error)", parameters: parameters)
  }

  /// The interface's type `Wireless`.
  package struct Wireless: Codable, Hashable, Sendable {
    package var name: String
    package var strength: Int
    package var security: String

    package init(name: String, strength: Int, security: String) {
      (self.name, self.strength, self.security) = (name, strength, security)
    }
  }

  /// The interface's type `State`.
  package struct State: Codable, Hashable, Sendable {
    package var phase: String
    package var network: String?
    package var accessPoint: String?
    package var address: String?
    package var problem: String?
    package var failed: String?
    package var country: String?
    package var fallback: Bool
    package var hasWireless: Bool
    package var wirelessOff: Bool
    package var wirelessTaken: Bool
    package var timeConfirmed: Bool

    package init(
      phase: String, network: String?, accessPoint: String?, address: String?, problem: String?,
      failed: String?, country: String?, fallback: Bool, hasWireless: Bool, wirelessOff: Bool,
      wirelessTaken: Bool, timeConfirmed: Bool
    ) {
      (self.phase, self.network, self.accessPoint) = (phase, network, accessPoint)
      (self.address, self.problem, self.failed) = (address, problem, failed)
      (self.country, self.fallback) = (country, fallback)
      (self.hasWireless, self.wirelessOff) = (hasWireless, wirelessOff)
      (self.wirelessTaken, self.timeConfirmed) = (wirelessTaken, timeConfirmed)
    }

    private enum CodingKeys: String, CodingKey {
      case phase, network, address, problem, failed, country, fallback
      case accessPoint = "access_point"
      case hasWireless = "has_wireless"
      case wirelessOff = "wireless_off"
      case wirelessTaken = "wireless_taken"
      case timeConfirmed = "time_confirmed"
    }
  }

  package enum Failure: DeclaredErrors {
    package static let interfaceName = HostInterface.name

    case badNetwork(field: String, reason: String)
    case noWireless
    case busy
    case timeIsKnown
    case failed(operation: String, reason: String)

    /// One line for people.
    package var message: String {
      switch self {
      case .badNetwork(let field, let reason): "'\(field)': \(reason)"
      case .noWireless: "this machine has no Wi-Fi that can be used"
      case .busy: "a network is being tried"
      case .timeIsKnown: "the time is known, so it is not set"
      case .failed(let operation, let reason): "\(operation) failed: \(reason)"
      }
    }
  }

  /// What failed, for people.
  package static func message(_ error: VarlinkClientError) -> String {
    error.message(calling: "flipclock-host", startedBy: "flipclock-host") { Failure(reading: $0)?.message }
  }
}

extension HostRequest {
  package var call: VarlinkCall {
    switch self {
    case .state: HostInterface.call("GetState")
    case .openAccessPoint: HostInterface.call("OpenAccessPoint")
    case .closeAccessPoint: HostInterface.call("CloseAccessPoint")
    case .forgetNetworks: HostInterface.call("ForgetNetworks")
    case .allowFallback(let isAllowed): HostInterface.call("SetFallback", ["allowed": .bool(isAllowed)])
    }
  }

  /// Has flipclock-host perform the request, and describes the result.
  ///
  /// - Parameters:
  ///   - candidates: the sockets to try (`HostInterface.candidates`).
  ///   - json: output for machines: one line of JSON.
  package func run(candidates: [String], json: Bool) -> CommandResult {
    do throws(VarlinkClientError) {
      var client = try VarlinkClient(candidates: candidates)
      let reply = try client.call(call)
      if json { return CommandResult((reply["state"] ?? .object(reply)).text + "\n") }
      switch self {
      case .state:
        guard let state = try? reply["state"]?.decoded(as: HostInterface.State.self) else {
          throw .malformedReply("it has no 'state'")
        }
        return CommandResult(state.lines.map { $0.printable + "\n" }.joined())
      case .openAccessPoint:
        return CommandResult("the access point opens; the display shows its password\n")
      case .closeAccessPoint: return CommandResult("the access point closes\n")
      case .forgetNetworks: return CommandResult("the networks are forgotten\n")
      case .allowFallback(let isAllowed): return CommandResult(HostInterface.fallback(isAllowed) + "\n")
      }
    } catch {
      var result = CommandResult(error)
      result.diagnostics = [HostInterface.message(error).printable]
      return result
    }
  }
}

extension HostInterface {
  fileprivate static func fallback(_ isAllowed: Bool) -> String {
    isAllowed
      ? "without a network for ten minutes: an access point is opened"
      : "without a network for ten minutes: no access point is opened"
  }
}

extension HostInterface.State {
  /// The state in words, a fact in each line. It has no passwords.
  package var lines: [String] {
    let place = address.map { ", address \($0)" } ?? ""
    let name = network.map { " '\($0)'" } ?? ""
    let first =
      switch phase {
      case "starting": "starting: no network yet"
      case "online": network == nil ? "online by cable\(place)" : "online in the network\(name)\(place)"
      case "offline": "offline: in no network"
      case "access_point": "the access point '\(accessPoint ?? "")' is open\(place)"
      case "joining": "tries the network\(name)"
      default: phase
      }
    var lines = [first]
    if let problem {
      let reason =
        switch problem {
        case "wrong_password": "the password is wrong"
        case "not_found": "it was not found"
        case "no_address": "it gave no address"
        default: "the connection failed"
        }
      lines.append("the network '\(failed ?? "")' was not joined: \(reason)")
    }
    if !hasWireless { lines.append("this machine has no Wi-Fi that can be used") }
    if wirelessOff { lines.append("the Wi-Fi is switched off; 'rfkill unblock wifi' switches it on") }
    if wirelessTaken {
      lines.append("another connection uses the Wi-Fi, so no access point is opened by itself")
    }
    lines.append(HostInterface.fallback(fallback))
    if let country { lines.append("country: \(country)") }
    if !timeConfirmed { lines.append("nothing has confirmed the time since the machine started") }
    return lines
  }
}
