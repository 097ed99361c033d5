// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("The output on a working card")
struct KMSOutputTests {
  @Test(
    "It finds the display, sets the mode with the first frame and then flips",
    arguments: [true, false])
  func showsFrames(atomic: Bool) throws {
    let rig = try Rig([Hardware.simple()], atomic: atomic)
    #expect(try rig.startShowing())
    #expect(rig.connections.map(\.mode.description) == ["64x48@100"])
    #expect(rig.connections.first?.driver == "virtio_gpu")
    #expect(rig.device.commits.map(\.isFlip) == [false])
    #expect(rig.displayShowsShadow)
    for seed in 1...4 as ClosedRange<UInt32> {
      rig.paint(seed)
      #expect(try rig.show(rig.shadow.buffer.bounds))
      #expect(rig.displayShowsShadow)
    }
    #expect(rig.device.commits.dropFirst().allSatisfy { $0.isFlip })
    #expect(Set(rig.device.commits.map(\.framebuffer)).count == 2)
    #expect(rig.output.statistics.framesPresented == 5)
    #expect(rig.presentations.count == 5)
    #expect(rig.losses.isEmpty)
    rig.output.stop()
  }

  @Test("Nothing is presented before .connected is delivered, or while a frame is in flight")
  func canPresent() throws {
    let rig = try Rig([Hardware.simple()])
    try rig.start()
    #expect(!rig.output.canPresent)
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    #expect(rig.device.commits.isEmpty)
    #expect(rig.events.isEmpty, "no event from inside a call")
    #expect(try rig.run(until: { !rig.connections.isEmpty }))
    #expect(rig.output.canPresent)
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    #expect(!rig.output.canPresent)
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    #expect(rig.device.commits.count == 1)
    rig.output.stop()
    #expect(!rig.output.canPresent)
  }

