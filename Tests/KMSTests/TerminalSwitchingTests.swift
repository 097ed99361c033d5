// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import KMS

struct TerminalSwitchingTests {
  @Test("A signal that does not fit the terminal's state has no lasting effect")
  func straySignals() {
    var switching = TerminalSwitching(isInFront: true)
    #expect(switching.handle(.acquireSignal, isActive: true) == nil)
    #expect(switching.handle(.check, isActive: true) == nil)
    // Whether this signal is stray is known only after the attempt to release the terminal.
    #expect(switching.handle(.releaseSignal, isActive: true) == .leave)
    switching.released()
    #expect(switching.handle(.check, isActive: true) == .release)
    #expect(switching.triedToRelease(false) == .resume)
    #expect(switching.isInFront)

    switching.released()
    for event in TerminalSwitching.Event.allCases {
      #expect(switching.handle(event, isActive: false) == nil)
      #expect(!switching.isInFront)
    }
  }

  @Test("A switch back and forth within one turn does not resume")
  func backAndForth() {
    var switching = TerminalSwitching(isInFront: false)
    #expect(switching.handle(.releaseSignal, isActive: true) == .release)
    #expect(switching.triedToRelease(true) == nil)
    #expect(switching.handle(.acquireSignal, isActive: false) == nil)
    #expect(!switching.isInFront)
  }

  @Test(
    "A terminal that was switched without permission is left, and one that is active again is resumed")
  func withoutSignals() {
    var switching = TerminalSwitching(isInFront: true)
    #expect(switching.handle(.acquireSignal, isActive: false) == .leave)
    switching.released()
    #expect(switching.handle(.check, isActive: true) == .release)
    #expect(switching.triedToRelease(false) == .resume)
  }

  @Test("If the kernel does not report the active terminal, the signals decide")
  func unknown() {
    var switching = TerminalSwitching(isInFront: true)
    #expect(switching.handle(.acquireSignal, isActive: nil) == nil)
    #expect(switching.handle(.releaseSignal, isActive: nil) == .leave)
    switching.released()
    #expect(switching.handle(.check, isActive: nil) == nil)
    #expect(switching.handle(.releaseSignal, isActive: nil) == nil)
    #expect(switching.handle(.acquireSignal, isActive: nil) == .release)
    #expect(switching.triedToRelease(false) == .resume)
  }

  @Test("In any order of switches, signals and checks, only its own terminal is used, and always resumed")
  func randomOrders() throws {
    for seed in 0..<UInt64(TestEffort.rounds(300, long: 10_000)) {
      var random = SplitMix(seed: seed)
      let terminal = MockTerminal(active: Int.random(in: 1...2, using: &random))
      let console = MockConsole()
      let loop = try EventLoop()
      try console.useTerminal(terminal, interval: 1, on: loop)
      _ = console.takeAssigned { [unowned console] event in
        if event == .leaving { _ = console.allowSwitch() }
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: terminal.requestSwitch(to: Int.random(in: 1...3, using: &random))
        case 2: terminal.send(Bool.random(using: &random) ? .releaseSignal : .acquireSignal)
        case 3: try loop.turn(timeoutMilliseconds: 0)
        default: console.deliverSignal()
        }
        #expect(!console.isInFront || terminal.isActive == true, "seed \(seed), step \(step)")
      }
      for _ in 0..<8 {
        console.deliverSignal()
        try loop.turn(timeoutMilliseconds: 0)
      }
      #expect(terminal.requested == nil, "seed \(seed): a switch was never allowed")
      #expect(console.isInFront == terminal.isActive, "seed \(seed)")
    }
  }

  @Test("After random switches and signals the display shows the picture, and the card is used only in front")
  func output() throws {
    for seed in 0..<UInt64(TestEffort.rounds(12, long: 300)) {
      var random = SplitMix(seed: seed)
      let rig = try Rig()
      let terminal = MockTerminal()
      try rig.console.useTerminal(terminal, interval: 5_000_000, on: rig.loop)
      #expect(try rig.startShowing())
      for step in 0..<40 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: terminal.requestSwitch(to: Int.random(in: 1...3, using: &random))
        case 1: terminal.send(Bool.random(using: &random) ? .releaseSignal : .acquireSignal)
        case 2: try rig.loop.turn(timeoutMilliseconds: 1)
        case 3: rig.present()
        default: rig.console.deliverSignal()
        }
        if terminal.isActive == false { #expect(rig.card.master == nil, "seed \(seed), step \(step)") }
      }
      terminal.requestSwitch(to: MockTerminal.own)
      while !terminal.pending.isEmpty { rig.console.deliverSignal() }
      if terminal.isActive == false { terminal.requestSwitch(to: MockTerminal.own) }
      #expect(try rig.run(until: { rig.console.isInFront && rig.canPresent }), "seed \(seed)")
      rig.paint(UInt32(seed) + 3)
      #expect(try rig.show())
      #expect(rig.displayShowsShadow)
      #expect(rig.stop() == [])
    }
  }

  @Test(
    "A stray signal is not logged as a switch to another terminal; a real switch is, once", arguments: [1, 2])
  func logged(displays: Int) throws {
    let wall = try SimulatedDisplays(names: (1...displays).map { "HDMI-A-\($0)" })
    let terminal = MockTerminal()
    try wall.console.useTerminal(terminal, interval: 2_000_000_000, on: wall.loop)
    try wall.start()
    try wall.run(seconds: 3)
    for signal in [TerminalSwitching.Event.releaseSignal, .acquireSignal, .releaseSignal] {
      terminal.send(signal)
      wall.console.deliverSignal()
      try wall.run(seconds: 3)
    }
    var switches: Int { wall.logged.filter { $0.contains("virtual terminal") }.count }
    #expect(switches == 0 && wall.isRight)
    for number in 1...2 {
      for target in [2, MockTerminal.own] {
        terminal.requestSwitch(to: target)
        wall.console.deliverSignal()
        try wall.run(seconds: 3)
        #expect(switches == number)
      }
      #expect(wall.isRight)
    }
    #expect(wall.stop() == [])
  }

  @Test("While its own terminal is active nothing wakes it; while another one is, it checks at intervals")
  func checks() throws {
    let loop = try EventLoop()
    let terminal = MockTerminal()
    var events: [ConsoleEvent] = []
    let switcher = try TerminalSwitcher(terminal, isInFront: true, interval: 1_000_000, on: loop) {
      events.append($0)
    }
    #expect(switcher.nextCheck == nil)
    terminal.requestSwitch(to: 2)
    switcher.handle(.releaseSignal)
    #expect(events == [.leaving])
    #expect(switcher.allowSwitch())
    #expect(switcher.nextCheck != nil && !switcher.isInFront && terminal.active == 2)
    try loop.turn(timeoutMilliseconds: 0)
    // The signal is lost.
    terminal.requestSwitch(to: MockTerminal.own)
    while terminal.takeSignal() != nil {}
    try withExtendedLifetime(terminal) {
      for _ in 0..<200 where events.count < 2 { try loop.turn(timeoutMilliseconds: 20) }
    }
    #expect(events == [.leaving, .back])
    #expect(switcher.nextCheck == nil && switcher.isInFront)
  }
}
