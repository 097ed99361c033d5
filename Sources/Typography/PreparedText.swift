// SPDX-License-Identifier: Apache-2.0

/// Where the glyphs of a character come from.
enum GlyphSource {
  /// The font shapes the character together with its neighbours of the same font.
  case font(FontFile)
  /// One glyph that is not shaped: of the built-in outlines, a box, or a space.
  case drawn(Glyph)
  /// No glyph, e.g. for a direction mark.
  case nothing
}

/// A line of text, ready to be shaped: its scalars, and the source of each character.
struct PreparedText {
  /// A grapheme cluster: what a reader takes for one character.
  struct Cluster {
    /// The index of its character in the text.
    var character: Int
    /// The index of its first scalar.
    var start: Int
    var source: GlyphSource
    /// Whether no tracking is added between it and a neighbour for which this is true too (`Script.joins`).
    var joins: Bool
    /// False for joiners, direction marks and the like, which have no width of their own.
    var isVisible: Bool
  }

  private(set) var scalars: [UInt32] = []
  private(set) var clusters: [Cluster] = []

  /// The maximum number of scalars in a line, which bounds the work. No line on a display has more.
  static let scalarLimit = 4_096
  /// The maximum number of scalars in a character; further marks are dropped. Unicode's Stream-Safe Text
  /// Format (UAX #15) allows 30 marks in a row.
  static let clusterLimit = 31

  var isFull: Bool { scalars.count >= Self.scalarLimit }

  mutating func append(
    _ scalars: [Unicode.Scalar], of character: Int, source: GlyphSource, joins: Bool, isVisible: Bool
  ) {
    clusters.append(
      Cluster(
        character: character, start: self.scalars.count, source: source, joins: joins, isVisible: isVisible))
    self.scalars += scalars.map(\.value)
  }

  /// The glyph for a cluster whose font is damaged: that of the built-in outlines, or a box.
  func emergencyGlyph(_ cluster: Int) -> Glyph {
    Unicode.Scalar(scalars[clusters[cluster].start]).flatMap(BuiltInOutlines.glyph) ?? BuiltInOutlines.missing
  }

  /// The end of a cluster: the index after its last scalar.
  func end(of cluster: Int) -> Int {
    cluster + 1 < clusters.count ? clusters[cluster + 1].start : scalars.count
  }

  /// The fonts in the order of the text, each with the range of scalars that it shapes. Scalars without a
  /// font belong to the font before them, at the beginning to the first font.
  var fontRuns: [(font: FontFile, range: Range<Int>)] {
    var runs: [(font: FontFile, range: Range<Int>)] = []
    for (index, cluster) in clusters.enumerated() {
      guard case .font(let font) = cluster.source, runs.last?.font !== font else { continue }
      let start = runs.isEmpty ? 0 : cluster.start
      if let last = runs.indices.last { runs[last].range = runs[last].range.lowerBound..<start }
      runs.append((font, start..<end(of: index)))
    }
    if let last = runs.indices.last { runs[last].range = runs[last].range.lowerBound..<scalars.count }
    return runs
  }

  /// The ranges of scalars that are two or more decimal digits in a row.
  var numbers: [Range<Int>] {
    var numbers: [Range<Int>] = []
    var start: Int?
    for (index, value) in (scalars + [0]).enumerated() {
      let isDigit = Unicode.Scalar(value)?.properties.numericType == .decimal
      if isDigit {
        start = start ?? index
      } else if let first = start {
        if index - first > 1 { numbers.append(first..<index) }
        start = nil
      }
    }
    return numbers
  }
}