  @Test("Exactly damage N and N−1 is written, regardless of the memory's previous content")
  func exactDamage() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    let rects = [
      PixelRect(x: 3, y: 5, width: 20, height: 7), PixelRect(x: 10, y: 8, width: 30, height: 20),
      PixelRect(x: 60, y: 40, width: 30, height: 30), PixelRect(x: -4, y: -4, width: 9, height: 9),
    ]
    // The first frame is written again after the modeset; the second one fills the other buffer completely.
    #expect(try rig.show(rects[0]))
    var bytes = rig.output.statistics.bytesCopied
    #expect(bytes == 3 * 64 * 48 * 4)
    var previous = rects[0].intersection(rig.shadow.buffer.bounds)
    for (index, rect) in rects.enumerated().dropFirst() {
      let back = try #require(rig.device.buffers.values.first { $0.framebuffer != rig.device.shown })
      // The memory's content must not matter: it is overwritten or left alone, but never read.
      let before = UInt8(index * 3)
      memset(back.pixels.base, Int32(before), back.byteCount)
      rig.paint(UInt32(index + 10), in: rect)
      #expect(try rig.show(rect))
      let clipped = rect.intersection(rig.shadow.buffer.bounds)
      var written = 0
      for y in 0..<48 {
        for x in 0..<64 {
          let point = PixelRect(x: x, y: y, width: 1, height: 1)
          let isDamaged = clipped.contains(point) || previous.contains(point)
          if isDamaged { written += 1 }
          let expected = isDamaged ? rig.shadow.buffer.row32(y)[x] : UInt32(before) &* 0x0101_0101
          if back.pixels.row32(y)[x] != expected { Issue.record("pixel \(x),\(y) of frame \(index)") }
        }
        #expect(back.pixels.row(y).load(fromByteOffset: 64 * 4 + 3, as: UInt8.self) == before)
      }
      #expect(rig.output.statistics.bytesCopied - bytes == UInt64(written * 4))
      #expect(rig.device.commits.last?.damage.reduce(0) { $0 + $1.area } == written)
      bytes = rig.output.statistics.bytesCopied
      previous = clipped
    }
    rig.output.stop()
  }

  @Test(
    "Frames presented from the handler are submitted within it, and missed vblanks are counted")
  func backToBack() throws {
    let rig = try Rig([Hardware.simple()])
    rig.device.completion = .vblanks
    #expect(try rig.startShowing())
    var commitsInside = 0
    rig.onPresented = { [unowned rig] in
      let before = rig.device.commits.count
      rig.output.present(rig.shadow.buffer, damage: [])
      commitsInside += rig.device.commits.count - before
    }
    rig.output.present(rig.shadow.buffer, damage: [])
    #expect(try rig.run(until: { rig.output.statistics.framesPresented >= 30 }))
    rig.onPresented = nil
    #expect(commitsInside >= 28)
    // The first presentation is the modeset; each later one has the time of its vblank.
    let times = rig.presentations.dropFirst().map(\.time)
    #expect(times.allSatisfy { $0 % rig.device.period == 0 })
    let gaps = zip(rig.device.sequences, rig.device.sequences.dropFirst()).map { Int($1 - $0) - 1 }
    #expect(rig.output.statistics.flipsMissed == UInt64(gaps.reduce(0, +)))
    #expect(rig.output.output?.timers.frame.deadline == nil, "only the event counts")
    rig.output.stop()
  }

  @Test("Without XRGB8888 the scanout is RGB565")
  func rgb565() throws {
    let rig = try Rig([Hardware.simple(formats: [.rgb565])])
    #expect(try rig.startShowing())
    rig.paint(9)
    #expect(try rig.show(PixelRect(x: 1, y: 1, width: 62, height: 46)))
    rig.paint(9)
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("Stop restores the original picture, then frees the buffers, then releases the card and the console")
  func stopRestores() throws {
    var card = Hardware.simple()
    let splash = Hardware.mode(32, 24, 100_000)
    card.crtcs[0].timing = splash
    card.crtcs[0].framebuffer = FramebufferID(7)
    card.crtcs[0].x = 3
    card.encoders[0].crtc = CRTCID(60)
    let rig = try Rig([card])
    #expect(try rig.startShowing())
    rig.device.completion = .never
    rig.output.present(rig.shadow.buffer, damage: [])
    rig.output.stop()
    #expect(
      rig.device.restored == [
        SavedCRTC(
          crtc: CRTCID(60), framebuffer: FramebufferID(7), x: 3, y: 0, timing: splash,
          connectors: [ConnectorID(40)])
      ])
    #expect(rig.device.calls == ["restore", "destroy buffer", "destroy buffer", "drop master"])
    #expect(rig.device.buffers.isEmpty)
    #expect(rig.console.calls == ["give back"])
    #expect(rig.hotplug.handler == nil)
    #expect(rig.output.description == nil)
    let count = rig.events.count
    try rig.settle()
    #expect(rig.events.count == count, "no event after stop")
  }

  @Test("What was never changed is not restored")
  func stopWithoutFrame() throws {
    var card = Hardware.simple()
    card.crtcs[0].timing = Hardware.mode(32, 24)
    card.crtcs[0].framebuffer = FramebufferID(7)
    card.encoders[0].crtc = CRTCID(60)
    let rig = try Rig([card])
    try rig.start()
    #expect(try rig.run(until: { rig.output.canPresent }))
    rig.output.stop()
    #expect(rig.device.restored.isEmpty)
    #expect(rig.device.buffers.isEmpty)
  }

  @Test("Changed preferences take effect at once; equal ones change nothing")
  func preferences() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.apply(OutputPreferences(connector: "Virtual-1"))
    try rig.settle()
    #expect(rig.connections.count == 1)
    rig.output.apply(
      OutputPreferences(mode: .size(PixelSize(width: 32, height: 24), refreshMillihertz: nil)))
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(rig.output.description?.mode.size == PixelSize(width: 32, height: 24))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    #expect(rig.device.buffers.count == 2, "the old buffers are freed when they are off the display")
    rig.output.stop()
  }

  @Test("At rest nothing wakes the loop")
  func sleeps() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    try rig.loop.turn(timeoutMilliseconds: 0)
    #expect(rig.output.timers.map(\.deadline) == [nil, nil, nil, nil])
    rig.output.stop()
  }
}
