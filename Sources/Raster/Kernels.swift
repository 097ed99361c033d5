// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The innermost loops: each writes one row of `count` pixels (`transpose`: a block).
///
/// They are plain functions on pointers; the caller clips and chooses the kernel. Rows need only the
/// alignment of one pixel and must not overlap unless documented; a `count` of zero or less does nothing.
///
/// The 32-bit kernels split four pixels into two vectors of eight 16-bit lanes: a mask gives the even bytes
/// (blue, red), a shift the odd ones (green, alpha). Nothing is widened or narrowed: Swift's widening
/// initialisers are outlined calls, and SSE2 has no 32-bit multiply instruction. On AArch64 the same source
/// becomes `mul v.8h`.
///
/// Products of bytes are divided by 255 exactly, rounded to nearest: t = a·b + 128, (t + (t >> 8)) >> 8.
public enum Kernels {
  /// Half of the bytes of four pixels, 16 bits each: (b, r, b, r, …) or (g, a, g, a, …).
  @usableFromInline typealias Lanes = SIMD8<UInt16>

  /// The alpha byte of a pixel.
  public static let opaque: UInt32 = 0xff00_0000

  /// The last index at which a run of `length` pixels still fits into a row of `count`.
  @inline(__always)
  static func last(_ length: Int, of count: Int) -> Int { max(count, 0) &- length }

  // MARK: - Four pixels

  @inline(__always)
  static func load(_ pointer: UnsafePointer<UInt32>, _ index: Int) -> Lanes {
    UnsafeRawPointer(pointer + index).loadUnaligned(as: Lanes.self)
  }

  @inline(__always)
  static func load(_ pointer: UnsafeMutablePointer<UInt32>, _ index: Int) -> Lanes {
    UnsafeRawPointer(pointer + index).loadUnaligned(as: Lanes.self)
  }

  @inline(__always)
  static func store(_ value: Lanes, _ pointer: UnsafeMutablePointer<UInt32>, _ index: Int) {
    UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: Lanes.self)
  }

  @inline(__always)
  static func four(_ pointer: UnsafePointer<UInt32>) -> SIMD4<UInt32> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<UInt32>.self)
  }

  @inline(__always)
  static func put(_ pixels: SIMD4<UInt32>, _ pointer: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: pixels, as: SIMD4<UInt32>.self)
  }

  /// Lanes with the same value in all four pixels.
  @inline(__always)
  static func splat(_ pixel: UInt32) -> Lanes {
    unsafeBitCast(SIMD4<UInt32>(repeating: pixel), to: Lanes.self)
  }

  /// Lanes with one weight for colour and another for alpha, in the order of the odd bytes.
  @inline(__always)
  static func oddLanes(colour: UInt16, alpha: UInt16) -> Lanes {
    splat(UInt32(alpha) &<< 16 | UInt32(colour))
  }

  @inline(__always)
  static func even(_ pixels: Lanes) -> Lanes { pixels & Lanes(repeating: 0xff) }

  @inline(__always)
  static func odd(_ pixels: Lanes) -> Lanes { pixels &>> Lanes(repeating: 8) }

  /// Joins even and odd bytes, each below 256, into pixels.
  @inline(__always)
  static func join(_ even: Lanes, _ odd: Lanes) -> Lanes { even | (odd &<< Lanes(repeating: 8)) }

  /// a·b / 255, rounded; both are below 256.
  @inline(__always)
  static func scaled(_ a: Lanes, _ b: Lanes) -> Lanes {
    let t = a &* b &+ Lanes(repeating: 128)
    #if arch(x86_64)
      // t · 257 >> 16 gives the same result for every t that a product of bytes can have. It takes one
      // instruction instead of three.
      return ckernels_high_products(t, Lanes(repeating: 257))
    #else
      return (t &+ (t &>> Lanes(repeating: 8))) &>> Lanes(repeating: 8)
    #endif
  }

  /// The alpha of each pixel, in both of its lanes.
  @inline(__always)
  static func alphas(_ pixels: Lanes) -> Lanes {
    let alpha = unsafeBitCast(pixels, to: SIMD4<UInt32>.self) &>> SIMD4(repeating: 24)
    return unsafeBitCast(alpha | (alpha &<< SIMD4(repeating: 16)), to: Lanes.self)
  }

  /// Adds byte by byte. A sum above 255, which premultiplied pixels cannot produce, wraps within its byte.
  @inline(__always)
  static func add(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
      unsafeBitCast(a, to: SIMD16<UInt8>.self) &+ unsafeBitCast(b, to: SIMD16<UInt8>.self), to: Lanes.self)
  }

  /// `source` over `destination`.
  @inline(__always)
  static func composed(_ source: Lanes, _ destination: Lanes) -> Lanes {
    let rest = Lanes(repeating: 255) &- alphas(source)
    return add(source, join(scaled(even(destination), rest), scaled(odd(destination), rest)))
  }

  // MARK: - One pixel

  /// Multiplies all four channels of a pixel by `alpha` / 255.
  @inline(__always)
  static func scaledPixel(_ pixel: UInt32, by alpha: UInt32) -> UInt32 {
    let even = (pixel & 0x00ff_00ff) &* alpha &+ 0x0080_0080
    let odd = ((pixel &>> 8) & 0x00ff_00ff) &* alpha &+ 0x0080_0080
    return (((even &+ ((even &>> 8) & 0x00ff_00ff)) &>> 8) & 0x00ff_00ff)
      | ((odd &+ ((odd &>> 8) & 0x00ff_00ff)) & 0xff00_ff00)
  }

  @inline(__always)
  static func composed(_ source: UInt32, _ destination: UInt32) -> UInt32 {
    let rest = scaledPixel(destination, by: 255 &- (source &>> 24))
    // Adds each byte separately: the low seven bits first, then the top bit without its carry.
    return ((source & 0x7f7f_7f7f) &+ (rest & 0x7f7f_7f7f)) ^ ((source ^ rest) & 0x8080_8080)
  }
}
