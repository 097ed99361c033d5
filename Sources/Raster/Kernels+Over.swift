// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// Composes premultiplied `source` over `destination` in place; sets the bits of `mask` in stored pixels
  /// (`opaque` for an XRGB8888 destination, else 0). Stores groups of opaque pixels without reading the
  /// destination and skips groups of zero pixels.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int,
    setting mask: UInt32
  ) {
    var i = ckernels_over(destination, source, count, mask)
    if i >= count { return }
    let bits = splat(mask)
    while i <= last(8, of: count) {
      let first = load(source, i)
      let second = load(source, i &+ 4)
      if ckernels_are_opaque(first & second) {
        store(first, destination, i)
        store(second, destination, i &+ 4)
      } else if !ckernels_are_zero(first | second) {
        store(composed(first, load(destination, i)) | bits, destination, i)
        store(composed(second, load(destination, i &+ 4)) | bits, destination, i &+ 4)
      }
      i &+= 8
    }
    if i <= last(4, of: count) {
      let pixels = load(source, i)
      if ckernels_are_opaque(pixels) {
        store(pixels, destination, i)
      } else if !ckernels_are_zero(pixels) {
        store(composed(pixels, load(destination, i)) | bits, destination, i)
      }
      i &+= 4
    }
    while i < count {
      let pixel = source[i]
      if pixel >= opaque {
        destination[i] = pixel
      } else if pixel != 0 {
        destination[i] = composed(pixel, destination[i]) | mask
      }
      i &+= 1
    }
  }

  /// Composes `source` with the bits of `sourceMask` set (`opaque` for an XRGB8888 source), multiplied by
  /// `opacity` / 255, over `destination`.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int, opacity: UInt8,
    sourceMask: UInt32, setting mask: UInt32
  ) {
    var i = ckernels_over_opacity(destination, source, count, opacity, sourceMask, mask)
    if i >= count { return }
    let sourceBits = splat(sourceMask)
    let bits = splat(mask)
    let alpha = Lanes(repeating: UInt16(opacity))
    if sourceMask == opaque {
      // All pixels have the same alpha, so the destination's weight is constant too.
      let rest = Lanes(repeating: UInt16(255 &- opacity))
      while i <= last(4, of: count) {
        let pixels = load(source, i) | sourceBits
        let under = load(destination, i)
        let evens = scaled(even(pixels), alpha) &+ scaled(even(under), rest)
        let odds = scaled(odd(pixels), alpha) &+ scaled(odd(under), rest)
        store(join(evens, odds) | bits, destination, i)
        i &+= 4
      }
    }
    while i <= last(4, of: count) {
      let pixels = load(source, i) | sourceBits
      let faded = join(scaled(even(pixels), alpha), scaled(odd(pixels), alpha))
      store(composed(faded, load(destination, i)) | bits, destination, i)
      i &+= 4
    }
    while i < count {
      let faded = scaledPixel(source[i] | sourceMask, by: UInt32(opacity))
      destination[i] = composed(faded, destination[i]) | mask
      i &+= 1
    }
  }

  /// Does the same as `over` with an opacity, but first multiplies the colour (not the alpha) by `light` /
  /// 256, rounded: 256 leaves it unchanged, 0 makes it black.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int, opacity: UInt8,
    light: UInt16, sourceMask: UInt32, setting mask: UInt32
  ) {
    if light >= 256 {
      if opacity == 255 && sourceMask == 0 {
        over(destination, source, count: count, setting: mask)
      } else {
        over(destination, source, count: count, opacity: opacity, sourceMask: sourceMask, setting: mask)
      }
      return
    }
    var i = ckernels_over_light(destination, source, count, opacity, light, sourceMask, mask)
    if i >= count { return }
    let sourceBits = splat(sourceMask)
    let bits = splat(mask)
    let alpha = Lanes(repeating: UInt16(opacity))
    let evenLight = Lanes(repeating: light)
    let oddLight = oddLanes(colour: light, alpha: 256)
    let half = Lanes(repeating: 128)
    let eight = Lanes(repeating: 8)
    if opacity == 255 && sourceMask == opaque {
      // The result does not depend on the destination.
      while i <= last(4, of: count) {
        let pixels = load(source, i) | sourceBits
        let evens = (even(pixels) &* evenLight &+ half) &>> eight
        let odds = (odd(pixels) &* oddLight &+ half) & Lanes(repeating: 0xff00)
        store(evens | odds, destination, i)
        i &+= 4
      }
    }
    while i <= last(4, of: count) {
      let pixels = load(source, i) | sourceBits
      let evens = (even(pixels) &* evenLight &+ half) &>> eight
      let odds = (odd(pixels) &* oddLight &+ half) &>> eight
      let faded = join(scaled(evens, alpha), scaled(odds, alpha))
      store(composed(faded, load(destination, i)) | bits, destination, i)
      i &+= 4
    }
    while i < count {
      let lit = litPixel(source[i] | sourceMask, light: UInt32(light))
      destination[i] = composed(scaledPixel(lit, by: UInt32(opacity)), destination[i]) | mask
      i &+= 1
    }
  }

  /// Multiplies the colour of a pixel by `light` / 256, rounded; its alpha is unchanged.
  @inline(__always)
  static func litPixel(_ pixel: UInt32, light: UInt32) -> UInt32 {
    let even = (pixel & 0x00ff_00ff) &* light &+ 0x0080_0080
    let green = ((pixel &>> 8) & 0xff) &* light &+ 0x80
    return (pixel & opaque) | (even &>> 8) & 0x00ff_00ff | green & 0xff00
  }

  /// Composes a premultiplied colour over `destination`.
  public static func over(
    _ destination: UnsafeMutablePointer<UInt32>, colour: UInt32, count: Int, setting mask: UInt32
  ) {
    let source = splat(colour)
    let rest = Lanes(repeating: UInt16(255 &- (colour &>> 24)))
    let bits = splat(mask)
    var i = ckernels_over_colour(destination, colour, count, mask)
    while i <= last(4, of: count) {
      let pixels = load(destination, i)
      let under = join(scaled(even(pixels), rest), scaled(odd(pixels), rest))
      store(add(source, under) | bits, destination, i)
      i &+= 4
    }
    while i < count {
      destination[i] = composed(colour, destination[i]) | mask
      i &+= 1
    }
  }
}
