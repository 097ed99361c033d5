// SPDX-License-Identifier: Apache-2.0

import Spelling

/// How the values of a type are read, checked and written.
struct ValueKind<Value> {
  let shape: Shape
  /// Reads a value. Reports one that cannot be used, and then returns nil.
  let read: (Node, Place, inout Report) -> Value?
  /// A value as the config writes it; nil: the kind is used only for keys without a default.
  let write: (Value) -> String?

  init(
    shape: Shape, read: @escaping (Node, Place, inout Report) -> Value?,
    write: @escaping (Value) -> String? = { _ in nil }
  ) {
    self.shape = shape
    self.read = read
    self.write = write
  }

  /// A kind whose values are read by `accept`. If `accept` returns nil, the value is reported as not being `what`.
  init(
    shape: Shape, _ what: String, hint: String? = nil, write: @escaping (Value) -> String? = { _ in nil },
    accept: @escaping (Node.Value) -> Value?
  ) {
    self.init(
      shape: shape,
      read: { node, place, report in
        if let value = accept(node.value) { return value }
        report.mismatch(node, place, what, hint: hint)
        return nil
      }, write: write)
  }
}

extension ValueKind where Value == Bool {
  static var boolean: ValueKind {
    ValueKind(shape: .boolean, "true or false", write: { String($0) }) {
      if case .boolean(let flag) = $0 { flag } else { nil }
    }
  }
}

// MARK: Numbers

extension ValueKind where Value == Double {
  /// A number without a unit.
  static func number(_ range: ClosedRange<Double>) -> ValueKind {
    ValueKind(
      shape: .number(range),
      read: { node, place, report in
        let number: Double
        switch node.value {
        case .integer(let integer): number = Double(integer)
        case .float(let float): number = float
        default:
          report.mismatch(node, place, "a number")
          return nil
        }
        guard range.contains(number) else {
          let bounds = "\(Units.number(range.lowerBound)) to \(Units.number(range.upperBound))"
          report.error(node, place, "must be from \(bounds), found \(number)")
          return nil
        }
        return number
      }, write: { Units.number($0) })
  }

  /// A string with a percent sign, `"60%"`, as 0 … 1.
  static var percentage: ValueKind {
    ValueKind(
      shape: .percent(minimum: 0, hasFraction: true), "from \"0%\" to \"100%\"", hint: "write \"60%\"",
      write: { "\"\(Units.number($0 * 100))%\"" }
    ) {
      guard case .string(let text) = $0, text.hasSuffix("%"),
        let number = Units.decimal(text.dropLast(), fraction: true), number <= 100
      else { return nil }
      return number / 100
    }
  }
}

extension ValueKind where Value == Int {
  static func integer(in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(
      shape: .integer(range), "a whole number from \(range.lowerBound) to \(range.upperBound)",
      write: { String($0) }
    ) {
      guard case .integer(let number) = $0, let number = Int(exactly: number) else { return nil }
      return range.contains(number) ? number : nil
    }
  }

  static func integer(oneOf allowed: [Int]) -> ValueKind {
    ValueKind(
      shape: .integers(allowed), alternatives(allowed.map(String.init)), write: { String($0) }
    ) {
      guard case .integer(let number) = $0, let number = Int(exactly: number) else { return nil }
      return allowed.contains(number) ? number : nil
    }
  }

  /// A whole percentage up to 100, written as a string such as `"60%"`. The value is the number, here 60.
  static func percent(from minimum: Int) -> ValueKind {
    ValueKind(
      shape: .percent(minimum: minimum, hasFraction: false), "from \"\(minimum)%\" to \"100%\"",
      hint: "write \"60%\"", write: { "\"\($0)%\"" }
    ) {
      guard case .string(let text) = $0, text.hasSuffix("%"),
        let number = Units.decimal(text.dropLast(), fraction: false), number >= Double(minimum), number <= 100
      else { return nil }
      return Int(number)
    }
  }
}

extension ValueKind where Value == UInt32 {
  /// `"#rrggbb"` or `"#rgb"`.
  static var color: ValueKind {
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

extension ValueKind where Value == [Int] {
  /// 1 to 9 whole numbers from −999 to 999, each once and none of them 0.
  static var increments: ValueKind {
    ValueKind(
      shape: .array(of: .integer(-999...999), count: 1...9, isUnique: true),
      read: { node, place, report in
        var values: [Int] = []
        if case .array(let nodes) = node.value, (1...9).contains(nodes.count) {
          for case .integer(let number) in nodes.map(\.value) {
            if number != 0, (-999...999).contains(number), !values.contains(Int(number)) {
              values.append(Int(number))
            }
          }
          if values.count == nodes.count { return values }
        }
        report.error(
          node, place, "must be 1 to 9 whole numbers, each once, from -999 to 999 and not 0",
          hint: "write [1, 2, 3]")
        return nil
      })
  }
}

// MARK: Enumerations

extension ValueKind where Value: Equatable {
  /// One of several words.
  ///
  /// - Parameter asNumbers: the words are numbers, and may be written as numbers.
  static func choice(_ words: [(word: String, value: Value)], asNumbers: Bool = false) -> ValueKind {
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
          node, place, "\(choices)", hint: word.flatMap { Spelling.hint(for: $0, among: words.map(\.word)) })
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
  static func choice(asNumbers: Bool = false) -> ValueKind {
    .choice(Value.allCases.map { ($0.rawValue, $0) }, asNumbers: asNumbers)
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == Int {
  /// One of the numbers of an enumeration.
  static func choice() -> ValueKind {
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
