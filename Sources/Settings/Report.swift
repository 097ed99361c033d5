// SPDX-License-Identifier: Apache-2.0

/// A file that was read.
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

  /// The text of a line, from 1, without its end; what is not UTF-8 is replaced.
  func line(_ number: Int) -> String? {
    guard number >= 1, number <= lines.count else { return nil }
    let line = lines[number - 1]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

/// Collects what is wrong while the files are read.
struct Report {
  /// More errors than these, or more warnings, are counted and not told: nobody reads them, and a megabyte
  /// of nonsense has many.
  static let maximumDiagnostics = 100

  let mode: SettingsLoader.Mode
  private var files: [SourceFile] = []
  private var found: [(location: Location, diagnostic: Diagnostic)] = []
  private var errors = 0
  private var warnings = 0

  /// What is wrong with the words of a command, which the rooms above know.
  let commandProblem: (String) -> String?

  init(mode: SettingsLoader.Mode, commandProblem: @escaping (String) -> String? = { _ in nil }) {
    self.mode = mode
    self.commandProblem = commandProblem
  }

  /// The diagnostics, in the order of the files and their lines.
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

  /// The index of the file in locations.
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

  /// A key that nothing reads: an error for who checks a file; while running the rest of the file is worth
  /// more.
  mutating func unknownKey(_ location: Location, _ message: String, hint: @autoclosure () -> String?) {
    add(mode == .check ? .error : .warning, location, message, hint)
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
