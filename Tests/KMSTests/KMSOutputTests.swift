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
    let rig = try Rig(atomic: atomic)
    #expect(try rig.startShowing())
    #expect(rig.descriptions.map(\.mode.size) == [PixelSize(width: 64, height: 48)])
    #expect(rig.descriptions.first?.driver == "vc4")
    #expect(rig.card.modesets == 1)
    #expect(rig.card.flips == 0)
    #expect(rig.displayShowsShadow)
    for seed in 1...4 as ClosedRange<UInt32> {
      rig.paint(seed)
      #expect(try rig.show())
      #expect(rig.displayShowsShadow)
    }
    #expect(rig.card.modesets == 1)
    #expect(rig.card.flips == 4)
    #expect(rig.card.framebuffers.count == 2)
    #expect(rig.statistics.framesPresented == 5)
    #expect(rig.presentations.count == 5)
    #expect(rig.losses.isEmpty)
    #expect(rig.stop() == [])
  }

  @Test("Nothing is presented before .connected is delivered, or while a frame is in flight")
  func canPresent() throws {
    let rig = try Rig()
    try rig.start()
    #expect(!rig.canPresent)
    rig.present(rig.shadow.buffer.bounds)
    #expect(rig.card.modesets == 0)
    #expect(rig.descriptions.isEmpty && rig.losses.isEmpty, "no event from inside a call")
    #expect(try rig.run(until: { !rig.descriptions.isEmpty }))
    #expect(rig.canPresent)
    rig.present(rig.shadow.buffer.bounds)
    #expect(!rig.canPresent)
    rig.present(rig.shadow.buffer.bounds)
    #expect(rig.card.modesets == 1)
    #expect(rig.card.flips == 0)
    #expect(rig.stop() == [])
    #expect(!rig.canPresent)
  }

  @Test("A frame writes exactly its own and the previous frame's damage, regardless of the memory's content")
  func exactDamage() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    let rects = [
      PixelRect(x: 3, y: 5, width: 20, height: 7), PixelRect(x: 10, y: 8, width: 30, height: 20),
      PixelRect(x: 60, y: 40, width: 30, height: 30), PixelRect(x: -4, y: -4, width: 9, height: 9),
    ]
    // The first frame is written again after the modeset; the second one fills the other buffer completely.
    #expect(try rig.show(rects[0]))
    var bytes = rig.statistics.bytesCopied
    #expect(bytes == 3 * 64 * 48 * 4)
    var previous = rects[0].intersection(rig.shadow.buffer.bounds)
    for (index, rect) in rects.enumerated().dropFirst() {
      let back = try #require(rig.back)
      // The memory's content must not matter: it is overwritten or left alone, but never read.
      let before = UInt8(index * 3)
      back.clear(before)
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
          if back.row32(y)[x] != expected { Issue.record("pixel \(x),\(y) of frame \(index)") }
        }
        #expect(back.row(y).load(fromByteOffset: 64 * 4 + 3, as: UInt8.self) == before)
      }
      #expect(rig.statistics.bytesCopied - bytes == UInt64(written * 4))
      #expect(rig.card.state.damage[70]?.reduce(0) { $0 + $1.area } == written)
      bytes = rig.statistics.bytesCopied
      previous = clipped
    }
    #expect(rig.stop() == [])
  }

  @Test(
    "Frames presented from the handler are submitted within it, and missed vblanks are counted")
  func backToBack() throws {
    let rig = try Rig()
    // Events have times in whole microseconds, so the period must be a whole number of them.
    rig.card.period = 10_000_000
    #expect(try rig.startShowing())
    var flipsInside = 0
    rig.onPresented = { [unowned rig] in
      let before = rig.card.flips
      if rig.presentations.count % 5 == 0 { rig.time.pass(25_000_000) }
      rig.present()
      flipsInside += rig.card.flips - before
    }
    rig.present()
    #expect(try rig.run(until: { rig.statistics.framesPresented >= 30 }))
    rig.onPresented = nil
    #expect(flipsInside >= 28)
    // The first presentation is the modeset; each later one has the time of its vblank.
    let times = rig.presentations.dropFirst().map(\.time)
    #expect(times.allSatisfy { $0 % rig.card.period == 0 })
    let gaps = zip(times, times.dropFirst()).map { ($1 - $0) / rig.card.period - 1 }
    #expect(gaps.contains { $0 > 0 })
    #expect(rig.statistics.flipsMissed == UInt64(gaps.reduce(0, +)))
    #expect(rig.output?.timers.frame.deadline == nil, "only the event counts")
    #expect(rig.stop() == [])
  }

  @Test("Without XRGB8888 the scanout is RGB565")
  func rgb565() throws {
    let rig = try Rig(formats: [.rgb565])
    #expect(try rig.startShowing())
    rig.paint(9)
    #expect(try rig.show(PixelRect(x: 1, y: 1, width: 62, height: 46)))
    rig.paint(9)
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    #expect(rig.stop() == [])
  }

  @Test("Stop restores the original picture, then frees the buffers, then releases the card and the console")
  func stopRestores() throws {
    let rig = try Rig()
    let splash = try rig.card.showSplash(Hardware.mode(32, 24, 100_000), x: 3)
    let before = rig.card.state
    #expect(try rig.startShowing())
    #expect(rig.card.state.modes != before.modes)
    rig.card.completion = .never
    rig.present()
    #expect(rig.stop() == ["1 framebuffers"], "the splash's own")
    #expect(rig.card.cutOffs == 0, "no buffer is freed while it is on the display")
    #expect(rig.card.state.modes == before.modes)
    for name in ["FB_ID", "SRC_X"] { #expect(rig.card.state[70, name] == before[70, name], "\(name)") }
    #expect(rig.card.picture()?.base == splash.buffers.values.first?.base)
    #expect(rig.console.calls == ["give back"])
    #expect(rig.hotplug.handler == nil)
    let count = rig.descriptions.count + rig.losses.count + rig.presentations.count
    try rig.run(seconds: 1)
    #expect(
      rig.descriptions.count + rig.losses.count + rig.presentations.count == count, "no event after stop")
  }

  @Test("A card that was never changed is not restored")
  func stopWithoutFrame() throws {
    let rig = try Rig()
    let splash = try rig.card.showSplash(Hardware.mode(32, 24))
    let before = rig.card.state
    try rig.start()
    #expect(try rig.run(until: { rig.canPresent }))
    #expect(rig.stop() == ["1 framebuffers"], "the splash's own")
    #expect(rig.card.state == before)
    #expect(rig.card.callCounts["MODE_SETCRTC"] == 1, "by the splash")
    withExtendedLifetime(splash) {}
  }

  @Test("Changed preferences take effect at once; equal ones change nothing")
  func preferences() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    rig.displays.apply(OutputPreferences(connector: "HDMI-A-1"))
    try rig.run(seconds: 1)
    #expect(rig.descriptions.count == 1)
    rig.displays.apply(
      OutputPreferences(mode: .size(PixelSize(width: 32, height: 24), refreshMillihertz: nil)))
    #expect(try rig.run(until: { rig.descriptions.count == 2 }))
    #expect(rig.output?.description?.mode.size == PixelSize(width: 32, height: 24))
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    #expect(rig.card.framebuffers.count == 2, "the old buffers are freed when they are off the display")
    #expect(rig.card.cutOffs == 0)
    #expect(rig.stop() == [])
  }

  @Test("At rest nothing wakes the loop")
  func sleeps() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    try rig.loop.turn(timeoutMilliseconds: 0)
    #expect(rig.isAsleep)
    #expect(rig.stop() == [])
  }
}
