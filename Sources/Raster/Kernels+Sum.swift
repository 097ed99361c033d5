// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// The weights of one source row: `colour` and `alpha` in 1/256, colour at most alpha. The sums over all
  /// rows of a destination row must not exceed 256.
  struct RowWeight {
    /// The weights of the even bytes: blue and red.
    var even: Lanes
    /// The weights of the odd bytes: green and alpha.
    var odd: Lanes
    /// The offset of the row's first pixel from the base of the rows.
    var byteOffset: Int

    @inline(__always)
    init(colour: Int, alpha: Int, byteOffset: Int) {
      let colour = UInt16(truncatingIfNeeded: colour)
      even = Lanes(repeating: colour)
      odd = oddLanes(colour: colour, alpha: UInt16(truncatingIfNeeded: alpha))
      self.byteOffset = byteOffset
    }

    /// The weight of green in the lower half, and that of alpha in the upper.
    @inline(__always)
    var oddPixel: UInt32 { UInt32(odd[1]) &<< 16 | UInt32(odd[0]) }
  }

  /// Stores the weighted sum of rows, rounded: the vertical pass of the flap. Each row is read once, with the
  /// sums in registers, eight pixels at a time. `sourceMask` is set in the source pixels. Returns whether all
  /// resulting pixels are opaque.
  @discardableResult
  static func sum(
    _ destination: UnsafeMutablePointer<UInt32>, _ rows: UnsafeRawPointer,
    _ weights: UnsafePointer<RowWeight>, rowCount: Int,
    count: Int, sourceMask: UInt32
  ) -> Bool {
    let bits = splat(sourceMask)
    let half = Lanes(repeating: 128)
    let eight = Lanes(repeating: 8)
    let high = Lanes(repeating: 0xff00)
    var every = Lanes(repeating: 0xffff)
    var done: UInt32 = 0xffff_ffff
    var i = ckernels_sum_rows(destination, rows, weights, rowCount, count, sourceMask, &done)
    while i <= last(8, of: count) {
      var even0 = half
      var odd0 = half
      var even1 = half
      var odd1 = half
      var k = 0
      while k < rowCount {
        let row = (rows + weights[k].byteOffset).assumingMemoryBound(to: UInt32.self)
        let pixels0 = load(row, i) | bits
        let pixels1 = load(row, i &+ 4) | bits
        let evenWeight = weights[k].even
        let oddWeight = weights[k].odd
        even0 = even0 &+ even(pixels0) &* evenWeight
        odd0 = odd0 &+ odd(pixels0) &* oddWeight
        even1 = even1 &+ even(pixels1) &* evenWeight
        odd1 = odd1 &+ odd(pixels1) &* oddWeight
        k &+= 1
      }
      store((even0 &>> eight) | (odd0 & high), destination, i)
      store((even1 &>> eight) | (odd1 & high), destination, i &+ 4)
      every = every & odd0 & odd1
      i &+= 8
    }
    var rest = folded(every) & done
    while i < count {
      var even: UInt64 = 0x0080_0080
      var odd: UInt64 = 0x0080_0080
      var k = 0
      while k < rowCount {
        let row = (rows + weights[k].byteOffset).assumingMemoryBound(to: UInt32.self)
        let pixel = UInt64(row[i] | sourceMask)
        let colour = UInt64(weights[k].odd[0])
        let alpha = UInt64(weights[k].odd[1])
        even &+= (pixel & 0x00ff_00ff) &* colour
        odd &+= ((pixel &>> 8) & 0xff) &* colour &+ (pixel &>> 24) &* (alpha &<< 16)
        k &+= 1
      }
      destination[i] = UInt32(truncatingIfNeeded: (even &>> 8) & 0x00ff_00ff | odd & 0xff00_ff00)
      rest &= destination[i]
      i &+= 1
    }
    return rest >= opaque
  }

  /// The bits that are set in all four pixels.
  @inline(__always)
  private static func folded(_ pixels: Lanes) -> UInt32 {
    let pairs = unsafeBitCast(pixels, to: SIMD2<UInt64>.self)
    let both = pairs[0] & pairs[1]
    return UInt32(truncatingIfNeeded: both & (both &>> 32))
  }

  /// Stores the weighted sum of two rows, with the same result as the general `sum`. For destination rows
  /// that cover about one source row, which is the usual case. The lower half of `firstWeight` and
  /// `secondWeight` is for colour, the upper half for alpha.
  @inline(__always) @discardableResult
  static func sum(
    _ destination: UnsafeMutablePointer<UInt32>, _ first: UnsafePointer<UInt32>, _ firstWeight: UInt32,
    _ second: UnsafePointer<UInt32>, _ secondWeight: UInt32, count: Int, sourceMask: UInt32
  ) -> Bool {
    var every: UInt32 = 0xffff_ffff
    let done = ckernels_sum_two(
      destination, first, firstWeight, second, secondWeight, count, sourceMask, &every)
    if done < count {
      every &= sumRest(
        destination + done, first + done, firstWeight, second + done, secondWeight, count: count - done,
        sourceMask: sourceMask)
    }
    return every >= opaque
  }

  /// Sums the pixels that `ckernels_sum_two` left over. Returns the bits that are set in all resulting
  /// pixels.
  private static func sumRest(
    _ destination: UnsafeMutablePointer<UInt32>, _ first: UnsafePointer<UInt32>, _ firstWeight: UInt32,
    _ second: UnsafePointer<UInt32>, _ secondWeight: UInt32, count: Int, sourceMask: UInt32
  ) -> UInt32 {
    let bits = splat(sourceMask)
    let half = Lanes(repeating: 128)
    let eight = Lanes(repeating: 8)
    let high = Lanes(repeating: 0xff00)
    let evenWeight = (
      Lanes(repeating: UInt16(firstWeight & 0xffff)), Lanes(repeating: UInt16(secondWeight & 0xffff))
    )
    let oddWeight = (splat(firstWeight), splat(secondWeight))
    var every = Lanes(repeating: 0xffff)
    var i = 0
    while i <= last(4, of: count) {
      let a = load(first, i) | bits
      let b = load(second, i) | bits
      let evens = even(a) &* evenWeight.0 &+ even(b) &* evenWeight.1 &+ half
      let odds = odd(a) &* oddWeight.0 &+ odd(b) &* oddWeight.1 &+ half
      store((evens &>> eight) | (odds & high), destination, i)
      every = every & odds
      i &+= 4
    }
    var rest = folded(every)
    let colour = (firstWeight & 0xffff, secondWeight & 0xffff)
    let alpha = (firstWeight &>> 16, secondWeight &>> 16)
    while i < count {
      let a = first[i] | sourceMask
      let b = second[i] | sourceMask
      let evens = (a & 0x00ff_00ff) &* colour.0 &+ (b & 0x00ff_00ff) &* colour.1 &+ 0x0080_0080
      let green = ((a &>> 8) & 0xff) &* colour.0 &+ ((b &>> 8) & 0xff) &* colour.1 &+ 0x80
      let alphas = (a &>> 24) &* alpha.0 &+ (b &>> 24) &* alpha.1 &+ 0x80
      destination[i] = (evens &>> 8) & 0x00ff_00ff | green & 0xff00 | (alphas & 0xff00) &<< 16
      rest &= destination[i]
      i &+= 1
    }
    return rest
  }
}
