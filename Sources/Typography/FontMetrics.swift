// SPDX-License-Identifier: Apache-2.0

import Raster

/// A face's vertical measures, all for a cap height of 1 px: callers choose the cap height they see.
public struct FontMetrics: Hashable, Sendable {
  /// The em, which tracking is told in.
  public var emPerCap: Double
  /// How far the face reaches above the baseline, accents included; positive.
  public var ascent: Double
  /// How far it reaches below the baseline; positive.
  public var descent: Double

  public init(emPerCap: Double, ascent: Double, descent: Double) {
    self.emPerCap = emPerCap
    self.ascent = ascent
    self.descent = descent
  }
}

/// The extent of a line of text, in pixels.
public struct TextMeasure: Hashable, Sendable {
  /// The pen's way from the first glyph's origin past the last glyph. Tracking counts between glyphs
  /// only, so that letter-spaced text centres.
  public var width: Double
  /// The exact bounds of the outlines relative to the pen's start on the baseline; y grows downwards,
  /// so ink above the baseline has a negative `y`. Empty if nothing is drawn.
  public var ink: Rect

  public init(width: Double, ink: Rect) {
    self.width = width
    self.ink = ink
  }
}
