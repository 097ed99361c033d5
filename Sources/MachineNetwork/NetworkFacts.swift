// SPDX-License-Identifier: Apache-2.0

/// What NetworkManager reports at a moment, as far as `NetworkSetup` needs it. NetworkManager's objects are
/// identified by their D-Bus paths.
package struct NetworkFacts: Hashable, Sendable {
  /// A network device.
  package struct Device: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case cable
      case wireless
      case other
    }

    package var path: String
    package var kind: Kind
    /// NMDeviceState: 10 unmanaged, 20 unavailable, 30 disconnected, 40 to 90 activating, 100 activated,
    /// 110 deactivating, 120 failed.
    package var state: Int
    /// For a cable, whether it is plugged in.
    package var hasCarrier = false
    /// For a radio, whether it can be an access point.
    package var canBeAccessPoint = false
    /// Whether NetworkManager may activate a profile on it by itself: not after `nmcli device disconnect`.
    package var isAutomatic = true
    /// When the radio has last looked for networks, in milliseconds of CLOCK_BOOTTIME; −1: never.
    package var lastScan: Int64 = -1
    /// How often an activation has failed on the device, and NMDeviceStateReason of the last failure.
    package var failures = 0
    package var failureReason = 0

    package init(path: String, kind: Kind, state: Int) {
      self.path = path
      self.kind = kind
      self.state = state
    }

    package var isUnmanaged: Bool { state <= 10 }
    /// Whether it can be activated. It may be active already.
    package var isAvailable: Bool { state >= 30 }
    package var isActivating: Bool { (40..<100).contains(state) }
    package var isIdle: Bool { state == 30 || state == 120 }
  }

  /// An active connection, or one that is being activated.
  package struct Connection: Hashable, Sendable {
    package var path: String
    package var uuid: String
    package var profile: String
    package var devices: [String]
    /// NMActiveConnectionState: 1 activating, 2 activated, 3 deactivating, 4 deactivated.
    package var state: Int
    package var kind: Device.Kind
    /// An IPv4 address, if it has one.
    package var address: String?

    package init(
      path: String, uuid: String, profile: String, devices: [String], state: Int, kind: Device.Kind,
      address: String? = nil
    ) {
      self.path = path
      self.uuid = uuid
      self.profile = profile
      self.devices = devices
      self.state = state
      self.kind = kind
      self.address = address
    }

    package var isActivated: Bool { state == 2 }
    package var isEnding: Bool { state >= 3 }
  }

  /// A connection profile for Wi-Fi.
  package struct Profile: Hashable, Sendable {
    package var path: String
    package var uuid: String
    package var network: NetworkName
    /// Whether it is that of an access point of this machine.
    package var isAccessPoint = false
    /// Whether flipclock-host made it.
    package var isOurs = false
    /// Whether NetworkManager deletes it when it is not active any more. Those of trials and of access points
    /// are volatile; one in /run, e.g. of wifi.txt, is not.
    package var isVolatile = false
    /// Whether NetworkManager may activate it by itself: not after `nmcli connection down`.
    package var isAutomatic = true
    /// Whether the network hides its name.
    package var isHidden = false

    package init(path: String, uuid: String, network: NetworkName) {
      self.path = path
      self.uuid = uuid
      self.network = network
    }
  }

  /// Whether NetworkManager runs and all its objects have been read.
  package var isRunning = false
  /// Whether it still activates what it activates at its start.
  package var isStarting = false
  /// Whether radios are switched off, by rfkill or by NetworkManager.
  package var isWirelessOff = false
  package var devices: [Device] = []
  package var connections: [Connection] = []
  package var profiles: [Profile] = []
  /// What the radios see (`Wireless.list`).
  package var networks: [Wireless] = []

  package init() {}

  package func device(_ path: String) -> Device? { devices.first { $0.path == path } }

  /// The radio to use: one that can be activated, and rather one that can be an access point.
  package var radio: Device? {
    let radios = devices.filter { $0.kind == .wireless && $0.isAvailable }
    return radios.first(where: \.canBeAccessPoint) ?? radios.first
  }

  /// Whether an access point can be opened, or could if a radio were switched on. If there is a radio that
  /// can only join networks, nothing waits for another one.
  package var canHaveAccessPoint: Bool {
    radio?.canBeAccessPoint ?? devices.contains { $0.kind == .wireless && $0.canBeAccessPoint }
  }

  /// Whether there is a radio, although it may be switched off.
  package var hasRadio: Bool { devices.contains { $0.kind == .wireless && !$0.isUnmanaged } }

  /// Whether a cable that another program configures is plugged in. NetworkManager does not know whether it
  /// has an address.
  package var hasForeignCable: Bool {
    devices.contains { $0.kind == .cable && $0.isUnmanaged && $0.hasCarrier }
  }

  /// Whether a network is being activated, other than the connection with this UUID.
  package func isActivating(except uuid: String?) -> Bool {
    connections.contains { $0.uuid != uuid && $0.state < 2 && $0.kind != .other }
  }
}
