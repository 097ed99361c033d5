// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

extension Log {
  /// The maximum length of a record in bytes; the journal splits lines at 48 KiB.
  static let recordLimit = 16 * 1024

  /// Returns the bytes of one message, including its newline. Lines after the first are indented. The journal
  /// treats each line as a record, so in its style each line has the priority. Other control characters are
  /// escaped: messages quote config files and clients, and must not control the terminal that shows them.
  static func record(_ level: Level, _ message: String, style: Style) -> [UInt8] {
    var bytes: [UInt8] = []
    switch style {
    case .journal: bytes += "<\(level.rawValue)>".utf8
    case .plain(let program): bytes += "\(program): ".utf8
    }
    var text = message.unicodeScalars[...]
    while text.last == "\n" { text.removeLast() }
    for scalar in text {
      guard bytes.count < recordLimit else {
        bytes += " [cut]".utf8
        break
      }
      switch scalar.value {
      case 0x0a: bytes += (style == .journal ? "\n<\(level.rawValue)>  " : "\n  ").utf8
      case 0x09: bytes.append(0x09)
      case 0..<0x20, 0x7f..<0xa0:
        bytes += (scalar.value < 0x10 ? #"\x0"# : #"\x"#).utf8
        bytes += String(scalar.value, radix: 16).utf8
      default: bytes += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Returns `journal` if `descriptor` is the journal's stream (`JOURNAL_STREAM` has its device and inode,
  /// systemd.exec(5)), or if the process is a service and `descriptor` is not a terminal; otherwise `plain`.
  static func detectedStyle(program: String, descriptor: Int32, environment: (String) -> String?) -> Style {
    var status = stat()
    if let stream = environment("JOURNAL_STREAM"), fstat(descriptor, &status) == 0,
      stream == "\(status.st_dev):\(status.st_ino)"
    {
      return .journal
    }
    // All children of a service inherit INVOCATION_ID; SYSTEMD_EXEC_PID (since systemd 248) names the service's
    // own process.
    let isService =
      environment("INVOCATION_ID") != nil
      && environment("SYSTEMD_EXEC_PID").map { $0 == String(getpid()) } ?? true
    return isService && isatty(descriptor) == 0 ? .journal : .plain(program: program)
  }
}
