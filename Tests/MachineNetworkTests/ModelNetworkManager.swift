// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import TestSupport

/// A model of NetworkManager 1.42 with a radio and a cable, of the routers around it, and of what may fail,
/// on virtual time. It does what NetworkManager does by itself: it joins known networks that it sees, and
/// gives up those whose password was refused until somebody activates them.
struct ModelNetworkManager {
  struct Router {
    var name: NetworkName
    var password: String?
    var isOn = true
    /// Whether it answers DHCP.
    var hasAddresses = true
    var channel = 1
    /// In percent; nil: each scan finds another one.
    var strength: Int?
  }

  struct Profile {
    var facts: NetworkFacts.Profile
    var password: String?
    /// Whether NetworkManager does not activate it by itself, because its password was refused.
    var isGivenUp = false
    /// Whether its settings can be read; otherwise it is not reported.
    var isReadable = true
  }

  /// What is active on the radio or being activated.
  struct Activation {
    var path: String
    var profile: String
    var state = 1
    var deviceState = 40
    /// When the next stage begins.
    var due: Int64
    /// Whether it ends with the program (`bind-activation`).
    var isBound = false
  }

  static let radioPath = "/radio"
  static let cablePath = "/cable"
  static let second: Int64 = 1_000_000_000

  var now: Int64 = 0
  var random: SplitMix
  var routers: [Router] = []

  // The machine.
  var hasRadio = true
  var isBlocked = false
  var canBeAccessPoint = true
  var hasCable = false
  /// How probable a failure of a stage without a reason is.
  var flakiness = 0.0
  /// Whether profiles cannot be stored or deleted, as on a disk that is full or read-only.
  var isReadOnly = false
  /// Whether a profile that was stored is reported as volatile nevertheless.
  var hidesStored = false
  /// How often it was called to store or delete a profile.
  private(set) var writes = 0

  // NetworkManager.
  private(set) var isRunning = true
  private var startedAt: Int64 = 0
  private(set) var profiles: [String: Profile] = [:]
  private(set) var activation: Activation?
  private var cableUp: Int64?
  private var seen: [NetworkName: Wireless] = [:]
  private var lastScan: Int64 = -1
  private var scanDue: Int64?
  private var failures = 0
  private var failureReason = 0
  private var serial = 0
  /// Replies that are under way: when, to what, and whether the call is refused.
  private(set) var replies: [(at: Int64, operation: NetworkSetup.Operation, isRefused: Bool)] = []
  /// How often an access point has been opened.
  private(set) var accessPoints = 0

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  // MARK: What it reports

  var facts: NetworkFacts {
    var facts = NetworkFacts()
    guard isRunning else { return facts }
    facts.isRunning = true
    facts.isStarting = now < startedAt + 5 * Self.second
    if hasRadio {
      var radio = NetworkFacts.Device(
        path: Self.radioPath, kind: .wireless, state: isBlocked ? 20 : activation?.deviceState ?? 30)
      radio.canBeAccessPoint = canBeAccessPoint
      radio.lastScan = lastScan
      radio.failures = failures
      radio.failureReason = failureReason
      facts.devices.append(radio)
    }
    var cable = NetworkFacts.Device(path: Self.cablePath, kind: .cable, state: hasCable ? 100 : 20)
    cable.hasCarrier = hasCable
    facts.devices.append(cable)
    facts.profiles = profiles.values.filter(\.isReadable).map(\.facts).sorted { $0.path < $1.path }
    if let activation, let profile = profiles[activation.profile] {
      facts.connections.append(
        NetworkFacts.Connection(
          path: activation.path, uuid: profile.facts.uuid, profile: activation.profile,
          devices: [Self.radioPath], state: activation.state, kind: .wireless,
          address: activation.state == 2 ? "192.0.2.7" : nil))
    }
    if let cableUp, now >= cableUp {
      facts.connections.append(
        NetworkFacts.Connection(
          path: "/active/cable", uuid: "cable", profile: "/profile/cable", devices: [Self.cablePath],
          state: 2,
          kind: .cable, address: "192.0.2.8"))
    }
    facts.networks = Wireless.list(Array(seen.values))
    return facts
  }

  /// Whether the machine is in a network of a router or of the cable.
  var isOnline: Bool {
    if let cableUp, now >= cableUp, hasCable { return true }
    guard let activation, activation.state == 2, let profile = profiles[activation.profile] else {
      return false
    }
    return !profile.facts.isAccessPoint
  }

  /// Whether it is still in a network, or knows one, after a power cut.
  var isOnlineForGood: Bool {
    hasCable || hidesStored || profiles.values.contains { !$0.facts.isVolatile }
  }

