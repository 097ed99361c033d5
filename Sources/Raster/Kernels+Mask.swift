// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// Composes a premultiplied colour, multiplied by each byte of `coverage` / 255, over `destination`; sets
  /// the bits of `mask` in stored pixels. Skips groups of pixels without coverage. If the colour is opaque,
  /// stores it in groups with full coverage without reading the destination.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, colour: UInt32, through coverage: UnsafePointer<UInt8>,
    count: Int, setting mask: UInt32
  ) {
    let source = splat(colour)
    let evenSource = even(source)
    let oddSource = odd(source)
    let bits = splat(mask)
    let solid = colour >= opaque
    var i = ckernels_over_coverage(destination, colour, coverage, count, mask)
    while i <= last(4, of: count) {
      let four = UnsafeRawPointer(coverage + i).loadUnaligned(as: UInt32.self)
      if four == 0xffff_ffff && solid {
        store(source, destination, i)
      } else if four != 0 {
        let amount = ckernels_doubled(four)
        let faded = join(scaled(evenSource, amount), scaled(oddSource, amount))
        store(composed(faded, load(destination, i)) | bits, destination, i)
      }
      i &+= 4
    }
    while i < count {
      let amount = UInt32(coverage[i])
      if amount != 0 {
        destination[i] = composed(scaledPixel(colour, by: amount), destination[i]) | mask
      }
      i &+= 1
    }
  }

  /// Composes `source` with the bits of `sourceMask` set, multiplied by each byte of `coverage` / 255, over
  /// `destination`; sets the bits of `mask` in stored pixels. Skips groups of four pixels without coverage.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>,
    through coverage: UnsafePointer<UInt8>, count: Int, sourceMask: UInt32, setting mask: UInt32
  ) {
    let sourceBits = splat(sourceMask)
    let bits = splat(mask)
    var i = 0
    while i <= last(4, of: count) {
      let four = UnsafeRawPointer(coverage + i).loadUnaligned(as: UInt32.self)
      if four != 0 {
        let pixels = load(source, i) | sourceBits
        let amount = ckernels_doubled(four)
        let faded = join(scaled(even(pixels), amount), scaled(odd(pixels), amount))
        store(composed(faded, load(destination, i)) | bits, destination, i)
      }
      i &+= 4
    }
    while i < count {
      let amount = UInt32(coverage[i])
      if amount != 0 {
        let faded = scaledPixel(source[i] | sourceMask, by: amount)
        destination[i] = composed(faded, destination[i]) | mask
      }
      i &+= 1
    }
  }
}

extension Kernels {
  /// Composes a constant coverage over coverage: d + coverage · (255 − d) / 255.
  public static func over(_ destination: UnsafeMutablePointer<UInt8>, coverage: UInt8, count: Int) {
    let rest = 255 &- UInt16(coverage)
    var i = 0
    while i < count {
      let t = UInt16(destination[i]) &* rest &+ 128
      let kept = (t &+ (t &>> 8)) &>> 8
      destination[i] = UInt8(truncatingIfNeeded: UInt16(coverage) &+ kept)
      i &+= 1
    }
  }
}
