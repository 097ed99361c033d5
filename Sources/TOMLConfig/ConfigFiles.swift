// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The files of a config, parsed, in the order in which they apply: each key is set by the last file that has
/// it. Tables merge deeply, and arrays replace one another.
///
/// What people have set without a file applies before all files. The order of tables with names is that of
/// the files all the same (`names`).
package struct ConfigFiles {
  /// The paths of the files that were read.
  package private(set) var paths: [String] = []
  /// What people have set without a file; nil: nothing.
  private var settings: Node?
  private var roots: [Node] = []
  private let advice: SyntaxAdvice

  package init(advice: SyntaxAdvice = SyntaxAdvice()) { self.advice = advice }

  /// Reads the files of `sources`. Never blocks.
  ///
  /// - Parameters:
  ///   - settings: what people have set without a file, with its path; nil: nothing.
  ///   - alternative: the hint if the named file is missing; it says what is read without a name.
  package init(
    reading sources: SettingsSources, after settings: (path: String, bytes: [UInt8])? = nil,
    advice: SyntaxAdvice,
    alternative: String, _ report: inout Report
  ) {
    self.init(advice: advice)
    if let settings { add(settings: settings.bytes, of: settings.path, &report) }
    addMainFile(sources, alternative, &report)
    for path in dropIns(sources, &report) { add(path, ConfigFile.read(path, reader: report.reader), &report) }
  }

  private mutating func addMainFile(
    _ sources: SettingsSources, _ alternative: String, _ report: inout Report
  ) {
    for path in sources.mainFiles {
      var content = ConfigFile.read(path, reader: report.reader)
      if case .missing = content {
        guard case .explicit = sources else { continue }
        content = .unreadable(
          message: ConfigFile.message(Errno(rawValue: ENOENT)), hint: alternative)
      }
      return add(path, content, &report)
    }
  }

  /// Adds a file. If it is not TOML, only its first mistake is reported.
  package mutating func add(_ path: String, _ content: ConfigFile.Content, _ report: inout Report) {
    switch content {
    case .missing, .masked: return
    case .unreadable(let message, let hint):
      report.error(
        Location(file: report.add(SourceFile(path: path)), line: 1, column: 1), message, hint: hint)
    case .bytes(let bytes):
      paths.append(path)
      if let root = parse(bytes, of: path, &report) { roots.append(root) }
    }
  }

  /// Adds what people have set without a file.
  package mutating func add(settings bytes: [UInt8], of path: String, _ report: inout Report) {
    settings = parse(bytes, of: path, &report)
  }

  /// Nil: it is not TOML, which was reported.
  private func parse(_ bytes: [UInt8], of path: String, _ report: inout Report) -> Node? {
    let file = report.add(SourceFile(path: path, bytes: bytes))
    do throws(SyntaxError) { return try Node.parse(bytes, file: file, advice: advice) } catch {
      report.error(
        Location(file: file, line: error.line, column: error.column), error.message, hint: error.hint)
      return nil
    }
  }

  /// The paths of the drop-ins in the order in which they apply. Of several with the same name, only the one
  /// in the first directory is included.
  private mutating func dropIns(_ sources: SettingsSources, _ report: inout Report) -> [String] {
    var chosen: [String: String] = [:]
    for directory in sources.dropInDirectories {
      guard let names = fileNames(in: directory) else {
        let error = Errno.current
        if error.rawValue == ENOENT { continue }
        add(directory, .unreadable(message: ConfigFile.message(error), hint: nil), &report)
        continue
      }
      for name in names where name.hasSuffix(".toml") && !name.hasPrefix(".") {
        if chosen[name] == nil { chosen[name] = "\(directory)/\(name)" }
      }
    }
    return chosen.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }
}

// MARK: What the files have

extension ConfigFiles {
  /// What is written, in the order in which it applies.
  private var layers: [Node] { (settings.map { [$0] } ?? []) + roots }

  /// All keys and values, with the names of their tables, in the order in which they apply.
  package var leaves: [(path: [String], entry: Node.Entry)] { layers.flatMap(\.leaves) }

  /// The keys outside of tables, and the tables, in the order in which they apply.
  var entries: [Node.Entry] { layers.flatMap(\.entries) }

  /// The names of the tables `[table.NAME]`: those in files, in the order of the files, then those that only
  /// the settings have. So a setting does not change the order of the tables in files.
  package func names(_ table: String) -> [String] {
    var names: [String] = []
    for root in roots + (settings.map { [$0] } ?? []) {
      for entry in root.entries where entry.key == table {
        for name in entry.value.entries.map(\.key) where !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// The entries at a path, in the order in which they apply: `entries("flip", "duration")`.
  package func entries(_ path: String...) -> [Node.Entry] { entries(path) }

  package func entries(_ path: [String]) -> [Node.Entry] {
    var found: [Node.Entry] = []
    var nodes = layers
    for name in path {
      found = nodes.flatMap { $0.entries.filter { $0.key == name } }
      nodes = found.map(\.value)
    }
    return found
  }

  /// The tables of this name, or what is written in place of one.
  package func nodes(_ table: String) -> [Node] { entries(table).map(\.value) }

  /// The names of all keys that the files have in a table.
  package func keys(_ table: String) -> Set<String> { Set(nodes(table).flatMap(\.entries).map(\.key)) }
}
