// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Typography

@Suite struct ClippingTests {
  @Test("nothing outside the buffer is written, and the inside equals an unclipped drawing")
  func clipping() {
    let face = face("built-in")
    var generator = SplitMix(seed: 11)
    for _ in 0..<150 {
      let window = PixelRect(
        x: .random(in: 40...80, using: &generator), y: .random(in: 40...80, using: &generator),
        width: .random(in: 0...60, using: &generator), height: .random(in: 0...60, using: &generator))
      let x = Double.random(in: 0...160, using: &generator)
      let baseline = Double.random(in: 20...200, using: &generator)
      let capHeight = Double.random(in: 1...90, using: &generator)
      let stretch = Double.random(in: 0.3...1.5, using: &generator)
      let whole = Bitmap(width: 200, height: 200, format: .a8)
      face.draw(
        "83&Q", into: whole.buffer, x: x, baseline: baseline, capHeight: capHeight, tracking: 0,
        stretch: stretch)
      // The window is part of a bitmap filled with guard bytes.
      let guarded = Bitmap(width: 200, height: 200, format: .a8)
      for y in 0..<200 { for x in 0..<200 { guarded.buffer.row8(y)[x] = 0x5a } }
      for y in window.y..<window.maxY { for x in window.x..<window.maxX { guarded.buffer.row8(y)[x] = 0 } }
      let clip = PixelBuffer(
        base: guarded.buffer.row(window.y) + window.x, width: window.width, height: window.height,
        bytesPerRow: guarded.buffer.bytesPerRow, format: .a8)
      face.draw(
        "83&Q", into: clip, x: x - Double(window.x), baseline: baseline - Double(window.y),
        capHeight: capHeight,
        tracking: 0, stretch: stretch)
      var strays = 0
      var differences = 0
      for y in 0..<200 {
        for x in 0..<200 {
          let byte = guarded.buffer.row8(y)[x]
          if x >= window.x, x < window.maxX, y >= window.y, y < window.maxY {
            // The shift is a whole number, so rounding the origin to 1/64 px gives the same position.
            if abs(Int(byte) - Int(whole.buffer.row8(y)[x])) > 1 { differences += 1 }
          } else if byte != 0x5a {
            strays += 1
          }
        }
      }
      #expect(strays == 0 && differences == 0, "\(window) \(x) \(baseline) \(capHeight) \(stretch)")
    }
  }

  @Test("any position and size is safe")
  func extremes() {
    let values = [
      0, -1, 1e-12, 0.5, 31, 1e3, -1e3, 1e5, -1e5, 1e7, 1e12, -1e12, 1e300, .greatestFiniteMagnitude,
      .infinity,
      -.infinity, .nan,
    ]
    for name in ["built-in", "Bebas Neue"] {
      let face = face(name)
      let mask = Bitmap(width: 48, height: 32, format: .a8)
      for x in values {
        for capHeight in values {
          for other in values {
            face.draw(
              "8Å", into: mask.buffer, x: x, baseline: other, capHeight: capHeight, tracking: 0.1, stretch: 1)
            face.draw(
              "8Å", into: mask.buffer, x: 0, baseline: 30, capHeight: capHeight, tracking: x, stretch: other)
          }
          let measure = face.measure("8Å", capHeight: capHeight, tracking: x)
          #expect(measure.width.isFinite && measure.ink.width >= 0 && measure.ink.height >= 0)
        }
      }
    }
  }

  @Test("a buffer that is not A8, or empty, is unchanged")
  func otherFormats() {
    let face = face("built-in")
    for format in [PixelFormat.xrgb8888, .argb8888, .rgb565] {
      let pixels = Bitmap(width: 16, height: 16, format: format)
      face.draw("8", into: pixels.buffer, x: 0, baseline: 16, capHeight: 16, tracking: 0, stretch: 1)
      let bytes = UnsafeRawBufferPointer(start: pixels.buffer.base, count: pixels.buffer.bytesPerRow * 16)
      #expect(bytes.allSatisfy { $0 == 0 })
    }
    let empty = Bitmap(width: 0, height: 0, format: .a8)
    face.draw("8", into: empty.buffer, x: 0, baseline: 16, capHeight: 16, tracking: 0, stretch: 1)
  }
}
