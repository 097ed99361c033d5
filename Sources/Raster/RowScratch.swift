// SPDX-License-Identifier: Apache-2.0

/// Memory that grows to the requested size and is kept; growing discards its contents.
struct GrowingMemory: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  init() {}

  /// Returns at least `byteCount` bytes, aligned to 64. They are valid until the next call, or until this
  /// value is destroyed.
  mutating func reserve(byteCount: Int) -> UnsafeMutableRawPointer {
    if let base, byteCount <= capacity { return base }
    base?.deallocate()
    let rounded = (max(byteCount, 64) + 4095) & ~4095
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: rounded, alignment: 64)
    base = fresh
    capacity = rounded
    return fresh
  }

  deinit { base?.deallocate() }
}

/// The temporary rows of `PixelBuffer.draw`. Keep one for the lifetime of a compositor: it allocates only for
/// a source or destination that is larger than all before.
public struct RowScratch: ~Copyable {
  /// The maximum number of strips per destination row; each is resampled separately.
  static let maximumStrips = 16
  /// The number of pixels on each side of a row that repeat its end pixels.
  static let padding = 4
  /// The maximum number of source rows that contribute to one destination row.
  static let maximumWeights = 260
  /// The number of destination columns computed before they are written.
  static let tileWidth = 16

  private var source = GrowingMemory()
  private var strips = GrowingMemory()
  private var weights = GrowingMemory()
  private var tile = GrowingMemory()
  private var turned = GrowingMemory()

  public init() {}

  /// Allocates in advance the memory for sources and destinations of up to `size`, except for transposed
  /// sources.
  public mutating func reserve(for size: PixelSize) {
    let longest = max(size.width, size.height, 0)
    _ = sourceRow(width: longest)
    _ = stripRows(stride: longest + 16)
    _ = rowWeights()
    _ = tile(height: max(size.height, 0))
  }

  mutating func sourceRow(width: Int) -> UnsafeMutablePointer<UInt32> {
    source.reserve(byteCount: (width + 2 * RowScratch.padding + 8) * 4).assumingMemoryBound(to: UInt32.self)
  }

  mutating func stripRows(stride: Int) -> UnsafeMutablePointer<UInt32> {
    strips.reserve(byteCount: stride * 4 * (RowScratch.maximumStrips + 1))
      .assumingMemoryBound(to: UInt32.self)
  }

  mutating func rowWeights() -> UnsafeMutablePointer<Kernels.RowWeight> {
    weights.reserve(byteCount: MemoryLayout<Kernels.RowWeight>.stride * RowScratch.maximumWeights)
      .assumingMemoryBound(to: Kernels.RowWeight.self)
  }

  /// Memory for the columns, followed by their transpose.
  mutating func tile(height: Int) -> UnsafeMutablePointer<UInt32> {
    tile.reserve(byteCount: 2 * height * RowScratch.tileWidth * 4).assumingMemoryBound(to: UInt32.self)
  }

  mutating func turned(pixels: Int) -> UnsafeMutablePointer<UInt32> {
    turned.reserve(byteCount: pixels * 4).assumingMemoryBound(to: UInt32.self)
  }
}
