// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import Display

struct HeadlessOutputTests {
  private let mode = DisplayMode(size: PixelSize(width: 64, height: 32), refreshMillihertz: 100_000)

  @Test("It connects after start, with its mode, and causes no wakeups until a frame is presented")
  func connects() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    var events: [OutputEvent] = []
    #expect(!output.canPresent)
    try output.start { events.append($0) }
    #expect(events.isEmpty)
    try loop.turn(timeoutMilliseconds: -1)
    #expect(events.count == 1)
    #expect(output.description?.mode == mode)
    #expect(output.description?.driver == "headless")
    #expect(output.canPresent)
    let before = SystemClock.monotonic.now.totalNanoseconds
    try loop.turn(timeoutMilliseconds: 50)
    // The loop slept through five vblanks.
    #expect(SystemClock.monotonic.now.totalNanoseconds - before >= 49_000_000)
    #expect(events.count == 1)
    output.stop()
    output.stop()
    #expect(output.description == nil)
  }

  @Test("A frame is shown at the next vblank of the grid, not before, one at a time")
  func presents() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    var presentations: [Presentation] = []
    try output.start { if case .presented(let presentation) = $0 { presentations.append(presentation) } }
    try loop.turn(timeoutMilliseconds: -1)
    let red = Bitmap(width: 64, height: 32, format: .xrgb8888)
    red.fill(red.buffer.bounds, 0xff0000)
    let start = SystemClock.monotonic.now.totalNanoseconds
    let next = output.nextPresentationTime
    #expect(next > start)
    output.present(red.buffer, damage: [red.buffer.bounds])
    #expect(!output.canPresent)
    #expect(output.scanout.colors.allSatisfy { $0 == 0 })
    // The output ignores this frame, because one is in flight.
    output.present(Bitmap(width: 64, height: 32, format: .xrgb8888).buffer, damage: [red.buffer.bounds])
    #expect(try loop.turn { !presentations.isEmpty })
    #expect(output.canPresent)
    #expect(output.scanout.colors.allSatisfy { $0 == 0xff0000 })
    #expect(presentations[0].time >= next)
    #expect((presentations[0].time - next) % mode.framePeriodNanoseconds == 0)
    #expect(presentations[0].nextTime > presentations[0].time)
    #expect(output.statistics.framesPresented == 1)
    #expect(output.statistics.bytesCopied == 64 * 32 * 4)
    output.stop()
  }

  @Test("Blanked, it shows black, drops the frame in flight and sleeps; unblanked, it connects again")
  func dark() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    var connections = 0
    var presented = 0
    try output.start { event in
      switch event {
      case .connected: connections += 1
      case .presented: presented += 1
      case .disconnected: break
      }
    }
    try loop.turn(timeoutMilliseconds: -1)
    let red = Bitmap(width: 64, height: 32, format: .xrgb8888)
    red.fill(red.buffer.bounds, 0xff0000)
    for _ in 0..<2 {
      let before = presented
      output.present(red.buffer, damage: [red.buffer.bounds])
      #expect(try loop.turn { presented > before })
    }
    output.present(red.buffer, damage: [red.buffer.bounds])
    output.isBlank = true
    #expect(!output.canPresent)
    #expect(output.description != nil)
    #expect(output.scanout.colors.allSatisfy { $0 == 0 })
    output.present(red.buffer, damage: [red.buffer.bounds])
    try loop.turn(timeoutMilliseconds: 50)
    #expect(presented == 2)
    #expect(output.scanout.colors.allSatisfy { $0 == 0 })
    output.isBlank = false
    #expect(connections == 1, "not from inside a call")
    #expect(try loop.turn { connections == 2 })
    output.present(red.buffer, damage: [red.buffer.bounds])
    #expect(try loop.turn { presented == 3 })
    #expect(output.scanout.colors.allSatisfy { $0 == 0xff0000 })
    output.stop()
  }

  @Test("Only damage is copied, and every frame is shown completely", arguments: [1, 2, 3] as [UInt64])
  func damage(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let loop = try EventLoop()
    let fast = DisplayMode(size: mode.size, refreshMillihertz: 1_000_000)
    let output = HeadlessOutput(mode: fast, on: loop)
    let frame = Bitmap(width: 64, height: 32, format: .xrgb8888)
    var shown: [[UInt32]] = []
    var expected: [[UInt32]] = []
    let draw = { (damage: [PixelRect]) in
      for rect in damage { frame.fill(rect, UInt32.random(in: 0...0xffffff, using: &random)) }
      expected.append(frame.buffer.colors)
      output.present(frame.buffer, damage: damage)
    }
    try output.start { event in
      switch event {
      case .connected: draw([frame.buffer.bounds])
      case .presented:
        shown.append(output.scanout.colors)
        if shown.count < 40 {
          draw((0..<Int.random(in: 0...3, using: &random)).map { _ in random.rect(around: fast.size) })
        }
      case .disconnected: break
      }
    }
    #expect(try loop.turn { shown.count == 40 })
    #expect(shown == expected)
    output.stop()
  }

  @Test("The byte count covers this damage and what the back buffer missed")
  func bytes() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    let frame = Bitmap(width: 64, height: 32, format: .xrgb8888)
    var presented = 0
    try output.start { if case .presented = $0 { presented += 1 } }
    try loop.turn(timeoutMilliseconds: -1)
    let whole = frame.buffer.bounds
    let steps: [([PixelRect], Int)] = [
      ([whole], 2048), ([], 2048), ([], 0), ([PixelRect(x: 1, y: 1, width: 10, height: 2)], 20),
      ([PixelRect(x: 20, y: 1, width: 5, height: 2)], 30),
      // The part that this buffer lacks is inside the new damage, and is copied once.
      ([PixelRect(x: 18, y: 0, width: 9, height: 9)], 81),
      ([PixelRect(x: 60, y: 30, width: 99, height: 99)], 8 + 81),
      ([PixelRect(x: -5, y: .min, width: .max, height: 7), PixelRect(x: 0, y: 0, width: -2, height: 5)], 8),
    ]
    var copied: UInt64 = 0
    for (index, (damage, pixels)) in steps.enumerated() {
      output.present(frame.buffer, damage: damage)
      #expect(output.statistics.bytesCopied - copied == UInt64(pixels * 4), "step \(index)")
      copied = output.statistics.bytesCopied
      #expect(try loop.turn { presented == index + 1 })
    }
    output.stop()
  }

  @Test("A back-to-back frame is shown at the next vblank, or the missed ones are counted")
  func missed() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    let frame = Bitmap(width: 64, height: 32, format: .xrgb8888)
    var times: [Int64] = []
    var isDeferred = false
    try output.start { event in
      guard case .presented(let presentation) = event else { return }
      times.append(presentation.time)
      if times.count == 3 {
        // Three vblanks pass while the frame is drawn.
        let late = presentation.time + 3 * self.mode.framePeriodNanoseconds
        while SystemClock.monotonic.now.totalNanoseconds < late {}
      }
      guard times.count < 6 else { return }
      isDeferred.toggle()
      if isDeferred {
        loop.defer { output.present(frame.buffer, damage: []) }
      } else {
        output.present(frame.buffer, damage: [])
      }
    }
    try loop.turn(timeoutMilliseconds: -1)
    output.present(frame.buffer, damage: [])
    #expect(try loop.turn { times.count == 6 })
    // The count must match the times, regardless of the machine's load.
    let period = mode.framePeriodNanoseconds
    let gaps = zip(times, times.dropFirst()).map { ($1 - $0) / period - 1 }
    #expect(gaps.allSatisfy { $0 >= 0 })
    #expect(gaps[2] >= 3)
    #expect(output.statistics.flipsMissed == UInt64(gaps.reduce(0, +)))
    // After a pause nothing is missed.
    let before = output.statistics.flipsMissed
    let late = SystemClock.monotonic.now.totalNanoseconds + 3 * period
    while SystemClock.monotonic.now.totalNanoseconds < late { try loop.turn(timeoutMilliseconds: 5) }
    output.present(frame.buffer, damage: [])
    #expect(try loop.turn { times.count == 7 })
    #expect(output.statistics.flipsMissed == before)
    output.stop()
  }

  @Test("No event follows after stop, not even for the frame in flight")
  func stops() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, on: loop)
    let frame = Bitmap(width: 64, height: 32, format: .xrgb8888)
    var events = 0
    try output.start { _ in events += 1 }
    try loop.turn(timeoutMilliseconds: -1)
    output.present(frame.buffer, damage: [])
    output.stop()
    try loop.turn(timeoutMilliseconds: 30)
    #expect(events == 1)
    #expect(output.statistics.framesPresented == 0)
    let early = HeadlessOutput(mode: mode, on: loop)
    try early.start { _ in events += 1 }
    early.stop()
    try loop.turn(timeoutMilliseconds: 0)
    #expect(events == 1)
  }

  @Test(
    "The grid's vblanks are numbered from its start", arguments: [1, 16_666_666, 1_000_000_000] as [Int64])
  func grid(_ period: Int64) {
    let grid = VblankGrid(start: 500, period: period)
    for number: Int64 in [0, 1, 2, 1000] {
      let vblank = 500 + number * period
      #expect(grid.time(of: UInt64(number)) == vblank)
      #expect(grid.sequence(after: vblank) == UInt64(number) + 1)
      #expect(grid.sequence(after: vblank - 1) == UInt64(number))
    }
    #expect(grid.sequence(after: .min) == 0)
    #expect(VblankGrid(start: 0, period: -5).period == 1)
  }

  @Test("Modes are formatted the way users write them")
  func modes() {
    let cases = [
      (60_000, "640x480@60"), (59_940, "640x480@59.94"), (59_951, "640x480@59.951"), (500, "640x480@0.5"),
    ]
    for (refresh, text) in cases {
      let mode = DisplayMode(size: PixelSize(width: 640, height: 480), refreshMillihertz: refresh)
      #expect("\(mode)" == text)
    }
    #expect(DisplayMode(size: mode.size, refreshMillihertz: 0).framePeriodNanoseconds == 1_000_000_000_000)
    #expect(DisplayMode(size: mode.size, refreshMillihertz: 60_000).framePeriodNanoseconds == 16_666_666)
  }

  @Test("The picture is rotated; a change of rotation redraws it, even with a frame in flight")
  func rotation() throws {
    let loop = try EventLoop()
    let output = HeadlessOutput(mode: mode, rotation: .clockwise, on: loop)
    var connections: [OutputDescription] = []
    var presented = 0
    try output.start {
      if case .connected(let description) = $0 { connections.append(description) }
      if case .presented = $0 { presented += 1 }
    }
    #expect(try loop.turn { !connections.isEmpty })
    #expect(output.description?.mode == mode)
    #expect(output.description?.frameSize == PixelSize(width: 32, height: 64))
    let frame = Bitmap(width: 32, height: 64, format: .xrgb8888)
    frame.fill(PixelRect(x: 0, y: 0, width: 1, height: 1), 0xff0000)
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(try loop.turn { presented == 1 })
    #expect(output.scanout.size == mode.size)
    #expect(output.scanout.row32(0)[63] == 0xffff_0000)
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    output.apply(OutputPreferences(rotation: .counterclockwise))
    output.apply(OutputPreferences(rotation: .counterclockwise))
    // The description changes at once; the next frame can be presented only after `.connected`.
    #expect(output.description?.rotation == .counterclockwise)
    #expect(!output.canPresent)
    #expect(try loop.turn { connections.count == 2 })
    #expect(presented == 1)
    #expect(output.scanout.colors.allSatisfy { $0 == 0 })
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(try loop.turn { presented == 2 })
    #expect(output.scanout.row32(31)[0] == 0xffff_0000)
    #expect(connections.count == 2)
    output.stop()
  }
}
