// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import TestSupport
import Testing

/// Random histories of NetworkManager, radios, routers and people.
@Suite struct NetworkSetupSimulationTests {
  static let home = NetworkName(text: "Home") ?? NetworkName([1]).unsafelyUnwrapped
  static let cafe = NetworkName([0xff, 0x00, 0x5c, 0x41]) ?? NetworkName([1]).unsafelyUnwrapped
  static let password = "s3cret-of-the-home"
  static let wrong = "an-0ther-password"

  private func simulation(_ seed: UInt64, opensAtOnce: Bool = false) -> Simulation {
    var simulation = Simulation(seed: seed, opensAtOnce: opensAtOnce)
    simulation.secrets = [Self.password, Self.wrong]
    simulation.manager.routers = [
      ModelNetworkManager.Router(name: Self.home, password: Self.password),
      ModelNetworkManager.Router(name: Self.cafe, password: nil),
    ]
    return simulation
  }

  /// One of the things that may happen at any time.
  private func disturb(_ simulation: inout Simulation, _ random: inout SplitMix) {
    switch random.int(0...10) {
    case 0: simulation.manager.routers[0].isOn.toggle()
    case 1: simulation.manager.routers[0].hasAddresses.toggle()
    case 2: simulation.manager.hasRadio.toggle()
    case 3: simulation.manager.isBlocked.toggle()
    case 4: if simulation.manager.isRunning { simulation.manager.stop() } else { simulation.manager.start() }
    case 5: simulation.restart()
    case 6: simulation.manager.flakiness = [0, 0, 0.1, 0.4].randomElement(using: &random) ?? 0
    case 7: simulation.manager.routers[0].password = random.int(0...2) == 0 ? Self.wrong : Self.password
    case 8: simulation.manager.routers[0].channel = random.int(1...13)
    case 9 where simulation.mayOpenAgain: simulation.openAccessPoint()
    default: simulation.manager.canBeAccessPoint = random.int(0...3) > 0
    }
    simulation.tell()
  }

  /// Ends everything that disturbs.
  private func repair(_ simulation: inout Simulation, canBeAccessPoint: Bool = true) {
    simulation.manager.flakiness = 0
    simulation.manager.isReadOnly = false
    simulation.manager.hasRadio = true
    simulation.manager.isBlocked = false
    simulation.manager.canBeAccessPoint = canBeAccessPoint
    simulation.manager.routers[0].isOn = true
    simulation.manager.routers[0].hasAddresses = true
    simulation.manager.routers[0].password = Self.password
    if !simulation.manager.isRunning { simulation.manager.start() }
    simulation.tell()
  }

