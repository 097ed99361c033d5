// SPDX-License-Identifier: Apache-2.0

import Languages

/// The file that a message names, with its lines for excerpts. Without lines, it is a file or directory that could not
/// be read, or the built-in config.
struct SourceFile {
  var path: String
  private let lines: [ArraySlice<UInt8>]

  /// A file that could not be read has no lines.
  init(path: String, bytes: [UInt8]? = nil) {
    self.path = path
    guard let bytes else {
      lines = []
      return
    }
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The text of a line, from 1, without its end; bytes that are not UTF-8 are replaced.
  func line(_ number: Int) -> String? {
    guard number >= 1, number <= lines.count else { return nil }
    let line = lines[number - 1]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

/// Collects the mistakes in the files while they are read.
struct Report {
  /// The maximum number of errors, and of warnings, that are reported. Further ones are only counted.
  static let maximumDiagnostics = 100

  let mode: SettingsLoader.Mode
  private var files: [SourceFile] = []
  private var found: [(location: Location, diagnostic: Diagnostic)] = []
  private var errors = 0
  private var warnings = 0

  let checks: SettingsChecks
  /// The language of the display, in whose capitals some names are stored.
  var language = Language.english
  /// The commands of keys, which are checked when the whole configuration is known.
  private var commands: [(text: String, place: Place, location: Location)] = []

  init(mode: SettingsLoader.Mode, checks: SettingsChecks = SettingsChecks()) {
    self.mode = mode
    self.checks = checks
  }

  /// The diagnostics, in the order of the files and their lines, then the numbers of those that were only counted.
  var diagnostics: [Diagnostic] {
    let sorted = found.enumerated().sorted {
      ($0.element.location, $0.offset) < ($1.element.location, $1.offset)
    }
    var diagnostics = sorted.map(\.element.diagnostic)
    let counts: [(Diagnostic.Severity, Int)] = [(.error, errors), (.warning, warnings)]
    for (severity, count) in counts where count > Self.maximumDiagnostics {
      guard let last = diagnostics.last(where: { $0.severity == severity }) else { continue }
      let message = "and \(count - Self.maximumDiagnostics) more like these"
      diagnostics.append(
        Diagnostic(
          severity: severity, file: last.file, line: last.line, column: last.column, message: message))
    }
    return diagnostics
  }

  var hasErrors: Bool { errors > 0 }

  /// Adds a file and returns its index, for locations.
  mutating func add(_ file: SourceFile) -> Int {
    files.append(file)
    return files.count - 1
  }

  mutating func error(_ location: Location, _ message: String, hint: @autoclosure () -> String? = nil) {
    add(.error, location, message, hint)
  }

  mutating func warning(_ location: Location, _ message: String, hint: @autoclosure () -> String? = nil) {
    add(.warning, location, message, hint)
  }

  /// Reports a value that cannot be used.
  mutating func error(
    _ node: Node, _ place: Place, _ message: String, hint: @autoclosure () -> String? = nil
  ) {
    error(node.location, "\(place.description) \(message)", hint: hint())
  }

  /// Reports a value that is not `what`.
  mutating func mismatch(
    _ node: Node, _ place: Place, _ what: String, hint: @autoclosure () -> String? = nil
  ) {
    error(node, place, "must be \(what), found \(node.found)", hint: hint())
  }

  /// Reports one table too many.
  mutating func tooMany(_ tables: String, _ maximum: Int, at location: Location) {
    error(location, "at most \(maximum) tables [\(tables)] are allowed", hint: "remove one")
  }

  /// Reports an unknown key: an error in `check`, a warning in the daemon.
  mutating func unknownKey(_ location: Location, _ message: String, hint: @autoclosure () -> String?) {
    unfit(location, message, hint: hint())
  }

  /// Reports a mistake with which the daemon can still use the config: an error in `check`, a warning in the daemon.
  mutating func unfit(_ location: Location, _ message: String, hint: @autoclosure () -> String? = nil) {
    add(mode == .check ? .error : .warning, location, message, hint)
  }

  /// Reports the result of a check, unless it is nil.
  mutating func report(_ problem: SettingsChecks.Problem?, at location: Location, in place: Place? = nil) {
    guard let problem else { return }
    let message = (place.map { "\($0.description): " } ?? "") + problem.message
    if problem.isFatal {
      error(location, message, hint: problem.hint)
    } else {
      unfit(location, message, hint: problem.hint)
    }
  }

  mutating func checkLater(command text: String, _ place: Place, at location: Location) {
    commands.append((text, place, location))
  }

  /// Runs the checks that need the whole configuration.
  ///
  /// - Parameter location: where a widget, a page or a key is first named; nil: no file names it.
  mutating func check(
    _ configuration: Configuration, location: (SettingsChecks.Finding.Subject) -> Location?
  ) {
    for (text, place, location) in commands {
      report(checks.command(text, configuration), at: location, in: place)
      if let advice = checks.advice(text) {
        warning(location, "\(place.description): \(advice.message)", hint: advice.hint)
      }
    }
    guard !hasErrors else { return }
    for finding in checks.configuration(configuration) {
      let place = location(finding.subject)
      if place == nil, case .key = finding.subject { continue }
      warning(place ?? builtInLocation(), finding.message, hint: finding.hint)
    }
  }

  /// The location for something that no file names: the beginning of the first file.
  private mutating func builtInLocation() -> Location {
    if files.isEmpty { _ = add(SourceFile(path: "built-in config")) }
    return Location(file: 0, line: 1, column: 1)
  }

  private mutating func add(
    _ severity: Diagnostic.Severity, _ location: Location, _ message: String, _ hint: () -> String?
  ) {
    switch severity {
    case .error: errors += 1
    case .warning: warnings += 1
    }
    guard (severity == .error ? errors : warnings) <= Self.maximumDiagnostics else { return }
    let file = files[location.file]
    let diagnostic = Diagnostic(
      severity: severity, file: file.path, line: location.line, column: location.column, message: message,
      hint: hint(), sourceLine: file.line(location.line))
    found.append((location, diagnostic))
  }
}
