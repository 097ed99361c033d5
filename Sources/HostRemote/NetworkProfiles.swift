// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import SystemBus

/// The profiles that flipclock-host makes, as arguments of NetworkManager's `AddAndActivateConnection2`
/// (nm-settings-dbus(5)).
enum NetworkProfiles {
  /// The address of the machine on its access point, and the length of the network's prefix.
  static let address = "10.42.0.1"
  static let prefix = 24

  typealias Sections = [String: [String: BusValue]]

  /// WPA2, with the addresses, the names and the way to other networks from NetworkManager (`shared`).
  static func accessPoint(_ identity: AccessPointIdentity, uuid: String) -> BusValue {
    settings([
      "connection": connection("flipclock access point", uuid, isAutomatic: false),
      "802-11-wireless": [
        "ssid": .bytes(Array(identity.name.utf8)), "mode": .string("ap"), "band": .string("bg"),
        // Without one, NetworkManager may choose channel 12 or 13, where a radio that does not know its
        // country must not send.
        "channel": .uint32(channel(of: identity)),
      ],
      "802-11-wireless-security": [
        "key-mgmt": .string("wpa-psk"), "psk": .string(identity.password.secret),
        "proto": strings(["rsn"]), "pairwise": strings(["ccmp"]), "group": strings(["ccmp"]),
        // Management frame protection is switched off, because drivers announce it that cannot do it.
        "pmf": .int32(1),
      ],
      "ipv4": [
        "method": .string("shared"),
        "address-data": .array(
          element: "a{sv}",
          [.properties(["address": .string(address), "prefix": .uint32(UInt32(prefix))])]),
      ],
      "ipv6": ["method": .string("disabled")],
      "user": mark(.accessPoint),
    ])
  }

  /// One of the three channels that do not overlap, different for different machines.
  static func channel(of identity: AccessPointIdentity) -> UInt32 {
    [1, 6, 11][identity.name.utf8.reduce(0) { $0 + Int($1) } % 3]
  }

  /// A network that somebody has chosen.
  static func network(
    _ request: JoinRequest, _ security: Wireless.Security, isHidden: Bool, uuid: String
  ) -> BusValue {
    var sections: Sections = [
      "connection": connection("flipclock \(request.network.text)", uuid, isAutomatic: true),
      "802-11-wireless": [
        "ssid": .bytes(request.network.bytes), "mode": .string("infrastructure"),
        "hidden": .boolean(isHidden),
      ],
      "ipv4": ["method": .string("auto")],
      "ipv6": ["method": .string("auto")],
      "user": mark(.network),
    ]
    if let password = request.password {
      sections["802-11-wireless-security"] = [
        "key-mgmt": .string(security == .wpa3 ? "sae" : "wpa-psk"), "psk": .string(password.secret),
      ]
    }
    return settings(sections)
  }

  private static func connection(
    _ name: String, _ uuid: String, isAutomatic: Bool
  ) -> [String: BusValue] {
    var values: [String: BusValue] = [
      "id": .string(name), "uuid": .string(uuid), "type": .string("802-11-wireless"),
      "autoconnect": .boolean(isAutomatic),
    ]
    // 0: NetworkManager does not stop after four failures.
    if isAutomatic { values["autoconnect-retries"] = .int32(0) }
    return values
  }

  private static func mark(_ mark: NetworkObjects.Mark) -> [String: BusValue] {
    [
      "data": .dictionary(
        key: "s", value: "s", [BusValue.Entry(.string(NetworkObjects.mark), .string(mark.rawValue))])
    ]
  }

  private static func strings(_ values: [String]) -> BusValue {
    .array(element: "s", values.map { .string($0) })
  }

  private static func settings(_ sections: Sections) -> BusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      sections.sorted { $0.key < $1.key }.map { BusValue.Entry(.string($0.key), .properties($0.value)) })
  }
}
