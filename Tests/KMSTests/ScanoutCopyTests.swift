// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import KMS

@Suite("Copying to scanout")
struct ScanoutCopyTests {
  @Test("Sizes that differ are clipped to both")
  func clipping() {
    let source = Bitmap(width: 8, height: 8, format: .xrgb8888)
    let target = Bitmap(width: 5, height: 20, format: .rgb565)
    for y in 0..<8 { for x in 0..<8 { source.buffer.row32(y)[x] = 0xffff_ffff } }
    let far = PixelRect(x: -100, y: -100, width: 1000, height: 1000)
    #expect(ScanoutCopy.copy(source.buffer, to: target.buffer, far) == 5 * 8 * 2)
    #expect(target.buffer.row16(7)[4] == 0xffff)
    #expect(target.buffer.row16(8)[0] == 0)
    #expect(
      ScanoutCopy.copy(source.buffer, to: target.buffer, PixelRect(x: 9, y: 0, width: 5, height: 5)) == 0)
  }

  @Test("16-bit pixels keep the high bits of each channel")
  func conversion() {
    let source = Bitmap(width: 4, height: 1, format: .xrgb8888)
    let target = Bitmap(width: 4, height: 1, format: .rgb565)
    let table: [(UInt32, UInt16)] = [
      (0xffff_0000, 0xf800), (0xff00_ff00, 0x07e0), (0xff00_00ff, 0x001f), (0x00f8_fcf8, 0xffff),
    ]
    for (x, row) in table.enumerated() { source.buffer.row32(0)[x] = row.0 }
    #expect(ScanoutCopy.copy(source.buffer, to: target.buffer, source.buffer.bounds) == 8)
    for (x, row) in table.enumerated() { #expect(target.buffer.row16(0)[x] == row.1) }
  }
}
