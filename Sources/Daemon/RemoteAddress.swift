// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Settings
import WallState

extension RemoteAddress {
  /// The address in the config, else the machine's. If the config has none, fails if the machine has no
  /// address either, or if nothing listens on the port.
  static func find(_ settings: RemoteSettings) throws(ControlError) -> RemoteAddress {
    if let address = settings.address {
      let host = address.contains(":") ? "[\(address)]" : address
      return RemoteAddress(host: host, readable: host, port: settings.port)
    }
    let tables = ["tcp", "tcp6"].map { text("/proc/self/net/\($0)") }
    guard ListeningPorts.contains(settings.port, in: tables) else { throw .noRemote(port: settings.port) }
    let addresses: [NetworkAddress]
    do throws(SystemError) { addresses = try NetworkAddress.all() } catch {
      throw .failed(reason: "\(error)")
    }
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
