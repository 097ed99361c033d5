// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An eventfd(2), by which a thread wakes the loop. It is closed with its last reference, on any thread.
final class EventSignal: Sendable {
  let fileDescriptor: Int32

  /// The corresponding C function is `eventfd`.
  init() throws(SystemError) {
    fileDescriptor = try retryingInterrupts("eventfd") {
      eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    }
  }

  deinit { close(fileDescriptor) }

  /// Makes the descriptor readable.
  func signal() {
    var one: UInt64 = 1
    _ = write(fileDescriptor, &one, 8)
  }

  /// Makes the descriptor unreadable until the next signal.
  func clear() {
    var count: UInt64 = 0
    _ = read(fileDescriptor, &count, 8)
  }
}
