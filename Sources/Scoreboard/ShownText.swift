// SPDX-License-Identifier: Apache-2.0

/// Why a text cannot be shown as a name or as a message.
package enum TextProblem: Hashable, Sendable {
  /// There is no text, or no visible character.
  case empty
  /// The number of characters, and the maximum.
  case tooLong(Int, maximum: Int)
  /// A character with more combining marks than any script needs.
  case tooManyMarks
  case controlCharacter
  /// A character that changes the direction of the text around it.
  case directionControl

  /// The word of the interface's type `TextProblem`.
  package typealias RawValue = String

  package var rawValue: RawValue {
    switch self {
    case .empty: "empty"
    case .tooLong: "too_long"
    case .tooManyMarks: "too_many_marks"
    case .controlCharacter: "control_character"
    case .directionControl: "direction_control"
    }
  }
}

/// Rules for text that users put on the scoreboard: one line, in any script, with combining marks and emoji.
package enum ShownText {
  package static let nameLimit = 40
  package static let shortNameLimit = 8
  /// The maximum length of messages below the page, in characters.
  package static let messageLimit = 120

  /// The maximum length of the text of a board, in characters.
  package static let boardLimit = 4_000

  /// The maximum number of Unicode scalars in a character. A family emoji with skin tones has eleven; letters
  /// of all scripts have fewer.
  package static let scalarsPerCharacter = 16

  /// Checks a text.
  ///
  /// - Parameter maximum: the maximum number of characters, as readers count them.
  /// - Returns: nil if the text is valid.
  package static func problem(in text: String, maximum: Int) -> TextProblem? {
    let scalars = text.unicodeScalars
    for scalar in scalars {
      if scalar.properties.isBidiControl { return .directionControl }
      if isControl(scalar) { return .controlCharacter }
    }
    guard scalars.contains(where: isSeen) else { return .empty }
    let count = text.count
    guard count <= maximum else { return .tooLong(count, maximum: maximum) }
    guard text.allSatisfy({ $0.unicodeScalars.count <= scalarsPerCharacter }) else { return .tooManyMarks }
    return nil
  }

  /// Checks a text of several lines, which may be empty and contain tabs.
  ///
  /// - Parameter maximum: the maximum number of characters, line ends included.
  package static func problem(inLines text: String, maximum: Int) -> TextProblem? {
    let count = text.count
    guard count <= maximum else { return .tooLong(count, maximum: maximum) }
    for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\t" }) {
      if let problem = problem(in: String(line), maximum: maximum), problem != .empty { return problem }
    }
    return nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }
}
