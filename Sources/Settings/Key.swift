// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A key of a table: how its value is read and written, and what the manual says about it.
///
/// The lists of keys define the config completely. Reading, the hints of messages, the JSON schema, the reference
/// config and the manual page are derived from them.
package struct Key<Target> {
  let name: String
  let shape: Shape
  /// The manual's text about the key: whole sentences, with backquotes around what is typed. It contains every word
  /// that the key accepts. The bounds of numbers and texts, and the default, are added automatically.
  let text: String
  /// A value as the config writes it, for a key without a default.
  var example: String?
  /// The target's value as the config writes it; nil: the target has none.
  let written: (Target) -> String?
  /// Reads the value into the target. Reports a value that cannot be used and does not store it.
  let apply: (inout Target, Node, Place, inout Report) -> Void
}

extension Key {
  init<Value>(
    _ name: String, _ path: WritableKeyPath<Target, Value>, _ kind: ValueKind<Value>, _ text: String,
    example: String? = nil
  ) {
    self.init(
      name: name, shape: kind.shape, text: text, example: example,
      written: { target in kind.write(target[keyPath: path]) },
      apply: { target, node, place, report in
        if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
      })
  }

  init<Value>(
    _ name: String, _ path: WritableKeyPath<Target, Value?>, _ kind: ValueKind<Value>, _ text: String,
    example: String? = nil
  ) {
    self.init(
      name: name, shape: kind.shape, text: text, example: example,
      written: { target in target[keyPath: path].flatMap(kind.write) },
      apply: { target, node, place, report in
        if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
      })
  }

  /// This key as a key of `Whole`, which contains the target.
  func part<Whole>(of path: WritableKeyPath<Whole, Target>) -> Key<Whole> {
    Key<Whole>(
      name: name, shape: shape, text: text, example: example,
      written: { whole in written(whole[keyPath: path]) },
      apply: { whole, node, place, report in apply(&whole[keyPath: path], node, place, &report) })
  }
}

/// The values that a key accepts, as far as a JSON schema can describe them.
package indirect enum Shape: Hashable, Sendable {
  case boolean
  /// A string of at most `maximum` characters.
  case text(maximum: Int)
  /// A string of a certain form, as far as a regular expression can describe it.
  case form(pattern: String?, maximum: Int?)
  /// `"#rrggbb"` or `"#rgb"`.
  case color
  /// A string with a unit. The bound is in seconds.
  case duration(maximum: Double)
  /// `"10:00"`, or a duration.
  case clockTime
  /// `"60%"`, up to 100 %.
  case percent(minimum: Int, hasFraction: Bool)
  case number(ClosedRange<Double>)
  case integer(ClosedRange<Int>)
  case integers([Int])
  /// One of several strings; where `asNumbers` is set, words that are numbers may be written without quotes.
  case choice([String], asNumbers: Bool)
  case array(of: Shape, count: ClosedRange<Int>, isUnique: Bool)
  /// An array of widgets' names and of arrays of them.
  case rows(maximum: Int)
  /// A table that is described separately: `[game.counters.ID]` or `[input.keys]`.
  case table
}

/// A key and its table, for messages.
struct Place {
  var key: String
  var section: String

  /// `'card' in [display]`
  var description: String { section.isEmpty ? key.quoted : "\(key.quoted) in [\(section)]" }
}

/// A table whose keys are known.
struct Section<Target> {
  /// The table's name, as it is written between the brackets.
  let title: String
  /// What the manual says about the table as a whole, in the form of `Key.text`. A blank line ends a paragraph.
  let text: String
  let keys: [Key<Target>]

  /// Reads every entry of a table. Anything that is not a table, and every unknown key, is reported.
  ///
  /// - Parameter elsewhere: hints for keys that other tables have, by the key's name.
  func apply(
    _ node: Node, to target: inout Target, _ report: inout Report,
    elsewhere: @autoclosure () -> [String: String] = [:]
  ) {
    guard let entries = node.entries(title, &report) else { return }
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        key.apply(&target, entry.value, Place(key: key.name, section: title), &report)
      } else {
        let names = keys.map(\.name)
        report.unknownKey(
          entry.keyLocation, "unknown key \(entry.key.quoted) in [\(title)]",
          hint: Spelling.hint(for: entry.key, among: names) ?? elsewhere()[entry.key]
            ?? "known are \(names.joined(separator: ", "))")
      }
    }
  }
}

extension Node {
  /// The tables `[title.NAME]`. If there is a key in place of a name, the missing name is reported, and the result is nil.
  ///
  /// - Parameters:
  ///   - example: a name.
  ///   - keys: the keys of such a table.
  func tables(_ title: String, example: String, keys: [String], _ report: inout Report) -> [Entry]? {
    guard let entries = entries(title, &report) else { return nil }
    let loose = entries.first { entry in
      if case .table = entry.value.value { false } else { keys.contains(entry.key) }
    }
    guard let loose else { return entries }
    report.error(
      loose.keyLocation, "\(loose.key.quoted) below [\(title)], which has only tables with names",
      hint: "write [\(title).\(example)] above it")
    return nil
  }

  /// The entries of a table. Anything else is reported, and the result is nil.
  func entries(_ title: String, _ report: inout Report) -> [Entry]? {
    if case .table(let entries) = value { return entries }
    var hint: String?
    if case .array = value { hint = "write [\(title)], not [[\(title)]]" }
    report.error(location, "[\(title)] must be a table, found \(found)", hint: hint)
    return nil
  }
}
