// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A key that a section knows: how its value is read, where it goes, and its shape for who writes the
/// schema. A section's list of these is all there is to know about it.
struct Key<Target> {
  let name: String
  let shape: Shape
  /// Reads the value into the target, or reports why not and leaves the target as it is.
  let apply: (inout Target, Node, Place, inout Report) -> Void

  init(name: String, shape: Shape, apply: @escaping (inout Target, Node, Place, inout Report) -> Void) {
    self.name = name
    self.shape = shape
    self.apply = apply
  }

  init<Value>(_ name: String, _ path: WritableKeyPath<Target, Value>, _ kind: ValueKind<Value>) {
    self.init(name: name, shape: kind.shape) { target, node, place, report in
      if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
    }
  }

  init<Value>(_ name: String, _ path: WritableKeyPath<Target, Value?>, _ kind: ValueKind<Value>) {
    self.init(name: name, shape: kind.shape) { target, node, place, report in
      if let value = kind.read(node, place, &report) { target[keyPath: path] = value }
    }
  }
}

/// What values a key takes, as far as a schema can say it.
enum Shape: Hashable {
  case boolean
  case text(maximum: Int)
  /// A string of some form that a person reads about in the shipped file.
  case form
  case color
  case duration
  case number(ClosedRange<Double>)
  case integers([Int])
  case integerRange(ClosedRange<Int>)
  case choice([String])
  case array
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
  /// As it stands between the brackets.
  let title: String
  let keys: [Key<Target>]

  /// Reads every entry of a table; what is not a table, and what no key knows, is reported.
  func apply(_ node: Node, to target: inout Target, _ report: inout Report, elsewhere: [String: String] = [:])
  {
    guard let entries = node.entries(title, &report) else { return }
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        key.apply(&target, entry.value, Place(key: key.name, section: title), &report)
      } else {
        report.unknownKey(
          entry.keyLocation, "unknown key \(entry.key.quoted) in [\(title)]",
          hint: hint(for: entry.key, elsewhere))
      }
    }
  }

  private func hint(for key: String, _ elsewhere: [String: String]) -> String {
    let names = keys.map(\.name)
    return Spelling.hint(for: key, among: names) ?? elsewhere[key]
      ?? "known are \(names.joined(separator: ", "))"
  }
}

extension Node {
  /// The entries of a table; reports anything else.
  func entries(_ title: String, _ report: inout Report) -> [Entry]? {
    if case .table(let entries) = value { return entries }
    var hint: String?
    if case .array = value { hint = "write [\(title)], not [[\(title)]]" }
    report.error(location, "[\(title)] must be a table, found \(found)", hint: hint)
    return nil
  }
}
