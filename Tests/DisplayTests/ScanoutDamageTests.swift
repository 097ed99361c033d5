// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Display

@Suite("Damage on its way to scanout")
struct ScanoutDamageTests {
  @Test("Sizes that differ are clipped to all")
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

  @Test("A buffer gets this frame's damage and the one it missed, and no pixel else")
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
    // The other one lacks `a`: both, and what they share once.
    #expect(damage.draw(frame.buffer, damage: [b], on: targets[1].buffer, index: 1) == (16 + 16 - 4) * 4)
    #expect(damage.draw(frame.buffer, damage: [], on: targets[0].buffer, index: 0) == b.area * 4)
    #expect(damage.draw(frame.buffer, damage: [], on: targets[1].buffer, index: 1) == 0)
  }
}
