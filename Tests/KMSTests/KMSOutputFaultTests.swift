// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("Failures of the output")
struct KMSOutputFaultTests {
  @Test("EBUSY at a flip: the same frame is retried a little later and presented once")
  func busyFlip() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.commitResults = [failure(EBUSY), failure(EBUSY)]
    rig.paint(5)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    #expect(rig.device.commits.count == 4)
    #expect(rig.output.statistics.framesPresented == 2)
    #expect(rig.losses.isEmpty)
    rig.output.stop()
  }

  @Test("A permanent EBUSY is a lost flip")
  func busyForEver() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.commitResults = Array(repeating: failure(EBUSY), count: 1000)
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    rig.output.stop()
  }

  @Test("EACCES at a flip: another program is master; reported once, resumed when it releases the card")
  func masterLost() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.isMaster = false
    rig.device.masterResults = [failure(EACCES), failure(EBUSY), failure(EINVAL)]
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.losses.count == 1)
    #expect(rig.losses.first?.hasPrefix("another program") == true)
    #expect(rig.logged.filter { $0.contains("another program") }.count == 1)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("ENODEV during a flip: the card is gone; its successor is found by its event")
  func cardGone() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    let old = rig.device
    old.completion = .never
    rig.output.present(rig.shadow.buffer, damage: [])
    old.isGone = true
    old.deliverStrayEvent()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.losses.first?.contains("/dev/dri/card0") == true)
    #expect(old.buffers.isEmpty)
    #expect(old.restored.isEmpty)
    rig.cards.devices = [try MockDevice(path: "/dev/dri/card1", card: Hardware.simple())]
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("A card that is removed while idle is closed at its event")
  func cardGoneAtRest() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.isGone = true
    let old = rig.device
    rig.cards.devices = []
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(old.buffers.isEmpty)
    #expect(rig.output.device == nil)
    rig.output.stop()
  }

  @Test("ENOMEM at the first flip: a much smaller mode is used and reported once")
  func outOfVideoMemory() throws {
    let modes = [
      Hardware.mode(64, 48, 100_000, type: Hardware.preferred), Hardware.mode(62, 48, 100_000),
      Hardware.mode(60, 46, 100_000), Hardware.mode(32, 24, 100_000),
    ]
    let rig = try Rig([Hardware.simple(modes: modes)])
    #expect(try rig.startShowing())
    // The first failure may be temporary, so the mode is set again before it is rejected.
    rig.device.commitResults = [failure(ENOMEM), nil, failure(ENOMEM)]
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(rig.connections.map(\.mode.size.width) == [64, 64, 32])
    #expect(rig.logged.filter { $0.hasPrefix("warning") }.count == 1)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    #expect(rig.device.buffers.count == 2)
    // A new search must not return to the mode that failed.
    rig.hotplug.handler?()
    try rig.settle()
    #expect(rig.connections.count == 3)
    rig.output.stop()
  }

  @Test("ENOSPC at the modeset: 16 bits per pixel are tried first")
  func bandwidth() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888, .rgb565])])
    rig.device.testResults = [failure(ENOSPC), failure(ENOSPC)]
    #expect(try rig.startShowing())
    #expect(rig.connections.map(\.mode.size.width) == [64])
    #expect(rig.output.screen?.candidate.format == .rgb565)
    #expect(rig.displayShowsShadow)
    #expect(rig.device.buffers.count == 2)
    rig.output.stop()
  }

  @Test("A format for which the driver cannot create a framebuffer is skipped")
  func noFramebuffer() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888, .rgb565])])
    // The second buffer of both attempts fails; the first one must be freed.
    rig.device.bufferResults = [nil, failure(EINVAL), nil, failure(EINVAL)]
    #expect(try rig.startShowing())
    #expect(rig.output.screen?.candidate.format == .rgb565)
    #expect(rig.device.buffers.count == 2)
    rig.output.stop()
  }

  @Test("If the kernel refuses to turn the others off, they stay on")
  func leavesOthers() throws {
    let rig = try Rig([Hardware.simple()])
    rig.device.testResults = [failure(EINVAL)]
    #expect(try rig.startShowing())
    #expect(rig.device.tests.map(\.turnsOff) == [true, false])
    #expect(rig.device.commits.first?.turnedOff == .some(nil))
    rig.output.stop()
  }

  @Test("If everything is refused, the reason is reported and the search is repeated")
  func refused() throws {
    let rig = try Rig([Hardware.simple()])
    // Two modes, two attempts each, with four sets of flags.
    rig.device.testResults = Array(repeating: failure(EINVAL), count: 16)
    try rig.start()
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.losses.first?.contains("Invalid argument") == true)
    #expect(rig.device.buffers.isEmpty)
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.output.stop()
  }

  @Test("After a refused modeset the next mode is tried")
  func modesetRefused() throws {
    let rig = try Rig([Hardware.simple()], atomic: false)
    rig.device.commitResults = [failure(EINVAL), failure(EINVAL)]
    try rig.start()
    for attempt in 2...3 {
      #expect(try rig.run(until: { rig.output.canPresent }))
      rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
      #expect(try rig.run(until: { rig.connections.count == attempt }))
    }
    #expect(rig.output.description?.mode.size.width == 32)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("Lost flips: modeset with new buffers, then reopening the card, then no display, then again")
  func lostFlips() throws {
    let rig = try Rig([Hardware.simple()])
    rig.device.completion = .never
    #expect(try rig.startShowing())
    let first = rig.device.buffersMade
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.device.buffersMade == first + 2)
    #expect(rig.cards.opens.count == 1)

    #expect(try rig.show(rig.shadow.buffer.bounds))
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 3 }))
    #expect(rig.cards.opens.count == 2)
    #expect(rig.losses.isEmpty)

    #expect(try rig.show(rig.shadow.buffer.bounds))
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.losses.count == 1 }))
    #expect(rig.losses.first?.contains("do not reach the display") == true)
    // The monitor works again.
    rig.device.completion = .vblanks
    rig.hotplug.handler?()
    #expect(try rig.run(until: { rig.output.canPresent }))
    for _ in 0..<4 { #expect(try rig.show(rig.shadow.buffer.bounds)) }
    #expect(rig.output.recovery?.ladder == RecoveryLadder())
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("EINVAL at a flip means that the kernel's state has changed: the mode is set again")
  func flipRefused() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.commitResults = [failure(EINVAL)]
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.output.description?.mode.size.width == 64)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.device.commits.last?.isFlip == false)
    rig.output.stop()
  }

  @Test("The event of a dropped flip does not complete the current one")
  func strayEvent() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.completion = .never
    rig.output.present(rig.shadow.buffer, damage: [])
    rig.device.deliverStrayEvent()
    try rig.loop.turn(timeoutMilliseconds: 5)
    #expect(rig.output.statistics.framesPresented == 1)
    rig.output.stop()
  }

  @Test("Without memory for a third buffer, the old ones are freed first")
  func noRoomForFreshBuffers() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.device.commitResults = [failure(EINVAL)]
    rig.device.bufferResults = [failure(ENOMEM)]
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.device.buffers.count == 2)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    #expect(!rig.device.calls.contains("double free"))
    rig.output.stop()
  }
}
