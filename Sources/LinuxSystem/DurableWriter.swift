// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// One file, written durably without holding the loop up: an `fsync` on an SD card takes from
/// milliseconds to seconds.
///
/// A submission is complete when its bytes, or later ones, are on the disk (`AtomicFile.write`) or could
/// not be put there. Submissions that come while one is being written become one next write, of the
/// latest bytes. After a quiet time the first `burst` writes begin as soon as they can; for as long as more
/// come without a pause, one begins per `minimumInterval`, so that a client in a loop does not wear an SD card
/// out. A write that failed is not tried again: its submitters know.
///
/// The program's only second thread is in here: it waits, writes, and tells the loop by an eventfd.
/// It shares with the loop what is in `DurableWriterState`, and nothing else.
public final class DurableWriter {
  public typealias Completion = (Result<Void, SystemError>) -> Void

  private static let longestInterval: Int64 = 3_600_000_000_000

  public let path: String
  private let state: DurableWriterState
  private var thread: pthread_t?
  private var watch: EventLoop.Watch?
  private var submitted: UInt64 = 0
  private var waiting: [(number: UInt64, completion: Completion)] = []

  /// Starts the thread. The corresponding C functions are `eventfd` and `pthread_create`.
  ///
  /// - Parameters:
  ///   - minimumInterval: nanoseconds between the beginnings of two writes, an hour at most.
  ///   - burst: writes that do not keep the interval, each of which is earned again by an interval without one;
  ///     1 … 1000.
  public convenience init(
    path: String, mode: mode_t = 0o644, minimumInterval: Int64 = 200_000_000, burst: Int64 = 50,
    on loop: EventLoop
  ) throws(SystemError) {
    try self.init(path: path, minimumInterval: minimumInterval, burst: burst, on: loop) {
      (bytes: [UInt8]) throws(SystemError) in
      try AtomicFile.write(bytes, to: path, mode: mode)
    }
  }

  init(
    path: String, minimumInterval: Int64, burst: Int64 = 1, on loop: EventLoop,
    write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    self.path = path
    let event = try retryingInterrupts("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    state = DurableWriterState(
      event: FileDescriptor(owning: event),
      minimumInterval: min(max(minimumInterval, 0), Self.longestInterval),
      burst: min(max(burst, 1), 1000) - 1,
      write: write)
    watch = try loop.watch(event, for: .readable) { [weak self] _ in
      guard let self else { return }
      self.state.clearEvent()
      self.deliver()
    }
    do {
      thread = try state.startThread()
    } catch {
      watch?.cancel()
      throw error
    }
  }

  deinit { close() }

  /// Has `bytes` written; `completion` runs on the loop's thread, in the order of the submissions,
  /// never from inside this call. After `close()` it fails with ESHUTDOWN, at once.
  public func submit(_ bytes: [UInt8], completion: @escaping Completion) {
    guard thread != nil else {
      completion(.failure(SystemError("write", path, errno: Errno(rawValue: ESHUTDOWN))))
      return
    }
    submitted += 1
    waiting.append((submitted, completion))
    state.submit(bytes, number: submitted)
  }

  /// Waits until all that was submitted is written or has failed, without keeping the interval, and
  /// runs the completions before it returns. For the shutdown.
  public func flush() {
    guard thread != nil else { return }
    state.waitUntilIdle()
    deliver()
  }

  /// Flushes and ends the thread.
  public func close() {
    guard let thread else { return }
    flush()
    self.thread = nil
    watch?.cancel()
    watch = nil
    state.stop()
    pthread_join(thread, nil)
    // A completion of the flush may have submitted more: the thread has written it before it ended.
    deliver()
  }

  private func deliver() {
    for done in state.takeResults() {
      // A completion may submit, which appends; so the queue is looked at afresh each time.
      while let first = waiting.first, first.number <= done.number {
        waiting.removeFirst()
        first.completion(done.result)
      }
    }
  }
}
