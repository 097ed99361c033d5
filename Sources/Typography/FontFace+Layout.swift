// SPDX-License-Identifier: Apache-2.0

/// A glyph and where it came from.
struct FaceGlyph {
  var glyph: Glyph
  /// Its index in the face's own file, for kerning; nil if it came from elsewhere.
  var index: UInt32?
}

extension FontFace {
  /// Walks `text` with the pen, in cap heights, and calls `body` for each glyph that may have ink.
  /// Returns the pen's whole way.
  @discardableResult
  func layOut(_ text: String, tracking: Double, _ body: (Glyph, Double) -> Void) -> Double {
    let gap = tracking * metrics.emPerCap
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
    // Digits keep their columns.
    if first.scalar.properties.numericType == .decimal, second.scalar.properties.numericType == .decimal {
      return 0
    }
    return file.kerning(first.index, second.index)
  }

  /// The glyph for a scalar, remembered; nil for what draws and measures nothing.
  private func entry(for scalar: Unicode.Scalar) -> FaceGlyph? {
    if let known = glyphs[scalar] { return known }
    guard let found = find(scalar) else { return nil }
    // A wall shows a few dozen characters. Text that brings more is not worth more memory.
    if glyphs.count >= 512 { glyphs.removeAll() }
    glyphs[scalar] = found
    return found
  }
}
