// SPDX-License-Identifier: Apache-2.0

import CKernels
import TestSupport
import Testing

@testable import Raster

/// Compares the AVX2 or NEON kernels with the Swift kernels that replace them on processors that have
/// neither. Both must give the same bits for any length, alignment and content, and must not read or write
/// beyond a row. On such a processor the test compares the Swift kernels with themselves. Other tests that
/// run concurrently may use either.
@Suite(.serialized) struct WideKernelTests {
  typealias Kernel = (
    _ destination: PixelBuffer, _ source: PixelBuffer, _ coverage: PixelBuffer, _ count: Int,
    _ random: inout SplitMix
  ) -> Void

  static let lengths = Array(0...34) + [63, 129]

  static func isSame(_ format: PixelFormat = .argb8888, from: PixelFormat = .argb8888, _ kernel: Kernel)
    -> Bool
  {
    var random = SplitMix(seed: 0x5eed)
    defer { ckernels_set_wide(true) }
    for length in lengths {
      for skew in [0, 1, 4, 7] {
        let source = GuardedBuffer(length + skew, 1, from, slack: 4)
        let coverage = GuardedBuffer(length + skew, 1, .a8, slack: 1)
        let made = (0..<2).map { _ in GuardedBuffer(length + skew, 1, format, slack: 4) }
        source.buffer.randomize(&random)
        coverage.buffer.randomize(&random)
        made[0].buffer.randomize(&random)
        made[1].buffer.assign(made[0].buffer)
        let state = random
        for (index, isWide) in [true, false].enumerated() {
          ckernels_set_wide(isWide)
          random = state
          kernel(
            made[index].buffer.shifted(skew), source.buffer.shifted(skew), coverage.buffer.shifted(skew),
            length, &random)
        }
        guard made[0].buffer.equals(made[1].buffer), made.allSatisfy(\.isIntact), source.isIntact else {
          return false
        }
      }
    }
    return true
  }

