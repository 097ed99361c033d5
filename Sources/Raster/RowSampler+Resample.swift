// SPDX-License-Identifier: Apache-2.0

extension RowSampler {
  /// Sums the weighted rows and resamples the sum to the screen, at source row `v`. Returns the pixels that
  /// the image touches between `left` and `right`, the outermost multiplied by their coverage; nil if there
  /// are none.
  ///
  /// Writes the pixels directly to `destination`, a row of the screen, and sets `isDrawn` in the span, if all
  /// of these hold: `destination` is given, the sum is opaque, and the row is not averaged. So the opaque
  /// inside of a card is stored only once.
  func resample(
    _ v: Double, _ weighed: Weighed, left: Int, right: Int, into output: UnsafeMutablePointer<UInt32>,
    or destination: UnsafeMutablePointer<UInt32>?
  ) -> RowSpan? {
    guard weighed.count > 0 else { return nil }
    let depth = map.h * v + map.i
    let scale = map.a / depth
    let origin = (map.b * v + map.c) / depth
    let near = origin + scale * outline.x
    let far = origin + scale * outline.maxX
    let least = min(near, far)
    let most = max(near, far)
    let step = 1 / scale
    guard origin.isFinite, far.isFinite, abs(step) < 0x1p30,
      let image = RowSampler.pixels(least, most, -Int(Homography.boundsLimit), Int(Homography.boundsLimit))
    else { return nil }
    let start = max(image.lowerBound, left)
    let count = min(image.upperBound, right) - start
    guard count > 0, count <= stride else { return nil }

    var span = RowSpan(start: start, count: count, pixels: output)
    // All positions are relative to the image's first pixel, so that clipping does not change them. Steps
    // slightly above one pixel still take the fast path.
    if abs(step) <= 1.0005 {
      let under = destination.map { ($0[start], $0[start + count - 1]) }
      bilinear(&span, first: image.lowerBound, origin: origin, step: step, weighed, or: destination)
      if span.isDrawn, let under {
        cover(span, least, most, over: under)
        return span
      }
    } else {
      average(span, of: image, origin: origin, step: step, weighed)
    }
    cover(span, least, most)
    return span
  }

  /// Multiplies each end pixel by the part of it that is between `least` and `most`. If the pixels were
  /// written directly to the screen, composes the end pixels over `under`, the pixels that were there before.
  @inline(__always)
  private func cover(
    _ span: RowSpan, _ least: Double, _ most: Double, over under: (first: UInt32, last: UInt32)? = nil
  ) {
    if edges == .extended { return }
    let last = span.start + span.count - 1
    let first = min(Double(span.start) + 1, most) - max(Double(span.start), least)
    if first < 1 { scale(span.pixels, by: first, over: under?.first) }
    let end = most - max(Double(last), least)
    if end < 1 && last > span.start { scale(span.pixels + (span.count - 1), by: end, over: under?.last) }
  }

  @inline(__always)
  private func scale(_ pixel: UnsafeMutablePointer<UInt32>, by part: Double, over under: UInt32?) {
    let made = pixel.pointee
    let scaled = Kernels.scaledPixel(made, by: UInt32(part.opacity255))
    if let under, scaled != made {
      pixel.pointee = Kernels.composed(scaled, under) | storedBits
    } else {
      pixel.pointee = scaled
    }
  }

  /// Resamples bilinearly.
  @inline(__always)
  private func bilinear(
    _ span: inout RowSpan, first column: Int, origin: Double, step: Double, _ weighed: Weighed,
    or destination: UnsafeMutablePointer<UInt32>?
  ) {
    let width = source.width
    let fixedStep = RowSampler.nearest(step * 65536)
    let base = RowSampler.nearest(((Double(column) + 0.5 - origin) * step - 0.5) * 65536)
    let first = base + (span.start - column) * fixedStep
    let last = first + (span.count - 1) * fixedStep
    let from = min(max((min(first, last) >> 16) - 1, 0), width - 1)
    let end = min(max((max(first, last) >> 16) + 3, from + 1), width)
    let count = end - from
    // The position is 16.16 fixed point in 32 bits. Rows that are too long for this, and steps that leave the
    // padding, do not occur on any display.
    let start = first - (from - RowScratch.padding) << 16
    let stop = last - (from - RowScratch.padding) << 16
    let limit = (count + 2 * RowScratch.padding - 1) << 16
    guard limit < 1 << 32, start >= 0, stop >= 0, start < limit, stop < limit else {
      Kernels.fill(span.pixels, 0 as UInt32, count: span.count)
      return
    }
    let isStraight = fixedStep == 65536 && start & 0xff00 == 0
    if isStraight, let destination, isOpaque(weighed), first >= 0, first >> 16 + span.count <= width {
      // The columns need no resampling and the result is opaque, so the rows are summed directly on the
      // screen.
      span.pixels = destination + span.start
      span.isDrawn = true
      sum(into: span.pixels, first >> 16, span.count, weighed)
      return
    }
    if sum(from, count, weighed), let destination {
      span.pixels = destination + span.start
      span.isDrawn = true
    }
    if isStraight {
      Kernels.copy(span.pixels, row + (start >> 16), byteCount: span.count * 4)
    } else {
      Kernels.resample(
        span.pixels, row, count: span.count, position: UInt32(truncatingIfNeeded: start),
        step: Int32(truncatingIfNeeded: fixedStep))
    }
  }

