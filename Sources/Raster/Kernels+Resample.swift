// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// Resamples a row bilinearly: pixel k is at `position` + k·`step`, in 1/65536 of a source pixel from the
  /// centre of `source[0]`. No position may be negative or reach the last index of the row. The upper eight
  /// bits of the fraction are the weight. Opaque pixels stay opaque.
  static func resample(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int,
    position: UInt32,
    step: Int32
  ) {
    let step = UInt32(bitPattern: step)
    var i = ckernels_resample(destination, source, count, position, step)
    if i >= count { return }
    var x = position &+ UInt32(truncatingIfNeeded: i) &* step
    var xs = SIMD4<UInt32>(x, x &+ step, x &+ 2 &* step, x &+ 3 &* step)
    let stride = SIMD4<UInt32>(repeating: 4 &* step)
    let half = Lanes(repeating: 128)
    let high = Lanes(repeating: 0xff00)
    let one = Lanes(repeating: 256)
    while i <= last(4, of: count) {
      let p0 = pair(source, x)
      let p1 = pair(source, x &+ step)
      let p2 = pair(source, x &+ 2 &* step)
      let p3 = pair(source, x &+ 3 &* step)
      let left = unsafeBitCast(SIMD4(p0[0], p1[0], p2[0], p3[0]), to: Lanes.self)
      let right = unsafeBitCast(SIMD4(p0[1], p1[1], p2[1], p3[1]), to: Lanes.self)
      let fraction = (xs &>> SIMD4(repeating: 8)) & SIMD4(repeating: 0xff)
      let weight = unsafeBitCast(fraction | (fraction &<< SIMD4(repeating: 16)), to: Lanes.self)
      let rest = one &- weight
      let evens = even(left) &* rest &+ even(right) &* weight &+ half
      let odds = odd(left) &* rest &+ odd(right) &* weight &+ half
      store((evens &>> Lanes(repeating: 8)) | (odds & high), destination, i)
      xs = xs &+ stride
      x = x &+ 4 &* step
      i &+= 4
    }
    while i < count {
      let at = Int(x &>> 16)
      destination[i] = mixed(source[at], source[at &+ 1], (x &>> 8) & 0xff)
      x = x &+ step
      i &+= 1
    }
  }

  /// Two adjacent pixels, starting at the integer part of `x`.
  @inline(__always)
  private static func pair(_ source: UnsafePointer<UInt32>, _ x: UInt32) -> SIMD2<UInt32> {
    UnsafeRawPointer(source + Int(x &>> 16)).loadUnaligned(as: SIMD2<UInt32>.self)
  }

  /// a + (b − a) · weight / 256, rounded, per channel.
  @inline(__always)
  static func mixed(_ a: UInt32, _ b: UInt32, _ weight: UInt32) -> UInt32 {
    let rest = 256 &- weight
    let even = (a & 0x00ff_00ff) &* rest &+ (b & 0x00ff_00ff) &* weight &+ 0x0080_0080
    let odd = ((a &>> 8) & 0x00ff_00ff) &* rest &+ ((b &>> 8) & 0x00ff_00ff) &* weight &+ 0x0080_0080
    return (even &>> 8) & 0x00ff_00ff | odd & 0xff00_ff00
  }

  /// Averages a row: pixel k is the mean of the source pixels in the interval of length |step| that starts at
  /// `position` + k·`step`, in 1/65536 of a pixel. |step| is at least one pixel. Every pixel touched must
  /// exist.
  static func average(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int, position: Int,
    step: Int
  ) {
    let length = abs(step)
    var i = 0
    while i < count {
      let from = position &+ i &* step
      let end = from &+ length
      var even: UInt64 = 0x8000_0000_8000
      var odd: UInt64 = 0x8000_0000_8000
      // The weights add up to exactly 65536 despite rounding.
      var spent = 0
      var at = from &>> 16
      while at &<< 16 < end {
        let covered = min((at &+ 1) &<< 16, end) &- from
        let total = covered >= length ? 65536 : covered &<< 16 / length
        let weight = UInt64(truncatingIfNeeded: total &- spent)
        spent = total
        let pixel = UInt64(source[at])
        even &+= ((pixel & 0xff) | (pixel & 0xff_0000) &<< 16) &* weight
        odd &+= ((pixel &>> 8) & 0xff | ((pixel &>> 24) & 0xff) &<< 32) &* weight
        at &+= 1
      }
      let blueRed = (even &>> 16) & 0xff | (even &>> 32) & 0xff_0000
      let greenAlpha = (odd &>> 8) & 0xff00 | (odd &>> 24) & 0xff00_0000
      destination[i] = UInt32(truncatingIfNeeded: blueRed | greenAlpha)
      i &+= 1
    }
  }
}
