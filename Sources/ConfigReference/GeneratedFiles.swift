// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The files of the repository that `make docs` writes, wholly or in part, from the tables of keys, of
/// commands and of the interface's methods, and from the enums of its errors.
package enum GeneratedFiles {
  /// A file, and what it should contain.
  package struct File {
    /// The path relative to the repository.
    package var path: String
    package var text: String
  }

  /// Why a file cannot be generated.
  package enum Problem: Error, CustomStringConvertible {
    case unreadable(SystemError)
    case noPart(String)

    package var description: String {
      switch self {
      case .unreadable(let error): "\(error)"
      case .noPart(let path): "\(path) does not show where the generated part begins and ends"
      }
    }
  }

  /// All generated files. Their hand-written parts are read from the existing files.
  package static func all(root: String) throws(Problem) -> [File] {
    [
      File(path: "config/flipclock.toml", text: ReferenceConfig.text),
      File(path: "config/flipclock.schema.json", text: Schema.text),
      File(path: "config/mqtt.toml", text: ReferenceConfig.mqttText),
      try document("man/flipclock.toml.5", from: "Sources/Settings", Manual.lines, root: root),
      try document("man/flipclock-mqtt.8", from: "Sources/MQTTConfig", Manual.mqttLines, root: root),
      try document("man/flipclockctl.1", from: "Sources/Commands", ManualSynopsis.lines, root: root),
      try document("docs/match-day.md", from: "Sources/Scoreboard", PresetReference.tables, root: root),
      try interface("Sources/ControlCalls/org.flipclock.Control.varlink", root: root),
    ]
  }

  /// A manual page or a document in Markdown, whose generated part is between two comments.
  private static func document(
    _ path: String, from source: String, _ part: [String], root: String
  ) throws(Problem) -> File {
    let (open, close) = path.hasSuffix(".md") ? ("<!-- ", " -->") : (".\\\" ", "")
    let begin = "\(open)Begin of the part that `make docs` writes from \(source).\(close)"
    let end = "\(open)End of the part that `make docs` writes.\(close)"
    var lines = try pieces(of: path, separatedBy: "\n", root: root)
    guard let first = lines.firstIndex(of: begin), let last = lines.firstIndex(of: end), first < last else {
      throw .noPart(path)
    }
    lines.replaceSubrange((first + 1)..<last, with: part)
    return File(path: path, text: lines.joined(separator: "\n"))
  }

  /// The interface file. Its generated part begins with the first paragraph that declares a method.
  private static func interface(_ path: String, root: String) throws(Problem) -> File {
    let paragraphs = try pieces(of: path, separatedBy: "\n\n", root: root)
    let written = paragraphs.prefix { !$0.split(separator: "\n").contains { $0.hasPrefix("method ") } }
    var errors: [String] = []
    for (path, name) in InterfaceErrors.sources {
      errors += InterfaceErrors.declarations(
        of: name, in: try pieces(of: path, separatedBy: "\n", root: root))
    }
    let text = (written + [InterfaceMethods.text] + errors).joined(separator: "\n\n")
    return File(path: path, text: text + "\n")
  }

  private static func pieces(
    of path: String, separatedBy separator: String, root: String
  ) throws(Problem) -> [String] {
    do throws(SystemError) {
      let text = String(decoding: try readFile("\(root)/\(path)", limit: 1 << 20), as: UTF8.self)
      return text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    } catch {
      throw .unreadable(error)
    }
  }
}
