// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Writes one file durably without blocking the loop: an `fsync` on an SD card takes from milliseconds to
/// seconds.
///
/// A submission is complete when its bytes, or newer ones, are on the disk (`AtomicFile.write`), or when
/// writing them has failed. Submissions that arrive during a write are combined into one next write of the
/// latest bytes. After a quiet time the first `burst` writes start immediately. While submissions continue
/// after that, one write starts per `minimumInterval`, so that a client in a loop does not wear out an SD
/// card. A failed write is not retried; its submitters get the error.
///
/// Its thread waits, writes, and notifies the loop through an eventfd. It shares only `DurableWriterState`
/// with the loop.
package final class DurableWriter {
  package typealias Completion = (Result<Void, SystemError>) -> Void

  private static let longestInterval: Int64 = 3_600_000_000_000

  package let path: String
  private let state: DurableWriterState
  private var thread: pthread_t?
  private var watch: EventLoop.Watch?
  private var submitted: UInt64 = 0
  private var waiting: [(number: UInt64, completion: Completion)] = []

  /// Starts the thread. The corresponding C functions are `eventfd` and `pthread_create`.
  ///
  /// - Parameters:
  ///   - minimumInterval: nanoseconds between the starts of two writes, at most an hour.
  ///   - burst: the number of writes that may start without the interval, 1 … 1000. Each interval without a
  ///     write restores one of them.
  ///   - check: called before each step of a write, on the thread.
  package convenience init(
    path: String, mode: mode_t = 0o644, minimumInterval: Int64 = 200_000_000, burst: Int64 = 50,
    before check: @escaping AtomicFile.Check = { _ in }, on loop: EventLoop
  ) throws(SystemError) {
    try self.init(path: path, minimumInterval: minimumInterval, burst: burst, on: loop) {
      (bytes: [UInt8]) throws(SystemError) in
      try AtomicFile.write(bytes, to: path, mode: mode, before: check)
    }
  }

  init(
    path: String, minimumInterval: Int64, burst: Int64 = 1, on loop: EventLoop,
    write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    self.path = path
    let event = try EventSignal()
    state = DurableWriterState(
      event: event,
      minimumInterval: min(max(minimumInterval, 0), Self.longestInterval),
      burst: min(max(burst, 1), 1000) - 1,
      write: write)
    watch = try loop.watch(event.fileDescriptor, for: .readable) { [weak self] _ in
      event.clear()
      self?.deliver()
    }
    do {
      thread = try state.startThread()
    } catch {
      watch?.cancel()
      throw error
    }
  }

  deinit { close() }

  /// Submits `bytes` for writing. `completion` runs on the loop's thread, in the order of the submissions,
  /// and not inside this call. Only after `close()` is it called at once, with ESHUTDOWN.
  ///
  /// - Parameter isUrgent: whether the bytes are written without waiting for the interval. For rare
  ///   submissions only.
  package func submit(_ bytes: [UInt8], isUrgent: Bool = false, completion: @escaping Completion) {
    guard thread != nil else {
      completion(.failure(SystemError("write", path, errno: Errno(rawValue: ESHUTDOWN))))
      return
    }
    submitted += 1
    waiting.append((submitted, completion))
    state.submit(bytes, number: submitted, isUrgent: isUrgent)
  }

  /// Waits, ignoring the interval, until everything submitted is written or has failed, and runs the
  /// completions before it returns. Used at shutdown.
  package func flush() {
    guard thread != nil else { return }
    state.waitUntilIdle()
    deliver()
  }

  /// Flushes, then ends the thread.
  package func close() {
    guard let thread else { return }
    flush()
    self.thread = nil
    watch?.cancel()
    watch = nil
    state.stop()
    pthread_join(thread, nil)
    // A completion that ran during the flush may have submitted more, which the thread has written before it
    // ended.
    deliver()
  }

  private func deliver() {
    for done in state.takeResults() {
      // A completion may append a submission, so the queue is read again each time.
      while let first = waiting.first, first.number <= done.number {
        waiting.removeFirst()
        first.completion(done.result)
      }
    }
  }
}
