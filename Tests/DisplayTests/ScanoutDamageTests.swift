// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Display

@Suite("Scanout damage")
struct ScanoutDamageTests {
  @Test("Different sizes are clipped to their common part")
  func clipping() {
    let source = Bitmap(width: 8, height: 8, format: .xrgb8888)
    let target = Bitmap(width: 5, height: 20, format: .rgb565)
    source.buffer.fill(source.buffer.bounds, with: .white, clip: source.buffer.bounds)
    var damage = ScanoutDamage(size: PixelSize(width: 5, height: 20))
    let far = PixelRect(x: -100, y: -100, width: Int.max, height: 1000)
    #expect(damage.draw(source.buffer, damage: [far], on: target.buffer, index: 0) == 5 * 8 * 2)
    #expect(target.buffer.row16(7)[4] == 0xffff)
    #expect(target.buffer.row16(8)[0] == 0)
    let outside = PixelRect(x: 9, y: 0, width: 5, height: 5)
    #expect(damage.draw(source.buffer, damage: [outside], on: target.buffer, index: 0) == 0)
  }

  @Test("16-bit pixels keep the high bits of each channel")
  func conversion() {
    let source = Bitmap(width: 4, height: 1, format: .xrgb8888)
    let target = Bitmap(width: 4, height: 1, format: .rgb565)
    let table: [(UInt32, UInt16)] = [
      (0xffff_0000, 0xf800), (0xff00_ff00, 0x07e0), (0xff00_00ff, 0x001f), (0x00f8_fcf8, 0xffff),
    ]
    for (x, row) in table.enumerated() { source.buffer.row32(0)[x] = row.0 }
    var damage = ScanoutDamage(size: source.size)
    #expect(damage.draw(source.buffer, damage: [source.buffer.bounds], on: target.buffer, index: 1) == 8)
    for (x, row) in table.enumerated() { #expect(target.buffer.row16(0)[x] == row.1) }
  }

  @Test("A buffer gets this frame's damage and that of the frame it missed, and no other pixels")
  func alternation() {
    let frame = Bitmap(width: 16, height: 16, format: .xrgb8888)
    let targets = (0..<2).map { _ in Bitmap(width: 16, height: 16, format: .xrgb8888) }
    var damage = ScanoutDamage(size: frame.size)
    for index in 0..<2 {
      #expect(damage.draw(frame.buffer, damage: [], on: targets[index].buffer, index: index) == 16 * 16 * 4)
    }
    let a = PixelRect(x: 1, y: 1, width: 4, height: 4)
    let b = PixelRect(x: 3, y: 3, width: 4, height: 4)
    #expect(damage.draw(frame.buffer, damage: [a], on: targets[0].buffer, index: 0) == a.area * 4)
    // The other buffer lacks `a`, so `a` and `b` are drawn; their overlap is drawn once.
    #expect(damage.draw(frame.buffer, damage: [b], on: targets[1].buffer, index: 1) == (16 + 16 - 4) * 4)
    #expect(damage.draw(frame.buffer, damage: [], on: targets[0].buffer, index: 0) == b.area * 4)
    #expect(damage.draw(frame.buffer, damage: [], on: targets[1].buffer, index: 1) == 0)
  }

  @Test(
    "Any sequence of damage gives the result of one complete copy, in every format and rotation",
    arguments: [PixelFormat.xrgb8888, .argb8888, .rgb565, .xrgb2101010], Rotation.allCases)
  func anyDamage(format: PixelFormat, rotation: Rotation) {
    var random = SplitMix(seed: UInt64(format.rawValue) * 1000 + UInt64(rotation.rawValue))
    for dithering in [PixelBuffer.Dithering.none, .ordered] {
      let frame = Bitmap(width: random.int(1...70), height: random.int(1...70), format: .xrgb8888)
      let size = rotation.size(of: frame.size)
      let targets = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: format) }
      let whole = Bitmap(width: size.width, height: size.height, format: format)
      var damage = ScanoutDamage(size: size, rotation: rotation, dithering: dithering)
      var isRight = true
      for round in 0..<40 {
        var rects = (0..<random.int(0...4)).map { _ in random.rect(around: frame.size) }
        if round == 0 { rects = [frame.buffer.bounds] }
        for rect in rects {
          let inside = rect.saturated.intersection(frame.buffer.bounds)
          for y in inside.y..<max(inside.maxY, inside.y) {
            for x in inside.x..<max(inside.maxX, inside.x) {
              frame.buffer.row32(y)[x] = 0xff00_0000 | UInt32(truncatingIfNeeded: random.next()) & 0xff_ffff
            }
          }
        }
        // The buffers do not always alternate, because a frame may be dropped.
        let index = random.int(0...3) == 0 ? random.int(0...1) : round % 2
        let target = targets[index].buffer
        let bytes = damage.draw(frame.buffer, damage: rects, on: target, index: index)
        isRight = isRight && bytes == damage.drawn.reduce(0) { $0 + $1.area } * format.bytesPerPixel
        whole.buffer.copy(frame.buffer, frame.buffer.bounds, rotation: rotation, dithering: dithering)
        for y in 0..<size.height {
          for byte in 0..<size.width * format.bytesPerPixel {
            isRight =
              isRight
              && target.row(y).load(fromByteOffset: byte, as: UInt8.self)
                == whole.buffer.row(y).load(fromByteOffset: byte, as: UInt8.self)
          }
        }
      }
      #expect(isRight)
    }
  }

  @Test("On a rotated display the picture's corners are at the right positions")
  func corners() {
    let frame = Bitmap(width: 2, height: 3, format: .xrgb8888)
    for y in 0..<3 { for x in 0..<2 { frame.buffer.row32(y)[x] = UInt32(10 * y + x) } }
    let table: [(Rotation, [[UInt32]])] = [
      (.none, [[0, 1], [10, 11], [20, 21]]), (.clockwise, [[20, 10, 0], [21, 11, 1]]),
      (.half, [[21, 20], [11, 10], [1, 0]]), (.counterclockwise, [[1, 11, 21], [0, 10, 20]]),
    ]
    for (rotation, rows) in table {
      let size = rotation.size(of: frame.size)
      let target = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
      var damage = ScanoutDamage(size: size, rotation: rotation)
      #expect(damage.draw(frame.buffer, damage: [frame.buffer.bounds], on: target.buffer, index: 0) == 24)
      #expect(target.buffer.colors == rows.flatMap { $0 })
      // The damage is only the picture's upper left corner.
      let dot = PixelRect(x: 0, y: 0, width: 1, height: 1)
      #expect(damage.draw(frame.buffer, damage: [dot], on: target.buffer, index: 0) == 4)
      let place = damage.drawn.first ?? .empty
      #expect(target.buffer.row32(place.y)[place.x] & 0xff == 0)
    }
  }
}
