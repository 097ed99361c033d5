// SPDX-License-Identifier: Apache-2.0

import CKernels
import Glibc

extension Kernels {
  /// Copies `byteCount` bytes. The rows may overlap.
  public static func copy(
    _ destination: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, byteCount: Int
  ) {
    guard byteCount > 0 else { return }
    memmove(destination, source, byteCount)
  }

  /// Copies 32-bit pixels and sets the bits of `mask`: `opaque` for an XRGB8888 destination. Source and
  /// destination may be the same row.
  public static func copy(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int,
    setting mask: UInt32
  ) {
    // Uses 32-bit lanes. With 16-bit lanes and a mask that is a constant, the compiler extracts the lanes
    // whose mask is zero one by one.
    let bits = SIMD4<UInt32>(repeating: mask)
    var i = 0
    while i <= last(8, of: count) {
      let first = four(source + i) | bits
      let second = four(source + (i &+ 4)) | bits
      put(first, destination + i)
      put(second, destination + (i &+ 4))
      i &+= 8
    }
    while i < count {
      destination[i] = source[i] | mask
      i &+= 1
    }
  }

  /// Stores a 32-bit pixel `count` times.
  public static func fill(_ destination: UnsafeMutablePointer<UInt32>, _ pixel: UInt32, count: Int) {
    let pixels = splat(pixel)
    var i = ckernels_fill(destination, pixel, count)
    while i <= last(16, of: count) {
      store(pixels, destination, i)
      store(pixels, destination, i &+ 4)
      store(pixels, destination, i &+ 8)
      store(pixels, destination, i &+ 12)
      i &+= 16
    }
    while i < count {
      destination[i] = pixel
      i &+= 1
    }
  }

  /// Stores a 16-bit pixel `count` times.
  public static func fill(_ destination: UnsafeMutablePointer<UInt16>, _ pixel: UInt16, count: Int) {
    let pixels = Lanes(repeating: pixel)
    var i = 0
    while i <= last(8, of: count) {
      UnsafeMutableRawPointer(destination + i).storeBytes(of: pixels, as: Lanes.self)
      i &+= 8
    }
    while i < count {
      destination[i] = pixel
      i &+= 1
    }
  }

  /// Stores a byte `count` times.
  public static func fill(_ destination: UnsafeMutablePointer<UInt8>, _ value: UInt8, count: Int) {
    guard count > 0 else { return }
    memset(destination, Int32(value), count)
  }
}
