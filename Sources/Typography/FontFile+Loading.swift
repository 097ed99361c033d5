// SPDX-License-Identifier: Apache-2.0

import CFreeType

extension FontFile {
  /// Loads a glyph in font units; nil if FreeType cannot. The corresponding C function is `FT_Load_Glyph`.
  static func load(_ face: FT_Face, _ index: UInt32) -> (outline: Outline, advance: Double)? {
    var points: Int32 = 0
    var contours: Int32 = 0
    var advance: FT_Pos = 0
    guard flipclock_ft_load(face, index, &points, &contours, &advance) != 0 else { return nil }
    var outline = Outline()
    outline.points = [FT_Vector](repeating: FT_Vector(), count: Int(points))
    outline.tags = [UInt8](repeating: 0, count: Int(points))
    outline.ends = [UInt16](repeating: 0, count: Int(contours))
    flipclock_ft_copy(face, &outline.points, &outline.tags, &outline.ends)
    return (outline, Double(advance))
  }

  /// The visible cap height in font units. It is the first of these that the font has: the ink height of "H",
  /// the cap height in the OS/2 table, the ink height of "0". Otherwise (symbol fonts) it is 0.7 em.
  static func measureCapHeight(_ face: FT_Face) throws(FontFileError) -> Double {
    let em = Double(face.pointee.units_per_EM)
    guard em > 0 else { throw FontFileError(reason: "its em size is zero") }
    // A height outside these bounds is an error in the font and would draw glyphs of absurd size.
    let plausible = em / 20...em * 4
    if let height = inkHeight(face, "H"), plausible.contains(height) { return height }
    let stated = Double(flipclock_ft_cap_height(face))
    if plausible.contains(stated) { return stated }
    if let height = inkHeight(face, "0"), plausible.contains(height) { return height }
    return em * 0.7
  }

  private static func inkHeight(_ face: FT_Face, _ scalar: Unicode.Scalar) -> Double? {
    let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
    guard index != 0, let bounds = load(face, index)?.outline.bounds else { return nil }
    return bounds.top
  }

  /// The family and the style ("Bebas Neue Bold"), without control characters, at most 80 scalars.
  static func name(of face: FT_Face) -> String {
    let family = face.pointee.family_name.map { String(cString: $0) } ?? ""
    let style = face.pointee.style_name.map { String(cString: $0) } ?? ""
    let whole = style.isEmpty || family.hasSuffix(style) ? family : "\(family) \(style)"
    let kept = whole.unicodeScalars.prefix(80).filter { $0.properties.generalCategory != .control }
    return kept.isEmpty ? "unnamed font" : String(String.UnicodeScalarView(kept))
  }
}
