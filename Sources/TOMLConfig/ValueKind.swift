// SPDX-License-Identifier: Apache-2.0

import Spelling

/// How the values of a type are read, checked and written.
package struct ValueKind<Value> {
  package let shape: Shape
  /// Reads a value. Reports one that cannot be used, and then returns nil.
  package let read: (Node, Place, inout Report) -> Value?
  /// A value as the config writes it; nil: the kind is used only for keys without a default.
  package let write: (Value) -> String?

  package init(
    shape: Shape, read: @escaping (Node, Place, inout Report) -> Value?,
    write: @escaping (Value) -> String? = { _ in nil }
  ) {
    self.shape = shape
    self.read = read
    self.write = write
  }

  /// A kind whose values are read by `accept`. If `accept` returns nil, the value is reported as not being
  /// `what`.
  package init(
    shape: Shape, _ what: String, hint: String? = nil, write: @escaping (Value) -> String? = { _ in nil },
    accept: @escaping (Node.Value) -> Value?
  ) {
    self.init(
      shape: shape,
      read: { node, place, report in
        if let value = accept(node.value) { return value }
        report.mismatch(node, place, what, hint: remedy(node.value, accept) ?? hint)
        return nil
      }, write: write)
  }
}

/// What to write instead of a value that would be accepted without its quotes.
private func remedy<Value>(_ value: Node.Value, _ accept: (Node.Value) -> Value?) -> String? {
  guard case .string(let text) = value else { return nil }
  let bare: Node.Value? =
    switch text {
    case "true", "false": .boolean(text == "true")
    default: Int64(text).map { .integer($0) } ?? Double(text).map { .float($0) }
    }
  return bare.flatMap(accept).map { _ in "write \(text) without quotes" }
}

extension ValueKind where Value == Bool {
  package static var boolean: ValueKind {
    ValueKind(shape: .boolean, "true or false", write: { String($0) }) {
      if case .boolean(let flag) = $0 { flag } else { nil }
    }
  }
}

// MARK: Numbers

extension ValueKind where Value == Double {
  /// A number without a unit.
  package static func number(_ range: ClosedRange<Double>) -> ValueKind {
    func number(_ value: Node.Value) -> Double? {
      switch value {
      case .integer(let integer): Double(integer)
      case .float(let float): float
      default: nil
      }
    }
    return ValueKind(
      shape: .number(range),
      read: { node, place, report in
        guard let number = number(node.value) else {
          report.mismatch(node, place, "a number", hint: remedy(node.value, number))
          return nil
        }
        guard range.contains(number) else {
          let bounds = "\(Units.number(range.lowerBound)) to \(Units.number(range.upperBound))"
          report.error(
            node, place, "must be from \(bounds), found \(number)",
            hint: nearest(number, in: range).map { "write \(Units.number($0))" })
          return nil
        }
        return number
      }, write: { Units.number($0) })
  }

  /// A string with a percent sign, `"60%"`, as 0 … 1.
  package static var percentage: ValueKind {
    ValueKind(
      shape: .percent(0...100, hasFraction: true),
      read: { node, place, report in
        readPercent(node, place, 0...100, hasFraction: true, &report).map { $0 / 100 }
      }, write: { "\"\(Units.number($0 * 100))%\"" })
  }
}

extension ValueKind where Value == Int {
  package static func integer(in range: ClosedRange<Int>) -> ValueKind {
    func accept(_ value: Node.Value) -> Int? {
      guard case .integer(let number) = value, let number = Int(exactly: number) else { return nil }
      return range.contains(number) ? number : nil
    }
    return ValueKind(
      shape: .integer(range),
      read: { node, place, report in
        if let number = accept(node.value) { return number }
        var hint = remedy(node.value, accept)
        if case .integer(let number) = node.value {
          hint = "write \(min(max(Int(clamping: number), range.lowerBound), range.upperBound))"
        }
        report.mismatch(
          node, place, "a whole number from \(range.lowerBound) to \(range.upperBound)", hint: hint)
        return nil
      }, write: { String($0) })
  }

  package static func integer(oneOf allowed: [Int]) -> ValueKind {
    ValueKind(
      shape: .integers(allowed), alternatives(allowed.map(String.init)), write: { String($0) }
    ) {
      guard case .integer(let number) = $0, let number = Int(exactly: number) else { return nil }
      return allowed.contains(number) ? number : nil
    }
  }

