// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The daemon's log: one record a message, to stderr.
///
/// Passed to whoever has something to say. A record is one `write`, and one that cannot be written is
/// dropped: the log never holds the picture up, except a terminal or pipe that blocks for good.
public struct Log: Sendable {
  /// The levels of syslog(3); the number is the journal's priority.
  public enum Level: Int, CaseIterable, Comparable, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  public enum Style: Hashable, Sendable {
    /// `<4>text`, sd-daemon(3); the journal knows the program by itself.
    case journal
    /// `program: text`.
    case plain(program: String)
  }

  public var style: Style
  /// Messages less urgent than this are not written.
  public var threshold: Level
  private let descriptor: Int32

  public init(style: Style, threshold: Level = .info, descriptor: Int32 = STDERR_FILENO) {
    self.style = style
    self.threshold = threshold
    self.descriptor = descriptor
  }

  /// In the style that fits what stderr is.
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
