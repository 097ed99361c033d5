// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The daemon's log: writes one record per message to stderr.
///
/// A value that is passed to the code that logs. A record is one `write`; if it cannot be written it is
/// dropped. Only a terminal or pipe that blocks permanently can delay the caller.
public struct Log: Sendable {
  /// The levels of syslog(3); the raw value is the journal's priority.
  public enum Level: Int, CaseIterable, Comparable, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  public enum Style: Hashable, Sendable {
    /// `<4>text`, as in sd-daemon(3); the journal adds the program's name.
    case journal
    /// `program: text`.
    case plain(program: String)
  }

  public var style: Style
  /// The least urgent level that is written.
  public var threshold: Level
  private let descriptor: Int32

  public init(style: Style, threshold: Level = .info, descriptor: Int32 = STDERR_FILENO) {
    self.style = style
    self.threshold = threshold
    self.descriptor = descriptor
  }

  /// Chooses the style that fits stderr.
  public init(program: String, threshold: Level = .info) {
    self.init(
      style: Log.detectedStyle(
        program: program, descriptor: STDERR_FILENO,
        environment: { getenv($0).map { String(cString: $0) } }), threshold: threshold)
  }

  public func emergency(_ message: @autoclosure () -> String) { write(.emergency, message()) }
  public func alert(_ message: @autoclosure () -> String) { write(.alert, message()) }
  public func critical(_ message: @autoclosure () -> String) { write(.critical, message()) }
  public func error(_ message: @autoclosure () -> String) { write(.error, message()) }
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
  public func notice(_ message: @autoclosure () -> String) { write(.notice, message()) }
  public func info(_ message: @autoclosure () -> String) { write(.info, message()) }
  public func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }

  public func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard level <= threshold else { return }
    let record = Log.record(level, message(), style: style)
    while Glibc.write(descriptor, record, record.count) < 0, errno == EINTR {}
  }
}
