// SPDX-License-Identifier: Apache-2.0

/// The built-in typeface, drawn for this program: a condensed, bold grotesque with even stems, in the style
/// of railway and split-flap signs. Capitals only; lowercase letters are drawn as capitals.
///
/// The grid has 1000 units per cap height, y pointing up from the baseline. Stems are 185 wide, horizontal
/// strokes 160; round forms overshoot by 12; digits advance 600.
enum BuiltInOutlines {
  static let unitsPerCap = 1000.0
  static let emPerCap = 1.4

  /// One drawing. `left`, the left side bearing, is added to the x coordinates of its path.
  struct Drawing: Sendable {
    var left: Double
    var advance: Double
    var path: String
    /// The point of the path about which the drawing is rotated by 180°; nil: it is not rotated.
    var turnedAbout: (x: Double, y: Double)?

    init(_ left: Double, _ advance: Double, _ path: String, turnedAbout: (x: Double, y: Double)? = nil) {
      self.left = left
      self.advance = advance
      self.path = path
      self.turnedAbout = turnedAbout
    }

    /// The outline with its left side bearing, moved by `dx`; nil if the path data are malformed.
    func outline(dx: Double = 0) -> Outline? {
      var builder =
        if let turnedAbout {
          OutlineBuilder(dx: left + dx + 2 * turnedAbout.x, dy: 2 * turnedAbout.y, turned: true)
        } else {
          OutlineBuilder(dx: left + dx)
        }
      return builder.draw(path) ? builder.outline : nil
    }
  }

  static let drawings = digits.merging(letters) { $1 }.merging(punctuation) { $1 }

  /// The glyph for a scalar or its alias: its own drawing, a letter composed with a mark, or the drawings of
  /// its uppercase mapping. Nil if there is none.
  static func glyph(for scalar: Unicode.Scalar) -> Glyph? {
    let scalar = aliases[scalar] ?? scalar
    if let single = single(scalar) { return single }
    let capitals = scalar.properties.uppercaseMapping.unicodeScalars
    guard capitals.count > 1 || capitals.first != scalar else { return nil }
    var outline = Outline()
    var advance = 0.0
    for capital in capitals {
      guard let (next, width) = drawn(capital, dx: advance) else { return nil }
      outline.append(next)
      advance += width
    }
    return Glyph(outline: outline, unitsPerCap: unitsPerCap, advance: advance)
  }

  /// A thin box for characters that no font has.
  static let missing: Glyph = {
    let box = Drawing(60, 620, "M0 0 V1000 H500 V0 Z M50 50 H450 V950 H50 Z")
    return Glyph(outline: box.outline() ?? Outline(), unitsPerCap: unitsPerCap, advance: box.advance)
  }()

  private static func single(_ scalar: Unicode.Scalar) -> Glyph? {
    drawn(scalar, dx: 0).map { Glyph(outline: $0.outline, unitsPerCap: unitsPerCap, advance: $0.advance) }
  }

  private static func drawn(_ scalar: Unicode.Scalar, dx: Double) -> (outline: Outline, advance: Double)? {
    if let drawing = drawings[scalar] {
      return drawing.outline(dx: dx).map { ($0, drawing.advance) }
    }
    guard let composition = compositions[Character(scalar)], let base = drawings[composition.base],
      var outline = base.outline(dx: dx), let mark = marks[composition.mark], let bounds = outline.bounds
    else { return nil }
    let center = mark.alignment == .right ? bounds.right - 60 : (bounds.left + bounds.right) / 2
    var builder = OutlineBuilder(dx: center)
    guard builder.draw(mark.path) else { return nil }
    outline.append(builder.outline)
    return (outline, base.advance)
  }

  /// The base letter and the mark of each precomposed capital, by canonical equivalence.
  private static let compositions: [Character: (base: Unicode.Scalar, mark: Unicode.Scalar)] = {
    var compositions: [Character: (base: Unicode.Scalar, mark: Unicode.Scalar)] = [:]
    for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      let base = Unicode.Scalar(letter)
      for mark in marks.keys {
        var text = String.UnicodeScalarView()
        text.append(base)
        text.append(mark)
        let whole = String(text)
        if whole.count == 1, let character = whole.first { compositions[character] = (base, mark) }
      }
    }
    return compositions
  }()
}

extension Outline {
  /// Appends the contours of `other`.
  mutating func append(_ other: Outline) {
    let count = UInt16(clamping: points.count)
    points += other.points
    tags += other.tags
    ends += other.ends.map { $0 &+ count }
  }
}
