// SPDX-License-Identifier: Apache-2.0

import Raster

/// The extent of a line of text, in pixels.
package struct TextMeasure: Hashable, Sendable {
  /// The pen's advance from the first glyph's origin to the end of the last glyph. Tracking is added between
  /// characters only, not after the last, so that letter-spaced text can be centred.
  package var width: Double
  /// The exact bounds of the outlines relative to the pen's start on the baseline. y points down, so ink
  /// above the baseline has a negative `y`. Empty if nothing is drawn.
  package var ink: Rect
}

/// The requested weight, on OpenType's scale (`usWeightClass`, the `wght` axis).
package enum FontWeight: Int, Hashable, Sendable {
  case regular = 400
  case medium = 500
  case semibold = 600
  case bold = 700
}
