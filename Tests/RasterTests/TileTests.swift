// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Raster

@Suite struct TileTests {
  /// A pattern in which neighbouring pixels differ.
  private func pattern(_ width: Int, _ height: Int, _ format: PixelFormat) -> Bitmap {
    let bitmap = Bitmap(width: width, height: height, format: format)
    for y in 0..<height {
      for x in 0..<width {
        let alpha: UInt32 = format == .xrgb8888 ? 0xff : UInt32(40 * x + 7 * y) & 0xff
        let color = (UInt32(x) * 8 + UInt32(y)) & 0x3f
        bitmap.buffer.row32(y)[x] = alpha << 24 | min(color, alpha) * 0x1_0101
      }
    }
    return bitmap
  }

  @Test(
    "tiling equals drawing the pattern repeatedly",
    arguments: [PixelFormat.xrgb8888, .argb8888])
  func tilingEqualsDrawingThePatternRepeatedly(format: PixelFormat) {
    for (width, x, area, opacity, shade) in [
      (5, 0, PixelRect(x: 0, y: 0, width: 61, height: 7), 1.0, Shade.none),
      (5, 3, PixelRect(x: 1, y: 2, width: 47, height: 4), 1, .none),
      (5, -13, PixelRect(x: 7, y: 1, width: 3, height: 9), 1, .none),
      (64, -70, PixelRect(x: 0, y: 0, width: 61, height: 7), 1, .none),
      (1, 9, PixelRect(x: 2, y: 0, width: 40, height: 7), 1, .none),
      (7, 4, PixelRect(x: -5, y: -5, width: 90, height: 90), 0.4, .none),
      (7, 4, PixelRect(x: 0, y: 0, width: 61, height: 7), 1, Shade(top: 0.2, bottom: 0.7)),
    ] {
      let source = pattern(width, 6, format)
      let drawn = Bitmap(width: 61, height: 11, format: .xrgb8888)
      let expected = Bitmap(width: 61, height: 11, format: .xrgb8888)
      for bitmap in [drawn, expected] {
        bitmap.buffer.fill(bitmap.buffer.bounds, with: .white, clip: bitmap.buffer.bounds)
      }
      drawn.buffer.tile(
        source.buffer, source.buffer.bounds, from: x, 3, over: area, opacity: opacity, shade: shade)
      var left = x - 200 * width
      while left < 70 {
        expected.buffer.blend(
          source.buffer, source.buffer.bounds, to: left, 3, opacity: opacity, shade: shade, clip: area)
        left += width
      }
      #expect(drawn.buffer.equals(expected.buffer))
    }
  }

  @Test(
    "blocks of any size are transposed",
    arguments: [(1, 1), (3, 9), (4, 4), (17, 5), (40, 33)])
  func blocksAreTurned(width: Int, height: Int) {
    let source = pattern(width + 3, height, .argb8888)
    let turned = Bitmap(width: height + 2, height: width, format: .argb8888)
    Kernels.transpose(
      turned.buffer.row32(0), stride: turned.buffer.bytesPerRow / 4, source.buffer.row32(0),
      sourceStride: source.buffer.bytesPerRow / 4, width: width, height: height, setting: 0x0100_0000)
    for y in 0..<height {
      for x in 0..<width {
        #expect(turned.buffer.row32(x)[y] == source.buffer.row32(y)[x] | 0x0100_0000)
      }
    }
    for x in 0..<width { #expect(turned.buffer.row32(x)[height] == 0) }
  }
}
