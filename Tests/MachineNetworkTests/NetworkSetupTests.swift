// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import TestSupport
import Testing

@Suite struct NetworkSetupTests {
  static let home = NetworkSetupSimulationTests.home
  static let password = NetworkSetupSimulationTests.password

  private func simulation(isOn: Bool = true) -> Simulation {
    var simulation = Simulation(seed: 3)
    var router = ModelNetworkManager.Router(name: Self.home, password: Self.password)
    router.isOn = isOn
    simulation.manager.routers = [router]
    return simulation
  }

  @Test func withACableNothingHappens() {
    var simulation = simulation()
    simulation.manager.hasCable = true
    simulation.run(seconds: 3600)
    #expect(simulation.setup.phase == .online && simulation.card == nil && simulation.log.isEmpty)
    #expect(simulation.setup.network == nil && simulation.setup.address == "192.0.2.8")
  }

  @Test func aCableOfAnotherProgramCounts() {
    var facts = NetworkFacts()
    facts.isRunning = true
    var cable = NetworkFacts.Device(path: "/cable", kind: .cable, state: 10)
    var radio = NetworkFacts.Device(path: "/radio", kind: .wireless, state: 30)
    radio.canBeAccessPoint = true
    for isPlugged in [true, false] {
      cable.hasCarrier = isPlugged
      facts.devices = [cable, radio]
      var setup = NetworkSetup(NetworkSetup.Memory(), seed: 1, at: 0)
      _ = setup.learn(facts, at: 1)
      var effects = setup.advance(to: 61 * Simulation.second)
      effects += setup.advance(to: 72 * Simulation.second)
      let opens = effects.contains {
        if case .call(.openAccessPoint) = $0 { true } else { false }
      }
      #expect(opens != isPlugged && (setup.phase == .online) == isPlugged)
    }
  }

  @Test func withoutANetworkAnAccessPointIsOpenAfterAMinute() {
    var simulation = simulation()
    simulation.run(seconds: 59)
    #expect(simulation.setup.phase == .starting && simulation.manager.accessPoints == 0)
    simulation.run(seconds: 20)
    #expect(simulation.setup.phase == .accessPoint && simulation.card == .accessPoint(nil))
    // It has looked for networks before.
    #expect(simulation.setup.networks.map(\.name) == [Self.home])
    simulation.run(seconds: 24 * 3600)
    #expect(simulation.setup.phase == .accessPoint && simulation.manager.accessPoints == 1)
    #expect(simulation.setup.networks.map(\.name) == [Self.home])
  }

  @Test func aRefusedPasswordIsNamedAndTheAccessPointOpenAgain() {
    var simulation = simulation()
    simulation.run(seconds: 80)
    #expect(simulation.join(Self.home, "not-the-password") == nil)
    #expect(simulation.setup.phase == .joining && simulation.card == .joining(Self.home))
    #expect(simulation.join(Self.home, Self.password) == .busy)
    simulation.run(seconds: 40)
    let failure = NetworkSetup.Failure(network: Self.home, problem: .wrongPassword)
    #expect(simulation.setup.phase == .accessPoint && simulation.card == .accessPoint(failure))
    #expect(simulation.join(Self.home, Self.password) == nil)
    simulation.run(seconds: 8)
    #expect(simulation.setup.phase == .online && simulation.setup.failure == nil)
    #expect(simulation.card == .joined(Self.home, address: "192.0.2.7"))
    simulation.run(seconds: 60)
    #expect(simulation.card == nil && simulation.memory.hasBeenOnline)
  }

  @Test(arguments: [
    (false, true, NetworkSetup.Problem.notFound), (true, false, .noAddress),
  ])
  func theReasonIsNamed(_ isOn: Bool, _ hasAddresses: Bool, _ problem: NetworkSetup.Problem) {
    var simulation = simulation(isOn: isOn)
    simulation.manager.routers[0].hasAddresses = hasAddresses
    simulation.run(seconds: 80)
    _ = simulation.join(Self.home, Self.password)
    simulation.run(seconds: 89)
    #expect(simulation.setup.failure == NetworkSetup.Failure(network: Self.home, problem: problem))
    #expect(simulation.setup.phase == .accessPoint)
  }

