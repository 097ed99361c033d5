// SPDX-License-Identifier: Apache-2.0

/// A glyph and its source.
struct FaceGlyph {
  var glyph: Glyph
  /// The index in the face's own file, for kerning; nil if the glyph comes from elsewhere.
  var index: UInt32?
}

extension FontFace {
  /// Lays out `text` and calls `body` with each glyph that may have ink and its pen position, in cap heights.
  /// Returns the total advance.
  @discardableResult
  func layOut(_ text: String, tracking: Double, _ body: (Glyph, Double) -> Void) -> Double {
    let gap = tracking * emPerCap
    var pen = 0.0
    var isFirst = true
    var previous: (scalar: Unicode.Scalar, index: UInt32)?
    for character in text {
      var isCharacterStart = true
      func place(_ scalar: Unicode.Scalar) {
        guard let entry = entry(for: scalar) else { return }
        if isCharacterStart {
          if !isFirst { pen += gap }
          isFirst = false
          isCharacterStart = false
          if let previous, let index = entry.index { pen += kerning(previous, (scalar, index)) }
        }
        body(entry.glyph, pen)
        pen += entry.glyph.advance
        previous = entry.index.map { (scalar, $0) }
      }
      let scalars = character.unicodeScalars
      if scalars.count > 1, let composed = ComposedCharacters.scalar(for: character) {
        place(composed)
      } else {
        for scalar in scalars { place(scalar) }
      }
    }
    return pen
  }

  private func kerning(
    _ first: (scalar: Unicode.Scalar, index: UInt32), _ second: (scalar: Unicode.Scalar, index: UInt32)
  ) -> Double {
    guard case .file(let file) = source else { return 0 }
    // Digits are not kerned, so that they stay tabular.
    if first.scalar.properties.numericType == .decimal, second.scalar.properties.numericType == .decimal {
      return 0
    }
    return file.kerning(first.index, second.index)
  }

  /// Returns the glyph for a scalar, cached; nil for characters that draw nothing and have no width.
  private func entry(for scalar: Unicode.Scalar) -> FaceGlyph? {
    if let known = glyphs[scalar] { return known }
    guard let found = find(scalar) else { return nil }
    // A display shows a few dozen characters; the bound limits memory for unusual text.
    if glyphs.count >= 512 { glyphs.removeAll() }
    glyphs[scalar] = found
    return found
  }
}
