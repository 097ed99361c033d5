// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import KMS

@Suite("Blanking the displays")
struct KMSOutputBlankTests {
  /// A wall that has shown the picture for a while.
  private func shownWall(atomic: Bool = true) throws -> SimulatedDisplays {
    let wall = try SimulatedDisplays(atomic: atomic)
    wall.console.isAssigned = true
    try wall.start()
    try wall.run(seconds: 2.5)
    #expect(wall.isRight)
    return wall
  }

  /// Unblanks the displays and expects the picture at once, and flips after it.
  private func expectLit(_ wall: SimulatedDisplays) throws {
    wall.displays.isBlank = false
    #expect(wall.output()?.canPresent == false, "not before .connected is delivered")
    wall.measure()
    try wall.run(seconds: 0.5)
    #expect(wall.isRight)
    #expect(wall.longestDark < 100_000_000)
    let (modesets, flips) = (wall.card.modesets, wall.card.flips)
    try wall.run(seconds: 2)
    #expect(wall.card.modesets == modesets)
    #expect(wall.card.flips > flips)
    #expect(wall.isRight)
  }

  @Test(
    "A display is switched off, sleeps, and is switched on with the same buffers", arguments: [true, false])
  func goesDark(atomic: Bool) throws {
    let wall = try shownWall(atomic: atomic)
    let framebuffers = Set(wall.card.framebuffers.keys)
    let commits = wall.card.callCounts[wall.card.modesetCall]
    wall.displays.isBlank = true
    wall.displays.isBlank = true
    #expect(wall.card.callCounts[wall.card.modesetCall] == commits.map { $0 + 1 })
    #expect(wall.card.picture() == nil)
    #expect(wall.card.master != nil)
    #expect(wall.output()?.description != nil)
    #expect(wall.output()?.canPresent == false)
    let calls = wall.card.totalCalls
    try wall.run(seconds: 60)
    #expect(wall.card.totalCalls == calls)
    #expect(wall.isAsleep)
    try expectLit(wall)
    #expect(Set(wall.card.framebuffers.keys) == framebuffers)
    #expect(wall.losses.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("Blanking waits for a frame in flight, which then sends no event", arguments: [true, false])
  func inFlight(completes: Bool) throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    let count = rig.presentations.count
    let framebuffers = Set(rig.card.framebuffers.keys)
    if !completes { rig.card.hang() }
    rig.present()
    #expect(rig.output?.isFrameInFlight == true)
    rig.displays.isBlank = true
    #expect(rig.picture == nil)
    try rig.run(seconds: 1)
    #expect(rig.presentations.count == count)
    #expect(rig.isAsleep)
    rig.displays.isBlank = false
    #expect(try rig.run(until: { rig.canPresent }))
    // A buffer whose flip never completed is not used again.
    #expect((Set(rig.card.framebuffers.keys) == framebuffers) == completes)
    for seed in 1...3 as ClosedRange<UInt32> {
      rig.paint(seed)
      #expect(try rig.show())
      #expect(rig.displayShowsShadow)
    }
    #expect(rig.stop() == [])
  }

  @Test("Blanking drops a frame that waits for a busy card")
  func pending() throws {
    let wall = try shownWall()
    wall.card.fault = SimulatedCard.Fault(call: wall.card.flipCall, errno: EBUSY)
    wall.isMoving = true
    try wall.run(seconds: 1)
    #expect(wall.output()?.flight.isDrawn == true)
    wall.displays.isBlank = true
    wall.card.fault = nil
    let (flips, modesets) = (wall.card.flips, wall.card.modesets)
    try wall.run(seconds: 5)
    #expect(wall.card.picture() == nil)
    #expect(wall.card.flips == flips)
    #expect(wall.card.modesets == modesets)
    try expectLit(wall)
    #expect(wall.stop() == [])
  }

