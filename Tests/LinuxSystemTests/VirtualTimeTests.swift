// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxSystem

@Suite("Simulated time")
struct VirtualTimeTests {
  @Test("Timers expire in the order of their deadlines, and time passes only for them")
  func order() throws {
    let time = VirtualTime(now: 1000)
    let loop = try EventLoop(virtualTime: time)
    var fired: [String] = []
    var timers: [LoopTimer] = []
    for (name, delay) in [("c", 300), ("a", 100), ("b", 100)] as [(String, Int64)] {
      let timer = try LoopTimer(.monotonic, on: loop) { _ in fired.append("\(name)\(loop.now)") }
      timer.arm(inNanoseconds: delay)
      timers.append(timer)
    }
    #expect(loop.now == 1000)
    for _ in 0..<2 { try loop.turn(timeoutMilliseconds: -1) }
    #expect(fired == ["a1100", "b1100"])
    timers[0].arm(inNanoseconds: 50)
    try loop.turn(timeoutMilliseconds: -1)
    #expect(fired.last == "c1150", "armed again, earlier")
    #expect(timers.allSatisfy { $0.deadline == nil })
  }

  @Test("Without a timer within the limit, time passes to the limit; timers that are gone do not expire")
  func limit() throws {
    let loop = try EventLoop(virtualTime: VirtualTime(now: 0))
    var fired = 0
    var timer: LoopTimer? = try LoopTimer(.monotonic, on: loop) { _ in fired += 1 }
    timer?.arm(inNanoseconds: 5_000_000)
    try loop.turn(timeoutMilliseconds: 2)
    #expect(loop.now == 2_000_000)
    #expect(fired == 0)
    timer?.disarm()
    try loop.turn(timeoutMilliseconds: 10)
    #expect(loop.now == 12_000_000)
    timer?.arm(inNanoseconds: 1)
    timer = nil
    try loop.turn(timeoutMilliseconds: 10)
    #expect(fired == 0)
    var deferred = false
    loop.defer { deferred = true }
    try loop.turn(timeoutMilliseconds: 10)
    #expect(deferred)
    #expect(loop.now == 22_000_000, "deferred work takes no time")
  }
}
