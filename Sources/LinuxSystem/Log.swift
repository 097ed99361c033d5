// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A program's log: writes one record per message to stderr, or passes the messages to a handler.
///
/// A log is a value that is passed to the code that logs. Writing never waits for the reader of the log
/// (`LogSink`).
package struct Log: Sendable {
  /// The levels of syslog(3); the raw value is the journal's priority.
  package enum Level: Int, CaseIterable, Comparable, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  package enum Style: Hashable, Sendable {
    /// `<4>text`, as in sd-daemon(3); the journal adds the program's name.
    case journal
    /// `program: text`.
    case plain(program: String)
  }

  private enum Destination: Sendable {
    case sink(LogSink)
    case handler(@Sendable (Level, String) -> Void)
  }

  /// The least urgent level that is written.
  package var threshold: Level
  private let destination: Destination

  package init(style: Style, threshold: Level = .info, descriptor: Int32 = STDERR_FILENO) {
    self.threshold = threshold
    destination = .sink(LogSink(descriptor, style))
  }

  /// A log whose messages are passed to `handler`, for tests.
  package init(threshold: Level = .debug, handler: @escaping @Sendable (Level, String) -> Void) {
    self.threshold = threshold
    destination = .handler(handler)
  }

  /// Chooses the style that fits stderr.
  package init(program: String, threshold: Level = .info) {
    self.init(
      style: Log.detectedStyle(
        program: program, descriptor: STDERR_FILENO,
        environment: environmentVariable), threshold: threshold)
  }

  package func error(_ message: @autoclosure () -> String) { write(.error, message()) }
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
  package func notice(_ message: @autoclosure () -> String) { write(.notice, message()) }
  package func info(_ message: @autoclosure () -> String) { write(.info, message()) }
  package func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }

  package func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard level <= threshold else { return }
    switch destination {
    case .handler(let handler): handler(level, message())
    case .sink(let sink): sink.write(level, message())
    }
  }
}

extension Log {
  /// The length in bytes at which a record is cut; the journal splits lines at 48 KiB.
  static let recordLimit = 16 * 1024

  /// Returns the bytes of one message, including its newline. Lines after the first are indented. The journal
  /// treats each line as a record, so in its style each line has the priority. Other control characters,
  /// except tabs, are escaped: messages quote config files and clients, and must not control the terminal
  /// that shows them.
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
    // All children of a service inherit INVOCATION_ID; SYSTEMD_EXEC_PID (since systemd 248) names the
    // service's own process.
    let isService =
      environment("INVOCATION_ID") != nil
      && environment("SYSTEMD_EXEC_PID").map { $0 == String(getpid()) } ?? true
    return isService && isatty(descriptor) == 0 ? .journal : .plain(program: program)
  }
}
