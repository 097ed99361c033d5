// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import SystemBus

/// NetworkManager's objects as it reports them on D-Bus, and what they mean.
///
/// Values of another type than documented count as missing, so that no message can end the program.
struct NetworkObjects: Hashable, Sendable {
  typealias Properties = [String: BusValue]

  static let service = "org.freedesktop.NetworkManager"
  static let activeConnection = "\(service).Connection.Active"
  static let settingsConnection = "\(service).Settings.Connection"
  /// The key in a profile's `user` data that marks the profiles of flipclock-host, with `Mark` as its value.
  static let mark = "org.flipclock.Host"

  enum Mark: String {
    case network
    case accessPoint = "access-point"
  }

  /// How activations have failed on a device, and why the last one did (NMDeviceStateReason).
  struct Failures: Hashable, Sendable {
    var count = 0
    var reason = 0
  }

  /// The properties of each interface of each object.
  private(set) var objects: [String: [String: Properties]] = [:]
  /// The settings of profiles, as `GetSettings` returns them: without secrets.
  private(set) var settings: [String: Properties] = [:]
  private(set) var failures: [String: Failures] = [:]
  /// The profiles whose connection somebody has ended; NetworkManager does not activate them by itself.
  private(set) var putDown: Set<String> = []

  /// A limit against a service that is not NetworkManager.
  static let limit = 4096

  // MARK: Changes

  /// The reply of `GetManagedObjects`.
  init(_ reply: [BusValue] = []) {
    for (path, interfaces) in reply.first?.members ?? [:] { add(path, interfaces) }
  }

  /// The signal `InterfacesAdded`.
  mutating func add(_ path: String, _ interfaces: BusValue) {
    guard objects.count < Self.limit || objects[path] != nil else { return }
    for (interface, properties) in interfaces.members ?? [:] {
      objects[path, default: [:]][interface] = properties.members ?? [:]
    }
  }

  /// The signal `InterfacesRemoved`.
  mutating func remove(_ path: String, _ interfaces: [String]) {
    for interface in interfaces { objects[path]?[interface] = nil }
    if objects[path]?.isEmpty ?? true {
      objects[path] = nil
      settings[path] = nil
      failures[path] = nil
      putDown.remove(path)
    }
  }

  /// The signal `PropertiesChanged`.
  mutating func change(_ path: String, _ interface: String, _ changed: BusValue) {
    guard objects[path]?[interface] != nil else { return }
    for (name, value) in changed.members ?? [:] { objects[path]?[interface]?[name] = value }
  }

  /// The signal `StateChanged` of a device.
  mutating func deviceChanged(_ path: String, to state: Int, reason: Int) {
    guard objects[path] != nil else { return }
    if state == 120 { failures[path] = Failures(count: (failures[path]?.count ?? 0) + 1, reason: reason) }
    let active = all(Self.activeConnection).map(\.properties).filter { connection in
      connection["Devices"]?.elements?.contains { $0.text == path } ?? false
    }
    let profiles = active.compactMap { $0["Connection"]?.text }.filter { objects[$0] != nil }
    // Deactivating, for NM_DEVICE_STATE_REASON_USER_REQUESTED. The reason of the active connection is only
    // that of its device.
    if state == 110, reason == 39 { putDown.formUnion(profiles) }
    if (40...100).contains(state) { putDown.subtract(profiles) }
  }

  /// The reply of `GetSettings`.
  mutating func learn(_ path: String, _ reply: [BusValue]) {
    guard objects[path] != nil else { return }
    settings[path] = (reply.first?.members ?? [:]).filter {
      ["connection", "802-11-wireless", "user"].contains($0.key)
    }
  }

  /// The profiles whose settings are not known.
  var unknownProfiles: [String] {
    objects.filter { $0.value[Self.settingsConnection] != nil && settings[$0.key] == nil }.keys.sorted()
  }

  // MARK: Meaning

  private func properties(_ path: String?, _ interface: String) -> Properties {
    path.flatMap { objects[$0]?[interface] } ?? [:]
  }

  /// The objects with an interface and its properties, in the order of their paths.
  private func all(_ interface: String) -> [(path: String, properties: Properties)] {
    objects.compactMap { path, interfaces in interfaces[interface].map { (path, $0) } }
      .sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }

