// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The files of the repository that are generated from the tables of keys in Sources/Settings: the reference config, the
/// JSON schema, and a part of the manual page.
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
    case noMarkers(String)

    package var description: String {
      switch self {
      case .unreadable(let error): "\(error)"
      case .noMarkers(let path): "\(path) has no lines '\(begin)' and '\(end)'"
      }
    }
  }

  /// The lines of the manual page that surround the generated part.
  static let begin = ".\\\" Begin of the part that `make docs` writes from Sources/Settings."
  static let end = ".\\\" End of the part that `make docs` writes."

  /// All generated files. The hand-written part of the manual page is read from the existing page.
  package static func all(root: String) throws(Problem) -> [File] {
    [
      File(path: "config/flipclock.toml", text: ReferenceConfig.text),
      File(path: "config/flipclock.schema.json", text: Schema.text),
      try manual("man/flipclock.toml.5", root: root),
    ]
  }

  private static func manual(_ path: String, root: String) throws(Problem) -> File {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try readFile("\(root)/\(path)", limit: 1 << 20) } catch {
      throw .unreadable(error)
    }
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
    guard let first = lines.firstIndex(of: begin), let last = lines.firstIndex(of: end), first < last else {
      throw .noMarkers(path)
    }
    let text = Manual.text.split(separator: "\n").map(String.init)
    lines.replaceSubrange((first + 1)..<last, with: text)
    return File(path: path, text: lines.joined(separator: "\n"))
  }
}