  @Test("A display found while blanked is switched off without a first frame, together with its boot splash")
  func darkFromTheStart() throws {
    let wall = try SimulatedDisplays()
    let splash = try wall.card.showSplash(Hardware.mode(32, 24))
    #expect(wall.card.picture() != nil)
    wall.displays.isBlank = true
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.card.picture() == nil)
    #expect(wall.card.modesets == 1, "the splash's")
    #expect(wall.output()?.canPresent == false)
    #expect(wall.stop() == ["1 framebuffers"], "the splash's own")
    #expect(wall.card.picture()?.base == splash.buffers.values.first?.base, "the splash is restored")
  }

  @Test("A display stays blanked when the cable is pulled and plugged in again")
  func hotplug() throws {
    let wall = try shownWall()
    let modesets = wall.card.modesets
    wall.displays.isBlank = true
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: 1)
    #expect(wall.losses.count == 1)
    wall.card.plug()
    wall.uevent()
    try wall.run(seconds: 5)
    #expect(wall.card.picture() == nil)
    #expect(wall.output()?.canPresent == false)
    #expect(wall.output()?.description != nil)
    #expect(wall.card.modesets == modesets, "nothing was switched on in the meantime")
    try expectLit(wall)
    #expect(wall.card.framebuffers.count == 2)
    #expect(wall.stop() == [])
  }

  @Test("A display that is unblanked while the cable is out is switched on when the cable is back")
  func litWithoutCable() throws {
    let wall = try shownWall()
    wall.displays.isBlank = true
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: 1)
    wall.displays.isBlank = false
    try wall.run(seconds: 1)
    #expect(wall.descriptions.count == 1)
    wall.card.plug()
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.longestDark < 1_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test("A blanked display is blanked again after a switch to another terminal and back")
  func console() throws {
    let wall = try shownWall()
    wall.displays.isBlank = true
    wall.console.handler?(.leaving)
    #expect(wall.card.master == nil)
    var desktop: SimulatedFile? = try wall.card.showSplash(Hardware.mode(32, 24))
    try wall.run(seconds: 1)
    #expect(wall.card.picture() != nil)
    wall.console.handler?(.back)
    try wall.run(seconds: 2)
    #expect(wall.card.picture() == nil)
    #expect(wall.card.master != nil && wall.card.master !== desktop)
    desktop = nil
    try expectLit(wall)
    #expect(wall.stop() == [])
  }

  @Test("If the card is removed while blanked, its successor is blanked too")
  func cardGone() throws {
    let wall = try shownWall()
    wall.displays.isBlank = true
    wall.card.isRemoved = true
    wall.cards.cards = [:]
    wall.addCard(1, names: ["HDMI-A-1"])
    wall.uevent()
    try wall.run(seconds: 2)
    #expect(wall.output()?.device?.path == "/dev/dri/card1")
    #expect(wall.card.callCounts[wall.card.modesetCall] == 1)
    #expect(wall.card.modesets == 0)
    #expect(wall.card.picture() == nil)
    try expectLit(wall)
    #expect(wall.stop() == [])
  }

  @Test("Blanking is retried if the card is busy; a refusal is reported and not retried")
  func refusals() throws {
    let wall = try shownWall()
    wall.card.fail(wall.card.modesetCall, EBUSY, times: 2)
    wall.displays.isBlank = true
    #expect(wall.card.picture() != nil)
    try wall.run(seconds: 1)
    #expect(wall.card.picture() == nil)
    #expect(wall.isAsleep)
    try expectLit(wall)
    wall.card.fail(wall.card.modesetCall, EINVAL, times: 2)
    wall.displays.isBlank = true
    #expect(wall.logged.last?.contains("cannot switch the display off") == true)
    let calls = wall.card.totalCalls
    try wall.run(seconds: 5)
    #expect(wall.card.picture() != nil)
    #expect(wall.card.totalCalls == calls)
    #expect(wall.isAsleep)
    try expectLit(wall)
    #expect(wall.stop() == [])
  }

  @Test(
    "Another program's display is switched off too; if the kernel refuses both, only the blanked one is",
    arguments: [true, false])
  func foreign(isRefused: Bool) throws {
    let wall = try SimulatedDisplays(
      preferences: OutputPreferences(rules: [OutputRule(name: "HDMI-A-2", isEnabled: false)]),
      names: ["HDMI-A-1", "HDMI-A-2"])
    let splashes = try ["HDMI-A-1", "HDMI-A-2"].map {
      try wall.card.showSplash(Hardware.mode(32, 24), on: $0)
    }
    if isRefused { wall.card.fail(wall.card.modesetCall, EINVAL) }
    wall.displays.isBlank = true
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.card.picture() == nil)
    #expect((wall.card.picture(on: "HDMI-A-2") == nil) == !isRefused)
    #expect(wall.stop() == ["2 framebuffers"], "the splashes' own")
    withExtendedLifetime(splashes) {}
  }

  @Test("Blanking waits while another program is the card's master")
  func masterLost() throws {
    let wall = try shownWall()
    var other: SimulatedFile? = try wall.card.open()
    wall.card.master = other
    wall.displays.isBlank = true
    try wall.run(seconds: 1)
    #expect(wall.losses.count == 1)
    #expect(wall.card.picture() != nil)
    #expect(wall.card.master === other)
    other = nil
    try wall.run(seconds: 3)
    #expect(wall.card.picture() == nil)
    try expectLit(wall)
    #expect(wall.stop() == [])
  }

  @Test(
    "After any sequence of events the display is off if blanked and on if not",
    arguments: 1...12 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let wall = try shownWall(atomic: seed % 2 == 0)
    var isInFront = true
    for step in 0..<60 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: wall.displays.isBlank.toggle()
      case 2: wall.isMoving.toggle()
      case 3: wall.card.hang()
      case 4:
        wall.card.unplug()
        wall.uevent()
      case 5:
        wall.card.plug()
        wall.uevent()
      case 6:
        isInFront.toggle()
        wall.console.handler?(isInFront ? .back : .leaving)
      case 7: wall.card.fail(wall.card.flipCall, EBUSY, times: 3)
      default: wall.card.fail(wall.card.modesetCall, EBUSY, times: 2)
      }
      try wall.run(seconds: Double.random(in: 0...0.3, using: &random))
      if wall.displays.isBlank, wall.output()?.canPresent != false {
        Issue.record("step \(step): frames while blanked")
      }
    }
    // All faults end.
    wall.card.fault = nil
    wall.card.plug()
    if !isInFront { wall.console.handler?(.back) }
    wall.uevent()
    // The kernel itself waits ten seconds for each flip that hangs.
    try wall.run(seconds: 40)
    if wall.displays.isBlank {
      #expect(wall.card.picture() == nil)
      #expect(wall.isAsleep)
      try expectLit(wall)
    }
    #expect(wall.isRight)
    wall.displays.isBlank = true
    #expect(wall.card.picture() == nil)
    #expect(wall.stop() == [])
  }
}
