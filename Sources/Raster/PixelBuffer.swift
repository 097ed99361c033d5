// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The memory layout of a pixel, in native byte order (the little-endian DRM fourccs of the same names).
public enum PixelFormat: UInt8, Sendable {
  /// 32 bits, `0xXXRRGGBB`; the top byte is written as 0xff and never read (`DRM_FORMAT_XRGB8888`).
  case xrgb8888
  /// 32 bits, `0xAARRGGBB`, colour premultiplied by alpha (`DRM_FORMAT_ARGB8888`).
  case argb8888
  /// 16 bits, 5-6-5 (`DRM_FORMAT_RGB565`).
  case rgb565
  /// 8 bits of coverage.
  case a8
  /// 32 bits, `0bXX` and ten bits each of red, green and blue. For scanout only: it is a copy destination,
  /// never drawn on. The top bits are written as ones and never read (`DRM_FORMAT_XRGB2101010`).
  case xrgb2101010

  public var bytesPerPixel: Int {
    switch self {
    case .xrgb8888, .argb8888, .xrgb2101010: 4
    case .rgb565: 2
    case .a8: 1
    }
  }
}

/// An unowned view of pixels: the owner (a `Bitmap`, a mapped dumb buffer) must outlive it.
///
/// `bytesPerRow` is a multiple of the pixel size and at least `width` pixels; `base` is aligned to a pixel.
/// Views of the same memory may overlap; each operation documents whether it allows that.
public struct PixelBuffer {
  public let base: UnsafeMutableRawPointer
  public let width: Int
  public let height: Int
  public let bytesPerRow: Int
  public let format: PixelFormat

  public init(
    base: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int, format: PixelFormat
  ) {
    precondition(width >= 0 && height >= 0 && bytesPerRow >= width * format.bytesPerPixel)
    self.base = base
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.format = format
  }

  public var size: PixelSize { PixelSize(width: width, height: height) }
  public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// The first byte of row `y`. The caller ensures `0 ≤ y < height`.
  @inlinable @inline(__always)
  public func row(_ y: Int) -> UnsafeMutableRawPointer { base + y &* bytesPerRow }

  /// Row `y` of a 32-bit format.
  @inlinable @inline(__always)
  public func row32(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    row(y).assumingMemoryBound(to: UInt32.self)
  }

  /// Row `y` of an RGB565 buffer.
  @inlinable @inline(__always)
  public func row16(_ y: Int) -> UnsafeMutablePointer<UInt16> {
    row(y).assumingMemoryBound(to: UInt16.self)
  }

  /// Row `y` of an A8 buffer.
  @inlinable @inline(__always)
  public func row8(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    row(y).assumingMemoryBound(to: UInt8.self)
  }
}

/// Owns pixels and is shared by reference between the layers that show them. Initialised to zero; rows are
/// aligned to 64 bytes.
public final class Bitmap {
  public let buffer: PixelBuffer
  private let memory: UnsafeMutableRawPointer

  /// Allocates with calloc(3), which does not write to the memory of large bitmaps: the kernel supplies
  /// zeroed pages on the first write.
  public init(width: Int, height: Int, format: PixelFormat) {
    let width = max(width, 0)
    let height = max(height, 0)
    let bytesPerRow = (width * format.bytesPerPixel + 63) & ~63
    let bytes = max(bytesPerRow * height, 64)
    // If `calloc` is out of memory, `allocate` ends the program.
    memory = calloc(1, bytes + 63) ?? .allocate(byteCount: bytes + 63, alignment: 16)
    buffer = PixelBuffer(
      base: memory.alignedUp(toMultipleOf: 64), width: width, height: height, bytesPerRow: bytesPerRow,
      format: format)
  }

  deinit { free(memory) }

  public var width: Int { buffer.width }
  public var height: Int { buffer.height }
  public var size: PixelSize { buffer.size }
}
