// SPDX-License-Identifier: Apache-2.0

/// A key of a table: how its value is read and written, and what the manual says about it.
///
/// The lists of keys define the config completely. Reading, the hints of messages, the JSON schema, the
/// reference config and the manual page are derived from them.
package struct Key<Target> {
  package let name: String
  package let shape: Shape
  /// The manual's text about the key: whole sentences, with backquotes around what is typed. It contains
  /// every word that the key accepts. The bounds of numbers and texts, and the default, are added
  /// automatically.
  package let text: String
  /// A value as the config writes it, for a key without a default.
  package var example: String?
  /// Whether a table without the key is refused (`Section.reportMissing`).
  package var isRequired: Bool
  /// The target's value as the config writes it; nil: the target has none.
  package let written: (Target) -> String?
  /// Reads the value into the target. Reports a value that cannot be used and does not store it.
  package let apply: (inout Target, Node, Place, inout Report) -> Void

  package init(
    name: String, shape: Shape, text: String, example: String? = nil, isRequired: Bool = false,
    written: @escaping (Target) -> String? = { _ in nil },
    apply: @escaping (inout Target, Node, Place, inout Report) -> Void
  ) {
    self.name = name
    self.shape = shape
    self.text = text
    self.example = example
    self.isRequired = isRequired
    self.written = written
    self.apply = apply
  }
}

extension Key {
  package init<Value>(
    _ name: String, _ path: WritableKeyPath<Target, Value>, _ kind: ValueKind<Value>, _ text: String,
    example: String? = nil, isRequired: Bool = false
  ) {
    self.init(
      name: name, shape: kind.shape, text: text, example: example, isRequired: isRequired,
      written: { target in kind.write(target[keyPath: path]) },
      apply: { target, node, place, report in
        if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
      })
  }

  package init<Value>(
    _ name: String, _ path: WritableKeyPath<Target, Value?>, _ kind: ValueKind<Value>, _ text: String,
    example: String? = nil, isRequired: Bool = false
  ) {
    self.init(
      name: name, shape: kind.shape, text: text, example: example, isRequired: isRequired,
      written: { target in target[keyPath: path].flatMap(kind.write) },
      apply: { target, node, place, report in
        if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
      })
  }

  /// This key as a key of `Whole`, which contains the target.
  package func part<Whole>(of path: WritableKeyPath<Whole, Target>) -> Key<Whole> {
    Key<Whole>(
      name: name, shape: shape, text: text, example: example, isRequired: isRequired,
      written: { whole in written(whole[keyPath: path]) },
      apply: { whole, node, place, report in apply(&whole[keyPath: path], node, place, &report) })
  }
}

/// The values that a key accepts, as far as a JSON schema can describe them.
package indirect enum Shape: Hashable, Sendable {
  case boolean
  /// A string of at most `maximum` characters.
  case text(maximum: Int)
  /// A string of a certain form, as far as a regular expression can describe it. `example` is for people who
  /// set the key without a file.
  case form(pattern: String?, maximum: Int?, example: String? = nil)
  /// `"#rrggbb"` or `"#rgb"`.
  case color
  /// A string with a unit. The bound is in seconds.
  case duration(maximum: Double)
  /// `"10:00"`, or a duration.
  case clockTime
  /// `"60%"`, up to 100 %.
  case percent(ClosedRange<Int>, hasFraction: Bool)
  case number(ClosedRange<Double>)
  /// A whole number, or a word.
  case integer(ClosedRange<Int>, or: String? = nil)
  case integers([Int])
  /// One of several strings; where `asNumbers` is set, words that are numbers may be written without quotes.
  case choice([String], asNumbers: Bool)
  case array(of: Shape, count: ClosedRange<Int>, isUnique: Bool)
  /// An array of widgets' names and of arrays of them.
  case rows(maximum: Int)
  /// A table that is described separately.
  case table
}

/// A key and its table, for messages.
package struct Place {
  package var key: String
  package var section: String

  package init(key: String, section: String) {
    self.key = key
    self.section = section
  }

  /// `'card' in [display]`
  package var description: String { section.isEmpty ? key.quoted : "\(key.quoted) in [\(section)]" }
}
