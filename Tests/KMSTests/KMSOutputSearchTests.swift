// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("Searching for a card, hotplug, console")
struct KMSOutputSearchTests {
  @Test(
    "Of a Pi 5's three cards the one with the TV is used, the others are left alone",
    arguments: [EOPNOTSUPP, 524])
  func threeCards(renderOnly errno: Int32) throws {
    let wall = try SimulatedDisplays(names: [])
    wall.card(0).renderOnlyErrno = errno
    wall.addCard(1, names: ["HDMI-A-1", "HDMI-A-2"])
    wall.addCard(2, names: ["HDMI-A-3", "HDMI-A-4"])
    for name in ["HDMI-A-1", "HDMI-A-2"] { wall.card(1).unplug(name) }
    wall.card(2).unplug("HDMI-A-4")
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.isRight)
    #expect(wall.descriptions.map(\.connector) == ["HDMI-A-3"])
    #expect((0...2).map { wall.card($0).openFiles } == [0, 0, 1])
    #expect(wall.card(1).modesets == 0)
    // The cards without a display are not opened again.
    let openings = (0...2).map { wall.card($0).callCounts["open"] }
    try wall.run(seconds: 600)
    #expect((0...2).map { wall.card($0).callCounts["open"] } == openings)
    #expect(wall.logged.allSatisfy { !$0.contains("lost") }, "\(wall.logged)")
    #expect(wall.stop() == [])
  }

  @Test(
    "A card can be configured by path, by link and by driver",
    arguments: [
      ("/dev/dri/card1", ["Virtual-1"]), ("card1", ["Virtual-1"]),
      ("/dev/dri/by-path/platform-gpu-card", ["Virtual-1"]), ("virtio_gpu", ["Virtual-1"]),
      ("auto", ["HDMI-A-1", "Virtual-1"]), ("", ["HDMI-A-1", "Virtual-1"]),
    ])
  func namedCard(name: String, connectors: [String]) throws {
    let wall = try SimulatedDisplays(preferences: OutputPreferences(card: name))
    wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    wall.cards.links["/dev/dri/by-path/platform-gpu-card"] = "/dev/dri/card1"
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.displays.all.map(\.name) == connectors)
    #expect(wall.plugged.filter { wall.isRight($0) }.sorted() == connectors)
    #expect(wall.stop() == [])
  }

  @Test(
    "The missing card is reported",
    arguments: [
      ("/dev/dri/card9", "the configured card /dev/dri/card9 does not exist"),
      ("i915", "no card has the configured driver i915 (found: vc4)"),
    ])
  func missingCard(name: String, line: String) throws {
    let wall = try SimulatedDisplays(preferences: OutputPreferences(card: name))
    try wall.start()
    try wall.run(seconds: 1)
    #expect(wall.losses.count == 1)
    #expect(wall.losses.first?.hasPrefix(line) == true)
    #expect(wall.stop() == [])
  }

  @Test("The firmware's framebuffer is used after a wait for the native driver, and closed when that appears")
  func firmware() throws {
    let wall = try SimulatedDisplays()
    wall.cards.cards = [:]
    let firmware = wall.addCard(driver: "simpledrm", names: ["Unknown-1"])
    try wall.start()
    try wall.run(seconds: 7)
    #expect(wall.losses.first?.contains("firmware") == true)
    #expect(wall.descriptions.isEmpty)
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    wall.addCard(1, names: ["HDMI-A-1"])
    wall.uevent(card: 1)
    try wall.run(seconds: 1)
    #expect(wall.isRight("HDMI-A-1"))
    #expect(wall.displays.all.map(\.name) == ["HDMI-A-1"])
    #expect(firmware.openFiles == 0)
    #expect(wall.stop() == [])
  }

  @Test("The firmware's framebuffer is used at once if configured")
  func firmwareNamed() throws {
    let wall = try SimulatedDisplays(preferences: OutputPreferences(card: "simpledrm"))
    wall.addCard(driver: "simpledrm", names: ["Unknown-1"])
    try wall.start()
    try wall.run(seconds: 0.1)
    #expect(wall.losses.isEmpty)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("No permission: one line with the group and the device, after two seconds")
  func noPermission() throws {
    let wall = try SimulatedDisplays()
    wall.card.fault = SimulatedCard.Fault(call: "open", errno: EACCES)
    try wall.start()
    try wall.run(seconds: 1.9)
    #expect(wall.logged.isEmpty)
    try wall.run(seconds: 20)
    #expect(wall.logged.count == 1)
    #expect(wall.logged.first?.contains("no permission to open /dev/dri/card0") == true)
    #expect(wall.logged.first?.contains("'video'") == true)
    #expect(wall.losses.count == 1)
    wall.card.fault = nil
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("A card that appears later is used")
  func cardAppears() throws {
    let wall = try SimulatedDisplays()
    wall.cards.cards = [:]
    try wall.start()
    try wall.run(seconds: 1)
    #expect(wall.losses.count == 1)
    #expect(wall.losses.first?.contains("no display device in /dev/dri") == true)
    wall.addCard(names: ["HDMI-A-1"])
    wall.uevent()
    try wall.run(seconds: 1)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("A burst of events without a change causes one search and does not disturb a frame in flight")
  func emptyEvent() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    let probes = try #require(rig.card.callCounts["MODE_GETCONNECTOR"])
    rig.card.completion = .never
    rig.present()
    for _ in 0..<5 { rig.uevent() }
    try rig.run(seconds: 1)
    #expect(rig.card.callCounts["MODE_GETCONNECTOR"] == probes + 1)
    #expect(rig.descriptions.count == 1)
    #expect(rig.output?.isFrameInFlight == true)
    rig.card.completion = .vblanks
    #expect(rig.stop() == [])
  }

  @Test("A failed link is set up again", arguments: [true, false])
  func badLink(atomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: atomic)
    try wall.start()
    try wall.run(seconds: 2)
    wall.card.failLink()
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.longestDark < 1_000_000_000)
    #expect(wall.card.modesets == 2)
    #expect(wall.stop() == [])
  }

  @Test("A TV that wakes up without an EDID keeps its previous mode")
  func withoutEDID() throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 2)
    wall.card.probe(edid: 0, modes: [Hardware.mode(32, 24, type: Hardware.preferred)])
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 100)
    #expect(wall.descriptions.map(\.mode.size.width) == [64])
    #expect(wall.longestDark == 0)
    #expect(wall.stop() == [])
  }

  @Test("A VT switch waits for the flip in flight, and everything is set again after the switch back")
  func consoleSwitch() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    rig.present()
    let since = rig.time.now
    rig.console.handler?(.leaving)
    #expect(rig.time.now > since)
    #expect(rig.time.now - since <= rig.card.period)
    #expect(rig.console.calls == ["left"])
    #expect(rig.card.master == nil)
    #expect(!rig.canPresent)
    var desktop: SimulatedFile? = try rig.card.showSplash(Hardware.mode(32, 24))
    try rig.run(seconds: 1)
    #expect(rig.losses.count == 1)
    #expect(rig.presentations.count == 1)
    let calls = rig.card.totalCalls
    rig.uevent()
    try rig.run(seconds: 70)
    #expect(rig.card.totalCalls == calls, "the card is not touched while away")

    // The other program is slow to release the card.
    rig.card.master = desktop
    rig.console.handler?(.back)
    try rig.run(seconds: 1)
    #expect(rig.card.master === desktop)
    desktop = nil
    #expect(try rig.run(until: { rig.canPresent }))
    rig.paint(8)
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    #expect(rig.stop() == [])
    #expect(rig.console.calls == ["left", "give back"])
  }

  @Test("If another terminal is active at the start, the output waits for its own")
  func startedBehind() throws {
    let wall = try SimulatedDisplays()
    wall.console.isAssigned = true
    wall.console.isInFront = false
    try wall.start()
    try wall.run(seconds: 70)
    #expect(wall.card.totalCalls == 0)
    #expect(wall.losses.count == 1)
    wall.console.handler?(.back)
    try wall.run(seconds: 1)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("A usable card need not have a display, but this process must be able to become master")
  func usable() throws {
    func isUsable(_ wall: SimulatedDisplays) -> Bool {
      !CardSearch(source: wall.cards, preferences: OutputPreferences(), acceptsFirmware: true).run().found
        .isEmpty
    }
    let wall = try SimulatedDisplays()
    wall.card.unplug()
    #expect(isUsable(wall))
    let other = try wall.card.open()
    #expect(!isUsable(wall), "\(other.fileDescriptor) is master")
    other.dropMaster()
    #expect(isUsable(wall))
    wall.card.hasDumbBuffers = false
    #expect(!isUsable(wall))
    wall.card.hasDumbBuffers = true
    wall.card.fault = SimulatedCard.Fault(call: "open", errno: EACCES)
    #expect(!isUsable(wall))
    wall.addCard(names: [])
    #expect(!isUsable(wall), "a card without displays")
    wall.addCard(1, names: ["HDMI-A-1"])
    #expect(isUsable(wall))
    wall.cards.cards = [:]
    #expect(!isUsable(wall))
  }
}
