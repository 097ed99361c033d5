// SPDX-License-Identifier: Apache-2.0

/// Why a setting or a file of settings is refused.
package enum SettingsProblem: Error, Hashable {
  /// People do not set this key without a file.
  case unknownKey(String, hint: String?)
  /// The text is not TOML, or has a value that no key accepts.
  case malformed(String)
  /// The key does not accept the value. Without a kind, only the reason says why.
  case refused(key: String, reason: String, ShapeMismatch?)
  /// The config would have a mistake that is not in the settings, or has it anyway. `place` is the path of
  /// the file and the line.
  case mistake(place: String, reason: String)

  package var message: String {
    switch self {
    case .unknownKey(let key, _): "'\(key)' cannot be set without a file"
    case .malformed(let reason), .refused(_, let reason, _), .mistake(_, let reason): reason
    }
  }
}

/// What people have set without a file: a config file that a program writes. All other files have precedence
/// over it.
package struct StoredSettings<Selection: OwnerSelection>: Hashable, Sendable {
  package typealias Problem = SettingsProblem

  private struct Entry: Hashable {
    var path: [String]
    /// As the file writes it.
    var value: String
  }

  private var entries: [Entry] = []

  package init() {}

  /// Reads a file.
  ///
  /// - Parameter path: the file's name, for messages.
  package init(reading bytes: [UInt8], of path: String) throws(Problem) {
    var report = Report(mode: .check, reader: Selection.reader)
    var files = ConfigFiles()
    files.add(path, .bytes(bytes), &report)
    if let diagnostic = report.diagnostics.first { throw .malformed(diagnostic.summary) }
    for (path, entry) in files.leaves {
      guard let value = entry.value.written else {
        throw .malformed("'\(path.joined(separator: "."))' is \(entry.value.found)")
      }
      set(try Self.key(path), path, value)
    }
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// - Parameters:
  ///   - key: the table and the key: `teams.home.name`.
  ///   - text: the value, a string without quotes; nil: the key, or all keys of the table, are removed.
  package mutating func set(_ key: String, to text: String?) throws(Problem) {
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let text else {
      if !Selection.keys.contains(where: { $0.isAtOrBelow(path) }) { throw Self.unknown(path) }
      return entries.removeAll { $0.path.starts(with: path) }
    }
    let known = try Self.key(path)
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .refused(
        key: key, reason: "the value has a control character, such as a tab", .controlCharacter)
    }
    set(known, path, known.written(text))
  }

  private static func key(_ path: [String]) throws(Problem) -> OwnerKey {
    guard let key = Selection.key(at: path) else { throw unknown(path) }
    return key
  }

  private static func unknown(_ path: [String]) -> Problem {
    let name = path.joined(separator: ".")
    return .unknownKey(name, hint: Selection.hint(for: name))
  }

  private mutating func set(_ key: OwnerKey, _ path: [String], _ value: String) {
    if let index = entries.firstIndex(where: { $0.path == path }) { return entries[index].value = value }
    // After the keys of its table, or else after the tables before it: the order of teams counts.
    let index =
      entries.lastIndex { $0.path.dropLast() == path.dropLast() }
      ?? entries.lastIndex {
        (Selection.key(at: $0.path).map(Selection.rank) ?? 0) <= Selection.rank(of: key)
      }
    entries.insert(Entry(path: path, value: value), at: index.map { $0 + 1 } ?? 0)
  }

  // MARK: The file

  /// The lines of the file, with the key that is set on each; the first one of a table for its header.
  private var lines: [(text: String, key: String?)] {
    var lines: [(String, String?)] = Selection.introduction.map { ($0, nil) }
    var table: ArraySlice<String> = []
    for entry in entries {
      let key = entry.path.joined(separator: ".")
      if entry.path.dropLast() != table {
        table = entry.path.dropLast()
        lines += [("", nil), ("[\(table.joined(separator: "."))]", key)]
      }
      lines.append(("\(entry.path[table.count]) = \(entry.value)", key))
    }
    return lines
  }

  /// The content of the file.
  package var text: String { lines.map { "\($0.text)\n" }.joined() }

  /// Why a key that is set does not accept its value, as far as that depends only on the key.
  package func mismatch(of key: String) -> ShapeMismatch? {
    guard let entry = entry(key), let node = Node(written: entry.value) else { return nil }
    return shape(of: key)?.mismatch(node)
  }

  private func entry(_ key: String) -> Entry? { entries.first { $0.path.joined(separator: ".") == key } }

  private func shape(of key: String) -> Shape? { entry(key).flatMap { Selection.key(at: $0.path)?.shape } }

  /// These settings without those with which a config has errors: those that an error names, or all of them
  /// if an error of another file is due to them. Nil: the config has errors without them, too.
  ///
  /// - Parameters:
  ///   - path: the path of the file of the settings.
  ///   - diagnostics: checks a config with these settings.
  package func withoutMistakes(in path: String, _ diagnostics: (Self) -> [Diagnostic]) -> Self? {
    var kept = self
    while true {
      let errors = diagnostics(kept).filter { $0.severity == .error }
      if errors.isEmpty { return kept }
      if kept.isEmpty { return nil }
      let key = errors.first { $0.file == path }.flatMap { kept.key(onLine: $0.line) }
      kept.entries.removeAll { key == nil || $0.path.joined(separator: ".") == key }
    }
  }

  /// Why a config with these settings is refused: the first of its mistakes; nil: there is none.
  ///
  /// - Parameters:
  ///   - path: the path of the file of the settings.
  ///   - changed: the keys that were changed. A warning about another key is not a reason to refuse these.
  ///   - unused: the settings before, if some have errors and are not used. They may be removed one after
  ///     another.
  package func refusal(
    by diagnostics: [Diagnostic], in path: String, of changed: [String], repairing unused: Self?
  ) -> Problem? {
    if let unused, Set(keys).isStrictSubset(of: unused.keys) { return nil }
    for diagnostic in diagnostics {
      let key = diagnostic.file == path ? self.key(onLine: diagnostic.line) : nil
      guard diagnostic.severity == .error || key.map(changed.contains) ?? false else { continue }
      guard let key else {
        return .mistake(place: "\(diagnostic.file):\(diagnostic.line)", reason: diagnostic.summary)
      }
      return .refused(
        key: key, reason: [diagnostic.message, diagnostic.hint].compactMap { $0 }.joined(separator: "; "),
        diagnostic.mismatch ?? mismatch(of: key)
          ?? (isAboutValue(diagnostic) ? shape(of: key)?.unknownForm : nil))
    }
    return nil
  }

  /// Whether a mistake on a line of the file is at the value, and not at the key or its table.
  private func isAboutValue(_ diagnostic: Diagnostic) -> Bool {
    !lines[diagnostic.line - 1].text.hasPrefix("[") && diagnostic.column > 1
  }

  /// The keys that are set.
  package var keys: [String] { entries.map { $0.path.joined(separator: ".") } }

  /// The key on a line of the file, from 1; the first one of a table for its header.
  package func key(onLine line: Int) -> String? {
    lines.indices.contains(line - 1) ? lines[line - 1].key : nil
  }
}

/// A key that people set without a file, and what sets it now.
package struct OwnerSetting: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    /// No file.
    case standard
    /// `StoredSettings`.
    case settings
    /// A file of the config, which has precedence, or a table of it that excludes the key.
    case config(file: String, line: Int)
  }

  package var key: String
  package var shape: Shape
  /// A string without quotes; nil: no file has it.
  package var value: String?
  package var origin = Origin.standard
  /// The value that it has if no file sets it, without quotes; nil: it has none, or it depends on more.
  package var standard: String?
}
