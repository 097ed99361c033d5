// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Typography

extension Theme {
  /// The style of letter-spaced words. `narrowing` divides their tracking.
  func labelStyle(cap: Double, narrowing: Double = 1) -> Label.Style {
    Label.Style(face: labelFace, color: self.label, capHeight: cap, tracking: 0.18 / narrowing)
  }

  /// The same style, but with little tracking unless `words` are capitals: wide tracking makes lower-case
  /// text hard to read.
  func labelStyle(for words: String, cap: Double) -> Label.Style {
    labelStyle(cap: cap, narrowing: words == words.uppercased() ? 1 : 6)
  }

  func figureStyle(cap: Double) -> Label.Style {
    Label.Style(face: nameFace, color: onGround, capHeight: cap, tracking: 0.02)
  }
}

/// A line of text as a layer, redrawn only when `show` is called.
final class Label {
  struct Style {
    var face: FontFace
    var color: Color
    /// In pixels.
    var capHeight: Double
    /// The tracking in em.
    var tracking: Double
  }

  let layer = Layer()
  private(set) var text = ""

  /// The height of a line's box in cap heights, with half a cap height of space above and below.
  static let lineHeight = 2.0

  /// Draws `text`, vertically centred in `box`, which is in the superlayer's coordinates. Text that is too
  /// wide gets less tracking, then smaller letters, and is finally cut with an ellipsis.
  ///
  /// - Parameters:
  ///   - colors: the colours of the characters; nil, or beyond the end: that of the style.
  ///   - alignment: 0: at the left; 0.5: in the middle; 1: at the right.
  /// - Returns: the rectangle of the letters, from baseline to cap height.
  @discardableResult
  func show(
    _ text: String, style: Style, colors: [Color?] = [], in box: Rect, alignment: Double = 0.5
  ) -> Rect {
    self.text = text
    let (line, style, width) = Self.fit(text, style: style, width: box.width)
    // Space for slanted and overhanging glyphs, and for the marks of scripts that need more. Letters with
    // very many marks are cut.
    let ink = style.face.measure(line, capHeight: style.capHeight, tracking: style.tracking).ink
    let overhang = max(-ink.y - style.capHeight, ink.maxY) + 1
    let margin = min(max(overhang, style.capHeight * 0.7), style.capHeight).rounded(.up)
    let left = (box.x + (box.width - width) * alignment - margin).rounded(.down)
    let baseline = (box.midY + style.capHeight / 2).rounded()
    let top = (baseline - style.capHeight - margin).rounded(.down)
    let right = (box.x + (box.width - width) * alignment + width + margin).rounded(.up)
    let bottom = (baseline + margin).rounded(.up)
    let frame = Rect(x: left, y: top, width: max(right - left, 1), height: max(bottom - top, 1))
    let mask = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .a8)
    let x = box.x + (box.width - width) * alignment - left
    let image = Bitmap(width: mask.width, height: mask.height, format: .argb8888)
    // In the order of the text, so that letters that overlap always look the same.
    var inks = [style.color]
    for case let color? in colors.prefix(line.count) where !inks.contains(color) { inks.append(color) }
    for ink in inks {
      if ink != style.color { mask.buffer.clear(mask.buffer.bounds, clip: mask.buffer.bounds) }
      style.face.draw(
        line, into: mask.buffer, x: x, baseline: baseline - top, capHeight: style.capHeight,
        tracking: style.tracking, stretch: 1
      ) { ($0 < colors.count ? colors[$0] ?? style.color : style.color) == ink }
      image.buffer.fill(mask: mask.buffer, at: 0, 0, with: ink, clip: image.buffer.bounds)
    }
    layer.frame = frame
    layer.contents = LayerImage(image)
    return Rect(x: left + x, y: baseline - style.capHeight, width: width, height: style.capHeight)
  }

  /// The width of the letters with the tracking between them.
  static func width(of text: String, style: Style) -> Double {
    style.face.measure(text, capHeight: style.capHeight, tracking: style.tracking).width
  }

  /// The extent of the letters as `show` draws them in a box of this width, from the beginning of the
  /// baseline.
  static func ink(of text: String, style: Style, width: Double) -> Rect {
    let (line, style, _) = fit(text, style: style, width: width)
    return style.face.measure(line, capHeight: style.capHeight, tracking: style.tracking).ink
  }

  /// Whether the whole text fits this width, perhaps in smaller letters.
  static func fits(_ text: String, style: Style, width: Double) -> Bool {
    fit(text, style: style, width: width).0 == text
  }

  /// The smallest legible cap height, in pixels.
  private static let leastCapHeight = 7.0
  static let leastTracking = 0.04

  /// The cap height of the smallest letters of text that is too wide for letters of this cap height.
  static func leastCap(_ cap: Double) -> Double { min(max(0.55 * cap, leastCapHeight), cap) }

  /// The text, style and width that fit. Text that is too wide gets less tracking, then smaller letters, and
  /// is then cut. Letters keep at least 55 % of their size and a cap height of at least `leastCapHeight`, if
  /// they were not smaller before.
  private static func fit(_ text: String, style: Style, width: Double) -> (String, Style, Double) {
    var style = style
    // Longer text fits no display, so it need not be measured.
    var line = String(text.prefix(400))
    var needed = Self.width(of: line, style: style)
    if needed <= width || line.isEmpty { return (line, style, needed) }
    style.tracking = min(style.tracking, max(style.tracking * width / needed, leastTracking))
    needed = Self.width(of: line, style: style)
    if needed > width {
      style.capHeight = max(style.capHeight * width / needed, leastCap(style.capHeight))
      needed = Self.width(of: line, style: style)
    }
    // After scaling, the width may exceed the limit by a rounding error.
    guard needed > width + 0.01 else { return (line, style, needed) }
    var low = 0
    var high = line.count
    while low < high {
      let middle = (low + high + 1) / 2
      let cut = String(line.prefix(middle)) + "…"
      if Self.width(of: cut, style: style) <= width { low = middle } else { high = middle - 1 }
    }
    line = low == 0 ? "" : String(line.prefix(low)) + "…"
    return (line, style, Self.width(of: line, style: style))
  }
}