  @Test func aKnownNetworkThatIsThereIsJoinedInTheEnd() {
    for seed in 0..<UInt64(TestEffort.rounds(400, long: 8000)) {
      var random = SplitMix(seed: seed)
      var simulation = simulation(seed, opensAtOnce: seed % 5 == 0)
      simulation.mayOpenAgain = seed % 5 < 2
      let canBeAccessPoint = seed % 2 == 0
      simulation.manager.canBeAccessPoint = canBeAccessPoint
      simulation.manager.add(Self.home, password: Self.password)
      simulation.run(seconds: 30)
      for _ in 0..<random.int(0...25) {
        disturb(&simulation, &random)
        simulation.run(seconds: Int64([1, 20, 120, 3600].randomElement(using: &random) ?? 1))
      }
      repair(&simulation, canBeAccessPoint: canBeAccessPoint)
      // An access point that is open because the machine was never online first ends its term.
      simulation.run(seconds: 1500)
      #expect(
        simulation.manager.isOnline && simulation.setup.phase == .online, "seed \(seed): \(simulation.log)")
    }
  }

  @Test func whateverHappensSomebodyCanJoin() {
    for seed in 0..<UInt64(TestEffort.rounds(400, long: 8000)) {
      var random = SplitMix(seed: seed &+ 1_000_000)
      var simulation = simulation(seed)
      simulation.run(seconds: 10)
      for _ in 0..<random.int(0...20) {
        disturb(&simulation, &random)
        if random.int(0...2) == 0 {
          let isOpen = random.int(0...4) == 0
          // While it was offline before, the access point from which it is joined may be opened again.
          simulation.mayOpenAgain = true
          _ = simulation.join(
            isOpen ? Self.cafe : Self.home,
            isOpen ? nil : random.int(0...1) == 0 ? Self.wrong : Self.password)
        }
        simulation.run(seconds: Int64([1, 20, 120, 600].randomElement(using: &random) ?? 1))
      }
      repair(&simulation)
      simulation.run(seconds: 1500)
      if !simulation.setup.memory.hasBeenOnline {
        // Nothing is known, so that there is an access point.
        #expect(simulation.manager.isAccessPoint && simulation.setup.phase == .accessPoint, "seed \(seed)")
      }
      if !simulation.manager.isOnline {
        #expect(simulation.join(Self.home, Self.password) == nil, "seed \(seed)")
        simulation.run(seconds: 100)
      }
      #expect(
        simulation.manager.isOnline && simulation.setup.phase == .online, "seed \(seed): \(simulation.log)")
      let volatile = simulation.manager.profiles.values.map(\.facts.isVolatile)
      #expect(volatile.contains(false), "seed \(seed): the network was not stored")
      // No profile of a trial is left.
      #expect(!volatile.contains(true), "seed \(seed)")
    }
  }

  @Test func aMachineThatHasBeenOnlineOpensNoAccessPointByItself() {
    for seed in 0..<UInt64(TestEffort.rounds(200, long: 4000)) {
      var random = SplitMix(seed: seed &+ 2_000_000)
      var simulation = simulation(seed)
      simulation.manager.add(Self.home, password: Self.password)
      simulation.manager.hasCable = seed % 3 == 0
      simulation.run(seconds: 50)
      #expect(simulation.memory.hasBeenOnline && simulation.manager.accessPoints == 0, "seed \(seed)")
      simulation.manager.hasCable = false
      // `Simulation.follow` checks it.
      for _ in 0..<20 {
        disturb(&simulation, &random)
        simulation.run(seconds: Int64([1, 20, 120, 7200].randomElement(using: &random) ?? 1))
      }
      #expect(simulation.manager.accessPoints == 0)
    }
  }

  /// `Simulation.follow` checks that no access point is opened by itself meanwhile.
  @Test func theConnectionOfOthersIsNotEndedAndAnAccessPointComesAfterIt() {
    var taken = 0
    for seed in 0..<UInt64(TestEffort.rounds(400, long: 8000)) {
      var random = SplitMix(seed: seed &+ 4_000_000)
      var simulation = simulation(seed)
      simulation.manager.routers[0].isOn = false
      let hotspot = simulation.manager.add(accessPoint: Self.cafe, isReadable: seed % 2 == 0)
      for _ in 0..<random.int(1...20) {
        switch random.int(0...3) {
        case 0: simulation.manager.bringUp(hotspot)
        case 1: simulation.manager.bringDown()
        case 2: disturb(&simulation, &random)
        default: break
        }
        simulation.tell()
        simulation.run(seconds: Int64([1, 9, 20, 61, 120, 600].randomElement(using: &random) ?? 1))
        if simulation.manager.isTaken { taken += 1 }
      }
      repair(&simulation)
      simulation.manager.routers[0].isOn = false
      // The first one may be ended by a call that is under way.
      for _ in 0..<2 {
        simulation.manager.bringUp(hotspot)
        simulation.run(seconds: 10)
      }
      simulation.run(seconds: 600)
      #expect(simulation.manager.isTaken && simulation.setup.phase == .offline, "seed \(seed)")
      simulation.manager.bringDown()
      simulation.run(seconds: 100)
      #expect(simulation.setup.phase == .accessPoint, "seed \(seed): \(simulation.log)")
    }
    #expect(taken > 400)
  }

  /// A reply that the networks are forgotten is kept, although NetworkManager is restarted or refuses at
  /// first.
  @Test func whatIsForgottenIsGoneInTheEnd() {
    for seed in 0..<UInt64(TestEffort.rounds(200, long: 4000)) {
      var random = SplitMix(seed: seed &+ 3_000_000)
      var simulation = simulation(seed)
      simulation.mayOpenAgain = true
      simulation.run(seconds: 80)
      _ = simulation.join(Self.home, Self.password)
      simulation.run(seconds: 40)
      for _ in 0..<random.int(0...6) {
        disturb(&simulation, &random)
        simulation.run(seconds: Int64([1, 20, 120].randomElement(using: &random) ?? 1))
      }
      let isRunning = simulation.manager.isRunning
      let profiles = simulation.manager.profiles.values.map(\.facts)
      let ours = Set(profiles.filter { $0.isOurs && !$0.isAccessPoint }.map(\.uuid))
      let before = simulation.memory
      guard simulation.forget() else {
        #expect(simulation.memory == before, "seed \(seed): refused, and done nevertheless")
        continue
      }
      #expect(isRunning, "seed \(seed): nothing was known of the networks")
      for _ in 0..<random.int(0...6) {
        switch random.int(0...3) {
        case 0: simulation.manager.isReadOnly.toggle()
        case 1: simulation.manager.flakiness = random.int(0...1) == 0 ? 0 : 0.5
        case 2: simulation.manager.stop()
        default: simulation.manager.start()
        }
        simulation.tell()
        simulation.run(seconds: Int64([1, 20, 120].randomElement(using: &random) ?? 1))
      }
      repair(&simulation)
      simulation.run(seconds: 600)
      let left = ours.intersection(simulation.manager.profiles.values.map(\.facts.uuid))
      #expect(left.isEmpty && !simulation.manager.isOnline, "seed \(seed): \(simulation.log)")
    }
  }

  @Test func waitingCostsLittle() {
    var simulation = simulation(7)
    simulation.manager.add(Self.home, password: Self.password)
    simulation.run(seconds: 60)
    #expect(simulation.setup.phase == .online && simulation.setup.next == nil)
    var before = simulation.wakeups
    simulation.run(seconds: 24 * 3600)
    #expect(simulation.wakeups == before)
    simulation.manager.routers[0].isOn = false
    simulation.run(seconds: 3600)
    before = simulation.wakeups
    simulation.run(seconds: 3600)
    // It looks for networks every minute.
    #expect(simulation.wakeups - before <= 140)
  }
}
