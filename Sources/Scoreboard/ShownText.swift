// SPDX-License-Identifier: Apache-2.0

/// Why a text cannot stand on the board.
public enum TextProblem: Hashable, Sendable {
  /// Nothing, or nothing that would be seen.
  case empty
  /// It has so many characters, and this many are allowed.
  case tooLong(Int, maximum: Int)
  /// A letter with more marks on it than any script needs.
  case tooManyMarks
  case controlCharacter
  /// Characters that turn the direction of the text around them.
  case directionControl
}

/// What people may write on the board: any script, combining marks and emoji, in one line.
public enum ShownText {
  public static let nameLimit = 40
  public static let shortNameLimit = 8
  /// Of what stands over the page for a while.
  public static let messageLimit = 120

  /// In Unicode scalars: a family in emoji is eleven, no letter of any script so many.
  static let scalarsPerCharacter = 16

  /// - Parameter maximum: characters as people count them.
  /// - Returns: nil when the text will do.
  public static func problem(in text: String, maximum: Int) -> TextProblem? {
    // First of all what bounds the work: letters are counted of what is short.
    let scalars = text.unicodeScalars
    let bytes = maximum * scalarsPerCharacter * 4
    guard text.utf8.count <= bytes else {
      // Text of any length is counted only as far as it takes to know that it is too long.
      let letters = text.prefix(maximum + 1).count
      return letters > maximum ? .tooLong(text.count, maximum: maximum) : .tooManyMarks
    }
    for scalar in scalars {
      if isDirectionControl(scalar) { return .directionControl }
      if isControl(scalar) { return .controlCharacter }
    }
    guard scalars.contains(where: isSeen) else { return .empty }
    guard text.count <= maximum else { return .tooLong(text.count, maximum: maximum) }
    guard text.allSatisfy({ $0.unicodeScalars.count <= scalarsPerCharacter }) else { return .tooManyMarks }
    return nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// ALM, LRM, RLM, the embeddings, overrides and isolates (UAX #9).
  private static func isDirectionControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }
}
