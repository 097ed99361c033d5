// SPDX-License-Identifier: Apache-2.0

import CKernels

extension Kernels {
  /// Transposes a block of pixels: the pixel at (x, y) of the source goes to (y, x), with the bits of `mask`
  /// set. Strides are in pixels from one line to the next and may be negative. The blocks do not overlap.
  static func transpose(
    _ destination: UnsafeMutablePointer<UInt32>, stride: Int, _ source: UnsafePointer<UInt32>,
    sourceStride: Int, width: Int, height: Int, setting mask: UInt32
  ) {
    let bits = SIMD4<UInt32>(repeating: mask)
    let width8 = width & ~7
    let height8 = height & ~7
    let isDone = ckernels_transpose(destination, stride, source, sourceStride, width8, height8, mask) > 0
    let wholeWidth = isDone ? width8 : width & ~3
    let wholeHeight = isDone ? height8 : height & ~3
    var y = isDone ? height8 : 0
    // Works in bands of sixteen lines, so that the destination lines stay in the cache.
    while y < wholeHeight {
      let end = min(y &+ 16, wholeHeight)
      var x = 0
      while x < wholeWidth {
        var line = y
        while line < end {
          let from = source + (line &* sourceStride &+ x)
          let a = four(from)
          let b = four(from + sourceStride)
          let c = four(from + 2 &* sourceStride)
          let d = four(from + 3 &* sourceStride)
          let ab0 = SIMD4(a[0], b[0], a[1], b[1])
          let ab1 = SIMD4(a[2], b[2], a[3], b[3])
          let cd0 = SIMD4(c[0], d[0], c[1], d[1])
          let cd1 = SIMD4(c[2], d[2], c[3], d[3])
          let to = destination + (x &* stride &+ line)
          put(SIMD4(ab0[0], ab0[1], cd0[0], cd0[1]) | bits, to)
          put(SIMD4(ab0[2], ab0[3], cd0[2], cd0[3]) | bits, to + stride)
          put(SIMD4(ab1[0], ab1[1], cd1[0], cd1[1]) | bits, to + 2 &* stride)
          put(SIMD4(ab1[2], ab1[3], cd1[2], cd1[3]) | bits, to + 3 &* stride)
          line &+= 4
        }
        x &+= 4
      }
      y = end
    }
    turn(0..<wholeHeight, wholeWidth..<width)
    turn(wholeHeight..<height, 0..<width)

    /// Transposes the pixels outside whole blocks.
    func turn(_ lines: Range<Int>, _ columns: Range<Int>) {
      for line in lines {
        for x in columns {
          destination[x &* stride &+ line] = source[line &* sourceStride &+ x] | mask
        }
      }
    }
  }

  /// Copies a row in reverse order, with the bits of `mask` set. The rows do not overlap.
  static func reverse(
    _ destination: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<UInt32>, count: Int,
    setting mask: UInt32
  ) {
    let bits = SIMD4<UInt32>(repeating: mask)
    var i = 0
    while i <= last(4, of: count) {
      let pixels = four(source + (count &- 4 &- i))
      put(SIMD4(pixels[3], pixels[2], pixels[1], pixels[0]) | bits, destination + i)
      i &+= 4
    }
    while i < count {
      destination[i] = source[count &- 1 &- i] | mask
      i &+= 1
    }
  }
}
