// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Testing

@testable import KMS

/// Displays that take long to answer a probe, such as displays behind docks and TVs that are switched off.
@Suite("Probing connectors") struct ProbingTests {
  private static let names = ["HDMI-A-1", "HDMI-A-2", "DP-1"]

  /// Two displays whose pictures move, and a connector without a display.
  private func wall(_ probe: Int64, isAtomic: Bool = true, hasEvents: Bool = true) throws -> SimulatedDisplays
  {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: Self.names)
    wall.hotplug.fails = !hasEvents
    wall.card.unplug("DP-1")
    wall.card.durations["MODE_GETCONNECTOR"] = probe
    wall.isMoving = true
    try wall.start()
    try wall.run(seconds: 10 + Double(probe) / 2e8)
    #expect(wall.isRight)
    return wall
  }

  private func expectPace(_ wall: SimulatedDisplays, _ names: [String], _ what: Comment) {
    // A frame is shown at the next vblank, or one period later if it just misses that vblank.
    for name in names { #expect(wall.longestInterval(name) <= 2 * wall.card.period + 1_000_000, what) }
  }

  @Test(
    "While connectors are probed, the other displays flip at their usual intervals",
    arguments: [100_000, 10_000_000, 100_000_000, 500_000_000, 2_000_000_000] as [Int64], [true, false])
  func intervals(probe: Int64, isAtomic: Bool) throws {
    let wall = try wall(probe, isAtomic: isAtomic)
    let time = 5 + Double(probe) / 2e8
    wall.measure()
    for _ in 0..<3 {
      wall.uevent(card: 0)
      try wall.run(seconds: time)
    }
    expectPace(wall, ["HDMI-A-1", "HDMI-A-2"], "an event")
    wall.card.unplug("HDMI-A-2")
    wall.uevent(card: 0)
    try wall.run(seconds: time)
    #expect(wall.losses.isEmpty)
    expectPace(wall, ["HDMI-A-1"], "unplugged")
    try wall.run(seconds: 300)
    expectPace(wall, ["HDMI-A-1"], "looking for the display")
    // Events during a probe.
    wall.card.plug("DP-1")
    for _ in 0..<5 {
      wall.uevent(card: 0)
      try wall.run(seconds: 0.2)
    }
    wall.card.plug("HDMI-A-2")
    wall.uevent(card: 0)
    try wall.run(seconds: 4 * time)
    #expect(wall.isRight && wall.card.modesets >= 4)
    #expect(wall.longestDark("HDMI-A-1") == 0)
    #expect(wall.stop() == [])
  }

  @Test("While hotplug events work, nothing probes a connector without a reason")
  func noEndlessProbes() throws {
    let wall = try wall(100_000_000)
    var probes: Int { wall.card.callCounts["MODE_GETCONNECTOR"] ?? 0 }
    wall.isMoving = false
    for isPlugged in [true, false] {
      if !isPlugged {
        for name in Self.names { wall.card.unplug(name) }
        wall.uevent()
        try wall.run(seconds: 3)
      }
      let before = probes
      try wall.run(seconds: 3600)
      #expect(probes == before)
    }
    // A display that is plugged in without an event is still found, and its modes are read.
    wall.card.plug("HDMI-A-1", edid: 7, modes: [SimulatedDisplays.modes[1]])
    try wall.run(seconds: 70)
    #expect(wall.isRight && wall.descriptions.last?.mode.size == SimulatedDisplays.modes[1].size)
    #expect(wall.stop() == [])
  }

  @Test("Without hotplug events, displays are probed at intervals, and flips are not delayed")
  func withoutEvents() throws {
    let wall = try wall(500_000_000, hasEvents: false)
    wall.measure()
    let before = wall.card.callCounts["MODE_GETCONNECTOR"] ?? 0
    try wall.run(seconds: 60)
    #expect((wall.card.callCounts["MODE_GETCONNECTOR"] ?? 0) > before)
    expectPace(wall, ["HDMI-A-1", "HDMI-A-2"], "looks")
    #expect(wall.stop() == [])
  }

  @Test("After other events during a probe, the displays show the right picture", arguments: 0..<6)
  func meanwhile(_ what: Int) throws {
    let wall = try wall(2_000_000_000)
    wall.uevent(card: 0)
    try wall.run(seconds: 1)
    switch what {
    case 0: wall.card.hang("HDMI-A-1")
    case 1:
      wall.card.unplug("HDMI-A-1")
      wall.uevent(card: 0)
      try wall.run(seconds: 6)
      wall.card.plug("HDMI-A-1")
      wall.uevent(card: 0)
    case 2: wall.displays.isBlank = true
    case 3:
      #expect(wall.stop() == [])
      try wall.start()
    case 4: wall.displays.resumed()
    default:
      wall.displays.consoleEvent(.leaving)
      #expect(wall.card.master == nil)
      wall.displays.consoleEvent(.back)
    }
    try wall.run(seconds: 20)
    if what == 2 {
      wall.displays.isBlank = false
      try wall.run(seconds: 5)
    }
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("The thread probes, and the loop gets the result")
  func thread() throws {
    let loop = try EventLoop()
    let wall = try SimulatedDisplays()
    let device = try wall.cards.open("/dev/dri/card0")
    let probe = ConnectorProbe(on: loop, log: Log(style: .journal, threshold: .emergency))
    var isDone = false
    probe.probe([ProbeRequest(device: device, connectors: [ConnectorID(40)])]) { isDone = true }
    #expect(!isDone)
    for _ in 0..<1000 where !isDone { try loop.turn(timeoutMilliseconds: 100) }
    #expect(isDone && wall.card.probed[40]?.modes == SimulatedDisplays.modes)
  }
}
