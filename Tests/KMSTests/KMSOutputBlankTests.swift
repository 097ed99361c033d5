// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import KMS

@Suite("Blanking the output")
struct KMSOutputBlankTests {
  private func isAsleep(_ output: SoleOutput) -> Bool {
    output.timers.allSatisfy { $0.deadline == nil }
  }

  /// Unblanks the output and expects a complete new picture.
  private func expectLit(_ rig: Rig, connections: Int) throws {
    rig.output.isBlank = false
    #expect(!rig.output.canPresent, "not before .connected is delivered")
    #expect(try rig.run(until: { rig.connections.count == connections && rig.output.canPresent }))
    rig.paint(77)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    #expect(rig.displayShowsShadow)
    rig.paint(78)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == true)
    #expect(rig.displayShowsShadow)
  }

  @Test("It is switched off, sleeps, and is switched on with the same buffers", arguments: [true, false])
  func goesDark(atomic: Bool) throws {
    let rig = try Rig([Hardware.simple()], atomic: atomic)
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    rig.output.isBlank = true
    #expect(rig.device.turnedOff == [false])
    #expect(rig.device.shown == nil)
    #expect(rig.device.isMaster)
    #expect(rig.output.description != nil)
    #expect(!rig.output.canPresent)
    let commits = rig.device.commits.count
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    try rig.settle()
    #expect(rig.device.commits.count == commits)
    #expect(isAsleep(rig.output))
    try expectLit(rig, connections: 2)
    #expect(rig.device.buffersMade == 2)
    #expect(rig.losses.isEmpty)
    rig.output.stop()
  }

  @Test("A frame in flight is waited for, but sends no event", arguments: [true, false])
  func inFlight(completes: Bool) throws {
    let rig = try Rig([Hardware.simple()])
    rig.device.completion = .vblanks
    #expect(try rig.startShowing())
    let count = rig.presentations.count
    if !completes { rig.device.completion = .never }
    rig.output.present(rig.shadow.buffer, damage: [])
    rig.output.isBlank = true
    try rig.settle(milliseconds: 80)
    #expect(rig.device.turnedOff == [false])
    #expect(rig.presentations.count == count)
    #expect(isAsleep(rig.output))
    #expect(rig.device.shown == nil)
    rig.device.completion = .noVBlanks
    try expectLit(rig, connections: 2)
    #expect(!rig.device.calls.contains("double free"))
    rig.output.stop()
  }

  @Test("A frame that waits for a busy card is dropped")
  func pending() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.commitResults = [failure(EBUSY)]
    rig.output.present(rig.shadow.buffer, damage: [])
    rig.output.isBlank = true
    try rig.settle()
    #expect(rig.device.shown == nil)
    #expect(rig.device.commits.count == 2)
    try expectLit(rig, connections: 2)
    rig.output.stop()
  }

  @Test("A display found while blanked is switched off before the first frame, boot splash or not")
  func darkFromTheStart() throws {
    var card = Hardware.simple()
    card.crtcs[0].timing = Hardware.mode(32, 24)
    card.crtcs[0].framebuffer = FramebufferID(7)
    card.encoders[0].crtc = CRTCID(60)
    let rig = try Rig([card])
    rig.output.isBlank = true
    try rig.start()
    #expect(try rig.run(until: { rig.connections.count == 1 }))
    #expect(rig.device.turnedOff == [false])
    #expect(rig.device.commits.isEmpty)
    #expect(!rig.output.canPresent)
    rig.output.stop()
    #expect(rig.device.restored.map(\.framebuffer) == [FramebufferID(7)], "the splash is restored")
  }

  @Test("It stays blanked when the cable is pulled and plugged in again")
  func hotplug() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    let connected = rig.device.card
    rig.device.card.connectors[0].status = .disconnected
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    rig.device.card = connected
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.device.turnedOff.count == 2)
    #expect(rig.device.shown == nil)
    #expect(!rig.output.canPresent)
    try rig.settle()
    #expect(rig.device.commits.count == 1, "nothing was switched on in the meantime")
    try expectLit(rig, connections: 3)
    #expect(rig.device.buffers.count == 2)
    rig.output.stop()
  }

  @Test("If unblanked while the cable is out, it is switched on when the cable is back")
  func litWithoutCable() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    let connected = rig.device.card
    rig.device.card.connectors[0].status = .disconnected
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    rig.output.isBlank = false
    try rig.settle()
    #expect(rig.connections.count == 1)
    rig.device.card = connected
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.device.turnedOff.count == 1)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("A switch to another terminal while blanked: it is blanked again after the switch back")
  func console() throws {
    let rig = try Rig([Hardware.simple()])
    rig.console.isAssigned = true
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    rig.console.handler?(.leaving)
    #expect(!rig.device.isMaster)
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    rig.console.handler?(.back)
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.device.turnedOff.count == 2)
    #expect(rig.device.shown == nil)
    try expectLit(rig, connections: 3)
    rig.output.stop()
  }

  @Test("If the card is removed while blanked, its successor is blanked too")
  func cardGone() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    rig.device.isGone = true
    rig.cards.devices = [try MockDevice(path: "/dev/dri/card1", card: Hardware.simple())]
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.device.turnedOff == [false])
    #expect(rig.device.commits.isEmpty)
    try expectLit(rig, connections: 3)
    rig.output.stop()
  }

  @Test("A busy card is retried; one that refuses is retried with less, then reported and left alone")
  func refusals() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.offResults = [failure(EBUSY), failure(EBUSY)]
    rig.output.isBlank = true
    #expect(try rig.run(until: { rig.device.shown == nil }))
    #expect(isAsleep(rig.output))
    try expectLit(rig, connections: 2)
    rig.device.offResults = [failure(EINVAL)]
    rig.output.isBlank = true
    #expect(rig.device.turnedOff == [false, true])
    try expectLit(rig, connections: 3)
    rig.device.offResults = [failure(EINVAL), failure(EINVAL)]
    rig.output.isBlank = true
    #expect(rig.logged.contains { $0.contains("cannot switch the display off") })
    #expect(isAsleep(rig.output))
    try expectLit(rig, connections: 4)
    rig.output.stop()
  }

  @Test("While another program is master it waits, and then blanks")
  func masterLost() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.isMaster = false
    rig.device.masterResults = [failure(EBUSY)]
    rig.output.isBlank = true
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.losses.count == 1)
    #expect(rig.device.turnedOff == [false])
    #expect(rig.device.shown == nil)
    try expectLit(rig, connections: 3)
    rig.output.stop()
  }

  @Test(
    "After any sequence of events the display is off if blanked and on if not",
    arguments: 1...12 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let rig = try Rig([Hardware.simple()], atomic: seed % 2 == 0)
    rig.console.isAssigned = true
    let connected = rig.device.card
    var isInFront = true
    #expect(try rig.startShowing())
    for step in 0..<60 {
      switch UInt32.random(in: 0..<9, using: &random) {
      case 0, 1: rig.output.isBlank.toggle()
      case 2, 3:
        rig.device.completion = Bool.random(using: &random) ? .vblanks : .noVBlanks
        rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
      case 4:
        rig.device.completion = .never
        rig.output.present(rig.shadow.buffer, damage: [])
      case 5:
        rig.device.card = connected
        if Bool.random(using: &random) { rig.device.card.connectors[0].status = .disconnected }
        rig.hotplug.handler?()
      case 6:
        isInFront.toggle()
        rig.console.handler?(isInFront ? .back : .leaving)
      case 7: rig.device.commitResults = [failure(EBUSY)]
      default: rig.device.offResults = [failure(EBUSY)]
      }
      try rig.settle(milliseconds: Int64.random(in: 0...4, using: &random))
      if rig.output.isBlank, rig.output.canPresent { Issue.record("step \(step): frames while blanked") }
    }
    // All faults are gone; the display must be on or off as last requested.
    rig.device.card = connected
    rig.device.completion = .noVBlanks
    if !isInFront { rig.console.handler?(.back) }
    rig.hotplug.handler?()
    let isBlank = rig.output.isBlank
    #expect(
      try rig.run(until: {
        rig.output.description != nil && (isBlank ? rig.device.shown == nil : rig.output.canPresent)
      }))
    if isBlank {
      // A busy card is retried, and then left alone.
      #expect(try rig.run(until: { isAsleep(rig.output) }))
      #expect(rig.device.shown == nil)
      rig.output.isBlank = false
      #expect(try rig.run(until: { rig.output.canPresent }))
    }
    rig.device.commitResults = []
    rig.paint(99)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
    #expect(rig.device.buffers.isEmpty)
    #expect(!rig.device.calls.contains("double free"))
  }
}