  @Test(arguments: [false, true], [false, true])
  func aTrialWithoutAnEndIsGivenUp(_ isSeen: Bool, _ hasNeighbours: Bool) {
    var facts = NetworkFacts()
    facts.isRunning = true
    let seen = (isSeen ? [Self.home] : []) + (hasNeighbours ? [NetworkSetupSimulationTests.cafe] : [])
    facts.networks = seen.map { Wireless(name: $0, strength: 50, security: .open) }
    facts.devices = [NetworkFacts.Device(path: "/radio", kind: .wireless, state: 50)]
    var setup = NetworkSetup(NetworkSetup.Memory(), seed: 1, at: 0)
    _ = setup.learn(facts, at: 0)
    let request = JoinRequest(network: Self.home, password: nil)
    let effects = (try? setup.join(request, at: 0)) ?? []
    guard
      case .call(.join(_, _, _, _, let uuid))? = effects.first(where: {
        if case .call = $0 { true } else { false }
      })
    else {
      Issue.record("no call: \(effects)")
      return
    }
    facts.connections = [
      NetworkFacts.Connection(
        path: "/active", uuid: uuid, profile: "/p", devices: ["/radio"], state: 1, kind: .wireless)
    ]
    var profile = NetworkFacts.Profile(path: "/p", uuid: uuid, network: Self.home)
    (profile.isOurs, profile.isVolatile) = (true, true)
    facts.profiles = [profile]
    _ = setup.learn(facts, at: 1)
    #expect(setup.phase == .joining && setup.next == 90 * Simulation.second)
    let last = setup.advance(to: 90 * Simulation.second)
    #expect(last.contains(.call(.delete(profile: "/p"))))
    #expect(setup.failure?.problem == (isSeen ? .failed : .notFound))
  }

