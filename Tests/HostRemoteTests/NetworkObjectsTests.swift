// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import SystemBus
import TestSupport
import Testing

@testable import HostRemote

@Suite struct NetworkObjectsTests {
  static let manager = "org.freedesktop.NetworkManager"

  private static func object(_ interfaces: [String: [String: BusValue]]) -> BusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      interfaces.map { BusValue.Entry(.string($0.key), .properties($0.value)) })
  }

  /// The reply of `GetManagedObjects` of a machine in a Wi-Fi network, as NetworkManager 1.42 sends it.
  static let objects: [(String, BusValue)] = [
    ("/org/freedesktop/NetworkManager", object([manager: ["Startup": .boolean(false)]])),
    (
      "/d/1",
      object([
        "\(manager).Device": ["DeviceType": .uint32(2), "State": .uint32(100)],
        "\(manager).Device.Wireless": [
          "WirelessCapabilities": .uint32(0x7ff), "LastScan": .int64(12_000),
          "AccessPoints": .array(element: "o", [.path("/p/1"), .path("/p/2"), .path("/p/3"), .path("/p/4")]),
        ],
      ])
    ),
    (
      "/d/2",
      object([
        "\(manager).Device": ["DeviceType": .uint32(1), "State": .uint32(10)],
        "\(manager).Device.Wired": ["Carrier": .boolean(true)],
      ])
    ),
    ("/p/1", point("Home", 40, rsn: 0x188)), ("/p/2", point("Home", 70, rsn: 0x188)),
    ("/p/3", point("Cafe", 90, rsn: 0)), ("/p/4", point("", 99, rsn: 0x188)),
    (
      "/a/1",
      object([
        "\(manager).Connection.Active": [
          "Uuid": .string("u-1"), "Type": .string("802-11-wireless"), "State": .uint32(2),
          "Connection": .path("/s/1"), "Devices": .array(element: "o", [.path("/d/1")]),
          "Ip4Config": .path("/i/1"),
        ]
      ])
    ),
    (
      "/i/1",
      object([
        "\(manager).IP4Config": [
          "AddressData": .array(
            element: "a{sv}", [.properties(["address": .string("192.0.2.9"), "prefix": .uint32(24)])])
        ]
      ])
    ),
    ("/s/1", object(["\(manager).Settings.Connection": ["Flags": .uint32(1)]])),
  ]

  private static func point(_ name: String, _ strength: UInt8, rsn: UInt32) -> BusValue {
    object([
      "\(manager).AccessPoint": [
        "Ssid": .bytes(Array(name.utf8)), "Strength": .byte(strength), "RsnFlags": .uint32(rsn),
        "WpaFlags": .uint32(0), "Flags": .uint32(rsn == 0 ? 0 : 1),
      ]
    ])
  }

  static let settings: [BusValue] = [
    .dictionary(
      key: "s", value: "a{sv}",
      [
        .init(
          .string("connection"),
          .properties(["uuid": .string("u-1"), "type": .string("802-11-wireless"), "id": .string("x")])),
        .init(
          .string("802-11-wireless"),
          .properties(["ssid": .bytes(Array("Home".utf8)), "mode": .string("infrastructure")])),
        .init(
          .string("user"),
          .properties([
            "data": .dictionary(
              key: "s", value: "s", [.init(.string("org.flipclock.Host"), .string("network"))])
          ])),
      ])
  ]

  static func reply(_ objects: [(String, BusValue)] = objects) -> [BusValue] {
    [.dictionary(key: "o", value: "a{sa{sv}}", objects.map { BusValue.Entry(.path($0.0), $0.1) })]
  }

  @Test func objectsBecomeFacts() throws {
    var objects = NetworkObjects(Self.reply())
    #expect(objects.unknownProfiles == ["/s/1"])
    objects.learn("/s/1", Self.settings)
    #expect(objects.unknownProfiles == [])
    let facts = objects.facts(isRunning: true)
    #expect(facts.devices.map(\.kind) == [.wireless, .cable] && facts.hasForeignCable)
    #expect(facts.radio?.canBeAccessPoint == true && facts.radio?.lastScan == 12_000)
    #expect(
      facts.networks.map(\.name.text) == ["Cafe", "Home"] && facts.networks.map(\.strength) == [90, 70])
    #expect(facts.networks.map(\.security) == [.open, .wpa])
    let connection = try #require(facts.connections.first)
    #expect(connection.isActivated && connection.address == "192.0.2.9" && connection.uuid == "u-1")
    let profile = try #require(facts.profiles.first)
    #expect(profile.isOurs && !profile.isVolatile && !profile.isAccessPoint && profile.network.text == "Home")
    #expect(objects.facts(isRunning: false) == NetworkFacts())
  }

  /// NMSettingsConnectionFlags: 1 unsaved (its file is in /run), 2 made by NetworkManager, 4 volatile, 8
  /// external.
  @Test(arguments: 0...15)
  func onlyVolatileProfilesAreDeleted(_ flags: Int) throws {
    var objects = NetworkObjects(Self.reply())
    objects.change(
      "/s/1", "\(Self.manager).Settings.Connection", .properties(["Flags": .uint32(UInt32(flags))]))
    objects.learn("/s/1", Self.settings)
    let profile = try #require(objects.facts(isRunning: true).profiles.first)
    #expect(profile.isVolatile == (flags & 4 != 0))
  }

  @Test(arguments: [nil, true, false], ["WirelessEnabled", "WirelessHardwareEnabled"])
  func aSwitchOfTheRadioIsReported(_ isOn: Bool?, _ property: String) {
    var objects = NetworkObjects(Self.reply())
    if let isOn {
      objects.change("/org/freedesktop/NetworkManager", Self.manager, .properties([property: .boolean(isOn)]))
    }
    #expect(objects.facts(isRunning: true).isWirelessOff == (isOn == false))
  }

  @Test func signalsChangeThem() {
    var objects = NetworkObjects(Self.reply())
    objects.change("/d/1", "\(Self.manager).Device", .properties(["State": .uint32(30)]))
    objects.change("/nothing", "\(Self.manager).Device", .properties(["State": .uint32(30)]))
    objects.deviceChanged("/d/1", to: 60, reason: 0)
    objects.deviceChanged("/d/1", to: 120, reason: 7)
    objects.remove("/p/3", ["\(Self.manager).AccessPoint"])
    let facts = objects.facts(isRunning: true)
    #expect(facts.radio?.state == 30 && facts.radio?.failures == 1 && facts.radio?.failureReason == 7)
    #expect(facts.networks.map(\.name.text) == ["Home"])
    objects.remove("/d/1", ["\(Self.manager).Device", "\(Self.manager).Device.Wireless"])
    #expect(objects.facts(isRunning: true).radio == nil)
  }

  /// NMDeviceStateReason: 8 the supplicant has disconnected, 36 removed, 39 requested by a person, 60 another
  /// activation. As NetworkManager 1.42 signals `nmcli connection down` and `nmcli device disconnect`.
  @Test(arguments: [8, 36, 39, 60], [true, false])
  func whatAPersonEndsIsNotActivatedByItself(_ reason: Int, _ isDevice: Bool) throws {
    var objects = NetworkObjects(Self.reply())
    objects.learn("/s/1", Self.settings)
    func facts() -> NetworkFacts { objects.facts(isRunning: true) }
    #expect(facts().profiles.map(\.isAutomatic) == [true] && facts().radio?.isAutomatic == true)
    objects.deviceChanged("/d/2", to: 110, reason: 39)
    objects.deviceChanged("/nothing", to: 110, reason: 39)
    #expect(facts().profiles.map(\.isAutomatic) == [true])
    objects.deviceChanged("/d/1", to: 110, reason: reason)
    objects.deviceChanged("/d/1", to: 30, reason: reason)
    objects.remove("/a/1", ["\(Self.manager).Connection.Active"])
    if isDevice {
      objects.change("/d/1", "\(Self.manager).Device", .properties(["Autoconnect": .boolean(false)]))
    }
    #expect(
      facts().profiles.map(\.isAutomatic) == [reason != 39] && facts().radio?.isAutomatic == !isDevice)
    // Somebody activates it.
    for (path, interfaces) in Self.objects where path == "/a/1" { objects.add(path, interfaces) }
    objects.deviceChanged("/d/1", to: 40, reason: 0)
    #expect(facts().profiles.map(\.isAutomatic) == [true])
  }

  @Test(arguments: [
    (0, false, Wireless.Security.open), (0, true, .other), (0x100, true, .wpa), (0x188, true, .wpa),
    (0x588, true, .wpa), (0x488, true, .wpa3), (0x200, true, .other), (0x2088, true, .other),
    (0x800, false, .open),
  ])
  func securities(_ flags: Int, _ hasPrivacy: Bool, _ security: Wireless.Security) {
    #expect(NetworkObjects.security(flags, hasPrivacy: hasPrivacy) == security)
  }

  /// Whatever the types of the values are, facts come of them.
  @Test func noValueEndsTheProgram() {
    let odd: [BusValue] = [
      .string(""), .uint32(.max), .int64(.min), .bytes([]), .bytes([UInt8](repeating: 0, count: 99)),
      .array(element: "o", [.path("/p/1"), .path("/a/1"), .path("/")]), .boolean(true), .structure([]),
      .variant(.byte(1)), .dictionary(key: "u", value: "s", []), .properties([:]), .double(0),
    ]
    var random = SplitMix(seed: 11)
    func mutated(_ value: BusValue) -> BusValue {
      if random.int(0...11) == 0 { return odd.randomElement(using: &random) ?? value }
      switch value {
      case .dictionary(let key, let type, let entries):
        return .dictionary(
          key: key, value: type,
          entries.map { BusValue.Entry(random.int(0...40) == 0 ? .byte(1) : $0.key, mutated($0.value)) })
      case .array(let element, let values): return .array(element: element, values.map(mutated))
      case .variant(let value): return .variant(mutated(value))
      default: return value
      }
    }
    for _ in 0..<TestEffort.rounds(2000, long: 50_000) {
      var objects = NetworkObjects(Self.reply(Self.objects.map { ($0.0, mutated($0.1)) }))
      objects.learn("/s/1", Self.settings.map(mutated))
      var setup = NetworkSetup(NetworkSetup.Memory(), seed: 1, at: 0)
      _ = setup.learn(objects.facts(isRunning: true), at: 0)
      _ = setup.advance(to: 100_000_000_000)
    }
  }
}
