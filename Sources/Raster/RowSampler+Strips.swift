// SPDX-License-Identifier: Apache-2.0

/// Rows that are split into several strips.
extension RowSampler {
  /// Computes a row whose ends move too far for a single strip.
  func strips(
    _ y: Int, _ upper: Edge, _ lower: Edge, _ needed: Double, left: Int, right: Int
  ) -> RowSpan? {
    let (from, to) = (upper.y, lower.y)
    let height = to - from
    let coverage = edges == .extended ? 1 : height
    let middle = (from + to) / 2
    let scale = scale(at: middle)
    var count = 1
    while count < RowScratch.maximumStrips && Double(count) < needed { count *= 2 }
    let least = min(min(upper.start, lower.start), min(upper.end, lower.end))
    let most = max(max(upper.start, lower.start), max(upper.end, lower.end))
    guard let columns = RowSampler.pixels(least, most, left, right) else { return nil }
    let whole = RowSpan(start: columns.lowerBound, count: columns.count, pixels: strips + stride &* count)
    for strip in 0..<count {
      let stripFrom = from + height * Double(strip) / Double(count)
      let stripTo = from + height * Double(strip + 1) / Double(count)
      let centre = (stripFrom + stripTo) / 2
      let v = sourceRow(at: centre)
      let weighed: Weighed
      if abs(scale) >= 1 {
        let a = sourceRow(at: stripFrom)
        let b = sourceRow(at: stripTo)
        weighed = weigh(min(a, b), max(a, b), light: light(v), coverage: coverage)
      } else {
        let position = (centre == middle ? v : sourceRow(at: middle)) + (centre - middle) * scale
        weighed = weigh(position - 0.5, position + 0.5, light: light(v), coverage: coverage)
      }
      let part = resample(v, weighed, left: left, right: right, into: strips + stride &* strip, or: nil)
      clear(strip, outside: part, of: whole)
    }
    join(whole, count: count)
    return whole
  }

  /// The number of strips per pixel that the ends of a row move: two up to the width of a card, one for a
  /// wider source, such as a page. The slanted ends of a page are a small part of it, and near edge-on it
  /// must still be drawn within one frame.
  static func stripsPerPixel(_ width: Int) -> Double { width <= widestCard ? 2 : 1 }

  private static let widestCard = 640

  /// Moves a strip's pixels to their position in the whole row and makes the rest transparent, or with
  /// extended edges equal to the strip's end pixels.
  private func clear(_ strip: Int, outside part: RowSpan?, of whole: RowSpan) {
    let pixels = strips + stride &* strip
    guard let part else {
      Kernels.fill(pixels, 0 as UInt32, count: whole.count)
      return
    }
    let before = min(max(part.start - whole.start, 0), whole.count)
    let kept = min(part.count, whole.count - before)
    let isExtended = edges == .extended && kept > 0
    if before > 0 {
      Kernels.copy(pixels + before, pixels, byteCount: kept * 4)
      Kernels.fill(pixels, isExtended ? pixels[before] : 0, count: before)
    }
    let rest = whole.count - before - kept
    if rest > 0 {
      Kernels.fill(pixels + before + kept, isExtended ? pixels[before + kept - 1] : 0, count: rest)
    }
  }

  /// Averages the strips.
  private func join(_ whole: RowSpan, count: Int) {
    for strip in 0..<count {
      weights[strip] = Kernels.RowWeight(
        colour: 256 / count, alpha: 256 / count, byteOffset: strip &* stride &* 4)
    }
    Kernels.sum(
      whole.pixels, UnsafeRawPointer(strips), weights, rowCount: count, count: whole.count, sourceMask: 0)
  }
}
