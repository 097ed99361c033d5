// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct TransitionQualityTests {
  @Test(
    "a card in flight has a PSNR of at least 40 dB against a supersampled reference, at twenty times, in three sizes",
    arguments: [DigitTransition.flip, .roll, .shutter, .slide], [44.0, 96, 210])
  func nearTheReference(transition: DigitTransition, height: Double) {
    var motion = TransitionBench.motion(transition)
    motion.easing = .linear
    motion.shading = 0
    motion.duration = 1
    let bench = TransitionBench(["3"], motion: motion, cardHeight: height)
    bench.board.show(["8"], at: 0, animated: true)
    let area = PixelRect(x: 0, y: 0, width: bench.size.width, height: bench.size.height)
    var worst = Double.infinity
    for step in 0..<20 {
      let progress = (Double(step) + 0.5) / 20
      let reference = TransitionReference(
        images: bench.images, transition: transition, old: "3", new: "8", progress: progress,
        origin: Point(x: 10, y: 10), ground: SIMD4(0x17, 0x16, 0x16, 255),
        distance: motion.perspective * Double(bench.images.metrics.height))
      // An odd number, because an even one would miss every second column of an even width.
      let stride = max(area.width * area.height / 200, 1) | 1
      worst = min(worst, reference.psnr(bench.scene.picture(at: progress), area, stride: stride))
    }
    #expect(worst >= 40)
  }
}

/// Frames in flight with the built-in font outlines.
@Suite struct TransitionGoldenTests {
  @Test(
    "transitions in flight equal their goldens",
    arguments: [DigitTransition.roll, .shutter, .slide, .fade], [0.3, 0.62])
  func midFlight(transition: DigitTransition, progress: Double) throws {
    var motion = TransitionBench.motion(transition)
    motion.order = .together
    let bench = TransitionBench(["5", "9"], motion: motion, cardHeight: 120)
    bench.board.show(["6", "0"], at: 0, animated: true)
    let picture = bench.scene.picture(at: progress * motion.duration)
    try Golden.expect(picture, is: "transition-\(transition.rawValue)-\(Int(progress * 100))")
  }
}
