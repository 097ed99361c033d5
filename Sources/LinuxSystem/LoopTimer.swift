// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A one-shot timer on the loop, armed for an absolute time of its clock.
///
/// Realtime timers carry `TFD_TIMER_CANCEL_ON_SET`: when somebody steps the clock the handler is
/// called at once with `.clockStepped`, whatever was armed, and the timer is no longer armed.
public final class LoopTimer {
  public enum Outcome: Sendable {
    case expired
    case clockStepped
  }

  private let descriptor: FileDescriptor
  private let clock: SystemClock
  private var watch: EventLoop.Watch?
  public private(set) var deadline: ClockTime?

  /// The corresponding C function is `timerfd_create`.
  public init(_ clock: SystemClock, on loop: EventLoop, handler: @escaping (Outcome) -> Void) throws(SystemError) {
    self.clock = clock
    descriptor = FileDescriptor(
      owning: try retryingInterrupts("timerfd_create") {
        timerfd_create(clock.id, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
      })
    watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in
      guard let self, let outcome = self.drain() else { return }
      self.deadline = nil
      handler(outcome)
    }
  }

  deinit { cancel() }

  /// Arms the timer; a time in the past fires on the next turn. The corresponding C function is
  /// `timerfd_settime`, whose ECANCELED has re-armed all the same (timerfd_create(2)).
  public func arm(at time: ClockTime) {
    deadline = time
    // A zero it_value disarms: the earliest time that arms is 1 ns.
    let past = time.seconds < 0 || (time.seconds == 0 && time.nanoseconds == 0)
    set(past ? ClockTime(seconds: 0, nanoseconds: 1) : time)
  }

  public func disarm() {
    guard deadline != nil else { return }
    deadline = nil
    set(ClockTime(seconds: 0))
  }

  /// Ends the timer for good.
  public func cancel() {
    watch?.cancel()
    watch = nil
    deadline = nil
  }

  private func set(_ time: ClockTime) {
    var spec = itimerspec()
    spec.it_value = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
    var flags = Int32(TFD_TIMER_ABSTIME)
    if clock == .realtime { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    _ = timerfd_settime(descriptor.rawValue, flags, &spec, nil)
  }

  private func drain() -> Outcome? {
    var expirations: UInt64 = 0
    let count = read(descriptor.rawValue, &expirations, 8)
    if count == 8 { return .expired }
    return errno == ECANCELED ? .clockStepped : nil
  }
}
