// SPDX-License-Identifier: Apache-2.0

import Raster

/// Work that several can do.
package struct BenchmarkCase {
  package var name: String
  package var size: PixelSize
  /// The first is flipclock's.
  package var contestants: [Contestant]
  /// What is wrong with the pictures that the contestants make of the same, if anything.
  package var difference: () -> String?
  /// The frames that each turn makes.
  package var frames: Int
  /// The pixels of their damage, in all.
  package var damagedPixels: Int?
  /// The pixels that a turn of a kernel makes.
  package var pixels: Int?

  package init(
    name: String, size: PixelSize, contestants: [Contestant], difference: @escaping () -> String?,
    frames: Int = 1, damagedPixels: Int? = nil, pixels: Int? = nil
  ) {
    self.name = name
    self.size = size
    self.contestants = contestants
    self.difference = difference
    self.frames = frames
    self.damagedPixels = damagedPixels
    self.pixels = pixels
  }
}

/// One of those that do the same work.
package struct Contestant {
  package var name: String
  /// What is done before each time and not measured.
  package var prepare: (() -> Void)?
  /// Does the work once.
  package var run: () -> Void

  package init(name: String, prepare: (() -> Void)? = nil, run: @escaping () -> Void) {
    self.name = name
    self.prepare = prepare
    self.run = run
  }
}
