// SPDX-License-Identifier: Apache-2.0

/// Simulated monotonic time, so that tests of timeouts take no time and give the same result on every
/// machine.
///
/// On a loop with simulated time, monotonic timers expire in the order of their deadlines. When nothing else
/// is ready, the time advances to the next deadline, or by the timeout of the turn if that is earlier.
/// Otherwise only `pass` advances it. Timers of other clocks are kernel timers, in real time.
package final class VirtualTime {
  /// Nanoseconds.
  package private(set) var now: Int64
  private var armed: [Armed] = []
  private var order: UInt64 = 0

  private struct Armed {
    var deadline: Int64
    /// Timers with the same deadline expire in the order in which they were armed.
    var order: UInt64
    /// Valid while the timer is armed: it disarms itself when it is destroyed.
    unowned(unsafe) let timer: LoopTimer
    var id: ObjectIdentifier
  }

  package init(now: Int64 = 1_000_000_000_000) { self.now = now }

  func arm(_ timer: LoopTimer, at deadline: Int64) {
    disarm(timer)
    armed.append(Armed(deadline: deadline, order: order, timer: timer, id: ObjectIdentifier(timer)))
    order += 1
  }

  func disarm(_ timer: LoopTimer) {
    let id = ObjectIdentifier(timer)
    armed.removeAll { $0.id == id }
  }

  /// Advances to the next deadline and lets its timer expire, or by `milliseconds` (−1: no limit) if that is
  /// earlier.
  func advance(byAtMost milliseconds: Int32) {
    let limit = milliseconds < 0 ? Int64.max : now + Int64(milliseconds) * 1_000_000
    guard let next = armed.min(by: { ($0.deadline, $0.order) < ($1.deadline, $1.order) }),
      next.deadline <= limit
    else {
      if milliseconds >= 0 { now = limit }
      return
    }
    now = max(now, next.deadline)
    let timer = next.timer
    disarm(timer)
    timer.expireVirtually()
  }

  /// Advances the time without letting timers expire, like a call that waits in the kernel.
  package func pass(_ nanoseconds: Int64) { now += max(nanoseconds, 0) }
}
