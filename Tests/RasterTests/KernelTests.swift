// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

/// Tests the kernels that fill, copy and compose against `Reference`, bit for bit, at all lengths around the
/// vector width and at odd alignments, between guard bytes.
@Suite struct KernelTests {
  static let lengths = Array(0...19) + [31, 32, 33, 64, 100]

  /// Runs `kernel` on random rows of one format and compares each result with `expected`.
  static func check(
    _ format: PixelFormat, from sourceFormat: PixelFormat, seed: UInt64,
    kernel: (_ destination: PixelBuffer, _ source: PixelBuffer, _ count: Int) -> Void,
    expected: (_ destination: UInt32, _ source: UInt32) -> UInt32
  ) -> Bool {
    var random = SplitMix(seed: seed)
    for length in lengths {
      for skew in [0, 1, 3] {
        let size = format.bytesPerPixel
        let destination = GuardedBuffer(length + skew, 1, format, slack: 3 * size)
        let source = GuardedBuffer(length + skew, 1, sourceFormat, slack: 5 * sourceFormat.bytesPerPixel)
        destination.buffer.randomize(&random)
        source.buffer.randomize(&random)
        let before = (0..<length).map { destination.buffer.pixel(skew + $0, 0) }
        let to = shifted(destination.buffer, skew)
        let from = shifted(source.buffer, skew)
        kernel(to, from, length)
        for x in 0..<length where to.pixel(x, 0) != expected(before[x], from.pixel(x, 0)) { return false }
        if !destination.isIntact || !source.isIntact { return false }
      }
    }
    return true
  }

  private static func shifted(_ buffer: PixelBuffer, _ skew: Int) -> PixelBuffer {
    PixelBuffer(
      base: buffer.base + skew * buffer.format.bytesPerPixel, width: buffer.width - skew, height: 1,
      bytesPerRow: buffer.bytesPerRow, format: buffer.format)
  }

