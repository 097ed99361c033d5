// SPDX-License-Identifier: Apache-2.0

/// A key as the manual shows it.
package struct KeyReference: Hashable, Sendable {
  package var name: String
  package var shape: Shape
  /// Whole sentences, with backquotes around what is typed.
  package var text: String
  /// A value as the config writes it.
  package var example: String?
  package var isRequired: Bool
  /// The default as the config writes it; nil: there is none.
  package var standard: String?

  /// - Parameter standard: a target with the defaults; nil: the key has no default.
  package init<Target>(_ key: Key<Target>, standard: Target?) {
    name = key.name
    shape = key.shape
    text = key.text
    example = key.example
    isRequired = key.isRequired
    self.standard = standard.flatMap(key.written)
  }
}

/// A table as the manual and the reference config show it.
package struct TableReference: Hashable, Sendable {
  /// How the reference config shows a table that is not there by default.
  package struct Example: Hashable, Sendable {
    package var title: String
    /// The keys that are shown; nil: all.
    package var keys: Set<String>?
    /// Values that are shown instead of the examples of the keys.
    package var values: [String: String]

    package init(_ title: String, keys: Set<String>? = nil, values: [String: String] = [:]) {
      self.title = title
      self.keys = keys
      self.values = values
    }
  }

  /// The table's name; `NAME` and `ID` stand for names that the user chooses.
  package var title: String
  /// Paragraphs in the form of `KeyReference.text`, separated by blank lines.
  package var text: String
  package var keys: [KeyReference]
  /// The heading above the table in the reference config; nil: it belongs to the table before it.
  package var heading: String?
  /// Nil: the reference config shows the table with its defaults.
  package var example: Example?
  /// The title of the table whose keys this one has, besides its own.
  package var base: String?

  /// - Parameter standard: a target with the defaults; nil: the keys have no defaults.
  package init<Target>(
    _ section: Section<Target>, standard: Target?, heading: String? = nil, example: Example? = nil,
    base: String? = nil
  ) {
    title = section.title
    text = section.text
    keys = section.keys.map { KeyReference($0, standard: standard) }
    self.heading = heading
    self.example = example
    self.base = base
  }
}
