// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The result of reading the config.
package struct LoadResult: Equatable, Sendable {
  /// Nil when there is an error among the diagnostics.
  package var configuration: Configuration?
  /// The diagnostics in the order of the files and their lines.
  package var diagnostics: [Diagnostic] = []
  /// The files that were read, in the order in which they apply; empty: the built-in default is used.
  package var files: [String] = []
}

/// Reads config files into a `Configuration`.
package enum SettingsLoader {
  package enum Mode: Hashable, Sendable {
    /// The mode for a person who edits the config: an unknown key is an error.
    case check
    /// The mode for the daemon: an unknown key is a warning, and the rest of the config is used.
    case running
  }

  /// Reads the files of `sources` and reports their mistakes, up to `Report.maximumDiagnostics`. In a file that is not
  /// TOML, only the first mistake is reported. Never blocks.
  ///
  /// - Parameter environment: the value of an environment variable, for the language.
  package static func load(
    _ sources: SettingsSources, mode: Mode, checks: SettingsChecks = SettingsChecks(),
    environment: (String) -> String? = { _ in nil }
  ) -> LoadResult {
    var report = Report(mode: mode, checks: checks)
    var documents: [Node] = []
    var paths: [String] = []
    readMainFile(sources, &report, &documents, &paths)
    for path in dropIns(sources, &report) {
      read(path, ConfigFile.read(path), &report, &documents, &paths)
    }
    let configuration = decode(documents, &report, environment)
    return LoadResult(
      configuration: report.hasErrors ? nil : configuration, diagnostics: report.diagnostics, files: paths)
  }

  /// Loads texts from memory instead of files, in the order in which they apply.
  static func load(
    texts: [(path: String, bytes: [UInt8])], mode: Mode, checks: SettingsChecks = SettingsChecks(),
    environment: (String) -> String? = { _ in nil }
  ) -> LoadResult {
    var report = Report(mode: mode, checks: checks)
    var documents: [Node] = []
    var paths: [String] = []
    for (path, bytes) in texts { read(path, .bytes(bytes), &report, &documents, &paths) }
    let configuration = decode(documents, &report, environment)
    return LoadResult(
      configuration: report.hasErrors ? nil : configuration, diagnostics: report.diagnostics, files: paths)
  }

  private static func readMainFile(
    _ sources: SettingsSources, _ report: inout Report, _ documents: inout [Node], _ paths: inout [String]
  ) {
    for path in sources.mainFiles {
      let content = ConfigFile.read(path)
      if case .missing = content {
        guard case .explicit = sources else { continue }
        let hint =
          report.mode == .check
          ? "without a file those of /etc/flipclock are checked"
          : "without --config the files of /etc/flipclock are read, or the built-in default"
        let message = ConfigFile.message(Errno(rawValue: ENOENT))
        read(path, .unreadable(message: message, hint: hint), &report, &documents, &paths)
        return
      }
      read(path, content, &report, &documents, &paths)
      return
    }
  }

  private static func read(
    _ path: String, _ content: ConfigFile.Content, _ report: inout Report, _ documents: inout [Node],
    _ paths: inout [String]
  ) {
    switch content {
    case .missing, .masked: return
    case .unreadable(let message, let hint):
      let file = report.add(SourceFile(path: path))
      report.error(Location(file: file, line: 1, column: 1), message, hint: hint)
    case .bytes(let bytes):
      let file = report.add(SourceFile(path: path, bytes: bytes))
      paths.append(path)
      do {
        documents.append(try Node.parse(bytes, file: file))
      } catch {
        report.error(
          Location(file: file, line: error.line, column: error.column), error.message, hint: error.hint)
      }
    }
  }

  /// The paths of the drop-ins in the order in which they apply. Of several with the same name, only the one in the
  /// first directory is included.
  private static func dropIns(_ sources: SettingsSources, _ report: inout Report) -> [String] {
    var chosen: [String: String] = [:]
    for directory in sources.dropInDirectories {
      guard let names = fileNames(in: directory) else {
        let error = Errno.current
        if error.rawValue == ENOENT { continue }
        let file = report.add(SourceFile(path: directory))
        report.error(Location(file: file, line: 1, column: 1), ConfigFile.message(error))
        continue
      }
      for name in names where name.hasSuffix(".toml") && !name.hasPrefix(".") {
        if chosen[name] == nil { chosen[name] = "\(directory)/\(name)" }
      }
    }
    return chosen.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }
}
