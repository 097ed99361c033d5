// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("Failures of the output")
struct KMSOutputFaultTests {
  @Test(
    "EBUSY at a flip: the same frame is retried a little later and presented once", arguments: [true, false])
  func busyFlip(atomic: Bool) throws {
    let rig = try Rig(atomic: atomic)
    #expect(try rig.startShowing())
    rig.card.fail(rig.card.flipCall, EBUSY, times: 2)
    rig.paint(5)
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    #expect(rig.card.flips == 3)
    #expect(rig.statistics.framesPresented == 2)
    #expect(rig.card.modesets == 1)
    #expect(rig.losses.isEmpty)
    #expect(rig.stop() == [])
  }

  @Test("A permanent EBUSY counts as a lost flip: the display is switched off and on")
  func busyForEver() throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 2)
    wall.card.fault = SimulatedCard.Fault(call: wall.card.flipCall, errno: EBUSY)
    try wall.run(seconds: 3)
    #expect(wall.card.modesets == 2)
    #expect(wall.descriptions.count == 2)
    #expect(wall.isRight)
    wall.card.fault = nil
    #expect(wall.stop() == [])
  }

  @Test(
    "Another program becomes master: reported once, resumed when it releases the card",
    arguments: [EBUSY, EACCES, EINVAL])
  func masterLost(errno: Int32) throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 2)
    var other: SimulatedFile? = try wall.card.open()
    #expect(other != nil)
    wall.card.master = other
    wall.card.fault = SimulatedCard.Fault(call: "SET_MASTER", errno: errno)
    try wall.run(seconds: 5)
    #expect(wall.losses.count == 1)
    #expect(wall.losses.first?.hasPrefix("another program") == true)
    #expect(wall.logged.filter { $0.contains("another program") }.count == 1)
    let modesets = wall.card.modesets
    other = nil
    wall.card.fault = nil
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.card.callCounts[wall.card.modesetCall] == modesets + 1)
    #expect(wall.stop() == [])
  }

  @Test(
    "A removed card is closed at once if frames move, otherwise at its event; the next card is used",
    arguments: [true, false])
  func cardGone(isMoving: Bool) throws {
    let wall = try SimulatedDisplays()
    wall.isMoving = isMoving
    try wall.start()
    try wall.run(seconds: 2.5)
    let old = wall.card
    old.isRemoved = true
    wall.cards.cards = [:]
    if !isMoving { wall.uevent() }
    try wall.run(seconds: 0.1)
    #expect(wall.losses.count == 1)
    #expect(wall.losses.first?.contains("/dev/dri/card0") == true)
    #expect(wall.output()?.device == nil)
    #expect(old.openFiles == 0)
    #expect(old.mistakes == [])
    wall.addCard(1, names: ["HDMI-A-1"])
    wall.uevent()
    try wall.run(seconds: 1)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("Too little video memory for a flip: a much smaller mode is used and reported once")
  func outOfVideoMemory() throws {
    let modes = [
      Hardware.mode(64, 48, type: Hardware.preferred), Hardware.mode(62, 48), Hardware.mode(60, 46),
      Hardware.mode(32, 24),
    ]
    let wall = try SimulatedDisplays(modes: modes, formats: [.xrgb8888])
    // Enough for one buffer of the first mode and one of the last. A flip needs two buffers of its mode, and
    // only those of the last mode fit.
    wall.card.videoMemory = (64 * 4 + 16) * 48 + (32 * 4 + 16) * 24
    try wall.start()
    try wall.run(seconds: 10)
    // The first failure may be temporary, so the mode is set again before it is rejected.
    #expect(wall.descriptions.map(\.mode.size.width) == [64, 64, 32])
    #expect(wall.logged.filter { $0.hasPrefix("warning") }.count == 1)
    #expect(wall.isRight)
    #expect(wall.card.framebuffers.count == 2)
    // A new search must not return to the mode that failed.
    wall.uevent()
    try wall.run(seconds: 5)
    #expect(wall.descriptions.count == 3)
    #expect(wall.stop() == [])
  }

  @Test("Too little bandwidth for a mode: 16 bits per pixel are tried first")
  func bandwidth() throws {
    let wall = try SimulatedDisplays()
    wall.card.bandwidth = 64 * 48 * 2
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.descriptions.map(\.mode.size.width) == [64])
    #expect(wall.descriptions.last?.format == "RGB565")
    #expect(wall.isRight)
    #expect(wall.card.framebuffers.count == 2)
    #expect(wall.stop() == [])
  }

  @Test("Memory for only one buffer of a format: the buffer is freed, and another format is used")
  func oneBuffer() throws {
    let wall = try SimulatedDisplays()
    wall.card.memory = 2 * (64 * 2 + 16) * 48
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.descriptions.map(\.mode.size.width) == [64])
    #expect(wall.descriptions.last?.format == "RGB565")
    #expect(wall.isRight)
    #expect(wall.card.master?.buffers.count == 2)
    #expect(wall.stop() == [])
  }

  @Test(
    "An unused display that shows another program's picture is switched off, unless the kernel refuses",
    arguments: [true, false])
  func leavesOthers(isRefused: Bool) throws {
    let wall = try SimulatedDisplays(
      preferences: OutputPreferences(rules: [OutputRule(name: "HDMI-A-2", isEnabled: false)]),
      names: ["HDMI-A-1", "HDMI-A-2"])
    let splash = try wall.card.showSplash(Hardware.mode(32, 24), on: "HDMI-A-2")
    if isRefused { wall.card.refusedCRTCs = [61] }
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.isRight("HDMI-A-1"))
    #expect(wall.descriptions.map(\.mode.size.width) == [64])
    #expect((wall.card.picture(on: "HDMI-A-2") == nil) == !isRefused)
    #expect(wall.stop() == ["1 framebuffers"], "the splash's own")
    withExtendedLifetime(splash) {}
  }

  @Test("Without atomic commits, the next mode is tried after a refused modeset")
  func modesetRefused() throws {
    let wall = try SimulatedDisplays(atomic: false)
    wall.card.refusedSizes = [PixelSize(width: 64, height: 48)]
    try wall.start()
    try wall.run(seconds: 2)
    // The mode is tried twice in each of the two formats.
    #expect(wall.descriptions.map(\.mode.size.width) == [64, 64, 64, 64, 48])
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("After lost flips: a modeset with new buffers, then reopening the card, then no display and retries")
  func lostFlips() throws {
    let wall = try SimulatedDisplays()
    wall.card.completion = .never
    try wall.start()
    try wall.run(seconds: 0.5)
    let framebuffers = Set(wall.card.framebuffers.keys)
    let warning = { wall.logged.last { $0.hasPrefix("warning") } ?? "" }
    let steps = [
      ("switching the display off and on", 1), ("reopening the card", 2), ("do not reach the display", 2),
    ]
    for (report, opens) in steps {
      for _ in 0..<200 where !warning().contains(report) { try wall.run(seconds: 0.1) }
      #expect(warning().contains(report))
      try wall.run(seconds: 0.1)
      #expect(wall.card.callCounts["open"] == opens, "\(report)")
      #expect(framebuffers.isDisjoint(with: wall.card.framebuffers.keys), "\(report)")
    }
    #expect(wall.losses.count == 1)
    #expect(wall.losses.first?.contains("do not reach the display") == true)
    // The log does not grow while nothing changes.
    let logged = wall.logged.count
    try wall.run(seconds: 3600)
    #expect(wall.logged.count == logged, "\(wall.logged.suffix(5))")
    // The display works again.
    wall.card.completion = .vblanks
    wall.uevent()
    try wall.run(seconds: 15)
    #expect(wall.isRight)
    #expect(wall.output()?.recovery.ladder == RecoveryLadder())
    #expect(wall.stop() == [])
  }

  @Test(
    "EINVAL at a flip means that the kernel's state has changed: the mode is set again",
    arguments: [true, false])
  func flipRefused(atomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: atomic)
    try wall.start()
    try wall.run(seconds: 2.5)
    wall.card.fail(wall.card.flipCall, EINVAL)
    wall.measure()
    try wall.run(seconds: 2)
    #expect(wall.card.modesets == 2)
    #expect(wall.descriptions.map(\.mode.size.width) == [64, 64])
    #expect(wall.isRight)
    #expect(wall.longestDark < 100_000_000)
    #expect(wall.stop() == [])
  }

  @Test("Without memory for a third buffer, the old ones are freed first")
  func noRoomForFreshBuffers() throws {
    let wall = try SimulatedDisplays()
    wall.card.memory = 2 * (64 * 4 + 16) * 48
    try wall.start()
    try wall.run(seconds: 2)
    let small = ModePreference.size(PixelSize(width: 48, height: 32), refreshMillihertz: nil)
    wall.displays.apply(OutputPreferences(mode: small))
    try wall.run(seconds: 2)
    #expect(wall.descriptions.map(\.mode.size.width) == [64, 48])
    #expect(wall.isRight)
    #expect(wall.card.framebuffers.count == 2)
    #expect(wall.stop() == [])
  }
}
