// SPDX-License-Identifier: Apache-2.0

/// Memory that grows to what was asked for and stays; what it held before a growth is lost.
struct GrowingMemory: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  init() {}

  /// At least `byteCount` bytes aligned to 64, valid until the next call or the end of the owner.
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

/// The temporary rows of `PixelBuffer.draw`. Keep one for a compositor's life: it allocates when a wider
/// or higher source comes than any before, and then no more.
public struct RowScratch: ~Copyable {
  /// A destination row is made of at most this many strips, each resampled by itself.
  static let maximumStrips = 16
  /// Pixels before and after a row that repeat its ends.
  static let padding = 4
  /// No more rows than these have a weight that is not zero.
  static let maximumWeights = 260
  /// Destination columns that are made before they are written.
  static let tileWidth = 16

  private var source = GrowingMemory()
  private var strips = GrowingMemory()
  private var weights = GrowingMemory()
  private var tile = GrowingMemory()
  private var turned = GrowingMemory()

  public init() {}

  /// Makes the memory now that sources of up to `size` need, but for turned ones.
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

  /// The columns, and the same turned.
  mutating func tile(height: Int) -> UnsafeMutablePointer<UInt32> {
    tile.reserve(byteCount: 2 * height * RowScratch.tileWidth * 4).assumingMemoryBound(to: UInt32.self)
  }

  mutating func turned(pixels: Int) -> UnsafeMutablePointer<UInt32> {
    turned.reserve(byteCount: pixels * 4).assumingMemoryBound(to: UInt32.self)
  }
}
