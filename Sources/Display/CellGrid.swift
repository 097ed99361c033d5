// SPDX-License-Identifier: Apache-2.0

import Raster

/// Maps a picture to the character cells of a terminal: each cell shows two square samples, one above the
/// other, and each sample is the mean of `scale` × `scale` pixels of the frame.
///
/// The widgets need at least 320×240 pixels, more than a terminal has in half cells. The frame is therefore
/// larger than the sample grid, by the smallest whole factor that makes it at least 640×240.
struct CellGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  let scale: Int

  /// The maximum number of cells that are drawn; the rest of a larger terminal stays empty.
  static let maximumColumns = 1024
  static let maximumRows = 512
  /// The maximum length of the frame's sides, for terminals with one row or one column.
  static let maximumSide = 4096

  /// A terminal that does not report its size (0×0, as on a serial line) is treated as 80×24.
  init(columns: Int, rows: Int) {
    let isKnown = columns > 0 && rows > 0
    self.columns = isKnown ? min(columns, Self.maximumColumns) : 80
    self.rows = isKnown ? min(rows, Self.maximumRows) : 24
    let samples = self.rows * 2
    let wanted = max((639 + self.columns) / self.columns, (239 + samples) / samples)
    scale = max(1, min(wanted, Self.maximumSide / max(self.columns, samples)))
  }

  /// The size of the frame.
  var size: PixelSize { PixelSize(width: columns * scale, height: rows * 2 * scale) }
}
