// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The text that stands over the page for a while, and the timer that ends it.
final class ShownMessage {
  private(set) var text: String?
  private var timer: LoopTimer?
  private let changed: () -> Void

  /// - Parameter changed: called when there is another text, or none any more.
  init(on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
    self.changed = changed
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in _ = self?.clear() }
  }

  /// In the place of one that is there, whose time is over with it.
  ///
  /// - Parameter milliseconds: nil: until it is cleared.
  func show(_ text: String, milliseconds: Int?) {
    self.text = text
    if let milliseconds {
      // A year is as good as for ever, and fits.
      let nanoseconds = Int64(min(max(milliseconds, 0), 31_536_000_000)) * 1_000_000
      timer?.arm(at: ClockTime(totalNanoseconds: SystemClock.monotonic.now.totalNanoseconds + nanoseconds))
    } else {
      timer?.disarm()
    }
    changed()
  }

  /// The text that was there.
  func clear() -> String? {
    guard let text else { return nil }
    self.text = nil
    timer?.disarm()
    changed()
    return text
  }

  func close() {
    timer?.cancel()
    timer = nil
  }
}