  @Test("compositing is the same with either kernel", arguments: [0, Kernels.opaque])
  func compositingIsTheSameWithEitherKernel(bits: UInt32) {
    let format: PixelFormat = bits == 0 ? .argb8888 : .xrgb8888
    #expect(
      Self.isSame(format) { to, from, _, count, _ in
        Kernels.over(to.row32(0), from.row32(0), count: count, setting: bits)
      })
    #expect(
      Self.isSame(format) { to, from, _, count, random in
        Kernels.over(
          to.row32(0), from.row32(0), count: count, opacity: UInt8(random.int(0...255)),
          sourceMask: random.int(0...1) == 0 ? 0 : Kernels.opaque, setting: bits)
      })
    #expect(
      Self.isSame(format) { to, from, _, count, random in
        Kernels.over(
          to.row32(0), from.row32(0), count: count, opacity: random.int(0...1) == 0 ? 255 : 99,
          light: UInt16(random.int(0...256)), sourceMask: random.int(0...1) == 0 ? 0 : Kernels.opaque,
          setting: bits)
      })
    #expect(
      Self.isSame(format) { to, _, _, count, random in
        let colour = Reference.premultiplied(UInt32(truncatingIfNeeded: random.next()))
        Kernels.over(to.row32(0), colour: colour, count: count, setting: bits)
      })
    #expect(
      Self.isSame(format) { to, _, coverage, count, random in
        let colour = Reference.premultiplied(UInt32(truncatingIfNeeded: random.next()))
        Kernels.over(
          to.row32(0), colour: random.int(0...1) == 0 ? colour : colour | Kernels.opaque,
          through: coverage.row8(0), count: count, setting: bits)
      })
  }

  @Test("stores are the same with either kernel")
  func storesAreTheSameWithEitherKernel() {
    #expect(
      Self.isSame { to, _, _, count, _ in Kernels.fill(to.row32(0), 0x8123_4567, count: count) })
    #expect(
      Self.isSame(.rgb565) { to, from, _, count, _ in
        Kernels.copy(to.row16(0), from: from.row32(0), count: count)
      })
    #expect(
      Self.isSame(.rgb565) { to, from, _, count, random in
        Kernels.copy(
          to.row16(0), from: from.row32(0), count: count, dithering: random.int(0...20), random.int(0...20))
      })
    #expect(
      Self.isSame(.xrgb2101010) { to, from, _, count, _ in
        Kernels.copy2101010(to.row32(0), from: from.row32(0), count: count)
      })
  }

  @Test("the passes of the flap are the same with either kernel")
  func thePassesOfTheFlapAreTheSameWithEitherKernel() {
    #expect(
      Self.isSame { to, from, _, count, random in
        let alpha = random.int(0...256)
        let first = Kernels.RowWeight(colour: alpha / 2, alpha: alpha, byteOffset: 0)
        let second = Kernels.RowWeight(colour: 0, alpha: 256 - alpha, byteOffset: 0)
        let isOpaque = Kernels.sum(
          to.row32(0), from.row32(0), first.oddPixel, from.row32(0), second.oddPixel, count: count,
          sourceMask: random.int(0...1) == 0 ? 0 : Kernels.opaque)
        // Changes a pixel if the returned opacity is wrong, so that the rows of the two kernels differ.
        let all = (0..<count).allSatisfy { to.row32(0)[$0] >= Kernels.opaque }
        if isOpaque != all, count > 0 { to.row32(0)[0] = isOpaque ? 1 : 2 }
      })
    #expect(
      Self.isSame { to, from, _, count, random in
        let weights = (0..<5).map { _ in Kernels.RowWeight(colour: 40, alpha: 51, byteOffset: 0) }
        let isOpaque = Kernels.sum(
          to.row32(0), UnsafeRawPointer(from.row32(0)), weights, rowCount: 5, count: count,
          sourceMask: random.int(0...1) == 0 ? 0 : Kernels.opaque)
        if isOpaque, count > 0 { to.row32(0)[0] ^= 1 }
      })
    #expect(
      Self.isSame { to, from, _, count, random in
        guard count > 1 else { return }
        // Any step with which no position is beyond the row, forwards and backwards.
        let pixels = random.int(1...count)
        let step = min((count - 1) * 65536 / pixels, 66000)
        let isMirrored = random.int(0...3) == 0
        Kernels.resample(
          to.row32(0), from.row32(0), count: pixels, position: UInt32(isMirrored ? (pixels - 1) * step : 0),
          step: Int32(isMirrored ? -step : step))
      })
  }

  @Test("a transposed block is the same with either kernel", arguments: [1, 7, 8, 9, 16, 31, 40])
  func aTransposedBlockIsTheSameWithEitherKernel(width: Int) {
    var random = SplitMix(seed: UInt64(width))
    defer { ckernels_set_wide(true) }
    for height in [1, 5, 8, 15, 16, 17, 24, 33] {
      let source = GuardedBuffer(width, height, .argb8888)
      let made = (0..<2).map { _ in GuardedBuffer(height, width, .argb8888, slack: 8) }
      source.buffer.randomize(&random)
      for (index, isWide) in [true, false].enumerated() {
        ckernels_set_wide(isWide)
        Kernels.transpose(
          made[index].buffer.row32(0), stride: made[index].buffer.bytesPerRow / 4, source.buffer.row32(0),
          sourceStride: source.buffer.bytesPerRow / 4, width: width, height: height, setting: 0)
      }
      #expect(made[0].buffer.equals(made[1].buffer) && made.allSatisfy(\.isIntact) && source.isIntact)
      #expect(made[0].buffer.pixel(height - 1, width / 2) == source.buffer.pixel(width / 2, height - 1))
    }
  }
}

extension PixelBuffer {
  /// A view of this one-row buffer that starts at pixel `skew`.
  func shifted(_ skew: Int) -> PixelBuffer {
    PixelBuffer(
      base: base + skew * format.bytesPerPixel, width: width - skew, height: height, bytesPerRow: bytesPerRow,
      format: format)
  }
}
