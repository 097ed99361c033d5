// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Spelling

/// How a value is read and checked.
struct ValueKind<Value> {
  let shape: Shape
  /// Nil when the value will not do, which has then been reported.
  let read: (Node, Place, inout Report) -> Value?
}

extension ValueKind where Value == Bool {
  static var boolean: ValueKind {
    ValueKind(shape: .boolean) { node, place, report in
      if case .boolean(let flag) = node.value { return flag }
      report.error(node.location, "\(place.description) must be true or false, found \(node.found)")
      return nil
    }
  }
}

extension ValueKind where Value == Double {
  /// A number without a unit.
  static func number(_ range: ClosedRange<Double>) -> ValueKind {
    ValueKind(shape: .number(range)) { node, place, report in
      let number: Double
      switch node.value {
      case .integer(let integer): number = Double(integer)
      case .float(let float): number = float
      default:
        report.error(node.location, "\(place.description) must be a number, found \(node.found)")
        return nil
      }
      guard range.contains(number) else {
        let bounds = "\(brief(range.lowerBound)) to \(brief(range.upperBound))"
        report.error(node.location, "\(place.description) must be from \(bounds), found \(number)")
        return nil
      }
      return number
    }
  }

  /// A string with its unit, `"250ms"`, `"1.5s"`, `"5min"` or `"2h"`, in seconds.
  ///
  /// - Parameter sensible: the least that a message suggests.
  static func duration(maximum: Double, sensible: Double = 0) -> ValueKind {
    ValueKind(shape: .duration) { node, place, report in
      switch node.value {
      case .string(let text):
        let seconds: Double
        do throws(DurationText.Problem) { seconds = try Units.seconds(text) } catch {
          let what = error == .noUnit ? "needs a unit" : "must be a duration"
          report.error(
            node.location, "\(place.description) \(what), found \(node.found)",
            hint: durationHint(error == .noUnit ? text : nil, sensible...maximum))
          return nil
        }
        guard seconds <= maximum else {
          let longest = DurationText.text(Int64((maximum * 1e9).rounded()))
          report.error(
            node.location, "\(place.description) must be from \"0s\" to \"\(longest)\", found \(text.quoted)")
          return nil
        }
        return seconds
      case .integer(let number):
        report.error(
          node.location, "\(place.description) needs a unit, found \(node.found)",
          hint: durationHint("\(number)", sensible...maximum))
      case .float(let number):
        report.error(
          node.location, "\(place.description) needs a unit, found \(node.found)",
          hint: durationHint("\(number)", sensible...maximum))
      default:
        report.error(
          node.location, "\(place.description) must be a duration, found \(node.found)",
          hint: durationHint(nil, sensible...maximum))
      }
      return nil
    }
  }

  /// What to write: the number with units, where that is in the range, else examples that are.
  private static func durationHint(_ number: String?, _ range: ClosedRange<Double>) -> String {
    var examples = number.map { number in ["s", "ms", "min"].map { number + $0 } } ?? []
    func fitting() -> [String] {
      examples.filter { example in
        (try? Units.seconds(example)).map { $0 > 0 && range.contains($0) } ?? false
      }
    }
    if fitting().isEmpty { examples = ["500ms", "2s", "30s", "5min", "1h"] }
    return "write " + fitting().prefix(2).map { "\"\($0)\"" }.joined(separator: " or ")
  }

  private static func brief(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension ValueKind where Value == UInt32 {
  /// `"#rrggbb"` or `"#rgb"`.
  static var color: ValueKind {
    ValueKind(shape: .color) { node, place, report in
      if case .string(let text) = node.value, let color = Units.color(text) { return color }
      report.error(
        node.location, "\(place.description) must be a colour, found \(node.found)",
        hint: "write \"#ff8800\" or \"#f80\"")
      return nil
    }
  }
}

extension ValueKind where Value == Int {
  static func integer(in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(shape: .integerRange(range)) { node, place, report in
      if case .integer(let number) = node.value, let number = Int(exactly: number), range.contains(number) {
        return number
      }
      report.error(
        node.location,
        "\(place.description) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "found \(node.found)")
      return nil
    }
  }

  static func integer(oneOf allowed: [Int]) -> ValueKind {
    ValueKind(shape: .integers(allowed)) { node, place, report in
      if case .integer(let number) = node.value, let number = Int(exactly: number), allowed.contains(number) {
        return number
      }
      let words = allowed.map(String.init)
      let choices = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      report.error(node.location, "\(place.description) must be \(choices), found \(node.found)")
      return nil
    }
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the words of an enumeration. Where `numbers` is set, words that are numbers may be written as
  /// such.
  static func choice(numbers: Bool = false) -> ValueKind {
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(shape: .choice(words)) { node, place, report in
      let word: String? =
        switch node.value {
        case .string(let text): text
        case .integer(let number) where numbers: String(number)
        default: nil
        }
      if let word, let value = Value(rawValue: word) { return value }
      let quoted = words.map { numbers ? $0 : "\"\($0)\"" }
      let choices = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
      report.error(
        node.location, "\(place.description) must be \(choices), found \(node.found)",
        hint: word.flatMap { Spelling.hint(for: $0, among: words) })
      return nil
    }
  }
}
