// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

/// Tests copies to displays with another pixel format than the shadow buffer, or rotated ones.
@Suite struct ScanoutFormatTests {
  static let formats = [PixelFormat.xrgb8888, .argb8888, .rgb565, .xrgb2101010]

  /// A pixel of an XRGB8888 picture in another format, at its position.
  static func converted(
    _ pixel: UInt32, _ format: PixelFormat, _ dithering: PixelBuffer.Dithering, _ x: Int, _ y: Int
  ) -> UInt32 {
    switch format {
    case .rgb565: dithering == .ordered ? Reference.dithered565(pixel, x, y) : Reference.to565(pixel)
    case .xrgb2101010: Reference.to2101010(pixel)
    case .xrgb8888, .argb8888, .a8: pixel | 0xff00_0000
    }
  }

  @Test("a dithered level is right on average, and black and white are preserved")
  func aDitheredLevelIsRightOnAverageAndBlackAndWhiteArePreserved() {
    for value in UInt32(0)...255 {
      let pixel = value << 16 | value << 8 | value
      var sums = (red: 0, green: 0, blue: 0)
      for y in 0..<8 {
        for x in 0..<8 {
          let made = Reference.dithered565(pixel, x, y)
          sums.red += Int(made >> 11)
          sums.green += Int(made >> 5 & 63)
          sums.blue += Int(made & 31)
        }
      }
      #expect(sums.red == sums.blue)
      #expect(abs(Double(sums.red) / 64 - Double(value) * 31 / 255) <= 0.11)
      #expect(abs(Double(sums.green) / 64 - Double(value) * 63 / 255) <= 0.3)
      if value == 0 { #expect(sums.red + sums.green == 0) }
      if value == 255 { #expect(sums.red == 31 * 64 && sums.green == 63 * 64) }
    }
  }

  @Test("upright copies convert every pixel", arguments: formats, [true, false])
  func uprightCopiesConvertEveryPixel(format: PixelFormat, isDithered: Bool) {
    let dithering: PixelBuffer.Dithering = isDithered ? .ordered : .none
    var random = SplitMix(seed: 3)
    for _ in 0..<60 {
      let source = GuardedBuffer(random.int(1...40), random.int(1...20), .xrgb8888)
      let target = GuardedBuffer(random.int(1...40), random.int(1...20), format, slack: 8)
      source.buffer.randomize(&random)
      let before = GuardedBuffer(target.buffer.width, target.buffer.height, format)
      let (x, y) = (random.int(-5...20), random.int(-5...10))
      target.buffer.copy(
        source.buffer, source.buffer.bounds, to: x, y, dithering: dithering, clip: target.buffer.bounds)
      var isRight = target.isIntact && source.isIntact
      for py in 0..<target.buffer.height {
        for px in 0..<target.buffer.width {
          var expected = before.buffer.pixel(px, py)
          if BlitTests.contains(source.buffer.bounds, px - x, py - y) {
            expected = Self.converted(source.buffer.pixel(px - x, py - y), format, dithering, px, py)
          }
          isRight = isRight && target.buffer.pixel(px, py) == expected
        }
      }
      #expect(isRight)
    }
  }

  @Test("rotated copies put every pixel in its place", arguments: formats, Rotation.allCases)
  func rotatedCopiesPutEveryPixelInItsPlace(format: PixelFormat, rotation: Rotation) {
    var random = SplitMix(seed: 4)
    for round in 0..<40 {
      let dithering: PixelBuffer.Dithering = round & 1 == 0 ? .none : .ordered
      let source = GuardedBuffer(random.int(1...70), random.int(1...50), .xrgb8888)
      source.buffer.randomize(&random)
      let size = rotation.size(of: source.buffer.size)
      // The target's width is sometimes one pixel smaller or larger than required.
      let target = GuardedBuffer(size.width + random.int(0...2) - 1, size.height, format, slack: 8)
      let before = GuardedBuffer(target.buffer.width, target.buffer.height, format)
      let rect = PixelRect(
        x: random.int(-3...40), y: random.int(-3...30), width: random.int(0...60), height: random.int(0...60))
      target.buffer.copy(source.buffer, rect, rotation: rotation, dithering: dithering)
      var isRight = target.isIntact && source.isIntact
      for y in 0..<target.buffer.height {
        for x in 0..<target.buffer.width {
          let (width, height) = (source.buffer.width, source.buffer.height)
          let from =
            switch rotation {
            case .none: (x: x, y: y)
            case .clockwise: (x: y, y: height - 1 - x)
            case .half: (x: width - 1 - x, y: height - 1 - y)
            case .counterclockwise: (x: width - 1 - y, y: x)
            }
          var expected = before.buffer.pixel(x, y)
          if BlitTests.contains(rect, from.x, from.y),
            BlitTests.contains(source.buffer.bounds, from.x, from.y)
          {
            expected = Self.converted(source.buffer.pixel(from.x, from.y), format, dithering, x, y)
          }
          isRight = isRight && target.buffer.pixel(x, y) == expected
        }
      }
      #expect(isRight)
    }
  }

  @Test("a rotation and its inverse cancel out", arguments: Rotation.allCases)
  func aRotationAndItsInverseCancelOut(rotation: Rotation) {
    let size = PixelSize(width: 30, height: 20)
    let rect = PixelRect(x: 3, y: 5, width: 10, height: 7)
    let there = rotation.place(rect, in: size)
    #expect(rotation.inverse.place(there, in: rotation.size(of: size)) == rect)
    #expect(PixelRect(rotation.size(of: size)).contains(there))
  }

  @Test("unsupported copies change nothing")
  func unsupportedCopiesChangeNothing() {
    let wide = GuardedBuffer(9, 9, .xrgb2101010)
    let other = GuardedBuffer(9, 9, .xrgb8888)
    var random = SplitMix(seed: 9)
    wide.buffer.randomize(&random)
    other.buffer.copy(wide.buffer, wide.buffer.bounds, to: 0, 0, clip: other.buffer.bounds)
    other.buffer.copy(wide.buffer, wide.buffer.bounds, rotation: .half)
    #expect(other.buffer.row32(0)[0] == 0 && other.isIntact)
  }
}
