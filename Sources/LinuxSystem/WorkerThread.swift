// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A thread for calls that block. It blocks all signals except those of its own faults, so that the loop's
/// thread gets a SIGTERM.
package enum WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that runs `body`. The corresponding C function is `pthread_create`.
  ///
  /// - Parameters:
  ///   - stackBytes: the size of its stack.
  ///   - isDetached: whether nothing joins the thread.
  @discardableResult
  package static func start(
    stackBytes: Int = 256 * 1024, isDetached: Bool, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> pthread_t {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&all, fault) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackBytes)
    if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Body(body))
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(&attributes)
    guard result == 0 else {
      argument.release()
      throw SystemError("pthread_create", errno: Errno(rawValue: result))
    }
    return thread
  }
}

/// Work on a thread of its own, followed by a completion on the loop's thread. If this object is released,
/// the work continues, but the completion is not called.
package final class BackgroundTask {
  private let event: EventSignal
  private var watch: EventLoop.Watch?

  /// - Parameters:
  ///   - stackBytes: the size of the thread's stack.
  ///   - work: runs on the thread.
  ///   - completion: called once, on the loop's thread, after `work`.
  package init(
    on loop: EventLoop, stackBytes: Int = 256 * 1024, work: @escaping @Sendable () -> Void,
    completion: @escaping () -> Void
  ) throws(SystemError) {
    let event = try EventSignal()
    self.event = event
    watch = try loop.watch(event.fileDescriptor, for: .readable) { [weak self] _ in
      self?.watch?.cancel()
      self?.watch = nil
      completion()
    }
    do {
      try WorkerThread.start(stackBytes: stackBytes, isDetached: true) {
        work()
        event.signal()
      }
    } catch {
      watch?.cancel()
      throw error
    }
  }

  deinit { watch?.cancel() }
}
