// SPDX-License-Identifier: Apache-2.0

import CFreeType
import Raster

/// One glyph, positioned on the baseline: its outline and its scale.
struct Glyph {
  var outline: Outline
  /// Cap heights per unit of the outline.
  var scale: Double
  /// The advance in cap heights.
  var advance: Double
  /// Bounds of the outline in cap heights, y pointing down from the baseline; nil without ink.
  var ink: Rect?

  /// - Parameters:
  ///   - unitsPerCap: the outline's units per cap height, positive.
  ///   - advance: in units.
  init(outline: Outline, unitsPerCap: Double, advance: Double) {
    self.outline = outline
    scale = 1 / unitsPerCap
    self.advance = advance / unitsPerCap
    if let bounds = outline.bounds, bounds.right > bounds.left, bounds.top > bounds.bottom {
      ink = Rect(
        x: bounds.left / unitsPerCap, y: -bounds.top / unitsPerCap,
        width: (bounds.right - bounds.left) / unitsPerCap,
        height: (bounds.top - bounds.bottom) / unitsPerCap)
    }
  }

  /// A space of `advance` cap heights.
  static func blank(advance: Double) -> Glyph {
    Glyph(outline: Outline(), unitsPerCap: 1, advance: advance)
  }
}
