// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The state shared by the loop's thread and the writing thread. Each access to a `var` is under the mutex.
///
/// It is `@unchecked Sendable` for that reason; everything else is immutable.
final class DurableWriterState: @unchecked Sendable {
  struct Done {
    /// All submissions up to this number have `result`.
    var number: UInt64
    var result: Result<Void, SystemError>
  }

  private let event: EventSignal
  private let minimumInterval: Int64
  /// After a quiet time, the number of writes after the first that may start without the interval.
  private let burst: Int64
  private let write: @Sendable ([UInt8]) throws(SystemError) -> Void
  private let mutex = Mutex()
  /// Signalled when there is work, or when the thread must stop waiting: for a flush or for the end.
  private let workAvailable: UnsafeMutablePointer<pthread_cond_t>
  /// Signalled when there is no more work.
  private let idle: UnsafeMutablePointer<pthread_cond_t>

  /// What is written next; if it is urgent, without regard to the interval.
  private var pending: (bytes: [UInt8], number: UInt64, isUrgent: Bool)?
  private var isWriting = false
  private var isFlushing = false
  private var isStopping = false
  private var results: [Done] = []

  init(
    event: EventSignal, minimumInterval: Int64, burst: Int64,
    write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
  ) {
    self.event = event
    self.minimumInterval = minimumInterval
    self.burst = burst
    self.write = write
    workAvailable = .allocate(capacity: 1)
    idle = .allocate(capacity: 1)
    pthread_cond_init(idle, nil)
    // Timed waits use CLOCK_MONOTONIC, which is never set.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(workAvailable, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(workAvailable)
    pthread_cond_destroy(idle)
    workAvailable.deallocate()
    idle.deallocate()
  }

  // MARK: The loop's side

  func submit(_ bytes: [UInt8], number: UInt64, isUrgent: Bool) {
    mutex.locked {
      pending = (bytes, number, isUrgent || pending?.isUrgent == true)
      pthread_cond_signal(workAvailable)
    }
  }

  func takeResults() -> [Done] {
    mutex.locked {
      defer { results = [] }
      return results
    }
  }

  func waitUntilIdle() {
    mutex.locked {
      isFlushing = true
      pthread_cond_signal(workAvailable)
      while pending != nil || isWriting { pthread_cond_wait(idle, mutex.pointer) }
      isFlushing = false
    }
  }

  /// Makes the thread write what is pending and then end.
  func stop() {
    mutex.locked {
      isStopping = true
      pthread_cond_signal(workAvailable)
    }
  }

  func startThread() throws(SystemError) -> pthread_t {
    try WorkerThread.start(isDetached: false) { self.work() }
  }

  // MARK: The thread

  private func work() {
    // When the next write would be due if writes were at least one interval apart. A write may start up to
    // `burst` intervals earlier.
    var due: Int64 = 0
    while let next = waitForWork(notBefore: due - minimumInterval * burst) {
      if !next.isUrgent { due = max(due, SystemClock.monotonic.now.totalNanoseconds) + minimumInterval }
      let result: Result<Void, SystemError>
      do throws(SystemError) {
        try write(next.bytes)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      mutex.locked {
        isWriting = false
        results.append(Done(number: next.number, result: result))
        if pending == nil { pthread_cond_broadcast(idle) }
      }
      event.signal()
    }
  }

  /// Waits until there are bytes and it is time to write them; returns the latest ones, or nil at the end.
  private func waitForWork(
    notBefore earliest: Int64
  ) -> (bytes: [UInt8], number: UInt64, isUrgent: Bool)? {
    mutex.locked {
      while true {
        guard let next = pending else {
          if isStopping { return nil }
          pthread_cond_wait(workAvailable, mutex.pointer)
          continue
        }
        if isFlushing || isStopping || next.isUrgent
          || SystemClock.monotonic.now.totalNanoseconds >= earliest
        {
          (isWriting, pending) = (true, nil)
          return next
        } else {
          let time = ClockTime(totalNanoseconds: earliest)
          var deadline = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
          pthread_cond_timedwait(workAvailable, mutex.pointer, &deadline)
        }
      }
    }
  }
}
