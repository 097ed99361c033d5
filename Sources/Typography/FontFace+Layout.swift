// SPDX-License-Identifier: Apache-2.0

extension FontFace {
  /// Lays out `text` and calls `body` with each glyph and its position with tracking. Returns the total
  /// advance. Lengths are in cap heights, y pointing down from the baseline.
  @discardableResult
  func layOut(_ text: String, tracking: Double, _ body: (ShapedLine.Item, _ x: Double) -> Void) -> Double {
    // As in CSS, letters that are spaced out are not joined to ligatures.
    let line = line(text, ligatures: abs(tracking) <= Self.ligatureTracking)
    let gap = tracking * emPerCap
    for item in line.items { body(item, item.x + Double(item.gaps) * gap) }
    return line.advance + Double(line.gaps) * gap
  }

  /// The maximum tracking, in em, with which letters are joined to ligatures.
  static let ligatureTracking = 0.02

  /// The advance of each character of `text` in a single line, in the order of the text, without tracking;
  /// cap heights. The first character of a ligature has its whole advance, the others have none. Characters
  /// beyond `PreparedText.scalarLimit` have none.
  package func advances(of text: String) -> [Double] {
    var advances = [Double](repeating: 0, count: text.count)
    let prepared = prepare(text)
    for shaped in shape(prepared, ligatures: true) {
      advances[prepared.clusters[shaped.cluster].character] += shaped.advance
    }
    return advances
  }

  /// The shaped line, cached.
  private func line(_ text: String, ligatures: Bool) -> ShapedLine {
    let key = LineKey(text: text, ligatures: ligatures)
    if let known = lines[key] { return known }
    let prepared = prepare(text)
    let line = ShapedLine(shape(prepared, ligatures: ligatures), of: prepared)
    guard text.utf8.count <= Self.cachedLength else { return line }
    if lines.count >= Self.cachedLines { lines.removeAll() }
    lines[key] = line
    return line
  }

  /// The maximum number of cached lines. A page shows a few dozen different lines, and a line that is
  /// measured is drawn soon afterwards.
  static let cachedLines = 192
  private static let cachedLength = 512

  struct LineKey: Hashable {
    var text: String
    var ligatures: Bool
  }

  private func shape(_ text: PreparedText, ligatures: Bool) -> [ShapedGlyph] {
    if text.clusters.isEmpty { return [] }
    return nominal(text) ?? TextShaper.glyphs(text, language: context.language, ligatures: ligatures)
      ?? unshaped(text)
  }

  /// The glyph of a line that is one ASCII character, as on most cards; nil for other lines. A single ASCII
  /// character needs no shaping.
  private func nominal(_ text: PreparedText) -> [ShapedGlyph]? {
    guard text.scalars.count == 1, text.scalars[0] < 0x80, text.clusters.count == 1 else { return nil }
    return unshaped(text)
  }

  /// The glyphs one after another from left to right: for a single ASCII character, for the built-in
  /// outlines, and if the text cannot be shaped.
  private func unshaped(_ text: PreparedText) -> [ShapedGlyph] {
    text.clusters.indices.flatMap { index -> [ShapedGlyph] in
      switch text.clusters[index].source {
      case .nothing: return []
      case .drawn(let glyph): return [ShapedGlyph(glyph: glyph, advance: glyph.advance, cluster: index)]
      case .font(let font):
        return text.scalars[text.clusters[index].start..<text.end(of: index)].compactMap { value in
          guard let scalar = Unicode.Scalar(value), let own = font.index(of: scalar) else { return nil }
          let glyph = font.glyph(own) ?? text.emergencyGlyph(index)
          return ShapedGlyph(glyph: glyph, advance: glyph.advance, cluster: index)
        }
      }
    }
  }
}
