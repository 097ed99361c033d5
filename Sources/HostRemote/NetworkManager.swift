// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MachineNetwork
import SystemBus

/// NetworkManager on the system bus: what it reports, and calls to it.
///
/// If it is restarted, or the bus, everything is read again.
final class NetworkManager {
  /// Called on the loop's thread when something has changed.
  var changed: (NetworkFacts) -> Void = { _ in }

  private let loop: EventLoop
  private let log: Log
  private let identity: AccessPointIdentity
  private let timer: LoopTimer
  private var bus: SystemBus?
  private var objects = NetworkObjects()
  /// Whether all objects have been read.
  private var isLoaded = false
  /// Incremented when all is read again, so that replies from before are ignored.
  private var generation = 0
  private var requested: Set<String> = []
  private var isAnnounced = false
  private var hasComplained = false

  private static let service = NetworkObjects.service
  private static let busService = "org.freedesktop.DBus"
  private static let manager = "/org/freedesktop/NetworkManager"
  private static let retryNanoseconds: Int64 = 5_000_000_000

  init(_ identity: AccessPointIdentity, on loop: EventLoop, log: Log) throws(SystemError) {
    self.identity = identity
    self.loop = loop
    self.log = log
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.start() }
  }

  /// Connects now, and again when the connection is lost.
  func start() {
    do throws(BusError) {
      let bus = try SystemBus(on: loop)
      self.bus = bus
      bus.lost = { [weak self] in self?.lost($0) }
      try bus.match(
        "type='signal',sender='\(Self.busService)',interface='\(Self.busService)',member='NameOwnerChanged',"
          + "arg0='\(Self.service)'"
      ) { [weak self] in self?.ownerChanged($0) }
      try bus.match("type='signal',sender='\(Self.service)',path_namespace='/org/freedesktop'") {
        [weak self] in self?.received($0)
      }
      bus.call(
        Self.busService, "/org/freedesktop/DBus", Self.busService, "NameHasOwner", [.string(Self.service)]
      ) { [weak self] reply in
        guard let self else { return }
        switch reply {
        case .success(let values) where values.first?.bool == true: self.load()
        case .success: self.log.notice("NetworkManager does not run")
        case .failure: break
        }
      }
    } catch {
      lost(error)
    }
  }

  func close() {
    timer.disarm()
    bus?.close()
    bus = nil
  }

  private func lost(_ error: BusError) {
    if !hasComplained { log.warning("no connection to the system bus: \(error)") }
    hasComplained = true
    bus?.close()
    bus = nil
    forget()
    timer.arm(inNanoseconds: Self.retryNanoseconds)
  }

  private func ownerChanged(_ signal: SystemBus.Signal) {
    guard signal.values.count == 3, let owner = signal.values[2].text else { return }
    if owner.isEmpty {
      log.notice("NetworkManager has ended")
      forget()
    } else {
      load()
    }
  }

  private func forget() {
    generation += 1
    isLoaded = false
    objects = NetworkObjects()
    requested = []
    announce()
  }

  private func load() {
    forget()
    let generation = generation
    bus?.call(
      Self.service, "/org/freedesktop", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
    ) { [weak self] reply in
      guard let self, generation == self.generation else { return }
      switch reply {
      case .success(let values):
        self.hasComplained = false
        self.objects = NetworkObjects(values)
        self.isLoaded = true
        self.readSettings()
        self.announce()
      case .failure(let error):
        self.log.warning("NetworkManager's objects cannot be read: \(error)")
        self.bus?.close()
        self.bus = nil
        self.timer.arm(inNanoseconds: Self.retryNanoseconds)
      }
    }
  }

  // MARK: Reports

  private func received(_ signal: SystemBus.Signal) {
    guard isLoaded else { return }
    let values = signal.values
    switch (signal.interface, signal.member) {
    case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded"):
      guard values.count == 2, let path = values[0].text else { return }
      objects.add(path, values[1])
      readSettings()
    case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved"):
      guard values.count == 2, let path = values[0].text else { return }
      objects.remove(path, (values[1].elements ?? []).compactMap(\.text))
      requested.remove(path)
    case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
      guard values.count == 3, let interface = values[0].text else { return }
      objects.change(signal.path, interface, values[1])
    case ("\(Self.service).Device", "StateChanged"):
      guard values.count == 3, let state = values[0].integer, let reason = values[2].integer else { return }
      objects.deviceChanged(signal.path, to: state, reason: reason)
    case (NetworkObjects.settingsConnection, "Updated"):
      requested.remove(signal.path)
      readSettings(of: signal.path)
    default: return
    }
    announce()
  }

  private func readSettings() {
    for path in objects.unknownProfiles { readSettings(of: path) }
  }

  private func readSettings(of path: String) {
    guard requested.insert(path).inserted else { return }
    let generation = generation
    bus?.call(Self.service, path, NetworkObjects.settingsConnection, "GetSettings") { [weak self] reply in
      guard let self, generation == self.generation else { return }
      // A profile of another user's cannot be read; it counts as one without settings.
      self.objects.learn(path, (try? reply.get()) ?? [])
      self.announce()
    }
  }

  /// Reports once after all signals of this turn.
  private func announce() {
    guard !isAnnounced else { return }
    isAnnounced = true
    loop.defer { [weak self] in
      guard let self else { return }
      self.isAnnounced = false
      self.changed(self.facts)
    }
  }

  /// Nothing counts as known until the settings of all profiles are.
  private var facts: NetworkFacts {
    objects.facts(isRunning: isLoaded && (hasSettings || objects.unknownProfiles.isEmpty))
  }

  private var hasSettings: Bool {
    if isLoaded, objects.unknownProfiles.isEmpty { settingsGeneration = generation }
    return settingsGeneration == generation
  }

  /// The generation whose settings have been complete once.
  private var settingsGeneration = -1

  // MARK: Calls

  /// - Parameter completion: gets the error if the call has failed.
  func perform(_ operation: NetworkSetup.Operation, completion: @escaping (BusError?) -> Void) {
    guard let bus else {
      return loop.defer {
        completion(BusError(name: "org.freedesktop.DBus.Error.Disconnected", message: "no connection"))
      }
    }
    func finish(_ reply: SystemBus.Reply) {
      if case .failure(let error) = reply { completion(error) } else { completion(nil) }
    }
    func add(_ settings: BusValue, to device: String, _ options: [String: BusValue]) {
      bus.call(
        Self.service, Self.manager, Self.service, "AddAndActivateConnection2",
        [settings, .path(device), .path("/"), .properties(options)], isSecret: true, completion: finish)
    }
    switch operation {
    case .scan(let device):
      bus.call(
        Self.service, device, "\(Self.service).Device.Wireless", "RequestScan", [.properties([:])],
        completion: finish)
    case .openAccessPoint(let device, let uuid):
      // It ends when this program ends, and leaves no profile.
      add(
        NetworkProfiles.accessPoint(identity, uuid: uuid), to: device,
        ["persist": .string("volatile"), "bind-activation": .string("dbus-client")])
    case .join(let request, let security, let isHidden, let device, let uuid):
      add(
        NetworkProfiles.network(request, security, isHidden: isHidden, uuid: uuid), to: device,
        ["persist": .string("volatile")])
    case .activate(let profile, let device):
      bus.call(
        Self.service, Self.manager, Self.service, "ActivateConnection",
        [.path(profile), .path(device), .path("/")], completion: finish)
    case .deactivate(let connection):
      bus.call(
        Self.service, Self.manager, Self.service, "DeactivateConnection", [.path(connection)],
        completion: finish)
    case .keep(let profile):
      // NM_SETTINGS_UPDATE2_FLAG_TO_DISK; without settings, those that it has are stored.
      bus.call(
        Self.service, profile, NetworkObjects.settingsConnection, "Update2",
        [.dictionary(key: "s", value: "a{sv}", []), .uint32(1), .properties([:])], completion: finish)
    case .delete(let profile):
      bus.call(
        Self.service, profile, NetworkObjects.settingsConnection, "Delete", completion: finish)
    }
  }
}