  /// - Parameter isRunning: whether the objects are complete.
  func facts(isRunning: Bool) -> NetworkFacts {
    var facts = NetworkFacts()
    guard isRunning else { return facts }
    facts.isRunning = true
    let manager = properties("/org/freedesktop/NetworkManager", Self.service)
    facts.isStarting = manager["Startup"]?.bool ?? false
    let switches = ["WirelessEnabled", "WirelessHardwareEnabled"]
    facts.isWirelessOff = switches.contains { manager[$0]?.bool == false }
    facts.devices = all("\(Self.service).Device").map { device($0.path, $0.properties) }
    facts.profiles = all(Self.settingsConnection).compactMap { profile($0.path, $0.properties) }
    facts.connections = all(Self.activeConnection).compactMap { connection($0.path, $0.properties) }
    facts.networks = Wireless.list(
      all("\(Self.service).Device.Wireless").flatMap { _, radio in
        (radio["AccessPoints"]?.elements ?? []).compactMap { network($0.text) }
      })
    return facts
  }

  private func device(_ path: String, _ properties: Properties) -> NetworkFacts.Device {
    // NMDeviceType: 1 Ethernet, 2 Wi-Fi.
    let kind: NetworkFacts.Device.Kind =
      switch properties["DeviceType"]?.integer {
      case 1: .cable
      case 2: .wireless
      default: .other
      }
    var device = NetworkFacts.Device(path: path, kind: kind, state: properties["State"]?.integer ?? 0)
    device.hasCarrier = self.properties(path, "\(Self.service).Device.Wired")["Carrier"]?.bool ?? false
    device.isAutomatic = properties["Autoconnect"]?.bool ?? true
    let radio = self.properties(path, "\(Self.service).Device.Wireless")
    // NM_WIFI_DEVICE_CAP_AP.
    device.canBeAccessPoint = (radio["WirelessCapabilities"]?.integer ?? 0) & 0x40 != 0
    device.lastScan = Int64(radio["LastScan"]?.integer ?? -1)
    device.failures = failures[path]?.count ?? 0
    device.failureReason = failures[path]?.reason ?? 0
    return device
  }

  private func connection(_ path: String, _ properties: Properties) -> NetworkFacts.Connection? {
    guard let uuid = properties["Uuid"]?.text else { return nil }
    let kind: NetworkFacts.Device.Kind =
      switch properties["Type"]?.text {
      case "802-3-ethernet": .cable
      case "802-11-wireless": .wireless
      default: .other
      }
    let addresses = self.properties(properties["Ip4Config"]?.text, "\(Self.service).IP4Config")["AddressData"]
    return NetworkFacts.Connection(
      path: path, uuid: uuid, profile: properties["Connection"]?.text ?? "/",
      devices: (properties["Devices"]?.elements ?? []).compactMap(\.text),
      state: properties["State"]?.integer ?? 0, kind: kind,
      address: addresses?.elements?.first?.members?["address"]?.text)
  }

  private func profile(_ path: String, _ properties: Properties) -> NetworkFacts.Profile? {
    guard let settings = settings[path], let connection = settings["connection"]?.members,
      connection["type"]?.text == "802-11-wireless", let uuid = connection["uuid"]?.text,
      let wireless = settings["802-11-wireless"]?.members,
      let name = wireless["ssid"]?.bytes.flatMap({ NetworkName($0) })
    else { return nil }
    var profile = NetworkFacts.Profile(path: path, uuid: uuid, network: name)
    profile.isAccessPoint = wireless["mode"]?.text == "ap"
    profile.isHidden = wireless["hidden"]?.bool ?? false
    profile.isAutomatic = connection["autoconnect"]?.bool ?? true && !putDown.contains(path)
    profile.isOurs = settings["user"]?.members?["data"]?.members?[Self.mark]?.text != nil
    // NM_SETTINGS_CONNECTION_FLAG_VOLATILE. FLAG_UNSAVED means only that its file is in /run.
    profile.isVolatile = (properties["Flags"]?.integer ?? 0) & 0x4 != 0
    return profile
  }

  private func network(_ path: String?) -> Wireless? {
    let properties = properties(path, "\(Self.service).AccessPoint")
    guard let name = properties["Ssid"]?.bytes.flatMap({ NetworkName($0) }) else { return nil }
    let wpa = properties["WpaFlags"]?.integer ?? 0, rsn = properties["RsnFlags"]?.integer ?? 0
    let hasPrivacy = (properties["Flags"]?.integer ?? 0) & 0x1 != 0
    return Wireless(
      name: name, strength: min(max(properties["Strength"]?.integer ?? 0, 0), 100),
      security: Self.security(wpa | rsn, hasPrivacy: hasPrivacy))
  }

  /// - Parameter flags: NM80211ApSecurityFlags of WPA and WPA2 together.
  static func security(_ flags: Int, hasPrivacy: Bool) -> Wireless.Security {
    if flags & 0x100 != 0 { return .wpa }
    if flags & 0x400 != 0 { return .wpa3 }
    // OWE encrypts without a password; in its transition mode there is an open network of the same name, too.
    if flags & 0x1800 != 0 { return hasPrivacy ? .other : .open }
    return flags != 0 || hasPrivacy ? .other : .open
  }
}
