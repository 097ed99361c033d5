// SPDX-License-Identifier: Apache-2.0

extension Kernels {
  /// The top bits of each channel, as pixman and the kernel's own helpers take them.
  @inline(__always)
  static func packed565(_ pixel: UInt32) -> UInt16 {
    UInt16(
      truncatingIfNeeded: (pixel &>> 8) & 0xf800 | (pixel &>> 5) & 0x07e0 | (pixel &>> 3) & 0x001f)
  }

  /// Opaque; the top bits of each channel are repeated below, so that white stays white.
  @inline(__always)
  static func unpacked565(_ pixel: UInt16) -> UInt32 {
    let p = UInt32(pixel)
    let red = (p &<< 8) & 0xf8_0000 | (p &<< 3) & 0x07_0000
    let green = (p &<< 5) & 0xfc00 | (p &>> 1) & 0x0300
    let blue = (p &<< 3) & 0xf8 | (p &>> 2) & 0x07
    return opaque | red | green | blue
  }

  /// XRGB8888 to RGB565, truncating.
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt16>, from source: UnsafePointer<UInt32>, count: Int
  ) {
    var i = 0
    while i < count {
      destination[i] = packed565(source[i])
      i &+= 1
    }
  }

  /// RGB565 to XRGB8888 (or opaque ARGB8888).
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt32>, from source: UnsafePointer<UInt16>, count: Int
  ) {
    var i = 0
    while i < count {
      destination[i] = unpacked565(source[i])
      i &+= 1
    }
  }

  /// A premultiplied colour over RGB565, at eight bits a channel.
  public static func over(_ destination: UnsafeMutablePointer<UInt16>, colour: UInt32, count: Int) {
    var i = 0
    while i < count {
      destination[i] = packed565(composed(colour, unpacked565(destination[i])))
      i &+= 1
    }
  }
}
