// SPDX-License-Identifier: Apache-2.0

import Raster

/// A typeface that measures and draws lines of text in any script and direction. Characters that its font
/// lacks come from other fonts.
package final class FontFace {
  enum Source {
    case file(FontFile)
    case builtIn
  }

  /// Family and style, e.g. "Bebas Neue Bold", or "built-in".
  package let name: String
  /// The em size, which is the unit of tracking, in cap heights.
  package let emPerCap: Double
  /// Whether the face uses this program's own outlines.
  package var isBuiltIn: Bool {
    if case .builtIn = source { true } else { false }
  }

  let source: Source
  let weight: FontWeight
  let context: FontContext
  /// Cached shaped lines.
  var lines: [LineKey: ShapedLine] = [:]
  /// The extents of scripts, by the letters that were measured.
  var extents: [String: ClosedRange<Double>] = [:]
  /// Cached glyphs of the built-in outlines, which are few.
  var drawn: [Unicode.Scalar: Glyph] = [:]

  init(source: Source, weight: FontWeight, context: FontContext) {
    self.source = source
    self.weight = weight
    self.context = context
    switch source {
    case .file(let file):
      name = file.name
      emPerCap = file.emPerCap
    case .builtIn:
      name = FontLibrary.builtInName
      emPerCap = BuiltInOutlines.emPerCap
    }
  }

  /// Forgets all shaped lines, because the language has changed.
  func forgetLines() {
    lines = [:]
    extents = [:]
  }

  /// The advance and the ink bounds of a line of text. Invisible characters have no width.
  ///
  /// - Parameters:
  ///   - capHeight: the height of "H", in pixels.
  ///   - tracking: the space added between characters, in em.
  package func measure(_ text: String, capHeight: Double, tracking: Double) -> TextMeasure {
    let nothing = TextMeasure(width: 0, ink: .zero)
    guard capHeight > 0, capHeight.isFinite, tracking.isFinite else { return nothing }
    var left = Double.infinity
    var top = Double.infinity
    var right = -Double.infinity
    var bottom = -Double.infinity
    let width = layOut(text, tracking: tracking) { item, x in
      guard let ink = item.glyph.ink else { return }
      left = min(left, x + ink.x)
      right = max(right, x + ink.maxX)
      top = min(top, item.y + ink.y)
      bottom = max(bottom, item.y + ink.maxY)
    }
    guard (width * capHeight).isFinite else { return nothing }
    guard left < right, top < bottom else { return TextMeasure(width: width * capHeight, ink: .zero) }
    let ink = Rect(
      x: left * capHeight, y: top * capHeight, width: (right - left) * capHeight,
      height: (bottom - top) * capHeight)
    return TextMeasure(width: width * capHeight, ink: ink)
  }
}
