// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

struct LoopTimerTests {
  @Test(
    "A time that has passed fires on the next turn",
    arguments: [ClockTime(seconds: 0), ClockTime(seconds: -5, nanoseconds: 3), ClockTime(seconds: 1)])
  func past(_ time: ClockTime) throws {
    for clock in [SystemClock.realtime, .monotonic, .boottime] {
      let loop = try EventLoop()
      var outcomes: [LoopTimer.Outcome] = []
      let timer = try LoopTimer(clock, on: loop) { outcomes.append($0) }
      timer.arm(at: time)
      #expect(timer.deadline == time)
      try loop.turn(timeoutMilliseconds: 1000)
      #expect(outcomes == [.expired])
      #expect(timer.deadline == nil)
      try loop.turn(timeoutMilliseconds: 0)
      #expect(outcomes.count == 1)
    }
  }

  @Test("A disarmed or cancelled timer does not fire; one that is armed again fires once")
  func disarm() throws {
    let loop = try EventLoop()
    var fired = 0
    let timer = try LoopTimer(.monotonic, on: loop) { _ in fired += 1 }
    timer.arm(at: ClockTime(seconds: 0))
    timer.disarm()
    try loop.turn(timeoutMilliseconds: 0)
    #expect(fired == 0)
    timer.arm(at: ClockTime(seconds: Int64.max / 4))
    try loop.turn(timeoutMilliseconds: 0)
    #expect(fired == 0)
    timer.arm(at: ClockTime(seconds: 0))
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(fired == 1)
    timer.arm(at: ClockTime(seconds: 0))
    timer.cancel()
    timer.cancel()
    try loop.turn(timeoutMilliseconds: 0)
    #expect(fired == 1)
  }

  @Test("A clock step that arming detects is reported once, and the timer is no longer armed")
  func step() throws {
    let loop = try EventLoop()
    var outcomes: [LoopTimer.Outcome] = []
    let timer = try LoopTimer(.realtime, on: loop) { outcomes.append($0) }
    timer.arm(at: ClockTime(seconds: SystemClock.realtime.now.seconds + 3600))
    // Simulates ECANCELED from `timerfd_settime`, because the test must not set the machine's clock.
    timer.reportStep()
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(outcomes == [.clockStepped])
    #expect(timer.deadline == nil)
    try loop.turn(timeoutMilliseconds: 0)
    #expect(outcomes.count == 1)
    // The timer is armed again before the step is reported. The step is still reported.
    timer.reportStep()
    timer.arm(at: ClockTime(seconds: SystemClock.realtime.now.seconds + 3600))
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(outcomes == [.clockStepped, .clockStepped])
  }

  @Test("Times convert to nanoseconds and back, before the epoch too")
  func conversion() {
    let cases: [(Int64, ClockTime)] = [
      (0, ClockTime(seconds: 0)), (-1, ClockTime(seconds: -1, nanoseconds: 999_999_999)),
      (1_500_000_000, ClockTime(seconds: 1, nanoseconds: 500_000_000)),
      (-1_000_000_000, ClockTime(seconds: -1)),
      (.min, ClockTime(seconds: -9_223_372_037, nanoseconds: 145_224_192)),
    ]
    for (nanoseconds, time) in cases {
      #expect(ClockTime(totalNanoseconds: nanoseconds) == time)
      #expect(time.totalNanoseconds == nanoseconds)
    }
  }
}