  @Test("over equals its reference", arguments: [PixelFormat.argb8888, .xrgb8888])
  func overEqualsItsReference(format: PixelFormat) {
    let mask = format == .xrgb8888 ? Kernels.opaque : 0
    #expect(
      KernelTests.check(
        format, from: .argb8888, seed: 1,
        kernel: { Kernels.over($0.row32(0), $1.row32(0), count: $2, setting: mask) },
        expected: { Reference.over($1, $0, opaque: format == .xrgb8888) }))
  }

  @Test(
    "over with an opacity equals its reference",
    arguments: [(0, 256), (1, 256), (77, 256), (128, 256), (254, 256), (255, 256)],
    [PixelFormat.argb8888, .xrgb8888])
  func overWithAnOpacityEqualsItsReference(alpha: (Int, Int), sourceFormat: PixelFormat) {
    let sourceMask = sourceFormat == .xrgb8888 ? Kernels.opaque : 0
    #expect(
      KernelTests.check(
        .argb8888, from: sourceFormat, seed: 2,
        kernel: {
          Kernels.over(
            $0.row32(0), $1.row32(0), count: $2, opacity: UInt8(alpha.0), sourceMask: sourceMask, setting: 0)
        },
        expected: { Reference.over(Reference.scaled($1, alpha.0), $0, opaque: false) }))
  }

  @Test(
    "over with an opacity and a shade equals its reference",
    arguments: [(255, 256), (255, 0), (255, 1), (255, 115), (128, 200), (3, 255), (0, 40)])
  func overWithAnOpacityAndAShadeEqualsItsReference(alpha: Int, light: Int) {
    #expect(
      KernelTests.check(
        .xrgb8888, from: .argb8888, seed: 3,
        kernel: {
          Kernels.over(
            $0.row32(0), $1.row32(0), count: $2, opacity: UInt8(alpha), light: UInt16(light), sourceMask: 0,
            setting: Kernels.opaque)
        },
        expected: { Reference.over(Reference.scaled(Reference.lit($1, light), alpha), $0, opaque: true) }))
  }

  @Test(
    "a colour, with and without coverage, equals its reference",
    arguments: [Color.white, .black, .clear, Color(red: 200, green: 3, blue: 99, alpha: 130)])
  func aColourWithAndWithoutCoverageEqualsItsReference(color: Color) {
    let pixel = color.premultiplied
    #expect(
      KernelTests.check(
        .argb8888, from: .argb8888, seed: 4,
        kernel: { to, _, count in Kernels.over(to.row32(0), colour: pixel, count: count, setting: 0) },
        expected: { destination, _ in Reference.over(pixel, destination, opaque: false) }))
    #expect(
      KernelTests.check(
        .xrgb8888, from: .a8, seed: 5,
        kernel: {
          Kernels.over(
            $0.row32(0), colour: pixel, through: $1.row8(0), count: $2, setting: Kernels.opaque)
        },
        expected: { Reference.over(Reference.scaled(pixel, Int($1)), $0, opaque: true) }))
    #expect(
      KernelTests.check(
        .rgb565, from: .a8, seed: 6,
        kernel: { to, _, count in Kernels.over(to.row16(0), colour: pixel, count: count) },
        expected: { destination, _ in
          Reference.to565(Reference.over(pixel, Reference.from565(destination), opaque: false))
        }))
    #expect(
      KernelTests.check(
        .a8, from: .a8, seed: 7,
        kernel: { to, _, count in Kernels.over(to.row8(0), coverage: color.alpha, count: count) },
        expected: { destination, _ in
          UInt32(Int(color.alpha) + Reference.product(Int(destination), 255 - Int(color.alpha)))
        }))
  }

  @Test("a source through coverage equals its reference", arguments: [PixelFormat.argb8888, .xrgb8888])
  func aSourceThroughCoverageEqualsItsReference(format: PixelFormat) {
    let bits: UInt32 = format == .xrgb8888 ? Kernels.opaque : 0
    // The coverage for each source pixel: random, none or full, and full everywhere.
    let shares: [(UInt32) -> UInt8] = [
      { UInt8(truncatingIfNeeded: $0 >> 3) }, { $0 & 4 == 0 ? 0 : 255 }, { _ in 255 },
    ]
    for (index, share) in shares.enumerated() {
      #expect(
        KernelTests.check(
          format, from: format, seed: UInt64(20 + index),
          kernel: { to, from, count in
            let coverage = (0..<max(count, 1)).map { $0 < count ? share(from.row32(0)[$0]) : 0 }
            Kernels.over(
              to.row32(0), from.row32(0), through: coverage, count: count, sourceMask: bits, setting: bits)
          },
          expected: { destination, source in
            let amount = Int(share(source))
            if amount == 0 { return destination }
            return Reference.over(
              Reference.scaled(source | bits, amount), destination, opaque: format == .xrgb8888)
          }))
    }
  }

  @Test("copies and conversions equal their references")
  func copiesAndConversionsEqualTheirReferences() {
    #expect(
      KernelTests.check(
        .xrgb8888, from: .argb8888, seed: 8,
        kernel: { Kernels.copy($0.row32(0), $1.row32(0), count: $2, setting: Kernels.opaque) },
        expected: { $1 | 0xff00_0000 }))
    #expect(
      KernelTests.check(
        .rgb565, from: .xrgb8888, seed: 9,
        kernel: { Kernels.copy($0.row16(0), from: $1.row32(0), count: $2) },
        expected: { Reference.to565($1) }))
    #expect(
      KernelTests.check(
        .xrgb8888, from: .rgb565, seed: 10,
        kernel: { Kernels.copy($0.row32(0), from: $1.row16(0), count: $2) },
        expected: { Reference.from565($1) }))
    #expect(
      KernelTests.check(
        .a8, from: .a8, seed: 11,
        kernel: { Kernels.copy($0.base, $1.base, byteCount: $2) }, expected: { $1 }))
  }

  @Test("fills write exactly the pixels of the row")
  func fillsWriteExactlyThePixelsOfTheRow() {
    #expect(
      KernelTests.check(
        .argb8888, from: .a8, seed: 12,
        kernel: { to, _, count in Kernels.fill(to.row32(0), 0x1234_5678, count: count) },
        expected: { _, _ in 0x1234_5678 }))
    #expect(
      KernelTests.check(
        .rgb565, from: .a8, seed: 13,
        kernel: { to, _, count in Kernels.fill(to.row16(0), 0xbeef, count: count) },
        expected: { _, _ in 0xbeef }))
    #expect(
      KernelTests.check(
        .a8, from: .a8, seed: 14,
        kernel: { to, _, count in Kernels.fill(to.row8(0), 7, count: count) }, expected: { _, _ in 7 }))
  }

  @Test("a negative count does nothing")
  func aNegativeCountDoesNothing() {
    let guarded = GuardedBuffer(8, 1, .argb8888)
    let to = guarded.buffer.row32(0)
    Kernels.fill(to, 1 as UInt32, count: -5)
    Kernels.over(to, to, count: -5, setting: Kernels.opaque)
    Kernels.over(to, colour: 0xffff_ffff, count: .min, setting: 0)
    Kernels.copy(guarded.buffer.base, guarded.buffer.base, byteCount: -1)
    #expect(guarded.isIntact && (0..<8).allSatisfy { to[$0] == 0 })
  }
}
