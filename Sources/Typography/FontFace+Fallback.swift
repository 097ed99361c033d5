// SPDX-License-Identifier: Apache-2.0

extension FontFace {
  /// Looks a scalar up in the face, then in the other fonts, then in the built-in outlines; if none has a glyph,
  /// returns a box. Nil for invisible characters, and for combining marks that the face does not have.
  func find(_ scalar: Unicode.Scalar) -> FaceGlyph? {
    if let width = blank(scalar) { return FaceGlyph(glyph: .blank(advance: width)) }
    guard !Self.isInvisible(scalar) else { return nil }
    if let own = own(scalar) { return own }
    // A mark without a glyph is skipped, because the letter alone is more readable than a letter and a box.
    let category = scalar.properties.generalCategory
    if category == .nonspacingMark || category == .enclosingMark || category == .spacingMark { return nil }
    if let fallback = fallback(scalar) {
      warnMissing(scalar, "using \(WarnOnce.quoted(fallback.name))")
      return FaceGlyph(glyph: fallback.glyph)
    }
    if !isBuiltIn, let glyph = BuiltInOutlines.glyph(for: scalar) {
      warnMissing(scalar, "using the built-in outlines")
      return FaceGlyph(glyph: glyph)
    }
    warnMissing(scalar, "no other font has it either; showing a box")
    return FaceGlyph(glyph: BuiltInOutlines.missing)
  }

  private func own(_ scalar: Unicode.Scalar) -> FaceGlyph? {
    switch source {
    case .file(let file):
      guard let index = file.index(of: scalar), let glyph = file.glyph(index) else { return nil }
      return FaceGlyph(glyph: glyph, index: index)
    case .builtIn:
      return BuiltInOutlines.glyph(for: scalar).map { FaceGlyph(glyph: $0) }
    }
  }

  private func fallback(_ scalar: Unicode.Scalar) -> (glyph: Glyph, name: String)? {
    guard let fallbacks, fallbacks.covers(scalar),
      let file = context.firstUsable(fallbacks, weight: weight, where: { $0.covers(scalar) })?.file,
      let index = file.index(of: scalar), let glyph = file.glyph(index)
    else { return nil }
    return (glyph, file.name)
  }

  private func warnMissing(_ scalar: Unicode.Scalar, _ remedy: String) {
    let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
    context.warnings.warn("font \(WarnOnce.quoted(name)) has no \(code); \(remedy)", key: code)
  }

  /// The width of a space, in cap heights; nil for other characters.
  private func blank(_ scalar: Unicode.Scalar) -> Double? {
    let em = emPerCap
    switch scalar.value {
    case 0x09, 0x20, 0xa0: return spaceAdvance
    case 0x2000, 0x2002: return em / 2
    case 0x2001, 0x2003, 0x3000: return em
    case 0x2004: return em / 3
    case 0x2005: return em / 4
    case 0x2006, 0x2009, 0x202f: return em / 6
    case 0x2007: return own("0")?.glyph.advance ?? em / 2
    case 0x2008: return own(".")?.glyph.advance ?? em / 4
    case 0x200a: return em / 12
    case 0x205f: return em * 4 / 18
    default: return nil
    }
  }

  private var spaceAdvance: Double { own(" ")?.glyph.advance ?? emPerCap / 4 }

  /// Controls, joiners, variation selectors, direction marks, line ends and the soft hyphen.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default: return false
    }
  }
}
