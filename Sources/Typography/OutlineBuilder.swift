// SPDX-License-Identifier: Apache-2.0

import CFreeType

/// Builds an `Outline`, from calls or from path data similar to SVG's.
///
/// Path data are commands, each followed by its numbers; coordinates are absolute and y points up:
/// - `M x y` begins a contour, `L x y` is a line, `H x` and `V y` are lines along an axis;
/// - `C x₁ y₁ x₂ y₂ x y` is a cubic;
/// - `U x y` is a quarter of a superellipse that starts along y and ends along x; `R x y` is one that starts
///   along x and ends along y;
/// - `Z` closes the contour.
struct OutlineBuilder {
  /// The relative length of a quarter's control handles: 0.552 is an ellipse, 1 a square corner. Slightly
  /// more than an ellipse keeps the bowls of narrow letters wide without making them look like boxes.
  static let tension = 0.6

  private(set) var outline = Outline()
  private var x = 0.0
  private var y = 0.0
  private let dx: Double
  private let dy: Double
  private let sign: Double

  /// - Parameters:
  ///   - dx: where x = 0 of the drawing is placed.
  ///   - turned: rotates the drawing by 180° about its origin before the shift.
  init(dx: Double = 0, dy: Double = 0, turned: Bool = false) {
    self.dx = dx
    self.dy = dy
    sign = turned ? -1 : 1
  }

  mutating func move(_ x: Double, _ y: Double) {
    close()
    append(x, y, Outline.Tag.on)
  }

  mutating func line(_ x: Double, _ y: Double) { append(x, y, Outline.Tag.on) }

  mutating func curve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {
    append(x1, y1, Outline.Tag.cubic)
    append(x2, y2, Outline.Tag.cubic)
    append(x, y, Outline.Tag.on)
  }

  /// Adds a quarter that starts along y (`vertically`) or along x and ends along the other axis.
  mutating func quarter(_ x: Double, _ y: Double, vertically: Bool) {
    let k = Self.tension
    let (startX, startY) = (self.x, self.y)
    if vertically {
      curve(startX, startY + k * (y - startY), x - k * (x - startX), y, x, y)
    } else {
      curve(startX + k * (x - startX), startY, x, y - k * (y - startY), x, y)
    }
  }

  /// Ends the contour, if one is open.
  mutating func close() {
    guard outline.points.count > Int(outline.ends.last.map { $0 + 1 } ?? 0) else { return }
    outline.ends.append(UInt16(clamping: outline.points.count - 1))
  }

  /// Draws path data. Returns false if they are malformed; the part before the error is drawn.
  mutating func draw(_ path: String) -> Bool {
    var tokens = Self.tokens(path)[...]
    while let token = tokens.popFirst() {
      guard case .command(let command) = token else { return false }
      var numbers: [Double] = []
      while case .number(let number)? = tokens.first {
        numbers.append(number)
        tokens.removeFirst()
      }
      guard apply(command, numbers) else { return false }
    }
    close()
    return true
  }

  private mutating func apply(_ command: Unicode.Scalar, _ n: [Double]) -> Bool {
    switch (command, n.count) {
    case ("M", 2): move(n[0], n[1])
    case ("L", 2): line(n[0], n[1])
    case ("H", 1): line(n[0], y)
    case ("V", 1): line(x, n[0])
    case ("C", 6): curve(n[0], n[1], n[2], n[3], n[4], n[5])
    case ("U", 2): quarter(n[0], n[1], vertically: true)
    case ("R", 2): quarter(n[0], n[1], vertically: false)
    case ("Z", 0): close()
    default: return false
    }
    return true
  }

  private mutating func append(_ x: Double, _ y: Double, _ tag: UInt8) {
    self.x = x
    self.y = y
    outline.points.append(
      FT_Vector(x: FT_Pos(((sign * x + dx) * 64).rounded()), y: FT_Pos(((sign * y + dy) * 64).rounded())))
    outline.tags.append(tag)
  }

  private enum Token {
    case command(Unicode.Scalar)
    case number(Double)
  }

  /// A word that is neither a command nor a number becomes an unknown command.
  private static func tokens(_ path: String) -> [Token] {
    path.split(separator: " ").flatMap { word -> [Token] in
      if let number = Double(word) { return [.number(number)] }
      guard let command = word.unicodeScalars.first else { return [] }
      let rest = word.dropFirst()
      if rest.isEmpty { return [.command(command)] }
      return [.command(command), Double(rest).map { .number($0) } ?? .command("?")]
    }
  }
}