  var isAccessPoint: Bool {
    guard let activation, activation.state == 2 else { return false }
    return profiles[activation.profile]?.facts.isAccessPoint ?? false
  }

  /// Whether the radio has a connection that is neither of the program nor known to be to a network, or is
  /// being activated for one.
  var isTaken: Bool {
    guard hasRadio, !isBlocked, let activation, let profile = profiles[activation.profile] else {
      return false
    }
    return !profile.facts.isOurs && (profile.facts.isAccessPoint || !profile.isReadable)
  }

  /// A profile that is stored and whose network can be joined.
  var hasUsableProfile: Bool {
    profiles.values.contains { profile in
      !profile.facts.isVolatile
        && routers.contains {
          $0.isOn && $0.hasAddresses && $0.name == profile.facts.network && $0.password == profile.password
        }
    }
  }

  // MARK: Calls

  mutating func perform(_ operation: NetworkSetup.Operation) {
    let at = now + Int64(random.int(1...40)) * 50_000_000
    // A service that is not there is reported at once.
    replies.append((isRunning ? at : now, operation, !isRunning))
  }

  /// When something happens next by itself.
  var next: Int64? {
    [
      replies.map(\.at).min(), scanDue, activation?.due, cableUp.flatMap { $0 > now ? $0 : nil },
      isRunning ? now + 10 * Self.second : nil,
    ].compactMap { $0 }.min()
  }

  /// The replies that are due.
  mutating func takeReplies() -> [(NetworkSetup.Operation, Bool)] {
    let due = replies.filter { $0.at <= now }
    replies.removeAll { $0.at <= now }
    return due.map { ($0.operation, !execute($0.operation) || $0.isRefused) }
  }

  private mutating func execute(_ operation: NetworkSetup.Operation) -> Bool {
    guard isRunning else { return false }
    switch operation {
    case .scan:
      guard hasRadio, !isBlocked, activation == nil || !isAccessPoint else { return false }
      scanDue = scanDue ?? now + 3 * Self.second
    case .openAccessPoint(_, let uuid):
      guard canActivate else { return false }
      accessPoints += 1
      var facts = NetworkFacts.Profile(path: path("profile"), uuid: uuid, network: Self.own)
      (facts.isAccessPoint, facts.isOurs, facts.isVolatile, facts.isAutomatic) = (true, true, true, false)
      profiles[facts.path] = Profile(facts: facts)
      activate(facts.path, isBound: true)
    case .join(let request, _, _, _, let uuid):
      guard canActivate else { return false }
      var facts = NetworkFacts.Profile(path: path("profile"), uuid: uuid, network: request.network)
      (facts.isOurs, facts.isVolatile) = (true, true)
      profiles[facts.path] = Profile(facts: facts, password: request.password?.secret)
      activate(facts.path)
    case .activate(let profile, _):
      guard canActivate, profiles[profile] != nil else { return false }
      profiles[profile]?.isGivenUp = false
      activate(profile)
    case .deactivate(let connection):
      guard activation?.path == connection else { return false }
      deactivate()
    case .keep(let profile):
      writes += 1
      guard profiles[profile] != nil, !isReadOnly, random.unit() >= flakiness else { return false }
      profiles[profile]?.facts.isVolatile = hidesStored
    case .delete(let profile):
      writes += 1
      guard profiles[profile] != nil, !isReadOnly, random.unit() >= flakiness else { return false }
      if activation?.profile == profile { deactivate() }
      profiles[profile] = nil
    }
    return true
  }

  private var canActivate: Bool {
    mutating get { hasRadio && !isBlocked && random.unit() >= flakiness }
  }

  private static let own = NetworkName(text: "flipclock-TEST") ?? NetworkName([1]).unsafelyUnwrapped

  private mutating func path(_ kind: String) -> String {
    serial += 1
    return "/\(kind)/\(serial)"
  }

  private mutating func activate(_ profile: String, isBound: Bool = false) {
    deactivate()
    activation = Activation(
      path: path("active"), profile: profile, due: now + Self.second / 2, isBound: isBound)
    if profiles[profile]?.facts.isAccessPoint == true { seen = [:] }
  }

  /// Ends what is active on the radio; a volatile profile is deleted.
  private mutating func deactivate() {
    guard let ended = activation else { return }
    activation = nil
    if profiles[ended.profile]?.facts.isVolatile == true { profiles[ended.profile] = nil }
  }

  private mutating func fail(_ reason: Int) {
    failures += 1
    failureReason = reason
    if reason == 7, let profile = activation?.profile { profiles[profile]?.isGivenUp = true }
    deactivate()
  }

  // MARK: Time

