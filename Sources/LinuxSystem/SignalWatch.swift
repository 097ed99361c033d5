// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Reports signals as events of the loop, by signalfd(2).
///
/// The signals are blocked in the calling thread, so that their default action never runs; threads created
/// later inherit this. They stay blocked after the watch ends, so that a SIGTERM during shutdown does not
/// interrupt it. A signal may have only one watch.
package final class SignalWatch {
  /// A signal that arrived.
  package struct Signal: Hashable, Sendable {
    package var number: Int32
    /// Whether the kernel sent the signal, and not a process by kill(2) or sigqueue(3).
    package var isFromKernel: Bool
  }

  /// Called with each signal that arrives.
  package var handler: (Signal) -> Void

  /// Owns the signals' descriptor; nil after `cancel()`.
  private var watch: EventLoop.Watch?

  /// The corresponding C functions are `pthread_sigmask` and `signalfd`. Fails with EINVAL for an invalid
  /// signal number. An owner that cannot handle signals yet omits `handler` here and sets the property later.
  package init(
    _ signals: [Int32], on loop: EventLoop, handler: @escaping (Signal) -> Void = { _ in }
  ) throws(SystemError) {
    self.handler = handler
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals where sigaddset(&set, signal) != 0 {
      throw SystemError("sigaddset", "signal \(signal)")
    }
    // `pthread_sigmask` returns the error number instead of setting errno.
    let blocked = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard blocked == 0 else { throw SystemError("pthread_sigmask", errno: Errno(rawValue: blocked)) }
    let descriptor = FileDescriptor(
      owning: try retryingInterrupts("signalfd") {
        signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
      })
    watch = try loop.watch(owning: descriptor, for: .readable) { [weak self] _ in
      // The handler may cancel the watch or release the last reference to it.
      while let self, let signal = self.next() { self.handler(signal) }
    }
  }

  /// SI_KERNEL of sigaction(2).
  private static let sentByKernel: Int32 = 0x80

  /// Ends the watch; the signals stay blocked.
  package func cancel() {
    watch = nil
  }

  private func next() -> Signal? {
    guard let watch else { return nil }
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while true {
      let count = read(watch.fileDescriptor, &info, size)
      if count == size {
        return Signal(
          number: Int32(truncatingIfNeeded: info.ssi_signo), isFromKernel: info.ssi_code == Self.sentByKernel)
      }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}
