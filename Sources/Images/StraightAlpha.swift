// SPDX-License-Identifier: Apache-2.0

extension UInt32 {
  /// The `0xAARRGGBB` pixel with its colour divided by its alpha, rounded to nearest. Premultiplying the result
  /// gives the same pixel again if no channel exceeds alpha; larger channels saturate.
  @inline(__always)
  var unpremultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    if alpha == 0 { return 0 }
    func straight(_ channel: UInt32) -> UInt32 {
      Swift.min((channel &* 255 &+ alpha / 2) / alpha, 255)
    }
    return alpha << 24 | straight(self >> 16 & 0xff) << 16 | straight(self >> 8 & 0xff) << 8
      | straight(self & 0xff)
  }

  /// The `0xAARRGGBB` pixel with its colour multiplied by its alpha, rounded to nearest.
  @inline(__always)
  var premultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    func scaled(_ channel: UInt32) -> UInt32 {
      let t = channel &* alpha &+ 128
      return (t &+ (t >> 8)) >> 8
    }
    return alpha << 24 | scaled(self >> 16 & 0xff) << 16 | scaled(self >> 8 & 0xff) << 8
      | scaled(self & 0xff)
  }
}

extension UInt16 {
  /// The 5-6-5 pixel as opaque `0xAARRGGBB`; the high bits are repeated in the low ones, so that white stays
  /// white.
  @inline(__always)
  var expandedFrom565: UInt32 {
    let pixel = UInt32(self)
    let red = pixel >> 11 & 31
    let green = pixel >> 5 & 63
    let blue = pixel & 31
    return 0xff00_0000 | (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8
      | (blue << 3 | blue >> 2)
  }
}
