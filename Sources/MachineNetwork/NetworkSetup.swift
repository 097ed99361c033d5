// SPDX-License-Identifier: Apache-2.0

/// Decides when the machine is an access point, and whether it could join a network, as a value.
///
/// NetworkManager joins the networks that it knows by itself. This value opens an access point while the
/// machine has never been online, has somebody's choice of a network tried, and helps NetworkManager where it
/// gives up. It derives what to do from what NetworkManager reports, not from what it was last told to do, so
/// that it also recovers when NetworkManager or a device was restarted in between. It has no passwords.
///
/// All times are nanoseconds of one clock that does not step.
package struct NetworkSetup: Sendable {
  /// The waits, in nanoseconds.
  package struct Times: Hashable, Sendable {
    /// After the start, before an access point is opened because there is no network.
    package var patience: Int64 = 60_000_000_000
    /// A network that is being joined at that moment gets as much again.
    package var reprieve: Int64 = 60_000_000_000
    /// For a network that somebody chose: until it has an address.
    package var trial: Int64 = 90_000_000_000
    /// Without a network, before an access point is opened because an owner has allowed it.
    package var absence: Int64 = 600_000_000_000
    /// How long an access point is open, after its last use, if there may be another network.
    package var term: Int64 = 600_000_000_000
    /// How long it then stays closed, so that NetworkManager can join a network that it knows.
    package var search: Int64 = 90_000_000_000
    /// Between two looks for networks while there is none.
    package var scanInterval: Int64 = 60_000_000_000
    /// How long a look for networks may take.
    package var scan: Int64 = 10_000_000_000
    /// Before a known network that can be seen is activated; then twice as long each time, up to the maximum.
    package var help: Int64 = 20_000_000_000
    package var maximumHelp: Int64 = 300_000_000_000
    /// Before a call that was refused, or an access point that could not be opened, is tried again; then
    /// twice as long each time, up to the maximum.
    package var retry: Int64 = 5_000_000_000
    package var maximumRetry: Int64 = 320_000_000_000
    /// How long after NetworkManager's reply what was activated may be missing in its reports.
    package var appearance: Int64 = 15_000_000_000
    /// How long the result of a trial is shown.
    package var result: Int64 = 30_000_000_000

    package init() {}
  }

  /// What is kept across restarts.
  package struct Memory: Hashable, Sendable {
    /// Whether the machine has been in a network since it was set up.
    package var hasBeenOnline = false
    /// Whether an owner has allowed an access point when the network is away.
    package var isFallbackAllowed = false
    /// Whether what was kept was lost, so that the machine may have been online. Then NetworkManager's
    /// profiles decide.
    package var isLost = false

    package init() {}
  }

  package enum Phase: String, Hashable, Sendable, CaseIterable {
    case starting
    case online
    case offline
    case accessPoint = "access_point"
    case joining
  }

  /// Why a network was not joined.
  package enum Problem: String, Hashable, Sendable, CaseIterable {
    case wrongPassword = "wrong_password"
    case notFound = "not_found"
    case noAddress = "no_address"
    case failed
  }

  /// A network that was tried in vain.
  package struct Failure: Hashable, Sendable {
    package var network: NetworkName
    package var problem: Problem

    package init(network: NetworkName, problem: Problem) {
      self.network = network
      self.problem = problem
    }
  }

  /// What the wall shows about the network; the access point's name and password are added by the program.
  package enum Card: Hashable, Sendable {
    case accessPoint(Failure?)
    case joining(NetworkName)
    case joined(NetworkName, address: String?)
    case failed(Failure)
  }

  /// A call to NetworkManager. `finished` is to be called when it has replied.
  package enum Operation: Hashable, Sendable {
    /// Have the radio look for networks.
    case scan(device: String)
    /// Make and activate the profile of the access point, which ends with this program.
    case openAccessPoint(device: String, uuid: String)
    /// Make and activate a profile that is deleted when it is not active any more.
    case join(JoinRequest, Wireless.Security, isHidden: Bool, device: String, uuid: String)
    case activate(profile: String, device: String)
    case deactivate(connection: String)
    /// Store a profile on the disk.
    case keep(profile: String)
    case delete(profile: String)
  }

  package enum Effect: Hashable, Sendable {
    case call(Operation)
    case show(Card?)
    case save(Memory)
    case notice(String)
    case warning(String)
  }

  package enum Refusal: Error, Hashable, Sendable {
    /// There is no radio that can be used, or none that can be an access point.
    case noWireless
    /// A network is being tried.
    case busy
    /// NetworkManager does not run, or is about to start, so it is not known what there is.
    case notRunning
    /// The network needs more than a password.
    case unsupportedSecurity
    /// The network needs a password.
    case passwordMissing
  }

  /// Why there is an access point.
  enum Reason: Hashable, Sendable {
    /// The machine has not been online yet.
    case firstStart
    case asked
    /// The network has been away for long, and an owner has allowed it.
    case absence
  }

  struct AccessPoint: Hashable, Sendable {
    var reason: Reason
    /// The UUID of the profile that was made last; nil: none has been requested since the last one was lost.
    var uuid: String?
    /// Since when NetworkManager may be expected to report it; nil while the call is in flight.
    var repliedAt: Int64?
    var openedAt: Int64?
    var attemptAt: Int64
    var attempts = 0
    /// When the look for networks before it has begun.
    var scanBegan: Int64?
  }

  struct Trial: Hashable, Sendable {
    var network: NetworkName
    var uuid: String
    var device: String
    var deadline: Int64
    /// The device's `failures` at the beginning.
    var failures: Int
    /// The access point that is opened again if the trial fails.
    var origin: Reason?
    var repliedAt: Int64?
    var hasAppeared = false
  }

  enum Goal: Hashable, Sendable {
    case none
    case accessPoint(AccessPoint)
    case trial(Trial)
  }

  package let times: Times
  package internal(set) var memory: Memory
  package internal(set) var facts = NetworkFacts()
  /// What the radios saw before the last access point was opened; while it is open, they see nothing.
  package internal(set) var networks: [Wireless] = []
  package internal(set) var failure: Failure?
  /// When `advance` is to be called; nil: only after another event.
  package internal(set) var next: Int64?

  var goal = Goal.none
  var startedAt: Int64
  /// Nil while online.
  var offlineSince: Int64?
  /// Since when the radio is free, or has been seen to be; nil while another program has taken it.
  var freeSince: Int64?
  /// Until when no access point is opened, although there is a reason.
  var searchUntil: Int64?
  /// The last use of the access point by a person.
  var usedAt: Int64
  var scannedAt: Int64?
  /// `lastScan` of the radio when the look before an access point has begun.
  var scanMark: Int64 = -1
  var help: Help?
  /// The last trial's result, while it is shown.
  var result: (card: Card, until: Int64)?
  var shown: Card?
  /// The UUIDs of profiles that were stored, which NetworkManager may not have reported yet.
  var kept: Set<String> = []
  /// The UUIDs of profiles that are to be forgotten; they may still be active.
  var forgotten: Set<String> = []
  var inFlight: Set<Operation> = []
  /// Operations that are not to be made again yet.
  var paused: [Operation: Pause] = [:]
  var effects: [Effect] = []
  private var identifiers: UInt64

  /// Until when an operation is not made again, and how long that wait was.
  struct Pause: Hashable, Sendable {
    var until: Int64
    var wait: Int64
  }

  /// The attempts to activate a known network.
  struct Help: Hashable, Sendable {
    var at: Int64
    var wait: Int64
    var attempts = 0
    /// The networks that could be seen. When others appear, the waits begin again.
    var visible: Set<NetworkName>
  }

  /// - Parameters:
  ///   - seed: different for each start, for the UUIDs of profiles.
  ///   - opensAtOnce: whether an access point is opened as if somebody had asked for it.
  package init(
    _ memory: Memory, seed: UInt64, opensAtOnce: Bool = false, times: Times = Times(), at now: Int64
  ) {
    self.memory = memory
    self.times = times
    startedAt = now
    freeSince = now
    usedAt = now
    identifiers = seed
    if opensAtOnce { goal = .accessPoint(AccessPoint(reason: .asked, attemptAt: now)) }
  }

  /// A UUID of version 4 (RFC 9562).
  mutating func uuid() -> String {
    func random(_ state: inout UInt64) -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
    let high = random(&identifiers) & 0xffff_ffff_ffff_0fff | 0x4000
    let low = random(&identifiers) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    func hexadecimal(_ value: UInt64) -> [Character] {
      let digits = String(value, radix: 16)
      return Array(String(repeating: "0", count: 16 - digits.count) + digits)
    }
    let digits = hexadecimal(high) + hexadecimal(low)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}

extension NetworkSetup {
  // MARK: What it reports

  package var phase: Phase {
    switch goal {
    case .trial: return .joining
    case .accessPoint(let point) where point.openedAt != nil: return .accessPoint
    case .accessPoint, .none: break
    }
    if isOnline { return .online }
    let isUndecided = !memory.hasBeenOnline && goal == .none && searchUntil == nil && !isRadioTaken
    return isUndecided ? .starting : .offline
  }

  /// Whether the machine is in a network other than its own.
  package var isOnline: Bool { facts.hasForeignCable || homeConnection != nil }

  /// The connections to networks other than the own access point.
  var homeConnections: [NetworkFacts.Connection] {
    facts.connections.filter { connection in
      guard connection.isActivated, !forgotten.contains(connection.uuid) else { return false }
      switch connection.kind {
      case .cable: return true
      // Until its profile is known, it may be an access point.
      case .wireless: return profile(of: connection).map { !$0.isAccessPoint } ?? false
      case .other: return false
      }
    }
  }

  /// Whether the radio has a connection, or is being activated for one, that neither was made by this program
  /// nor is known to be one to a network: an access point of somebody else's, or a connection whose profile
  /// cannot be read. It is ended only if a person asks for the access point or chooses a network.
  package var isRadioTaken: Bool {
    guard let radio = facts.radio else { return false }
    return facts.connections.contains { connection in
      guard connection.kind == .wireless, !connection.isEnding, connection.devices.contains(radio.path),
        !forgotten.contains(connection.uuid)
      else { return false }
      return profile(of: connection).map { $0.isAccessPoint && !$0.isOurs } ?? !isOwn(connection.uuid)
    }
  }

  /// Whether a connection is the present access point's or trial's, whose profile may not be reported yet.
  private func isOwn(_ uuid: String) -> Bool {
    switch goal {
    case .accessPoint(let point): point.uuid == uuid
    case .trial(let trial): trial.uuid == uuid
    case .none: false
    }
  }

  /// The one that is reported; rather a cable than a radio.
  private var homeConnection: NetworkFacts.Connection? {
    let found = homeConnections
    return found.first { $0.kind == .cable } ?? found.first
  }

  func profile(of connection: NetworkFacts.Connection) -> NetworkFacts.Profile? {
    facts.profiles.first { $0.uuid == connection.uuid }
  }

  /// The Wi-Fi network that is used or tried.
  package var network: NetworkName? {
    if case .trial(let trial) = goal { return trial.network }
    guard !facts.hasForeignCable, let connection = homeConnection, connection.kind == .wireless else {
      return nil
    }
    return profile(of: connection)?.network
  }

  /// The machine's IPv4 address in the network, or on its access point.
  package var address: String? {
    if let address = homeConnection?.address { return address }
    guard case .accessPoint(let point) = goal, point.openedAt != nil else { return nil }
    return facts.connections.first { $0.uuid == point.uuid }?.address
  }

  /// Whether the radio can look for networks: neither is an access point open or about to be, nor a network
  /// tried.
  package var canLook: Bool { goal == .none }

  package var isAccessPointOpen: Bool {
    if case .accessPoint(let point) = goal { return point.openedAt != nil }
    return false
  }

  /// Whether the operation was refused before, so that another refusal is no news.
  package func isRepeated(_ operation: Operation) -> Bool { paused[operation] != nil }

  // MARK: Events

  /// NetworkManager has reported something.
  package mutating func learn(_ facts: NetworkFacts, at now: Int64) -> [Effect] {
    self.facts = facts
    // The radio of an access point cannot look for networks, and forgets what it has seen.
    let isBlind = facts.connections.contains { connection in
      connection.kind == .wireless && (profile(of: connection)?.isAccessPoint ?? true)
    }
    if facts.isRunning, !isBlind, !facts.networks.isEmpty || goal == .none { networks = facts.networks }
    return settle(now)
  }

  /// It is `next`, or later.
  package mutating func advance(to now: Int64) -> [Effect] { settle(now) }

  /// NetworkManager has replied, or does not.
  ///
  /// - Parameter isRefused: whether the call has failed.
  package mutating func finished(_ operation: Operation, isRefused: Bool, at now: Int64) -> [Effect] {
    inFlight.remove(operation)
    let isRepeated = isRepeated(operation)
    pause(operation, isRefused: isRefused, now)
    switch (operation, goal) {
    case (.openAccessPoint(_, let uuid), .accessPoint(var point)) where point.uuid == uuid:
      if isRefused { retry(&point, now) } else { point.repliedAt = now }
      goal = .accessPoint(point)
    case (.join(_, _, _, _, let uuid), .trial(var trial)) where trial.uuid == uuid:
      if isRefused {
        end(trial, .failed, now)
      } else {
        trial.repliedAt = now
        goal = .trial(trial)
      }
    case (.keep(let path), _) where !isRefused: noteKept(path)
    case (.keep, _) where !isRepeated:
      effects.append(.warning("the network could not be stored; trying again"))
    case (.delete(let path), _) where isRefused && !isRepeated:
      if let profile = facts.profiles.first(where: { $0.path == path }), forgotten.contains(profile.uuid) {
        effects.append(.warning("'\(profile.network.text)' could not be forgotten; trying again"))
      }
    default: break
    }
    return settle(now)
  }

  // MARK: Commands

  /// Somebody has chosen a network.
  package mutating func join(_ request: JoinRequest, at now: Int64) throws(Refusal) -> [Effect] {
    if case .trial = goal { throw .busy }
    guard facts.isRunning else { throw .notRunning }
    guard let radio = facts.radio else { throw .noWireless }
    let found = networks.first { $0.name == request.network }
    switch found?.security {
    case .other: throw .unsupportedSecurity
    case .wpa where request.password == nil, .wpa3 where request.password == nil: throw .passwordMissing
    default: break
    }
    var origin: Reason?
    if case .accessPoint(let point) = goal { origin = point.reason }
    let trial = Trial(
      network: request.network, uuid: uuid(), device: radio.path, deadline: now + times.trial,
      failures: radio.failures, origin: origin)
    goal = .trial(trial)
    failure = nil
    result = nil
    let security = request.password == nil ? .open : found?.security == .wpa3 ? .wpa3 : Wireless.Security.wpa
    effects.append(.notice("joining '\(request.network.text)'"))
    call(
      .join(request, security, isHidden: found == nil, device: radio.path, uuid: trial.uuid), now)
    return settle(now)
  }

  package mutating func openAccessPoint(at now: Int64) throws(Refusal) -> [Effect] {
    usedAt = now
    switch goal {
    case .trial: throw .busy
    case .accessPoint(var point):
      point.reason = .asked
      goal = .accessPoint(point)
    case .none:
      guard facts.isRunning else { throw .notRunning }
      guard facts.radio?.canBeAccessPoint == true else { throw .noWireless }
      goal = .accessPoint(AccessPoint(reason: .asked, attemptAt: now))
    }
    return settle(now)
  }

  /// Closes the access point. If the machine has never been online, it is opened again after a while.
  package mutating func closeAccessPoint(at now: Int64) throws(Refusal) -> [Effect] {
    switch goal {
    case .trial: throw .busy
    case .accessPoint: closeForSearch(now)
    case .none: break
    }
    return settle(now)
  }

  /// Forgets the networks that were joined by `join`, and that the machine has been online.
  package mutating func forgetNetworks(at now: Int64) throws(Refusal) -> [Effect] {
    if case .trial = goal { throw .busy }
    guard facts.isRunning else { throw .notRunning }
    memory.hasBeenOnline = false
    startedAt = now
    searchUntil = nil
    failure = nil
    effects.append(.save(memory))
    for profile in facts.profiles where profile.isOurs && !profile.isAccessPoint {
      effects.append(.notice("forgetting '\(profile.network.text)'"))
      forgotten.insert(profile.uuid)
    }
    return settle(now)
  }

  package mutating func allowFallback(_ isAllowed: Bool, at now: Int64) -> [Effect] {
    if memory.isFallbackAllowed != isAllowed {
      memory.isFallbackAllowed = isAllowed
      effects.append(.save(memory))
    }
    return settle(now)
  }

  /// Somebody uses the access point: it stays open for another term.
  package mutating func use(at now: Int64) -> [Effect] {
    usedAt = now
    return settle(now)
  }
}
