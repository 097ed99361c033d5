// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("Searching for a card, hotplug, console")
struct KMSOutputSearchTests {
  @Test("Of a Pi 5's three cards the one with the TV is used, the others are left alone")
  func threeCards() throws {
    let rig = try Rig([
      Hardware.v3d, Hardware.vc4(.disconnected, .disconnected), Hardware.vc4(.connected, .disconnected),
    ])
    try rig.start()
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.output.device?.path == "/dev/dri/card2")
    #expect(rig.connections.first?.connector == "HDMI-A-1")
    #expect(rig.output.device === rig.cards.devices[2])
    rig.output.stop()
  }

  @Test(
    "A card can be configured by path, by link and by driver",
    arguments: [
      ("/dev/dri/card1", "/dev/dri/card1"), ("card1", "/dev/dri/card1"),
      ("/dev/dri/by-path/platform-gpu-card", "/dev/dri/card1"), ("vc4", "/dev/dri/card1"),
      ("auto", "/dev/dri/card0"), ("", "/dev/dri/card0"),
    ])
  func namedCard(name: String, path: String) throws {
    let rig = try Rig(
      [Hardware.simple(), Hardware.vc4(.connected, .disconnected)], preferences: OutputPreferences(card: name)
    )
    rig.cards.links["/dev/dri/by-path/platform-gpu-card"] = "/dev/dri/card1"
    try rig.start()
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.output.device?.path == path)
    rig.output.stop()
  }

  @Test(
    "The missing card or connector is reported",
    arguments: [
      ("/dev/dri/card9", "the configured card /dev/dri/card9 does not exist"),
      ("i915", "no card has the configured driver i915 (found: virtio_gpu)"),
    ])
  func missingCard(name: String, line: String) throws {
    let rig = try Rig([Hardware.simple()], preferences: OutputPreferences(card: name))
    try rig.start()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.losses.first?.hasPrefix(line) == true)
    rig.output.stop()
  }

  @Test("The firmware's framebuffer is used after a wait for the native driver, and left when that appears")
  func simpledrm() throws {
    let rig = try Rig([Hardware.simple(driver: "simpledrm", name: "Unknown-1")])
    try rig.start()
    try rig.loop.turn(timeoutMilliseconds: 0)
    #expect(rig.losses.first?.contains("firmware") == true)
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.output.device?.driver == "simpledrm")
    rig.cards.devices.append(try MockDevice(path: "/dev/dri/card1", card: Hardware.simple(driver: "vc4")))
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.output.device?.driver == "vc4" && rig.output.canPresent }))
    #expect(rig.device.buffers.isEmpty)
    rig.output.stop()
  }

  @Test("The firmware's framebuffer is used at once if configured")
  func simpledrmNamed() throws {
    let rig = try Rig(
      [Hardware.simple(driver: "simpledrm")], preferences: OutputPreferences(card: "simpledrm"))
    try rig.start()
    try rig.loop.turn(timeoutMilliseconds: 0)
    #expect(rig.losses.isEmpty)
    #expect(rig.connections.count == 1)
    rig.output.stop()
  }

  @Test("No permission: one line with the group and the device, regardless of the number of attempts")
  func noPermission() throws {
    let rig = try Rig([Hardware.simple()])
    rig.cards.openResults["/dev/dri/card0"] = failure(EACCES)
    try rig.start()
    #expect(try rig.run(until: { rig.cards.opens.count >= 8 }))
    #expect(rig.logged.isEmpty)
    #expect(try rig.run(until: { rig.cards.opens.count >= 12 }))
    #expect(rig.logged.count == 1)
    #expect(rig.logged.first?.contains("no permission to open /dev/dri/card0") == true)
    #expect(rig.logged.first?.contains("'video'") == true)
    #expect(rig.losses.count == 1)
    rig.cards.openResults = [:]
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.output.stop()
  }

  @Test("At first there is no card, then one")
  func cardAppears() throws {
    let rig = try Rig([])
    try rig.start()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.losses.first?.contains("no display device in /dev/dri") == true)
    rig.cards.devices.append(try MockDevice(path: "/dev/dri/card0", card: Hardware.simple()))
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.output.stop()
  }

  @Test("Unplugged and plugged in again, with and without an event", arguments: [true, false])
  func hotplug(withEvent: Bool) throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.card = Hardware.simple(.disconnected)
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(!rig.output.canPresent)
    #expect(rig.output.description == nil)
    // The TV returns with its modes in a different order.
    rig.device.card = Hardware.simple(modes: [
      Hardware.mode(32, 24, 100_000), Hardware.mode(64, 48, 100_000, type: Hardware.preferred),
    ])
    if withEvent { rig.hotplug.handler?() }
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.output.description?.mode.size.width == 64)
    rig.paint(3)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    #expect(rig.displayShowsShadow)
    #expect(rig.device.buffers.count == 2)
    rig.output.stop()
  }

  @Test("An event without a change does not disturb anything, including a frame in flight")
  func emptyEvent() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    let looks = rig.device.describes
    rig.device.completion = .never
    rig.output.present(rig.shadow.buffer, damage: [])
    for _ in 0..<5 { rig.hotplug.handler?() }
    #expect(try rig.run(until: { rig.device.describes > looks }))
    #expect(rig.device.describes == looks + 1, "a burst causes one search")
    #expect(rig.connections.count == 1)
    #expect(rig.output.isFrameInFlight)
    rig.output.stop()
  }

  @Test("A failed link is set up again")
  func badLink() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.card.connectors[0].properties["link-status"]?.value = 1
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    rig.device.card.connectors[0].properties["link-status"]?.value = 0
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    rig.output.stop()
  }

  @Test("A TV that wakes up without an EDID keeps its previous mode")
  func withoutEDID() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.card = Hardware.simple(modes: [Hardware.mode(32, 24, 100_000, type: Hardware.preferred)])
    rig.device.card.connectors[0].properties["EDID"]?.value = 0
    rig.hotplug.handler?()
    try rig.settle()
    #expect(rig.connections.count == 1)
    #expect(rig.output.description?.mode.size.width == 64)
    rig.output.stop()
  }

  @Test("A VT switch waits for the flip in flight, and everything is set again after the switch back")
  func consoleSwitch() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.present(rig.shadow.buffer, damage: [])
    rig.console.handler?(.leaving)
    #expect(rig.console.calls == ["left"])
    #expect(!rig.device.isMaster)
    #expect(!rig.output.canPresent)
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.output.statistics.framesPresented == 1)
    rig.hotplug.handler?()
    try rig.settle()
    #expect(!rig.device.isMaster, "the card is not touched while away")

    // The other program is slow to release the card.
    rig.device.masterResults = [failure(EBUSY), failure(EBUSY)]
    rig.console.handler?(.back)
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.paint(8)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    #expect(rig.displayShowsShadow)
    rig.output.stop()
    #expect(rig.console.calls == ["left", "give back"])
  }

  @Test("Started while another terminal is active, it waits for its own")
  func startedBehind() throws {
    let rig = try Rig([Hardware.simple()])
    rig.console.isAssigned = true
    rig.console.isInFront = false
    try rig.start()
    try rig.settle()
    #expect(rig.cards.opens.isEmpty)
    #expect(rig.losses.count == 1)
    rig.console.handler?(.back)
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.output.stop()
  }

  @Test("A usable card need not have a display, but this process must be able to become master")
  func usable() throws {
    func isUsable(_ cards: [CardDescription], _ change: (Rig) -> Void = { _ in }) throws -> Bool {
      let rig = try Rig(cards)
      change(rig)
      return CardSearch(source: rig.cards, preferences: OutputPreferences(), acceptsFirmware: true)
        .isAnyUsable()
    }
    #expect(try isUsable([Hardware.simple(.disconnected)]))
    #expect(try !isUsable([]))
    #expect(try !isUsable([Hardware.v3d]))
    #expect(try !isUsable([Hardware.simple()]) { $0.device.masterResults = [failure(EACCES)] })
    #expect(try !isUsable([Hardware.simple()]) { $0.cards.openResults["/dev/dri/card0"] = failure(EACCES) })
    #expect(try isUsable([Hardware.v3d, Hardware.simple()]))
    #expect(try !isUsable([Hardware.simple()]) { $0.device.card.hasDumbBuffers = false })
  }
}
