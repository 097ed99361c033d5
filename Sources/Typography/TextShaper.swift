// SPDX-License-Identifier: Apache-2.0

import CFreeType
import CRaqm

/// A glyph of shaped text. Lengths are in cap heights, y pointing down.
struct ShapedGlyph {
  var glyph: Glyph
  var advance: Double
  /// Where the glyph is drawn, relative to the pen.
  var offset = (x: 0.0, y: 0.0)
  /// The index of the cluster that it belongs to; the first of them for a ligature.
  var cluster: Int
}

/// Shapes text with Raqm: the bidirectional algorithm (FriBidi), and each font's own rules for kerning,
/// ligatures, marks and the forms of letters (HarfBuzz).
enum TextShaper {
  /// The glyphs in the order in which they are drawn, from left to right. Nil if the text cannot be shaped:
  /// Raqm ran out of memory, or no character has a font.
  ///
  /// The direction of the line is that of its first letter. Digits are not kerned with each other, so that
  /// numbers change their width as little as the font allows.
  ///
  /// - Parameters:
  ///   - language: a BCP 47 tag; fonts have forms for certain languages.
  ///   - ligatures: whether letters may be replaced with optional ligatures.
  static func glyphs(_ text: PreparedText, language: String?, ligatures: Bool) -> [ShapedGlyph]? {
    let runs = text.fontRuns
    guard !runs.isEmpty, let raqm = raqm_create() else { return nil }
    defer { raqm_destroy(raqm) }
    guard raqm_set_text(raqm, text.scalars, text.scalars.count),
      raqm_set_par_direction(raqm, RAQM_DIRECTION_DEFAULT),
      raqm_set_freetype_load_flags(raqm, Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
    else { return nil }
    for run in runs {
      guard
        run.font.withFace({ raqm_set_freetype_face_range(raqm, $0, run.range.lowerBound, run.range.count) })
      else { return nil }
    }
    if let language { _ = raqm_set_language(raqm, language, 0, text.scalars.count) }
    if !ligatures {
      for feature in ["-liga", "-clig"] { _ = raqm_add_font_feature(raqm, feature, -1) }
    }
    for number in text.numbers {
      _ = raqm_add_font_feature(raqm, "-kern[\(number.lowerBound):\(number.upperBound)]", -1)
    }
    var count = 0
    guard raqm_layout(raqm), let shaped = raqm_get_glyphs(raqm, &count) else { return nil }
    return collect(UnsafeBufferPointer(start: shaped, count: count), text, runs)
  }

  private static func collect(
    _ shaped: UnsafeBufferPointer<raqm_glyph_t>, _ text: PreparedText,
    _ runs: [(font: FontFile, range: Range<Int>)]
  ) -> [ShapedGlyph] {
    // The cluster of each scalar.
    var clusterAt = [Int](repeating: 0, count: text.scalars.count)
    for index in text.clusters.indices {
      for scalar in text.clusters[index].start..<text.end(of: index) { clusterAt[scalar] = index }
    }
    var glyphs: [ShapedGlyph] = []
    glyphs.reserveCapacity(shaped.count)
    var before: UInt32?
    for item in shaped {
      defer { before = item.cluster }
      guard Int(item.cluster) < clusterAt.count else { continue }
      let cluster = clusterAt[Int(item.cluster)]
      switch text.clusters[cluster].source {
      case .nothing: continue
      case .drawn(let glyph):
        // Replaces all glyphs that the font gave for this character.
        if item.cluster == before { continue }
        glyphs.append(ShapedGlyph(glyph: glyph, advance: glyph.advance, cluster: cluster))
      case .font:
        guard let font = runs.first(where: { $0.font.isFace(item.ftface) })?.font else { continue }
        let isMissing = item.index == 0 && text.clusters[cluster].isVisible
        guard !isMissing, let glyph = font.glyph(item.index) else {
          let instead = text.emergencyGlyph(cluster)
          glyphs.append(ShapedGlyph(glyph: instead, advance: instead.advance, cluster: cluster))
          continue
        }
        let scale = 1 / (64 * font.unitsPerCap)
        glyphs.append(
          ShapedGlyph(
            glyph: glyph, advance: Double(item.x_advance) * scale,
            offset: (Double(item.x_offset) * scale, -Double(item.y_offset) * scale), cluster: cluster))
      }
    }
    return glyphs
  }
}
