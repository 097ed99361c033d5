// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import Layers
import LinuxSystem
import Raster
import TestSupport

/// Has frames made and presented as the daemon's presenter does it, on a display of memory, and counts what
/// each asks of the heap.
final class FrameCounter {
  /// Frames in which every animation was under way before.
  private(set) var quiet = 0
  /// Of these, those that allocated: when, and how often.
  private(set) var allocating: [(time: Double, count: Int)] = []
  /// Frames in which an animation, or a phase of one, began or ended.
  private(set) var first = 0

  private let scene: Scene
  private let shadow: Bitmap
  private let loop: EventLoop
  private let output: HeadlessOutput
  private let traces: Int
  /// Every way to a display: in each format, turned in each way, with a dither where one helps.
  private var ways: [Way] = []
  private var back = 0
  /// The animations of the last frame.
  private var last = 0

  /// - Parameter traces: so many stacks of allocations go to the standard error.
  init(_ scene: Scene, traces: Int) throws(SystemError) {
    self.scene = scene
    self.traces = traces
    shadow = Bitmap(width: scene.size.width, height: scene.size.height, format: .xrgb8888)
    loop = try EventLoop()
    // The scene's time is not the display's: a fast one keeps the measurement short.
    output = HeadlessOutput(mode: DisplayMode(size: scene.size, refreshMillihertz: 2_000_000), on: loop)
    try output.start { _ in }
    for rotation in Rotation.allCases {
      ways += [.xrgb8888, .argb8888, .rgb565, .xrgb2101010].map { Way(scene.size, rotation, $0) }
    }
    while output.description == nil { try loop.turn(timeoutMilliseconds: 0) }
    // What a program's first frames set up once and for all: the lists' sizes, the runtime's caches.
    for _ in 0..<3 {
      scene.invalidate()
      try frame(at: scene.time)
    }
    last = scene.animationDigest
  }

  deinit { output.stop() }

  private func frame(at time: Double) throws(SystemError) {
    scene.advance(to: time)
    guard scene.needsFrame else { return }
    let damage = scene.render(into: shadow.buffer)
    guard !damage.isEmpty else { return }
    output.present(shadow.buffer, damage: damage)
    for index in ways.indices { ways[index].draw(shadow.buffer, damage, back) }
    back = 1 - back
    while !output.canPresent { try loop.turn(timeoutMilliseconds: 100) }
  }

  /// Makes 60 frames a second until `end`. The first frame of an animation, or of a phase of one (a flap that
  /// turns its back), is one in which other animations run than in the frame before; it may allocate.
  func run(until end: Double) throws(SystemError) {
    var time = scene.time
    while time < end {
      time = min(time + 1.0 / 60, end)
      Allocations.trace(next: traces)
      var failure: SystemError?
      let count = Allocations.count {
        do throws(SystemError) { try frame(at: time) } catch { failure = error }
      }
      if let failure { throw failure }
      let digest = scene.animationDigest
      if traces > 0 { write(STDERR_FILENO, digest == last ? "quiet\n" : "first\n", 6) }
      if digest != last {
        first += 1
      } else if scene.activity == .moving {
        quiet += 1
        if count > 0 { allocating.append((time, count)) }
      }
      last = digest
    }
  }
}

/// Two scanout buffers that take turns, in the same memory.
private struct Way {
  private var damage: ScanoutDamage
  private let scanout: Bitmap

  init(_ frame: PixelSize, _ rotation: Rotation, _ format: PixelFormat) {
    let size = rotation.size(of: frame)
    damage = ScanoutDamage(size: size, rotation: rotation, dithering: .ordered)
    scanout = Bitmap(width: size.width, height: size.height, format: format)
  }

  mutating func draw(_ frame: PixelBuffer, _ changed: [PixelRect], _ index: Int) {
    _ = damage.draw(frame, damage: changed, on: scanout.buffer, index: index)
  }
}