  /// Averages the source pixels that each pixel covers, for steps of more than one source pixel.
  private func average(
    _ span: RowSpan, of image: Range<Int>, origin: Double, step: Double, _ weighed: Weighed
  ) {
    let width = source.width << 16
    let fixedStep = RowSampler.nearest(step * 65536)
    let base = RowSampler.nearest((Double(image.lowerBound) - origin) * step * 65536)
    /// The interval of the source that a pixel covers, clipped to the source.
    func share(_ x: Int) -> (low: Int, high: Int) {
      let one = base + (x - image.lowerBound) * fixedStep
      let low = min(max(min(one, one + fixedStep), 0), width - 1)
      return (low, max(min(max(one, one + fixedStep), width), low + 1))
    }
    let ends = (share(span.start), share(span.start + span.count - 1))
    let from = min(ends.0.low, ends.1.low) >> 16
    let end = min((max(ends.0.high, ends.1.high) + 0xffff) >> 16, source.width)
    _ = sum(from, end - from, weighed)
    Kernels.fill(span.pixels, 0 as UInt32, count: span.count)
    let shift = (from - RowScratch.padding) << 16
    // Only the image's first and last pixels may cover less than a whole step.
    let whole = (image.lowerBound + 1..<max(image.upperBound - 1, image.lowerBound + 1)).clamped(
      to: span.start..<span.start + span.count)
    for x in span.start..<span.start + span.count where !whole.contains(x) {
      let (low, high) = share(x)
      Kernels.average(span.pixels + (x - span.start), row, count: 1, position: low - shift, step: high - low)
    }
    guard !whole.isEmpty else { return }
    let one = base + (whole.lowerBound - image.lowerBound) * fixedStep - shift
    let other = one + whole.count * fixedStep
    // Rounded steps leave the padding only in an image wider than any display.
    guard min(one, other) >= 0, max(one, other) <= (end - from + 2 * RowScratch.padding) << 16 else { return }
    Kernels.average(
      span.pixels + (whole.lowerBound - span.start), row, count: whole.count,
      position: min(one, one + fixedStep), step: fixedStep)
  }

  /// Whether the weighted sum is opaque everywhere, because the source has no alpha and the weights add up to
  /// one. False if there are more than two rows.
  @inline(__always)
  private func isOpaque(_ weighed: Weighed) -> Bool {
    source.mask == Kernels.opaque && weighed.count <= 2
      && weighed.first.weight &>> 16 + weighed.second.weight &>> 16 == 256
  }

  /// Stores the weighted sum of the source rows, `count` pixels from `from`, in `row` with padding on both
  /// sides.
  @inline(__always)
  private func sum(_ from: Int, _ count: Int, _ weighed: Weighed) -> Bool {
    let target = row + RowScratch.padding
    let opaque = sum(into: target, from, count, weighed)
    // Repeats the end pixels `RowScratch.padding` times on each side.
    Kernels.put(SIMD4(repeating: target[0]), row)
    Kernels.put(SIMD4(repeating: target[count - 1]), target + count)
    return opaque
  }

  /// Stores the weighted sum of `count` pixels from `from`.
  @inline(__always) @discardableResult
  private func sum(
    into target: UnsafeMutablePointer<UInt32>, _ from: Int, _ count: Int, _ weighed: Weighed
  ) -> Bool {
    let base = source.base + from &* 4
    if weighed.count <= 2 {
      // A single row is passed twice, the second time with weight zero.
      let second = weighed.count == 2 ? weighed.second.byteOffset : weighed.first.byteOffset
      return Kernels.sum(
        target, (base + weighed.first.byteOffset).assumingMemoryBound(to: UInt32.self), weighed.first.weight,
        (base + second).assumingMemoryBound(to: UInt32.self), weighed.second.weight, count: count,
        sourceMask: source.mask)
    }
    return Kernels.sum(
      target, base, weights, rowCount: weighed.count, count: count, sourceMask: source.mask)
  }
}
