// SPDX-License-Identifier: Apache-2.0

/// Why a key does not accept a value. It has no words, so that a phone can say it in its own language.
package enum ShapeMismatch: Hashable, Sendable {
  /// The value is not from `least` to `most`, as the config writes them without quotes.
  case range(least: String, most: String)
  case choice([String])
  case tooLong(maximum: Int)
  /// The value is written in another form, such as `example`.
  case form(example: String)
  /// The text has no characters.
  case empty
  case controlCharacter
  /// The text has characters that change its direction.
  case directionControl
  /// An entry of the schedule would begin and end at this time.
  case sameTime
}

extension Shape {
  /// Why a value does not have this shape, as far as that depends only on the key; nil: it has it, or its
  /// mistake has no kind.
  func mismatch(_ node: Node) -> ShapeMismatch? {
    switch self {
    case .boolean:
      if case .boolean = node.value { nil } else { .choice(["true", "false"]) }
    case .text(let maximum): node.isLonger(than: maximum) ? .tooLong(maximum: maximum) : nil
    case .form(_, let maximum?, _): node.isLonger(than: maximum) ? .tooLong(maximum: maximum) : nil
    case .color: node.string.flatMap(Units.color) == nil ? .form(example: "#ff8800") : nil
    case .duration(let maximum):
      if let seconds = node.string.flatMap({ try? Units.seconds($0) }) {
        seconds > maximum ? .range(least: "0s", most: Units.duration(maximum)) : nil
      } else {
        .form(example: "30s")
      }
    case .clockTime:
      if let text = node.string, let seconds = (try? Units.seconds(text)) ?? Units.clock(text),
        seconds <= 359_999
      {
        nil
      } else {
        .form(example: "10:00")
      }
    case .percent(let range, let hasFraction):
      percentMismatch(node, range, hasFraction: hasFraction)
    case .number(let range):
      node.number.map(range.contains) == true
        ? nil : .range(least: Units.number(range.lowerBound), most: Units.number(range.upperBound))
    case .integer(let range, let word):
      node.string == word && word != nil || node.integer.map(range.contains) == true
        ? nil : .range(least: "\(range.lowerBound)", most: "\(range.upperBound)")
    case .integers(let allowed):
      node.integer.map(allowed.contains) == true ? nil : .choice(allowed.map(String.init))
    case .choice(let words, let asNumbers):
      (node.string ?? (asNumbers ? node.integer.map(String.init) : nil)).map(words.contains) == true
        ? nil : .choice(words)
    case .form(_, nil, _), .array, .rows, .table: nil
    }
  }
}

extension Shape {
  private func percentMismatch(
    _ node: Node, _ range: ClosedRange<Int>, hasFraction: Bool
  ) -> ShapeMismatch? {
    let text = node.string.flatMap { $0.hasSuffix("%") ? $0.dropLast() : nil }
    guard let number = text.flatMap({ Units.decimal($0, fraction: true) }) else {
      return .form(example: "\(range.upperBound)%")
    }
    guard Double(range.lowerBound)...Double(range.upperBound) ~= number else {
      return .range(least: "\(range.lowerBound)%", most: "\(range.upperBound)%")
    }
    return hasFraction || number == number.rounded() ? nil : .form(example: "\(Int(number.rounded()))%")
  }
}

extension Shape {
  /// Why a value is refused that is not known to be a mismatch: only its key knows the form, such as the
  /// names of time zones.
  var unknownForm: ShapeMismatch? {
    if case .form(_, _, let example?) = self { .form(example: example) } else { nil }
  }
}

extension Node {
  fileprivate func isLonger(than maximum: Int) -> Bool { string.map { $0.count > maximum } ?? false }

  fileprivate var integer: Int? {
    if case .integer(let number) = value { Int(exactly: number) } else { nil }
  }

  fileprivate var number: Double? {
    switch value {
    case .integer(let number): Double(number)
    case .float(let number): number
    default: nil
    }
  }
}
