// SPDX-License-Identifier: Apache-2.0

extension FontFace {
  /// Finds the source of each character of `text`: this face, then the other fonts, then the built-in
  /// outlines, then a box. Text in another script comes from one font, if one font has all of it.
  func prepare(_ text: String) -> PreparedText {
    var drafts = drafts(of: text)
    substitute(&drafts)
    var prepared = PreparedText()
    for draft in drafts {
      guard !prepared.isFull else { break }
      var (scalars, source) = (draft.scalars, draft.source ?? .nothing)
      if draft.source == nil, let base = draft.base { (scalars, source) = lastResort(base, draft.scalars) }
      prepared.append(
        scalars, of: draft.index, source: source, joins: draft.script?.joins ?? false,
        isVisible: draft.base != nil)
    }
    return prepared
  }

  /// The first character of `text` for which a box is shown, because no font has it; nil: there is none.
  func firstBox(in text: String) -> Character? {
    var drafts = drafts(of: text)
    substitute(&drafts)
    let box = drafts.first { draft in
      guard draft.source == nil, let base = draft.base else { return false }
      return BuiltInOutlines.glyph(for: base) == nil
    }
    return box.map { Array(text)[$0.index] }
  }

  /// A character whose source is being looked for.
  private struct Draft {
    /// The index of the character in the text.
    var index: Int
    var scalars: [Unicode.Scalar]
    /// The first visible scalar; nil for joiners, direction marks and the like, which only influence their
    /// neighbours.
    var base: Unicode.Scalar?
    var script: Script?
    /// Nil: not found yet.
    var source: GlyphSource?
  }

  private func drafts(of text: String) -> [Draft] {
    var drafts: [Draft] = []
    var count = 0
    for (index, character) in text.enumerated() {
      var scalars: [Unicode.Scalar] = []
      for scalar in character.unicodeScalars where Self.isShaped(scalar) {
        scalars.append(scalar)
        if scalars.count == PreparedText.clusterLimit { break }
      }
      if scalars.isEmpty { continue }
      count += scalars.count
      var draft = Draft(index: index, scalars: scalars)
      draft.base = scalars.first { !$0.properties.isDefaultIgnorableCodePoint }
      if let base = draft.base {
        draft.script = Script(of: base)
        draft.source = own(scalars, character, base)
      } else {
        draft.source = .nothing
      }
      drafts.append(draft)
      if count >= PreparedText.scalarLimit { break }
    }
    return drafts
  }

  /// The source of a character in the face itself; nil if the face does not have it.
  private func own(_ scalars: [Unicode.Scalar], _ character: Character, _ base: Unicode.Scalar)
    -> GlyphSource?
  {
    if scalars.count == 1, let width = blank(base) { return .drawn(.blank(advance: width)) }
    switch source {
    case .file(let file):
      if has(file, scalars) { return .font(file) }
      guard scalars.count > 1, let composed = ComposedCharacters.scalar(for: character) else { return nil }
      return file.index(of: composed) == nil ? nil : .font(file)
    case .builtIn:
      let scalar = scalars.count > 1 ? ComposedCharacters.scalar(for: character) : base
      return scalar.flatMap(drawnGlyph).map { .drawn($0) }
    }
  }

  /// Whether a font has a glyph for each visible scalar.
  private func has(_ file: FontFile, _ scalars: [Unicode.Scalar]) -> Bool {
    scalars.allSatisfy { file.index(of: $0) != nil || $0.properties.isDefaultIgnorableCodePoint }
  }

  // MARK: Other fonts

  /// Finds another font for the characters that the face does not have. Neighbours in one script get the same
  /// font, if a font has all of them.
  private func substitute(_ drafts: inout [Draft]) {
    guard drafts.contains(where: { $0.source == nil }) else { return }
    let eastAsian = eastAsianLanguage(drafts)
    var start = 0
    while start < drafts.count {
      guard drafts[start].source == nil, let script = drafts[start].script?.family else {
        start += 1
        continue
      }
      var end = start + 1
      while end < drafts.count, drafts[end].source == nil,
        let next = drafts[end].script?.family, next == script || next.isCommon
      {
        end += 1
      }
      let language = script == .eastAsian ? eastAsian : script.language
      let run = drafts[start..<end].flatMap(\.scalars)
      if let font = font(for: run, language) {
        for index in start..<end { drafts[index].source = .font(font) }
      } else {
        for index in start..<end {
          drafts[index].source = font(for: drafts[index].scalars, language).map { .font($0) }
        }
      }
      start = end
    }
  }

