// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The message that is shown over the page, and the timer that ends it.
final class ShownMessage {
  private(set) var text: String?
  /// Called after a message is shown or removed.
  var changed: () -> Void = {}

  private let timer: LoopTimer

  init(on loop: EventLoop) throws(SystemError) {
    timer = try MatchTime.timer(on: loop)
    timer.handler = { [weak self] _ in _ = self?.clear() }
  }

  /// Shows `text` instead of the current message.
  ///
  /// - Parameter milliseconds: how long, at most a year; nil: until it is cleared. The time counts while the machine is
  ///   suspended, too.
  func show(_ text: String, milliseconds: Int?) {
    self.text = text
    if let milliseconds {
      timer.arm(inNanoseconds: Int64(min(max(milliseconds, 0), 31_536_000_000)) * 1_000_000)
    } else {
      timer.disarm()
    }
    changed()
  }

  /// Removes the message and returns it; nil if there is none.
  func clear() -> String? {
    guard let text else { return nil }
    self.text = nil
    timer.disarm()
    changed()
    return text
  }
}
