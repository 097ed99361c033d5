// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A one-shot timer on the loop, armed for an absolute time of its clock.
///
/// Realtime timers use `TFD_TIMER_CANCEL_ON_SET`: when the clock is stepped, the handler is called at once
/// with `.clockStepped`, regardless of the armed time, and the timer is no longer armed.
package final class LoopTimer {
  package enum Outcome: Sendable {
    case expired
    case clockStepped
  }

  /// Called when the timer expires, or when its clock was stepped.
  package var handler: (Outcome) -> Void

  private let clock: SystemClock
  /// Owns the timer's descriptor; nil after `cancel()` and in simulated time.
  private var watch: EventLoop.Watch?
  /// The loop's simulated time if this timer uses it instead of a timer of the kernel; otherwise nil.
  private let virtualTime: VirtualTime?
  private var stepPending = false
  /// The time for which the timer is armed; nil while it is not armed.
  package private(set) var deadline: ClockTime?

  /// The corresponding C function is `timerfd_create`. An owner that cannot capture `self` yet omits
  /// `handler` here and sets the property later.
  package init(
    _ clock: SystemClock, on loop: EventLoop, handler: @escaping (Outcome) -> Void = { _ in }
  ) throws(SystemError) {
    self.clock = clock
    self.handler = handler
    virtualTime = clock == .monotonic ? loop.virtualTime : nil
    if virtualTime != nil { return }
    let descriptor = FileDescriptor(
      owning: try retryingInterrupts("timerfd_create") {
        timerfd_create(clock.id, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
      })
    watch = try loop.watch(owning: descriptor, for: .readable) { [weak self] _ in
      guard let self, let outcome = self.drain() else { return }
      self.deadline = nil
      self.handler(outcome)
    }
  }

  /// Arms the timer; a time in the past fires on the next turn. The corresponding C function is
  /// `timerfd_settime`. If it fails with ECANCELED, it has armed the timer nevertheless (timerfd_create(2)).
  package func arm(at time: ClockTime) {
    if let virtualTime {
      deadline = time
      return virtualTime.arm(self, at: time.totalNanoseconds)
    }
    guard watch != nil else { return }
    deadline = time
    // A zero it_value disarms, so the earliest time that can be armed is 1 ns.
    let past = time.seconds < 0 || (time.seconds == 0 && time.nanoseconds == 0)
    let outcome = set(past ? ClockTime(seconds: 0, nanoseconds: 1) : time)
    if outcome == ECANCELED || stepPending { reportStep() }
  }

  /// Arms the timer for `delay` nanoseconds from now, at least 0, on its own clock.
  package func arm(inNanoseconds delay: Int64) {
    let now = virtualTime?.now ?? clock.now.totalNanoseconds
    arm(at: ClockTime(totalNanoseconds: now + max(delay, 0)))
  }

  package func disarm() {
    guard deadline != nil else { return }
    deadline = nil
    stepPending = false
    virtualTime?.disarm(self)
    set(nil)
  }

  deinit { virtualTime?.disarm(self) }

  /// Handles the expiry in simulated time.
  func expireVirtually() {
    deadline = nil
    handler(.expired)
  }

  /// Ends the timer permanently.
  package func cancel() {
    watch = nil
    virtualTime?.disarm(self)
    deadline = nil
    handler = { _ in }
  }

  /// Makes the next turn call the handler with `.clockStepped`. `arm(at:)` calls this when `timerfd_settime`
  /// fails with ECANCELED because the clock was stepped: the time to arm may have been computed before the
  /// step. The error consumes the kernel's notification, so `read` does not report the step.
  func reportStep() {
    stepPending = true
    set(ClockTime(seconds: 0, nanoseconds: 1))
  }

  /// Arms the kernel's timer. Nil disarms it, without TFD_TIMER_CANCEL_ON_SET, because a step would otherwise
  /// wake an unarmed timer. Returns the errno, or 0.
  @discardableResult
  private func set(_ time: ClockTime?) -> Int32 {
    guard let watch else { return EBADF }
    var spec = itimerspec()
    var flags: Int32 = 0
    if let time {
      spec.it_value = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
      flags = Int32(TFD_TIMER_ABSTIME)
      if clock == .realtime { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    }
    return timerfd_settime(watch.fileDescriptor, flags, &spec, nil) == 0 ? 0 : errno
  }

  private func drain() -> Outcome? {
    guard let watch else { return nil }
    var expirations: UInt64 = 0
    let count = read(watch.fileDescriptor, &expirations, 8)
    // The timer was armed again or disarmed since it became readable, so there is nothing to report.
    if count != 8, errno != ECANCELED { return nil }
    guard count != 8 || stepPending else { return .expired }
    stepPending = false
    // After a step the kernel's timer is still armed for the old time.
    set(nil)
    return .clockStepped
  }
}
