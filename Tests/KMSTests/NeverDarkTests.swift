// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

/// What happens to displays and cards in use, on the simulated kernel.
@Suite("Displays that come, go and fail")
struct NeverDarkTests {
  @Test("Each new picture is shown at once; nothing is left at the end", arguments: [true, false])
  func ordinary(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    try wall.start()
    try wall.run(seconds: 1)
    wall.measure()
    try wall.run(seconds: 10)
    #expect(wall.isRight)
    #expect(wall.longestDark == 0)
    #expect(wall.card.modesets == 1)
    #expect(wall.stop() == [])
  }

  @Test(
    "After a cable was pulled and plugged in again, the encoder is enabled again", arguments: [true, false],
    [0.2, 3, 100])
  func cable(isAtomic: Bool, away: Double) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: away)
    wall.card.plug()
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 10)
    #expect(wall.isRight)
    #expect(wall.longestDark < 2_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test(
    "If flips stop completing, the encoder is switched off and on, not only set again",
    arguments: [true, false])
  func hangingFlips(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    try wall.start()
    try wall.run(seconds: 3)
    let (modesets, openings) = (wall.card.modesets, wall.card.callCounts["open"])
    wall.card.hang()
    // The kernel itself waits ten seconds for the flip that hangs.
    try wall.run(seconds: 14)
    wall.measure()
    try wall.run(seconds: 10)
    #expect(wall.card.modesets > modesets)
    // Opening the card again, the next step of the ladder, was not necessary.
    #expect(wall.card.callCounts["open"] == openings)
    #expect(wall.isRight)
    #expect(wall.longestDark == 0)
    #expect(wall.stop() == [])
  }

  @Test(
    "A display that is unplugged without an event is noticed at the next frame", arguments: [true, false])
  func noEvent(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.unplug()
    try wall.run(seconds: 12)
    #expect(wall.losses.count == 1)
    wall.card.plug()
    try wall.run(seconds: 12)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("With a driver without page flips, every frame is shown by setting the mode")
  func noPageFlip() throws {
    let wall = try SimulatedDisplays(atomic: false)
    wall.card.hasPageFlips = false
    try wall.start()
    try wall.run(seconds: 1)
    wall.measure()
    try wall.run(seconds: 10)
    #expect(wall.longestDark == 0)
    #expect(wall.losses.isEmpty && wall.descriptions.count == 1)
    // Only the first frame tries to flip.
    #expect(wall.card.flips == 1)
    #expect(wall.stop() == [])
  }

  @Test("An EINVAL after a flip that succeeded does not end page flips")
  func laterRefusal() throws {
    let wall = try SimulatedDisplays(atomic: false)
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.fail("MODE_PAGE_FLIP", EINVAL)
    try wall.run(seconds: 3)
    let flips = wall.card.flips
    try wall.run(seconds: 10)
    #expect(wall.card.flips >= flips + 9)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test(
    "A display whose flips take seconds is neither switched off nor looked for again; a lost flip is still noticed",
    arguments: [1_000, 1_400, 1_600, 3_000, 8_000] as [Int64], [true, false])
  func slowDisplay(milliseconds: Int64, isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: ["HDMI-A-1", "DSI-1"])
    wall.card.refreshTime = milliseconds * 1_000_000
    try wall.start()
    try wall.run(seconds: 60)
    #expect(wall.card.modesets == 2 && wall.descriptions.count == 2 && wall.losses.isEmpty)
    #expect(!wall.logged.contains { $0.contains("off and on") || $0.contains("reopening") })
    let flips = wall.card.flips
    try wall.run(seconds: 60)
    #expect(wall.card.flips > flips + 8)
    wall.card.hang("HDMI-A-1")
    try wall.run(seconds: 120)
    #expect(wall.logged.contains { $0.contains("off and on") })
    #expect(wall.card.modesets > 2 && wall.card.hung.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("A second display does not take the picture away from the first")
  func secondDisplay() throws {
    let wall = try SimulatedDisplays(names: ["HDMI-A-1", "HDMI-A-2"])
    wall.card.unplug("HDMI-A-1")
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    wall.card.plug("HDMI-A-1")
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 5)
    #expect(wall.isRight)
    #expect(wall.longestDark("HDMI-A-2") == 0)
    #expect(wall.stop() == [])
  }

  @Test("A refused mode is tried again after the display was unplugged")
  func forgiven() throws {
    let wall = try SimulatedDisplays()
    wall.card.refusedSizes = [PixelSize(width: 64, height: 48)]
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 48, height: 32))
    wall.card.refusedSizes = []
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: 1)
    wall.card.plug()
    wall.uevent()
    try wall.run(seconds: 5)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 64, height: 48))
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("A refused mode is tried again for another display on the same connector")
  func otherDisplay() throws {
    let wall = try SimulatedDisplays()
    wall.card.refusedSizes = [PixelSize(width: 64, height: 48)]
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.refusedSizes = []
    wall.card.plug(edid: 900)
    wall.uevent()
    try wall.run(seconds: 5)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 64, height: 48))
    #expect(wall.stop() == [])
  }

  @Test(
    "If a display is replaced while the connector stays connected, the encoder is enabled again",
    arguments: [true, false])
  func replaced(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.plug(edid: 900)
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.longestDark < 2_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test(
    "A display that returns while it cannot be switched off is tried again", arguments: [0.01, 1],
    [EBUSY, EIO])
  func switchingOffFails(away: Double, errno: Int32) throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.unplug()
    wall.card.fault = SimulatedCard.Fault(
      call: "MODE_ATOMIC modeset", errno: errno, end: wall.time.now + Int64((away + 0.5) * 1e9))
    wall.uevent()
    try wall.run(seconds: away)
    wall.card.plug()
    wall.uevent()
    try wall.run(seconds: 0.5)
    wall.measure()
    try wall.run(seconds: 5)
    #expect(wall.isRight)
    #expect(wall.longestDark < 2_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test("A refused mode is tried again after an hour")
  func inTime() throws {
    let wall = try SimulatedDisplays()
    wall.card.refusedSizes = [PixelSize(width: 64, height: 48)]
    try wall.start()
    try wall.run(seconds: 3)
    wall.card.refusedSizes = []
    try wall.run(seconds: 3700)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 64, height: 48))
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test(
    "The picture stays while a better mode is tried that is refused or too large for the memory",
    arguments: [true, false])
  func triedInVain(isMemory: Bool) throws {
    let wall = try SimulatedDisplays()
    if isMemory {
      // Enough for two buffers of the second mode, but not for two of the first.
      wall.card.memory = 2 * (48 * 4 + 16) * 32 + 100
    } else {
      wall.card.refusedSizes = [PixelSize(width: 64, height: 48)]
    }
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 48, height: 32))
    let count = wall.descriptions.count
    wall.measure()
    try wall.run(seconds: 7300)
    #expect(wall.longestDark == 0)
    #expect(wall.descriptions.count == count)
    #expect(wall.stop() == [])
  }

  @Test("The buffers of a display that is gone are freed")
  func memoryOfTheGone() throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.card.framebuffers.count == 2)
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: 1)
    #expect(wall.card.framebuffers.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("If the smallest mode is configured and refused, a larger one is used")
  func upward() throws {
    let small = PixelSize(width: 32, height: 24)
    let wall = try SimulatedDisplays(
      preferences: OutputPreferences(mode: .size(small, refreshMillihertz: nil)))
    wall.card.refusedSizes = [small]
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("If a CRTC refuses every mode, another CRTC is used")
  func otherCRTC() throws {
    let wall = try SimulatedDisplays(extraCRTCs: 1)
    wall.card.refusedCRTCs = [60]
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("A display that had no EDID at first gets its own mode later, without an event")
  func sleepingTelevision() throws {
    let wall = try SimulatedDisplays()
    wall.card.plug(edid: 0, modes: [Hardware.mode(48, 32)])
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 48, height: 32))
    wall.card.plug(edid: 7, modes: SimulatedDisplays.modes)
    try wall.run(seconds: 15)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 64, height: 48))
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("What another program set is reset: HDR, colour space, range, depth, VRR, gamma; margins stay")
  func foreignState() throws {
    let wall = try SimulatedDisplays()
    let foreign: [(UInt32, String, UInt64, UInt64)] = [
      (40, "HDR_OUTPUT_METADATA", 800, 0), (40, "Colorspace", 9, 0), (40, "Broadcast RGB", 2, 0),
      (40, "left margin", 20, 20), (40, "max bpc", 12, 8), (60, "VRR_ENABLED", 1, 0),
      (60, "GAMMA_LUT", 900, 0),
    ]
    for (object, name, value, _) in foreign { wall.card.state[object, name] = value }
    try wall.start()
    try wall.run(seconds: 3)
    for (object, name, _, neutral) in foreign { #expect(wall.card.state[object, name] == neutral, "\(name)") }
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("With too little memory for the best mode a smaller one is used, until there is enough memory")
  func littleMemory() throws {
    let wall = try SimulatedDisplays()
    wall.machine.availableMemory = 48 * 32 * 30
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 48, height: 32))
    let trouble = try #require(wall.output()?.trouble)
    #expect(trouble.reason.contains("too little memory"))
    #expect(trouble.attempts.contains { $0.contains("of memory are available") })
    // The program's own pictures reduce the free memory, which must not lead to a smaller mode.
    wall.machine.availableMemory = 1000
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 10)
    #expect(wall.longestDark == 0)
    wall.machine.availableMemory = 64 * 48 * 30
    try wall.run(seconds: 3700)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 64, height: 48))
    #expect(wall.output()?.trouble == nil)
    #expect(wall.stop() == [])
  }

  @Test("With hardly any memory the smallest mode is used, in 16 bits")
  func noMemory() throws {
    let wall = try SimulatedDisplays()
    wall.machine.availableMemory = 100
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.descriptions.last?.mode.size == PixelSize(width: 32, height: 24))
    #expect(wall.descriptions.last?.format == "RGB565")
    #expect(wall.stop() == [])
  }

  @Test("After a suspension everything is set again", arguments: [true, false])
  func resumed(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: ["HDMI-A-1", "HDMI-A-2"])
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 3)
    wall.card.suspend()
    #expect(!wall.isRight)
    wall.displays.resumed()
    wall.measure()
    try wall.run(seconds: 2)
    #expect(wall.isRight)
    #expect(wall.longestDark < 1_000_000_000)
    #expect(wall.losses.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("A rate below 10 Hz, as SPI panels report it, is taken as 60 Hz")
  func panelRate() {
    // DRM_SIMPLE_MODE sets the clock to 1 kHz.
    let panel = Timing(
      clockKilohertz: 1, hDisplay: 320, hSyncStart: 320, hSyncEnd: 320, hTotal: 320, vDisplay: 240,
      vSyncStart: 240, vSyncEnd: 240, vTotal: 240)
    #expect(panel.refreshMillihertz == 60_000)
    #expect(panel.periodNanoseconds == 16_666_666)
    #expect(Hardware.mode(1920, 1080, 24_000).refreshMillihertz == 24_000)
  }
}
