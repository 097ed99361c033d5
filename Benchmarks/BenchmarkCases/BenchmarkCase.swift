// SPDX-License-Identifier: Apache-2.0

import Raster

/// A task that several implementations perform.
package struct BenchmarkCase {
  package var name: String
  package var size: PixelSize
  /// The implementations; the first one is flipclock's.
  package var contestants: [Contestant]
  /// Checks the pictures: returns what is wrong with them, or nil.
  package var difference: () -> String?
  /// The number of frames per run.
  package var frames: Int
  /// The total number of damaged pixels in those frames.
  package var damagedPixels: Int?
  /// The number of pixels per run of a kernel.
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

/// One implementation of the task.
package struct Contestant {
  package var name: String
  /// Called before each run and not measured.
  package var prepare: (() -> Void)?
  /// Performs the task once.
  package var run: () -> Void

  package init(name: String, prepare: (() -> Void)? = nil, run: @escaping () -> Void) {
    self.name = name
    self.prepare = prepare
    self.run = run
  }
}
