// SPDX-License-Identifier: Apache-2.0

extension RowSampler {
  /// Sums the weighed rows and resamples the sum to the screen, at source row `v`: the pixels that the
  /// image touches between `left` and `right`, the end ones by what it covers of them. Nil where
  /// there are none.
  func resample(
    _ v: Double, weights used: Int, left: Int, right: Int, into output: UnsafeMutablePointer<UInt32>
  ) -> RowSpan? {
    guard used > 0 else { return nil }
    let depth = map.h * v + map.i
    let scale = map.a / depth
    let origin = (map.b * v + map.c) / depth
    let far = origin + scale * Double(source.width)
    let least = min(origin, far)
    let most = max(origin, far)
    guard scale != 0, let columns = RowSampler.pixels(least, most, left, right), columns.count <= stride
    else { return nil }
    let step = 1 / scale
    guard step.isFinite, abs(step) < 0x1p30 else { return nil }

    let span = RowSpan(start: columns.lowerBound, count: columns.count, pixels: output)
    // A step a hair over one pixel is no reason to leave the fast path.
    if abs(step) <= 1.0005 {
      bilinear(span, origin: origin, step: step, weights: used)
    } else {
      average(span, origin: origin, step: step, weights: used)
    }
    cover(span, least, most)
    return span
  }

  /// The end pixels by the part of them that lies between `least` and `most`.
  private func cover(_ span: RowSpan, _ least: Double, _ most: Double) {
    let last = span.start + span.count - 1
    let first = min(Double(span.start) + 1, most) - max(Double(span.start), least)
    if first < 1 {
      span.pixels[0] = Kernels.scaledPixel(span.pixels[0], by: UInt32(first.opacity255))
    }
    let end = most - max(Double(last), least)
    if end < 1 && last > span.start {
      span.pixels[span.count - 1] = Kernels.scaledPixel(
        span.pixels[span.count - 1], by: UInt32(end.opacity255))
    }
  }

  /// Between pixel centres.
  private func bilinear(_ span: RowSpan, origin: Double, step: Double, weights used: Int) {
    let width = source.width
    let first = (Double(span.start) + 0.5 - origin) * step - 0.5
    let last = first + Double(span.count - 1) * step
    let from = min(max(Int(min(first, last).rounded(.down)) - 1, 0), width - 1)
    let end = min(max(Int(max(first, last).rounded(.down)) + 3, from + 1), width)
    let count = end - from
    // 16.16 in 32 bits; a row that long is on no display.
    guard count + 2 * RowScratch.padding < 65536 else {
      Kernels.fill(span.pixels, 0 as UInt32, count: span.count)
      return
    }
    sum(from, count, weights: used)
    let limit = Double(count + 2 * RowScratch.padding - 2)
    let start = min(max(first - Double(from - RowScratch.padding), 0), limit)
    let stop = min(max(last - Double(from - RowScratch.padding), 0), limit)
    let position = Int((start * 65536).rounded())
    var fixedStep = Int((step * 65536).rounded())
    if span.count > 1 {
      // Rounded steps may not add up to leave the row.
      let room = Int(limit) &<< 16 - position
      let steps = span.count - 1
      if fixedStep * steps > room || fixedStep * steps < -position {
        fixedStep = Int(((stop - start) * 65536).rounded(.towardZero)) / steps
      }
    }
    if fixedStep == 65536 && position & 0xff00 == 0 {
      Kernels.copy(span.pixels, row + (position &>> 16), byteCount: span.count * 4)
    } else {
      Kernels.resample(
        span.pixels, row, count: span.count, position: UInt32(truncatingIfNeeded: position),
        step: Int32(truncatingIfNeeded: fixedStep))
    }
  }

  /// The mean of what each pixel covers, where more than one source pixel goes into one.
  private func average(_ span: RowSpan, origin: Double, step: Double, weights used: Int) {
    let width = Double(source.width)
    let one = (Double(span.start) - origin) * step
    let other = one + Double(span.count) * step
    let from = Int(min(max(min(one, other), 0), width - 1))
    let end = max(Int(min(max(max(one, other), 0), width).rounded(.up)), from + 1)
    sum(from, end - from, weights: used)
    // The left side of each pixel's share; the right side lies one |step| on.
    let base = Double(from - RowScratch.padding)
    func share(_ index: Int) -> (low: Double, high: Double) {
      let a = one + Double(index) * step
      return (min(max(min(a, a + step), Double(from)), width), min(max(max(a, a + step), 0), Double(end)))
    }
    func single(_ index: Int) {
      let (low, high) = share(index)
      let position = Int(((low - base) * 65536).rounded(.down))
      let length = max(Int(((high - low) * 65536).rounded()), 1)
      Kernels.average(span.pixels + index, row, count: 1, position: position, step: length)
    }
    single(0)
    guard span.count > 1 else { return }
    single(span.count - 1)
    guard span.count > 2 else { return }
    let low = share(1).low
    let fixedStep = Int((step * 65536).rounded(.towardZero))
    Kernels.average(
      span.pixels + 1, row, count: span.count - 2, position: Int(((low - base) * 65536).rounded()),
      step: fixedStep)
  }

  /// The weighed sum of the source rows, of `count` pixels from `from`, with its ends repeated.
  private func sum(_ from: Int, _ count: Int, weights used: Int) {
    let target = row + RowScratch.padding
    let base = source.base + from &* 4
    let first = weights[0]
    if used <= 2 {
      var second = weights[used - 1]
      let secondRow = (base + second.byteOffset).assumingMemoryBound(to: UInt32.self)
      if used == 1 { second = Kernels.RowWeight(colour: 0, alpha: 0, byteOffset: 0) }
      Kernels.sum(
        target, (base + first.byteOffset).assumingMemoryBound(to: UInt32.self), first, secondRow, second,
        count: count, sourceMask: source.mask)
    } else {
      Kernels.sum(target, base, weights, rowCount: used, count: count, sourceMask: source.mask)
    }
    Kernels.fill(row, target[0], count: RowScratch.padding)
    Kernels.fill(target + count, target[count - 1], count: RowScratch.padding)
  }
}
