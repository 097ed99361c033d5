// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A password that was read from a file.
package struct Secret: Hashable, Sendable {
  package var file: String
  package var text: String

  package init(file: String, text: String) {
    self.file = file
    self.text = text
  }
}

/// Checks the files that a config names.
enum NamedFile {
  static let passwordLimit = 4_096

  /// Why the file cannot be used, and what to do.
  struct Failure: Error {
    var message: String
    var hint: String?
  }

  /// The file must be regular, and this process must be able to read it.
  ///
  /// - Parameter isSecret: whether only its group may read it besides its owner, and only its owner may write
  ///   to it. The owner must be root or the user of this process.
  static func check(_ path: String, isSecret: Bool, reader: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path, reader) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(message: "\(path.quoted) is not a file") }
    if isSecret {
      let mode = status.st_mode & 0o777
      if mode & 0o027 != 0 {
        let octal = "0" + String(mode, radix: 8)
        throw Failure(
          message: mode & 0o007 != 0
            ? "\(path.quoted) is open to other users (mode \(octal))"
            : "the group can write to \(path.quoted) (mode \(octal))",
          hint: "run: chmod 640 \(path.withoutControls)")
      }
      guard status.st_uid == 0 || status.st_uid == geteuid() else {
        throw Failure(
          message: "\(path.quoted) belongs to another user", hint: "run: chown root \(path.withoutControls)")
      }
    }
    guard access(path, R_OK) == 0 else { throw failure(path, reader) }
  }

  private static func failure(_ path: String, _ reader: String) -> Failure {
    let error = Errno.current
    return Failure(
      message: "\(path.quoted) cannot be read: \(error)",
      hint: error.rawValue == EACCES ? "it must be readable by the user \(reader)" : nil)
  }
}

extension ValueKind where Value == String {
  private static func file(isSecret: Bool) -> ValueKind {
    ValueKind(
      shape: .form(pattern: "^/", maximum: 4_095),
      read: { node, place, report in
        guard let path = path(node, place, &report) else { return nil }
        do throws(NamedFile.Failure) {
          try NamedFile.check(path, isSecret: isSecret, reader: report.reader)
          return path
        } catch {
          report.error(node, place, error.message, hint: error.hint)
          return nil
        }
      }, write: { Units.string($0) })
  }

  /// The path of a file that this process can read.
  package static var readableFile: ValueKind { file(isSecret: false) }

  /// The path of a file that this process can read, and that other users cannot, except those in its group.
  package static var privateFile: ValueKind { file(isSecret: true) }

  static func path(_ node: Node, _ place: Place, _ report: inout Report) -> String? {
    guard let path = string(node, place, maximum: 4_095, &report) else { return nil }
    if path.hasPrefix("/") { return path }
    report.error(
      node, place, "must be the path of a file, found \(path.quoted)", hint: "begin the path with \"/\"")
    return nil
  }
}

extension ValueKind where Value == Secret {
  /// The path of a file with a password on its only line.
  package static var secret: ValueKind {
    ValueKind(
      shape: .form(pattern: "^/", maximum: 4_095),
      read: { node, place, report in
        guard let path = ValueKind<String>.path(node, place, &report) else { return nil }
        do throws(NamedFile.Failure) {
          try NamedFile.check(path, isSecret: true, reader: report.reader)
        } catch {
          report.error(node, place, error.message, hint: error.hint)
          return nil
        }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try readFile(path, limit: NamedFile.passwordLimit) } catch {
          report.error(node, place, "\(path.quoted) cannot be read: \(error.errno)", hint: error.hint)
          return nil
        }
        return password(bytes, path, &report)
      }, write: { Units.string($0.file) })
  }

  /// Reads the only line. Mistakes are reported at their place in the file, without an excerpt of it.
  private static func password(_ bytes: [UInt8], _ path: String, _ report: inout Report) -> Secret? {
    var problem: (line: Int, message: String)?
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    var line = lines.first ?? []
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let text = String(validating: line, as: UTF8.self)
    if line.isEmpty {
      problem = (1, "the line with the password is empty")
    } else if let extra = lines.dropFirst().firstIndex(where: { _ in true }) {
      problem = (extra + 1, "there is a second line; a password file has only one")
    } else if text?.unicodeScalars.contains(where: \.isControl) ?? true {
      problem = (1, "the password has a control character, or is not UTF-8")
    }
    guard let problem else { return Secret(file: path, text: text ?? "") }
    let file = report.add(SourceFile(path: path))
    report.error(Location(file: file, line: problem.line, column: 1), problem.message)
    return nil
  }
}