  /// The language whose forms of Chinese characters the text needs.
  private func eastAsianLanguage(_ drafts: [Draft]) -> String {
    let scripts = drafts.compactMap(\.script)
    if scripts.contains(where: { $0 == Script("Hira") || $0 == Script("Kana") }) { return "ja" }
    if scripts.contains(Script("Hang")) { return "ko" }
    guard let own = context.language, ["ja", "ko", "zh"].contains(where: own.hasPrefix) else {
      return "zh-cn"
    }
    guard own.hasPrefix("zh") else { return String(own.prefix(2)) }
    return ["zh-Hant", "zh-TW", "zh-HK", "zh-MO"].contains(where: own.hasPrefix) ? "zh-tw" : "zh-cn"
  }

  /// Another font that has all visible scalars of `scalars`; nil if there is none. The choice does not depend
  /// on the fonts that were used before, so that the same text always looks the same.
  private func font(for scalars: [Unicode.Scalar], _ language: String?) -> FontFile? {
    let visible = scalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    guard let fonts = context.substitutes(language: language, weight: weight),
      visible.allSatisfy(fonts.covers),
      let font = context.firstUsable(fonts, weight: weight, where: { visible.allSatisfy($0.covers) })?.file,
      has(font, scalars)
    else { return nil }
    if let first = visible.first {
      warn(
        "has no \(Self.code(first)); using \(WarnOnce.quoted(font.name)) instead", key: "font \(font.name)")
    }
    return font
  }

  /// The source of a character that no font has completely: its base without the marks, as the letter alone
  /// is more readable than a box.
  private func lastResort(
    _ base: Unicode.Scalar, _ scalars: [Unicode.Scalar]
  ) -> ([Unicode.Scalar], GlyphSource) {
    if scalars.count > 1 {
      if let own = own([base], Character(base), base) { return ([base], own) }
      if let font = font(for: [base], Script(of: base).language) { return ([base], .font(font)) }
    }
    switch base.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return ([base], .nothing)
    default: break
    }
    if !isBuiltIn, let glyph = drawnGlyph(base) {
      warn("has no \(Self.code(base)); using the built-in outlines", key: Self.code(base))
      return ([base], .drawn(glyph))
    }
    warn("has no \(Self.code(base)), and no other font has it; showing a box", key: Self.code(base))
    return ([base], .drawn(BuiltInOutlines.missing))
  }

  private func warn(_ problem: String, key: String) {
    context.warnings.warn("font \(WarnOnce.quoted(name)) \(problem)", key: key)
  }

  /// The scalar in the form `U+0634`.
  private static func code(_ scalar: Unicode.Scalar) -> String {
    let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
  }

  // MARK: Spaces

  /// The width of a space, in cap heights; nil for other characters, and for U+0020 and U+00A0 if the face's
  /// font has a glyph for them, because fonts may kern spaces.
  private func blank(_ scalar: Unicode.Scalar) -> Double? {
    let em = emPerCap
    switch scalar.value {
    case 0x09: return spaceAdvance
    case 0x20, 0xa0: return glyph(scalar) == nil || isBuiltIn ? spaceAdvance : nil
    case 0x2000, 0x2002: return em / 2
    case 0x2001, 0x2003, 0x3000: return em
    case 0x2004: return em / 3
    case 0x2005: return em / 4
    case 0x2006, 0x2009, 0x202f: return em / 6
    case 0x2007: return glyph("0")?.advance ?? em / 2
    case 0x2008: return glyph(".")?.advance ?? em / 4
    case 0x200a: return em / 12
    case 0x205f: return em * 4 / 18
    default: return nil
    }
  }

  private var spaceAdvance: Double { glyph(" ")?.advance ?? emPerCap / 4 }

  /// The face's own glyph for a scalar.
  private func glyph(_ scalar: Unicode.Scalar) -> Glyph? {
    switch source {
    case .file(let file): file.index(of: scalar).flatMap(file.glyph)
    case .builtIn: drawnGlyph(scalar)
    }
  }

  /// The glyph of the built-in outlines for a scalar.
  private func drawnGlyph(_ scalar: Unicode.Scalar) -> Glyph? {
    if let known = drawn[scalar] { return known }
    let glyph = BuiltInOutlines.glyph(for: scalar)
    drawn[scalar] = glyph
    return glyph
  }

  /// Whether a scalar is shaped as part of a line of text. Control characters except tabs, and line ends, are
  /// not.
  private static func isShaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\t"
    case .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }
}
