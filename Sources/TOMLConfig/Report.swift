// SPDX-License-Identifier: Apache-2.0

import Spelling

/// The file that a message names, with its lines for excerpts. A file or directory that could not be read, a
/// password file and the built-in config have no lines.
package struct SourceFile {
  var path: String
  private let lines: [ArraySlice<UInt8>]

  /// - Parameter bytes: the content; nil: messages show no line of the file.
  package init(path: String, bytes: [UInt8]? = nil) {
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

/// A problem that a check finds in a value.
package struct Problem: Hashable, Sendable {
  /// One clause without a full stop.
  package var message: String
  /// How to correct it, in one clause.
  package var hint: String?
  /// Whether the config cannot be used. Any other problem is an error in `check` and a warning in the daemon,
  /// which uses the config nevertheless.
  package var isFatal: Bool

  package init(_ message: String, hint: String? = nil, isFatal: Bool = false) {
    self.message = message
    self.hint = hint
    self.isFatal = isFatal
  }
}

/// A value that names something that is known only when all files have been read, such as a page.
package struct Reference {
  /// What is named: `page`.
  package var kind: String
  package var name: String
  package var place: Place
  package var location: Location
}

/// What the keys of a program need besides the files, such as checks and the language of texts.
package protocol ReadingContext {
  init()
}

/// Collects the mistakes in the files while they are read.
package struct Report {
  package enum Mode: Hashable, Sendable {
    /// The mode for a person who edits the config: an unknown key is an error.
    case check
    /// The mode for the daemon: an unknown key is a warning, and the rest of the config is used.
    case running
  }

  /// The maximum number of errors, and of warnings, that are reported. Further ones are only counted.
  package static let maximumDiagnostics = 100

  package let mode: Mode
  /// The user that has to be able to read the files, for hints.
  let reader: String
  private var files: [SourceFile] = []
  private var found: [(location: Location, diagnostic: Diagnostic)] = []
  private var errors = 0
  private var warnings = 0
  private var context: any ReadingContext
  /// The references, in the order in which they were read.
  package private(set) var references: [Reference] = []

  package init(mode: Mode, reader: String, context: any ReadingContext = NoContext()) {
    self.mode = mode
    self.reader = reader
    self.context = context
  }

  /// The context that the report was made with; a new one if that has another type.
  package subscript<Context: ReadingContext>(_ type: Context.Type) -> Context {
    get { context as? Context ?? Context() }
    set { context = newValue }
  }

  /// The diagnostics, in the order of the files and their lines, then the numbers of those that were only
  /// counted.
  package var diagnostics: [Diagnostic] {
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

  package var hasErrors: Bool { errors > 0 }

  /// A path that is written at `location`: a relative one begins at the directory of the file.
  package func path(_ path: String, fromFileOf location: Location) -> String {
    guard !path.hasPrefix("/"), files.indices.contains(location.file) else { return path }
    let file = files[location.file].path
    return file.lastIndex(of: "/").map { "\(file[...$0])\(path)" } ?? path
  }

  /// The path of the file and the line of a location.
  package func place(of location: Location) -> (file: String, line: Int) {
    (files.indices.contains(location.file) ? files[location.file].path : "", location.line)
  }

  /// Adds a file and returns its index, for locations.
  package mutating func add(_ file: SourceFile) -> Int {
    files.append(file)
    return files.count - 1
  }

  /// - Parameter mismatch: why a value is not accepted, if that has a kind that does not follow from the
  ///   shape of its key.
  package mutating func error(
    _ location: Location, _ message: String, hint: @autoclosure () -> String? = nil,
    mismatch: ShapeMismatch? = nil
  ) {
    add(.error, location, message, hint, mismatch)
  }

  package mutating func warning(
    _ location: Location, _ message: String, hint: @autoclosure () -> String? = nil
  ) {
    add(.warning, location, message, hint)
  }

  /// Reports a value that cannot be used.
  package mutating func error(
    _ node: Node, _ place: Place, _ message: String, hint: @autoclosure () -> String? = nil
  ) {
    error(node.location, "\(place.description) \(message)", hint: hint())
  }

  /// Reports a value that is not `what`.
  package mutating func mismatch(
    _ node: Node, _ place: Place, _ what: String, hint: @autoclosure () -> String? = nil
  ) {
    error(node, place, "must be \(what), found \(node.found)", hint: hint())
  }

  /// Reports an unknown key: an error in `check`, a warning in the daemon.
  package mutating func unknownKey(_ location: Location, _ message: String, hint: @autoclosure () -> String?)
  {
    unfit(location, message, hint: hint())
  }

  /// Reports a mistake with which the daemon can still use the config: an error in `check`, a warning in the
  /// daemon.
  ///
  /// - Parameter mismatch: as for `error`.
  package mutating func unfit(
    _ location: Location, _ message: String, hint: @autoclosure () -> String? = nil,
    mismatch: ShapeMismatch? = nil
  ) {
    add(mode == .check ? .error : .warning, location, message, hint, mismatch)
  }

  /// Reports the result of a check, unless it is nil.
  package mutating func report(_ problem: Problem?, at location: Location, in place: Place? = nil) {
    guard let problem else { return }
    let message = (place.map { "\($0.description): " } ?? "") + problem.message
    if problem.isFatal {
      error(location, message, hint: problem.hint)
    } else {
      unfit(location, message, hint: problem.hint)
    }
  }

  /// Remembers a reference, to be checked when all files have been read.
  package mutating func refer(to kind: String, _ name: String, _ place: Place, at location: Location) {
    references.append(Reference(kind: kind, name: name, place: place, location: location))
  }

  /// Reports the references of a kind whose names are not `known`.
  ///
  /// - Parameter hint: what to write instead of a name that is not similar to any; nil: the names that are
  ///   known.
  package mutating func resolve(
    _ kind: String, among known: [String], hint: (String) -> String? = { _ in nil }
  ) {
    for reference in references where reference.kind == kind && !known.contains(reference.name) {
      error(
        reference.location, "unknown \(kind) \(reference.name.quoted) in [\(reference.place.section)]",
        hint: Spelling.hint(for: reference.name, among: known) ?? hint(reference.name)
          ?? "known are \(known.joined(separator: ", "))")
    }
  }

  /// The location for something that no file has: the beginning of the first file, or of `built-in config`.
  package mutating func builtInLocation() -> Location {
    if files.isEmpty { _ = add(SourceFile(path: "built-in config")) }
    return Location(file: 0, line: 1, column: 1)
  }

  private mutating func add(
    _ severity: Diagnostic.Severity, _ location: Location, _ message: String, _ hint: () -> String?,
    _ mismatch: ShapeMismatch? = nil
  ) {
    switch severity {
    case .error: errors += 1
    case .warning: warnings += 1
    }
    guard (severity == .error ? errors : warnings) <= Self.maximumDiagnostics else { return }
    let file = files[location.file]
    let diagnostic = Diagnostic(
      severity: severity, file: file.path, line: location.line, column: location.column, message: message,
      hint: hint(), sourceLine: file.line(location.line), mismatch: mismatch)
    found.append((location, diagnostic))
  }
}

/// The context of a program whose keys need none.
package struct NoContext: ReadingContext {
  package init() {}
}
