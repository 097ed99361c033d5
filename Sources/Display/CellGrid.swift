// SPDX-License-Identifier: Apache-2.0

import Raster

/// How a picture lies on the character cells of a terminal: each cell shows two square samples, one
/// above the other, and each sample is the mean of `scale` × `scale` pixels of the frame.
///
/// The widgets are designed for 320×240 and more, which no terminal has in half cells: so the frame is
/// larger than the samples, by the smallest whole factor that gives it 640×240 or more.
struct CellGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  let scale: Int

  /// What is drawn of a terminal at most; the rest stays empty.
  static let maximumColumns = 1024
  static let maximumRows = 512
  /// A limit for the frame's sides, for terminals of one row or one column.
  static let maximumSide = 4096

  /// A terminal that does not know its size (0×0, as on a serial line) is taken for 80×24.
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
