// SPDX-License-Identifier: Apache-2.0

import Commands
import HomeAssistant
import LinuxSystem

/// Counts the messages that were dropped or refused, and logs a few of them each minute.
final class DroppedMessages {
  private let log: Log
  private let loop: EventLoop
  private var rejections = RejectionLog()

  init(_ log: Log, on loop: EventLoop) {
    self.log = log
    self.loop = loop
  }

  var total: Int { rejections.total }

  /// - Parameters:
  ///   - kind: what is counted together, as it follows a number in the log, e.g. "too old".
  ///   - line: for the log.
  func count(_ kind: String, _ line: String) {
    if let line = rejections.reject(kind: kind, message: line, at: loop.now) { log.warning(line) }
  }

  /// A message that arrived on `topic`.
  func drop(_ kind: String, on topic: String, _ why: String, what: String = "message") {
    count(kind, "dropped a \(what) on '\(topic.printable)': \(why.printable)")
  }
}
