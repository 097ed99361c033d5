// SPDX-License-Identifier: Apache-2.0

import CFreeType
import Raster

extension FontFace {
  /// Adds the coverage of `text` to an A8 buffer; overlapping coverage saturates. Outlines are positioned to
  /// 1/64 px and not hinted. Clips to the buffer; any position and size is safe. Non-finite numbers and other
  /// pixel formats draw nothing. The corresponding C function is `FT_Outline_Render`.
  ///
  /// - Parameters:
  ///   - x: the pen's start, in pixels from the left edge.
  ///   - baseline: in pixels from the top edge.
  ///   - capHeight: the height of "H", in pixels.
  ///   - tracking: the space added between characters, in em.
  ///   - stretch: the horizontal scale about `x`: 1 as designed, less than 1 to squeeze text that is too
  ///     wide.
  ///   - isDrawn: whether the character with this index in `text` is drawn, or only takes its place.
  package func draw(
    _ text: String, into mask: PixelBuffer, x: Double, baseline: Double, capHeight: Double, tracking: Double,
    stretch: Double, isDrawn: (Int) -> Bool = { _ in true }
  ) {
    guard mask.format == .a8, mask.width > 0, mask.height > 0, capHeight > 0, stretch != 0,
      x.isFinite, baseline.isFinite, capHeight.isFinite, tracking.isFinite, stretch.isFinite
    else { return }
    let target = flipclock_ft_mask(
      base: mask.row8(0), stride: mask.bytesPerRow, width: Int32(clamping: mask.width),
      height: Int32(clamping: mask.height))
    layOut(text, tracking: tracking) { item, across in
      let glyph = item.glyph
      let horizontal = capHeight * stretch
      let origin = x + across * horizontal
      let baseline = baseline + item.y * capHeight
      guard isDrawn(item.character), let ink = glyph.ink,
        Self.meets(
          mask.width, Self.span(origin + ink.x * horizontal, origin + ink.maxX * horizontal)),
        Self.meets(mask.height, Self.span(baseline + ink.y * capHeight, baseline + ink.maxY * capHeight))
      else { return }
      // FreeType's y axis points up and starts at the mask's top edge.
      let placed = glyph.outline.placed(
        scaleX: glyph.scale * horizontal, scaleY: glyph.scale * capHeight, x: Self.position(origin),
        y: Self.position(-baseline))
      _ = placed.withNative { flipclock_ft_fill(context.freeType.library, $0, target) }
    }
  }

  private static func span(_ a: Double, _ b: Double) -> (Double, Double) { a < b ? (a, b) : (b, a) }

  /// Whether a span of pixels overlaps `0 ..< extent` and is small enough for FreeType to draw.
  private static func meets(_ extent: Int, _ span: (low: Double, high: Double)) -> Bool {
    span.low < Double(extent) && span.high > 0 && span.low > -131_072 && span.high < 131_072
  }

  /// Converts pixels to 26.6, clamped so that the rasteriser's sums do not overflow.
  private static func position(_ pixels: Double) -> FT_Pos {
    FT_Pos(min(max(pixels * 64, -1e9), 1e9).rounded())
  }
}