  /// A whole percentage, written as a string such as `"60%"`. The value is the number, here 60.
  ///
  /// - Parameter zeroHint: what to write instead of zero, if that is not allowed.
  package static func percent(
    from minimum: Int, to maximum: Int = 100, zeroHint: String? = nil
  ) -> ValueKind {
    ValueKind(
      shape: .percent(minimum...maximum, hasFraction: false),
      read: { node, place, report in
        readPercent(node, place, minimum...maximum, hasFraction: false, zeroHint: zeroHint, &report)
          .map { Int($0) }
      }, write: { "\"\($0)%\"" })
  }
}

/// A string with a percent sign, `"60%"`, as a number in `bounds`.
private func readPercent(
  _ node: Node, _ place: Place, _ bounds: ClosedRange<Int>, hasFraction: Bool, zeroHint: String? = nil,
  _ report: inout Report
) -> Double? {
  let range = Double(bounds.lowerBound)...Double(bounds.upperBound)
  if case .string(let text) = node.value, text.hasSuffix("%"),
    let number = Units.decimal(text.dropLast(), fraction: hasFraction), range.contains(number)
  {
    return number
  }
  // The number that was probably meant: 10 is 10 %, and so is 0.1.
  let meant: Double? =
    switch node.value {
    case .integer(let number): Double(number)
    case .float(let number): number > 0 && number <= 1 ? number * 100 : number
    case .string(let text): Units.signedDecimal(text.filter { $0 != "%" && $0 != " " })
    default: nil
    }
  let example = meant.flatMap { nearest($0.rounded(), in: range) }.map { Int($0) }
  report.mismatch(
    node, place, "from \"\(bounds.lowerBound)%\" to \"\(bounds.upperBound)%\"",
    hint: (meant == 0 ? zeroHint : nil) ?? "write \"\(example ?? min(60, bounds.upperBound))%\"")
  return nil
}

/// The number in a range that is nearest to another one, for hints; nil for NaN.
func nearest(_ number: Double, in range: ClosedRange<Double>) -> Double? {
  number.isNaN ? nil : min(max(number, range.lowerBound), range.upperBound)
}

extension ValueKind where Value == UInt32 {
  /// `"#rrggbb"` or `"#rgb"`.
  package static var color: ValueKind {
    ValueKind(
      shape: .color, "a colour", hint: "write \"#ff8800\" or \"#f80\"",
      write: { color in
        let digits = String(color, radix: 16)
        return "\"#\(String(repeating: "0", count: max(6 - digits.count, 0)))\(digits)\""
      }
    ) {
      if case .string(let text) = $0 { Units.color(text) } else { nil }
    }
  }
}

// MARK: Enumerations

extension ValueKind where Value: Equatable {
  /// One of several words.
  ///
  /// - Parameters:
  ///   - asNumbers: the words are numbers, and may be written as numbers.
  ///   - hint: what to write instead of a word that is not similar to any of them.
  package static func choice(
    _ words: [(word: String, value: Value)], asNumbers: Bool = false,
    hint: @escaping (String) -> String? = { _ in nil }
  ) -> ValueKind {
    ValueKind(
      shape: .choice(words.map(\.word), asNumbers: asNumbers),
      read: { node, place, report in
        let word: String? =
          switch node.value {
          case .string(let text): text
          case .integer(let number) where asNumbers: String(number)
          default: nil
          }
        if let known = words.first(where: { $0.word == word }) { return known.value }
        let choices = alternatives(
          words.map { asNumbers && Int($0.word) != nil ? $0.word : "\"\($0.word)\"" })
        report.mismatch(
          node, place, "\(choices)",
          hint: word.flatMap { Spelling.hint(for: $0, among: words.map(\.word)) ?? hint($0) })
        return nil
      },
      write: { value in
        words.first { $0.value == value }.map {
          asNumbers && Int($0.word) != nil ? $0.word : "\"\($0.word)\""
        }
      })
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
  /// One of the words of an enumeration.
  package static func choice(asNumbers: Bool = false) -> ValueKind {
    .choice(Value.allCases.map { ($0.rawValue, $0) }, asNumbers: asNumbers)
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == Int {
  /// One of the numbers of an enumeration.
  package static func choice() -> ValueKind {
    let numbers = ValueKind<Int>.integer(oneOf: Value.allCases.map(\.rawValue))
    return ValueKind(
      shape: numbers.shape,
      read: { node, place, report in numbers.read(node, place, &report).flatMap(Value.init(rawValue:)) },
      write: { numbers.write($0.rawValue) })
  }
}

/// `a, b or c`
private func alternatives(_ words: [String]) -> String {
  words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
}
