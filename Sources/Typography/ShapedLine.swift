// SPDX-License-Identifier: Apache-2.0

/// A line of text as glyphs with their positions, for any size and tracking. Lengths are in cap heights.
struct ShapedLine {
  struct Item {
    var glyph: Glyph
    /// The index of its character in the text; that of the first one for a ligature.
    var character: Int
    /// The pen's position, without tracking, plus the glyph's offset; y points down from the baseline.
    var x: Double
    var y: Double
    /// The number of places to the left of the glyph where tracking is added.
    var gaps: Int
  }

  private(set) var items: [Item] = []
  /// The advance of the whole line without tracking.
  private(set) var advance = 0.0
  /// The number of places where tracking is added.
  private(set) var gaps = 0

  /// - Parameter glyphs: in the order in which they are drawn.
  init(_ glyphs: [ShapedGlyph], of text: PreparedText) {
    items.reserveCapacity(glyphs.count)
    var before: Int?
    for shaped in glyphs {
      let cluster = text.clusters[shaped.cluster]
      if cluster.isVisible, shaped.cluster != before {
        if let before, !(cluster.joins && text.clusters[before].joins) { gaps += 1 }
        before = shaped.cluster
      }
      items.append(
        Item(
          glyph: shaped.glyph, character: cluster.character, x: advance + shaped.offset.x,
          y: shaped.offset.y, gaps: gaps))
      advance += shaped.advance
    }
  }
}
