// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import Layers
import LinuxSystem
import Raster
import TestSupport

/// Renders and presents frames on an in-memory display as the daemon's presenter does, and counts the heap
/// allocations of each.
final class FrameCounter {
  /// The number of frames in motion in which no animation began or ended.
  private(set) var quiet = 0
  /// The frames that `quiet` counts and that allocated, each with its time and its number of allocations.
  private(set) var allocating: [(time: Double, count: Int)] = []
  /// The number of frames in which an animation, or a phase of one, began or ended.
  private(set) var first = 0

  private let scene: Scene
  private let shadow: Bitmap
  private let loop: EventLoop
  private let output: HeadlessOutput
  private let traces: Int
  /// Every kind of scanout: each format in each rotation, dithered where that applies.
  private var scanouts: [ScanoutPair] = []
  private var back = 0
  /// The scene's `animationDigest` at the last frame.
  private var last = 0

  /// - Parameter traces: the number of stack traces to print per frame.
  init(_ scene: Scene, traces: Int) throws(SystemError) {
    self.scene = scene
    self.traces = traces
    shadow = Bitmap(width: scene.size.width, height: scene.size.height, format: .xrgb8888)
    loop = try EventLoop()
    // A high refresh rate shortens the measurement; it does not affect the scene's time.
    output = HeadlessOutput(mode: DisplayMode(size: scene.size, refreshMillihertz: 2_000_000), on: loop)
    try output.start { _ in }
    for rotation in Rotation.allCases {
      scanouts += [.xrgb8888, .argb8888, .rgb565, .xrgb2101010].map { ScanoutPair(scene.size, rotation, $0) }
    }
    while output.description == nil { try loop.turn(timeoutMilliseconds: 0) }
    // The first frames allocate memory that is kept: capacities of arrays, caches of the runtime.
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
    for index in scanouts.indices { scanouts[index].draw(shadow.buffer, damage, back) }
    back = 1 - back
    while !output.canPresent { try loop.turn(timeoutMilliseconds: 100) }
  }

  /// Renders 60 frames per second until `end`. The first frame of an animation may allocate. So may the first
  /// frame of a phase of one, such as when a flap shows its back. These frames are recognised because the set
  /// of running animations differs from that of the previous frame.
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

/// The damage of two alternating scanout buffers. Both use the same memory, because only allocations are
/// counted.
private struct ScanoutPair {
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
