// SPDX-License-Identifier: Apache-2.0

/// A row in strips: where the image moves far sideways within one row of the screen.
extension RowSampler {
  /// What all strips of a row have in common.
  struct Row {
    var y: Int
    /// What of its height the image covers.
    var from: Double
    var to: Double
    /// The part of a pixel that counts as covered.
    var coverage: Double
    /// Source rows to one of the screen, at the middle.
    var scale: Double
  }

  /// The ends of a strip may move by one over this many pixels.
  static let stripsPerPixel = 3.0

  /// The pixels of strip `index` of `count` between `left` and `right`, in that strip's memory.
  func strip(
    _ index: Int, of count: Int, _ row: Row, left: Int, right: Int,
    or destination: UnsafeMutablePointer<UInt32>?
  ) -> RowSpan? {
    let height = row.to - row.from
    let from = row.from + height * Double(index) / Double(count)
    let to = row.from + height * Double(index + 1) / Double(count)
    let v = sourceRow(at: (from + to) / 2)
    let used: Int
    if abs(row.scale) >= 1 {
      let a = sourceRow(at: from)
      let b = sourceRow(at: to)
      used = weigh(min(a, b), max(a, b), light: light(v), coverage: row.coverage)
    } else {
      // The middle of the pixel, which may lie just outside; of the strip where there are several.
      let middle = (row.from + row.to) / 2
      let centre = count == 1 ? Double(row.y) + 0.5 : (from + to) / 2
      let position = sourceRow(at: middle) + (centre - middle) * row.scale
      used = weigh(position - 0.5, position + 0.5, light: light(v), coverage: row.coverage)
    }
    return resample(
      v, weights: used, left: left, right: right, into: strips + stride &* index, or: destination)
  }

  /// Makes what a strip leaves of a stretch of the row transparent, or like its ends where the edges are
  /// extended, and moves it to where the stretch begins.
  func clear(_ strip: Int, outside made: RowSpan?, of part: Range<Int>) {
    let pixels = strips + stride &* strip
    guard let made else {
      Kernels.fill(pixels, 0 as UInt32, count: part.count)
      return
    }
    let before = min(max(made.start - part.lowerBound, 0), part.count)
    let kept = min(made.count, part.count - before)
    let isExtended = edges == .extended && kept > 0
    if before > 0 {
      Kernels.copy(pixels + before, pixels, byteCount: kept * 4)
      Kernels.fill(pixels, isExtended ? pixels[before] : 0, count: before)
    }
    let rest = part.count - before - kept
    if rest > 0 {
      Kernels.fill(pixels + before + kept, isExtended ? pixels[before + kept - 1] : 0, count: rest)
    }
  }

  /// The mean of the strips, into their place in the whole row.
  func join(_ part: Range<Int>, of whole: RowSpan, count: Int) {
    let target = whole.pixels + (part.lowerBound - whole.start)
    for strip in 0..<count {
      let weight = 256 * (strip + 1) / count - 256 * strip / count
      weights[strip] = Kernels.RowWeight(colour: weight, alpha: weight, byteOffset: strip &* stride &* 4)
    }
    Kernels.sum(
      target, UnsafeRawPointer(strips), weights, rowCount: count, count: part.count, sourceMask: 0)
  }
}