  mutating func advance(to time: Int64) {
    now = time
    guard isRunning else { return }
    if hasCable, cableUp == nil { cableUp = now + 2 * Self.second }
    if !hasCable { cableUp = nil }
    if !hasRadio || isBlocked {
      if activation != nil { fail(hasRadio ? 36 : 37) }
      scanDue = nil
      if !hasRadio { seen = [:] }
      return
    }
    if let due = scanDue, now >= due {
      scanDue = nil
      lastScan = now / 1_000_000
      seen = [:]
      for router in routers where router.isOn {
        seen[router.name] = Wireless(
          name: router.name, strength: router.strength ?? random.int(20...90),
          security: router.password == nil ? .open : .wpa)
      }
    }
    while let stage = activation, now >= stage.due { advanceStage(stage) }
    // It looks for networks by itself while it is idle, and joins one that it knows.
    if activation == nil {
      if scanDue == nil, now / 1_000_000 - lastScan > 60_000 { scanDue = now + 3 * Self.second }
      let known = profiles.values.filter {
        !$0.facts.isVolatile && $0.facts.isAutomatic && !$0.isGivenUp && seen[$0.facts.network] != nil
      }
      if let first = known.map(\.facts.path).min() { activate(first) }
    }
  }

  private mutating func advanceStage(_ stage: Activation) {
    guard let profile = profiles[stage.profile] else { return deactivate() }
    if stage.state < 2, random.unit() < flakiness {
      return fail([8, 9, 10, 11, 4, 1].randomElement(using: &random) ?? 1)
    }
    let router = routers.first { $0.name == profile.facts.network && $0.isOn }
    switch stage.deviceState {
    case 40:
      activation?.deviceState = 50
      // A network that does not answer, or refuses the password, takes longer.
      let isRight = profile.facts.isAccessPoint || router != nil && router?.password == profile.password
      activation?.due = now + (isRight ? 3 : router == nil ? 25 : 15) * Self.second
    case 50:
      if profile.facts.isAccessPoint {
        complete()
      } else if let router {
        guard router.password == profile.password else { return fail(7) }
        activation?.deviceState = 70
        activation?.due = now + (router.hasAddresses ? 2 : 45) * Self.second
      } else {
        fail(53)
      }
    case 70:
      guard router?.hasAddresses == true else { return fail(5) }
      complete()
    default:
      // Every five seconds it notices whether the router is still there.
      if !profile.facts.isAccessPoint, router == nil {
        seen[profile.facts.network] = nil
        return fail(8)
      }
      activation?.due = now + 5 * Self.second
    }
  }

  private mutating func complete() {
    activation?.deviceState = 100
    activation?.state = 2
    activation?.due = now + 5 * Self.second
  }

  // MARK: What happens to it

  mutating func stop() {
    isRunning = false
    activation = nil
    profiles = profiles.filter { !$0.value.facts.isVolatile }
    for path in profiles.keys { profiles[path]?.isGivenUp = false }
    seen = [:]
    scanDue = nil
    cableUp = nil
    replies = replies.map { (now, $0.operation, true) }
  }

  mutating func start() {
    isRunning = true
    startedAt = now
    lastScan = -1
  }

  /// The program has ended: the access point, which is bound to its connection, ends too.
  mutating func programEnded() {
    replies = []
    if activation?.isBound == true { deactivate() }
  }

  /// A profile that somebody else made and activates by a command, `nmcli connection up`: an access point, or
  /// a connection whose settings cannot be read. Returns its path.
  mutating func add(accessPoint name: NetworkName, isReadable: Bool = true) -> String {
    var facts = NetworkFacts.Profile(path: path("profile"), uuid: "other-\(serial)", network: name)
    (facts.isAccessPoint, facts.isAutomatic) = (true, false)
    profiles[facts.path] = Profile(facts: facts, isReadable: isReadable)
    return facts.path
  }

  /// Somebody activates a profile.
  mutating func bringUp(_ profile: String) {
    guard isRunning, hasRadio, !isBlocked, profiles[profile] != nil else { return }
    profiles[profile]?.isGivenUp = false
    if profiles[profile]?.facts.isAccessPoint == false { profiles[profile]?.facts.isAutomatic = true }
    activate(profile)
  }

  /// Somebody ends what is active on the radio: NetworkManager does not activate it by itself any more.
  mutating func bringDown() {
    if let profile = activation?.profile { profiles[profile]?.facts.isAutomatic = false }
    deactivate()
  }

  /// A profile from a file.
  mutating func add(_ network: NetworkName, password: String?) {
    let facts = NetworkFacts.Profile(path: path("profile"), uuid: "file-\(serial)", network: network)
    profiles[facts.path] = Profile(facts: facts, password: password)
  }
}
