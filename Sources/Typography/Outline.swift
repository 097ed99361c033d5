// SPDX-License-Identifier: Apache-2.0

import CFreeType
import Raster

/// Closed contours of lines, conics and cubics in FreeType's form: y points up, filled by the nonzero winding
/// rule.
struct Outline {
  /// The type of a point (FreeType's `FT_CURVE_TAG`).
  enum Tag {
    static let conic: UInt8 = 0
    static let on: UInt8 = 1
    static let cubic: UInt8 = 2
  }

  /// Coordinates in 1/64 unit, on and off the curve.
  var points: [FT_Vector] = []
  var tags: [UInt8] = []
  /// The index of each contour's last point.
  var ends: [UInt16] = []

  var isEmpty: Bool { ends.isEmpty || points.isEmpty }

  /// The exact bounds of the curves in units: left, bottom, right, top. Nil if the outline is empty or
  /// malformed. The corresponding C function is `FT_Outline_Get_BBox`.
  var bounds: (left: Double, bottom: Double, right: Double, top: Double)? {
    guard !isEmpty else { return nil }
    var box = FT_BBox()
    guard withNative({ flipclock_ft_bounds($0, &box) }) != 0 else { return nil }
    return (Double(box.xMin) / 64, Double(box.yMin) / 64, Double(box.xMax) / 64, Double(box.yMax) / 64)
  }

  /// Calls `body` with the outline in its C form.
  func withNative<Result>(_ body: (flipclock_ft_outline) -> Result) -> Result {
    points.withUnsafeBufferPointer { points in
      tags.withUnsafeBufferPointer { tags in
        ends.withUnsafeBufferPointer { ends in
          body(
            flipclock_ft_outline(
              points: points.baseAddress, tags: tags.baseAddress, ends: ends.baseAddress,
              n_points: Int32(clamping: points.count), n_contours: Int32(clamping: ends.count)))
        }
      }
    }
  }
}

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