  @Test func aHomeThatIsOffForAnHourIsJoinedAgain() {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 30)
    simulation.manager.routers[0].isOn = false
    simulation.run(seconds: 3600)
    #expect(simulation.setup.phase == .offline && simulation.card == nil)
    simulation.manager.routers[0].isOn = true
    simulation.run(seconds: 130)
    #expect(simulation.setup.phase == .online && simulation.manager.accessPoints == 0)
  }

  /// A router that starts may refuse the right password, and NetworkManager then waits for a person.
  @Test func aNetworkThatNetworkManagerHasGivenUpIsJoinedAgain() {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 30)
    simulation.manager.routers[0].password = "while-it-starts"
    simulation.manager.stop()
    simulation.manager.start()
    simulation.run(seconds: 60)
    #expect(simulation.manager.profiles.values.map(\.isGivenUp) == [true])
    simulation.manager.routers[0].password = Self.password
    simulation.run(seconds: 120)
    #expect(simulation.setup.phase == .online)
  }

  /// NetworkManager has given up both. The stronger one has another password for good.
  @Test func ofTwoKnownNetworksTheOneThatWorksIsJoined() {
    var simulation = simulation()
    let other = NetworkSetupSimulationTests.cafe
    simulation.manager.routers[0].strength = 30
    simulation.manager.routers.append(.init(name: other, password: "another", strength: 80))
    simulation.manager.add(Self.home, password: Self.password)
    simulation.manager.add(other, password: Self.password)
    simulation.run(seconds: 60)
    simulation.manager.routers[0].password = "while-it-starts"
    simulation.manager.stop()
    simulation.manager.start()
    simulation.run(seconds: 60)
    #expect(simulation.manager.profiles.values.map(\.isGivenUp) == [true, true])
    simulation.manager.routers[0].password = Self.password
    simulation.run(seconds: 600)
    #expect(simulation.setup.phase == .online && simulation.setup.network == Self.home)
  }

  @Test func whatSomebodyHasEndedStaysEndedUntilItIsActivated() throws {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 30)
    #expect(simulation.setup.phase == .online)
    let profile = try #require(simulation.manager.activation?.profile)
    simulation.manager.bringDown()
    simulation.tell()
    simulation.run(seconds: 3600)
    #expect(simulation.setup.phase == .offline && simulation.manager.activation == nil)
    simulation.manager.bringUp(profile)
    simulation.run(seconds: 30)
    #expect(simulation.setup.phase == .online)
  }

  @Test func anOwnerMayAllowAnAccessPointWhenTheNetworkIsAway() {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.mayOpenAgain = true
    simulation.run(seconds: 30)
    simulation.follow(simulation.setup.allowFallback(true, at: simulation.now))
    simulation.restart()
    #expect(simulation.setup.memory.isFallbackAllowed)
    simulation.run(seconds: 30)
    simulation.manager.routers[0].isOn = false
    simulation.run(seconds: 590)
    #expect(simulation.setup.phase == .offline)
    simulation.run(seconds: 40)
    #expect(simulation.setup.phase == .accessPoint)
    // It is closed now and then, because the known network may be back.
    simulation.manager.routers[0].isOn = true
    simulation.run(seconds: 700)
    #expect(simulation.setup.phase == .online)
  }

  /// Somebody who reads a page or types a password must not lose the access point; ten minutes after that it
  /// is closed.
  @Test(arguments: [60, 300, 590] as [Int64])
  func aUsedAccessPointStaysOpen(_ interval: Int64) {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 30)
    simulation.mayOpenAgain = true
    simulation.openAccessPoint()
    simulation.run(seconds: 20)
    for _ in 0..<(3600 / interval) {
      simulation.follow(simulation.setup.use(at: simulation.now))
      simulation.run(seconds: interval)
      #expect(simulation.setup.phase == .accessPoint && simulation.manager.accessPoints == 1)
    }
    simulation.run(seconds: 600 - interval + 60)
    #expect(simulation.setup.phase == .online)
  }

  /// The connection of others on the radio is not ended by itself, whenever it was activated, and an access
  /// point is opened as long after it as after a start.
  @Test(arguments: [true, false], [10, 55, 61] as [Int64])
  func theConnectionOfOthersStays(_ isReadable: Bool, _ seconds: Int64) throws {
    for isFirst in [true, false] {
      var simulation = simulation(isOn: false)
      if !isFirst {
        simulation.manager.hasCable = true
        simulation.run(seconds: 60)
        simulation.manager.hasCable = false
        simulation.follow(simulation.setup.allowFallback(true, at: simulation.now))
        simulation.mayOpenAgain = true
        simulation.run(seconds: 540)
      }
      let hotspot = simulation.manager.add(accessPoint: Self.home, isReadable: isReadable)
      simulation.run(seconds: seconds)
      simulation.manager.bringUp(hotspot)
      simulation.run(seconds: 24 * 3600)
      #expect(simulation.manager.isTaken && simulation.manager.accessPoints == 0)
      #expect(simulation.setup.phase == .offline && simulation.setup.isRadioTaken)
      // It costs nothing.
      #expect(simulation.setup.next == nil && simulation.card == nil)
      simulation.manager.bringDown()
      simulation.run(seconds: isFirst ? 59 : 599)
      #expect(simulation.manager.accessPoints == 0 && !simulation.setup.isRadioTaken)
      simulation.run(seconds: 20)
      #expect(simulation.setup.phase == .accessPoint)
      simulation.manager.bringUp(hotspot)
      simulation.run(seconds: 60)
      // The access point that was open is not opened again at its cost.
      #expect(simulation.manager.isTaken && simulation.setup.phase == .offline)
      simulation.follow(try simulation.setup.openAccessPoint(at: simulation.now))
      simulation.run(seconds: 20)
      #expect(simulation.setup.phase == .accessPoint && !simulation.setup.isRadioTaken)
    }
  }

  /// A connection may be reported before its profile.
  @Test(arguments: [false, true])
  func itsOwnConnectionDoesNotTakeTheRadio(_ isTrial: Bool) {
    var simulation = simulation()
    simulation.run(seconds: 80)
    if isTrial {
      #expect(simulation.join(Self.home, Self.password) == nil)
      simulation.run(seconds: 2)
    }
    #expect(simulation.setup.phase == (isTrial ? .joining : .accessPoint))
    for isOwn in [true, false] {
      var setup = simulation.setup
      var facts = setup.facts
      facts.profiles = []
      #expect(facts.connections.count == 1)
      if !isOwn { facts.connections[0].uuid = "other" }
      _ = setup.learn(facts, at: simulation.now)
      #expect(setup.isRadioTaken != isOwn)
    }
  }

  @Test func somebodyMayAskForTheAccessPoint() throws {
    var simulation = simulation()
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 30)
    simulation.mayOpenAgain = true
    simulation.follow(try simulation.setup.openAccessPoint(at: simulation.now))
    simulation.run(seconds: 20)
    #expect(simulation.setup.phase == .accessPoint)
    simulation.follow(try simulation.setup.closeAccessPoint(at: simulation.now))
    simulation.run(seconds: 80)
    #expect(simulation.setup.phase == .online)
    simulation.follow(try simulation.setup.openAccessPoint(at: simulation.now))
    simulation.run(seconds: 720)
    #expect(simulation.setup.phase == .online, "its term has ended")
  }

  @Test func whatWasForgottenIsLikeTheFirstStart() throws {
    var simulation = simulation()
    simulation.run(seconds: 80)
    _ = simulation.join(Self.home, Self.password)
    simulation.run(seconds: 60)
    #expect(simulation.setup.phase == .online)
    simulation.follow(try simulation.setup.forgetNetworks(at: simulation.now))
    simulation.run(seconds: 90)
    #expect(simulation.setup.phase == .accessPoint && simulation.manager.profiles.count == 1)
  }

  @Test func whatCannotBeJoinedIsRefused() {
    var simulation = simulation()
    simulation.run(seconds: 80)
    #expect(simulation.join(Self.home, nil) == .passwordMissing)
    simulation.manager.hasRadio = false
    simulation.tell()
    #expect(simulation.join(Self.home, Self.password) == .noWireless)
    var setup = NetworkSetup(NetworkSetup.Memory(), seed: 1, at: 0)
    var refusal: NetworkSetup.Refusal?
    do throws(NetworkSetup.Refusal) { _ = try setup.openAccessPoint(at: 0) } catch { refusal = error }
    #expect(refusal == .notRunning)
    simulation.manager.stop()
    simulation.tell()
    #expect(simulation.join(Self.home, Self.password) == .notRunning)
  }

  /// A disk that is full must not keep the program busy, and a success is not repeated.
  @Test(arguments: [true, false])
  func aNetworkIsStoredAFewTimesAtMost(_ isReadOnly: Bool) {
    var simulation = simulation()
    simulation.manager.isReadOnly = isReadOnly
    simulation.manager.hidesStored = !isReadOnly
    simulation.run(seconds: 80)
    _ = simulation.join(Self.home, Self.password)
    simulation.run(seconds: 3600)
    #expect(simulation.setup.phase == .online && simulation.memory.hasBeenOnline != isReadOnly)
    #expect(isReadOnly ? (5...20).contains(simulation.manager.writes) : simulation.manager.writes == 1)
    #expect(simulation.log.filter { $0.hasSuffix("trying again") }.count == (isReadOnly ? 1 : 0))
  }

  @Test func withoutNetworkManagerNothingIsForgotten() {
    var simulation = simulation()
    simulation.run(seconds: 80)
    _ = simulation.join(Self.home, Self.password)
    simulation.run(seconds: 60)
    simulation.manager.stop()
    simulation.tell()
    #expect(!simulation.forget() && simulation.memory.hasBeenOnline)
    simulation.manager.start()
    simulation.run(seconds: 60)
    #expect(simulation.setup.phase == .online && simulation.forget())
    simulation.manager.stop()
    simulation.tell()
    simulation.manager.start()
    simulation.run(seconds: 200)
    #expect(simulation.setup.phase == .accessPoint && simulation.manager.profiles.count == 1)
  }

  /// Without its memory, a machine that knows a network opens no access point by itself; another one does.
  @Test(arguments: [true, false])
  func aLostMemoryIsReplaced(_ knowsNetwork: Bool) {
    var simulation = simulation(isOn: false)
    if knowsNetwork { simulation.manager.add(Self.home, password: Self.password) }
    simulation.memory.isLost = true
    simulation.manager.stop()
    simulation.restart()
    simulation.run(seconds: 30)
    #expect(simulation.memory.isLost)
    simulation.manager.start()
    simulation.run(seconds: 3600)
    #expect(!simulation.memory.isLost && simulation.memory.hasBeenOnline == knowsNetwork)
    #expect(simulation.setup.phase == (knowsNetwork ? .offline : .accessPoint))
  }

  /// A radio that can only join networks must not wait for an access point that it cannot be.
  @Test(arguments: [true, false])
  func withoutARadioForItNoAccessPointKeepsTheMachineFromItsNetwork(_ isAskedForAtTheStart: Bool) {
    var simulation = Simulation(seed: 3, opensAtOnce: isAskedForAtTheStart)
    simulation.mayOpenAgain = true
    simulation.manager.canBeAccessPoint = false
    simulation.manager.routers = [.init(name: Self.home, password: "while-it-starts")]
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 120)
    var refusal: NetworkSetup.Refusal?
    do throws(NetworkSetup.Refusal) { _ = try simulation.setup.openAccessPoint(at: simulation.now) } catch {
      refusal = error
    }
    #expect(refusal == .noWireless)
    simulation.manager.routers[0].password = Self.password
    simulation.run(seconds: 600)
    #expect(simulation.setup.phase == .online && simulation.manager.accessPoints == 0)
  }

  @Test func uuidsAreOfVersionFour() {
    var setup = NetworkSetup(NetworkSetup.Memory(), seed: 1, opensAtOnce: true, at: 0)
    var facts = NetworkFacts()
    facts.isRunning = true
    var radio = NetworkFacts.Device(path: "/radio", kind: .wireless, state: 30)
    radio.canBeAccessPoint = true
    facts.devices = [radio]
    _ = setup.learn(facts, at: 0)
    let effects = setup.advance(to: 20 * Simulation.second)
    guard case .call(.openAccessPoint(_, let uuid))? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    let parts = uuid.utf8.split(separator: UInt8(ascii: "-")).map(\.count)
    #expect(parts == [8, 4, 4, 4, 12] && Array(uuid)[14] == "4" && "89ab".contains(Array(uuid)[19]))
  }
}
