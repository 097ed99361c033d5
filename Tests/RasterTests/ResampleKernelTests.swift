// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

/// Tests the kernels that resample pictures, vertically and along rows, against plain references: all but the
/// average bit for bit.
@Suite struct ResampleKernelTests {
  @Test("the sum of weighted rows equals its reference", arguments: 1...9)
  func theSumOfWeightedRowsEqualsItsReference(rowCount: Int) {
    var random = SplitMix(seed: UInt64(rowCount))
    for length in KernelTests.lengths {
      let source = GuardedBuffer(length + 1, rowCount, .argb8888)
      let output = GuardedBuffer(length, 1, .argb8888, slack: 4)
      source.buffer.randomize(&random)
      let mask: UInt32 = random.int(0...1) == 0 ? 0 : Kernels.opaque
      var alphas: [Int] = []
      var colours: [Int] = []
      for row in 0..<rowCount {
        let left = 256 - alphas.reduce(0, +)
        let alpha = row == rowCount - 1 && random.int(0...1) == 0 ? left : random.int(0...left)
        alphas.append(alpha)
        colours.append(random.int(0...alpha))
      }
      let weights = (0..<rowCount).map {
        Kernels.RowWeight(colour: colours[$0], alpha: alphas[$0], byteOffset: $0 * source.buffer.bytesPerRow)
      }
      let base = UnsafeRawPointer(source.buffer.row32(0) + 1)
      func expected(_ x: Int) -> UInt32 {
        var sums = [128, 128, 128, 128]
        for row in 0..<rowCount {
          let c = Reference.channels(source.buffer.pixel(x + 1, row) | mask)
          for i in 0..<4 { sums[i] += c[i] * (i == 3 ? alphas[row] : colours[row]) }
        }
        return Reference.pixel(sums.map { $0 / 256 })
      }
      weights.withUnsafeBufferPointer {
        guard let pointer = $0.baseAddress else { return }
        Kernels.sum(
          output.buffer.row32(0), base, pointer, rowCount: rowCount, count: length, sourceMask: mask)
      }
      #expect((0..<length).allSatisfy { output.buffer.pixel($0, 0) == expected($0) })
      if rowCount == 2 {
        Kernels.sum(
          output.buffer.row32(0), source.buffer.row32(0) + 1, weights[0].oddPixel,
          source.buffer.row32(1) + 1, weights[1].oddPixel, count: length, sourceMask: mask)
        #expect((0..<length).allSatisfy { output.buffer.pixel($0, 0) == expected($0) })
      }
      #expect(output.isIntact)
    }
  }

  @Test("bilinear resampling equals its reference", arguments: [65536, 60000, 1, 0, 33333, -65536, -40000])
  func bilinearResamplingEqualsItsReference(step: Int) {
    var random = SplitMix(seed: 77)
    for length in KernelTests.lengths {
      let span = abs(step) * length / 65536 + 3
      let source = GuardedBuffer(span, 1, .argb8888)
      let output = GuardedBuffer(length, 1, .argb8888, slack: 4)
      source.buffer.randomize(&random)
      let position = step < 0 ? -step * length + 3210 : random.int(0...65535)
      Kernels.resample(
        output.buffer.row32(0), source.buffer.row32(0), count: length, position: UInt32(position),
        step: Int32(step))
      for x in 0..<length {
        let at = position + x * step
        let weight = (at & 0xffff) / 256
        let a = Reference.channels(source.buffer.pixel(at / 65536, 0))
        let b = Reference.channels(source.buffer.pixel(at / 65536 + 1, 0))
        let mixed = (0..<4).map { (a[$0] * (256 - weight) + b[$0] * weight + 128) / 256 }
        #expect(output.buffer.pixel(x, 0) == Reference.pixel(mixed))
      }
      #expect(output.isIntact && source.isIntact)
    }
  }

  @Test(
    "averaging a row is within half a level of the true mean",
    arguments: [65536, 70000, 131072, 300_001, -65536, -99999])
  func averagingARowIsWithinHalfALevelOfTheTrueMean(step: Int) {
    var random = SplitMix(seed: 5)
    for length in [0, 1, 2, 5, 20] {
      let span = abs(step) * (length + 1) / 65536 + 2
      let source = GuardedBuffer(span, 1, .argb8888)
      let output = GuardedBuffer(length, 1, .argb8888)
      source.buffer.randomize(&random)
      let position = step < 0 ? -step * (length - 1) + 17 : random.int(0...65535)
      Kernels.average(
        output.buffer.row32(0), source.buffer.row32(0), count: length, position: max(position, 0), step: step)
      for x in 0..<length {
        let from = Double(position + x * step) / 65536
        let to = from + Double(abs(step)) / 65536
        var sums = [0.0, 0, 0, 0]
        for at in Int(from)..<span {
          let covered = max(min(Double(at + 1), to) - max(Double(at), from), 0)
          for (i, c) in Reference.channels(source.buffer.pixel(at, 0)).enumerated() {
            sums[i] += Double(c) * covered
          }
        }
        let got = Reference.channels(output.buffer.pixel(x, 0))
        for i in 0..<4 { #expect(abs(Double(got[i]) - sums[i] / (to - from)) <= 0.51) }
      }
      #expect(output.isIntact)
    }
  }
}
