// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// Keeps the top bits of each channel, like pixman and the kernel's format helpers.
  @inline(__always)
  static func packed565(_ pixel: UInt32) -> UInt16 {
    UInt16(
      truncatingIfNeeded: (pixel &>> 8) & 0xf800 | (pixel &>> 5) & 0x07e0 | (pixel &>> 3) & 0x001f)
  }

  /// Returns an opaque pixel; the top bits of each channel are repeated below, so that white stays white.
  @inline(__always)
  static func unpacked565(_ pixel: UInt16) -> UInt32 {
    let p = UInt32(pixel)
    let red = (p &<< 8) & 0xf8_0000 | (p &<< 3) & 0x07_0000
    let green = (p &<< 5) & 0xfc00 | (p &>> 1) & 0x0300
    let blue = (p &<< 3) & 0xf8 | (p &>> 2) & 0x07
    return opaque | red | green | blue
  }

  /// Converts XRGB8888 to RGB565 by truncation.
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt16>, from source: UnsafePointer<UInt32>, count: Int
  ) {
    var i = ckernels_copy_565(destination, source, count, nil)
    while i <= last(8, of: count) {
      let pixels = ckernels_packed_565(load(source, i), load(source, i &+ 4))
      UnsafeMutableRawPointer(destination + i).storeBytes(of: pixels, as: Lanes.self)
      i &+= 8
    }
    while i < count {
      destination[i] = packed565(source[i])
      i &+= 1
    }
  }

  /// Converts XRGB8888 to RGB565 with an ordered dither. (`x`, `y`) is the position of the first pixel in the
  /// destination buffer, so that a picture drawn in parts has no seams.
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt16>, from source: UnsafePointer<UInt32>, count: Int,
    dithering x: Int, _ y: Int
  ) {
    var pattern = Dither.pattern565(x, y)
    withUnsafeMutableBytes(of: &pattern) {
      guard let pattern = $0.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
      var i = ckernels_copy_565(destination, source, count, pattern)
      while i <= last(8, of: count) {
        for k in 0..<8 { destination[i &+ k] = dithered565(source[i &+ k], pattern[k]) }
        i &+= 8
      }
      while i < count {
        destination[i] = dithered565(source[i], pattern[i & 7])
        i &+= 1
      }
    }
  }

  /// Converts a pixel to RGB565, adding `amount` before truncation.
  ///
  /// First, channel >> 5 (green: channel >> 6) is subtracted from each channel, so that 255 becomes exactly
  /// the highest level: 31 · 8 for five bits, 63 · 4 for six. With the amount added, the mean is correct,
  /// black and white are preserved and no byte overflows.
  @inline(__always)
  static func dithered565(_ pixel: UInt32, _ amount: UInt32) -> UInt16 {
    packed565((pixel & 0xff_ffff) &- ((pixel &>> 5) & 0x07_0007 | (pixel &>> 6) & 0x0300) &+ amount)
  }

  /// Converts XRGB8888 to XRGB2101010: the top bits of each channel are repeated below, the unused bits are
  /// set.
  public static func copy2101010(
    _ destination: UnsafeMutablePointer<UInt32>, from source: UnsafePointer<UInt32>, count: Int
  ) {
    var i = ckernels_copy_2101010(destination, source, count)
    while i < count {
      let pixel = source[i]
      let high = (pixel & 0xff_0000) &<< 6 | (pixel & 0xff00) &<< 4 | (pixel & 0xff) &<< 2
      let low = (pixel &>> 2) & 0x30_0000 | (pixel &>> 4) & 0x0c00 | (pixel &>> 6) & 0x03
      destination[i] = 0xc000_0000 | high | low
      i &+= 1
    }
  }

  /// Converts RGB565 to XRGB8888 (or opaque ARGB8888).
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt32>, from source: UnsafePointer<UInt16>, count: Int
  ) {
    var i = 0
    while i < count {
      destination[i] = unpacked565(source[i])
      i &+= 1
    }
  }

  /// Composes a premultiplied colour over RGB565, with eight bits per channel.
  public static func over(_ destination: UnsafeMutablePointer<UInt16>, colour: UInt32, count: Int) {
    var i = 0
    while i < count {
      destination[i] = packed565(composed(colour, unpacked565(destination[i])))
      i &+= 1
    }
  }
}
