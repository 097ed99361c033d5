// SPDX-License-Identifier: Apache-2.0

import Display
import Testing

@testable import KMS

extension FrameFlight {
  /// Draws a frame and queues it as a page flip.
  fileprivate mutating func queue(at now: Int64) {
    wasDrawn()
    submit(as: token + 1)
    wasQueued(at: now, isFlip: true)
  }
}

@Suite("The frame in flight")
struct FrameFlightTests {
  private let ms: Int64 = 1_000_000

  private func flight() -> FrameFlight { FrameFlight(period: 10 * ms, now: 0) }

  private func shown(_ time: Int64, next: Int64) -> FrameFlight.Action {
    .present(Presentation(time: time * ms, nextTime: next * ms))
  }

  @Test("Without vblanks, a flip that completes at once waits for the frame grid")
  func noVBlank() {
    var flight = flight()
    flight.queue(at: 3 * ms)
    #expect(flight.completed(token: 1, sequence: 0, time: 4 * ms, now: 4 * ms) == .wait(until: 10 * ms))
    #expect(!flight.isIdle)
    #expect(flight.timerFired(now: 9 * ms) == .wait(until: 10 * ms))
    // A late wakeup does not shift the grid.
    #expect(flight.timerFired(now: 12 * ms) == shown(10, next: 20))
    #expect(flight.isIdle)
    flight.queue(at: 12 * ms)
    #expect(flight.completed(token: 2, sequence: 0, time: 13 * ms, now: 13 * ms) == .wait(until: 20 * ms))
    #expect(flight.timerFired(now: 20 * ms) == shown(20, next: 30))
  }

  @Test("Without vblanks, a flip that completes late is presented at once, but by the timer; the grid stays")
  func lateFlip() {
    var flight = flight()
    flight.queue(at: 3 * ms)
    #expect(flight.completed(token: 1, sequence: 0, time: nil, now: 14 * ms) == .wait(until: 14 * ms))
    #expect(flight.timerFired(now: 14 * ms) == shown(14, next: 20))
    #expect(flight.timerFired(now: 20 * ms) == .none)
  }

  @Test("With vblanks, a frame is presented at once with the event's time")
  func vblank() {
    var flight = flight()
    for frame in 1...50 {
      let vblank = Int64(frame) * 10 * ms + 3 * ms
      flight.queue(at: vblank - 9 * ms)
      let action = flight.completed(
        token: UInt64(frame), sequence: UInt32(frame + 7), time: vblank, now: vblank + ms / 10)
      #expect(action == .present(Presentation(time: vblank, nextTime: vblank + 10 * ms)))
      #expect(flight.isIdle)
    }
    #expect(flight.gridTime(after: 2_000 * ms) == 2_003 * ms)
  }

  @Test("The vblank number may wrap and may be reset by a modeset")
  func wrap() {
    var flight = flight()
    for (index, sequence) in [UInt32.max - 1, UInt32.max, 1, 2, 1].enumerated() {
      let time = Int64(index + 1) * 10 * ms
      flight.queue(at: time - ms)
      #expect(
        flight.completed(token: flight.token, sequence: sequence, time: time, now: time)
          == .present(Presentation(time: time, nextTime: time + 10 * ms)))
    }
  }

  @Test(
    "A driver that counts vblanks but completes flips before them does not set the pace",
    arguments: [8, 9] as [UInt32])
  func countsWithoutWaiting(sequence: UInt32) {
    var flight = flight()
    flight.queue(at: 9 * ms)
    #expect(flight.completed(token: 1, sequence: 8, time: 10 * ms, now: 10 * ms) == shown(10, next: 20))
    flight.queue(at: 11 * ms)
    #expect(
      flight.completed(token: 2, sequence: sequence, time: 12 * ms, now: 12 * ms) == .wait(until: 20 * ms))
  }

  @Test(
    "A timestamp of another clock, or none, is replaced by the time of arrival",
    arguments: [
      nil, 0, -5, 900_000_000_000_000,
    ] as [Int64?])
  func foreignStamp(time: Int64?) {
    var flight = FrameFlight(period: 10 * ms, now: 5_000 * ms)
    flight.queue(at: 5_001 * ms)
    #expect(
      flight.completed(token: 1, sequence: 3, time: time, now: 5_004 * ms) == shown(5_004, next: 5_014))
  }

  @Test("Events of dropped flips, and events with nothing in flight, are ignored")
  func strangers() {
    var flight = flight()
    #expect(flight.completed(token: 1, sequence: 1, time: 1, now: 1) == .none)
    flight.queue(at: 0)
    flight.drop()
    flight.queue(at: ms)
    #expect(flight.completed(token: 1, sequence: 1, time: 1, now: 2 * ms) == .none)
    #expect(flight.isAccepted && flight.isAtKernel)
    flight.drop()
    #expect(flight.isIdle)
    #expect(flight.isAtKernel, "the kernel may still use the buffer of a dropped frame")
    #expect(flight.completed(token: 2, sequence: 1, time: 1, now: 2 * ms) == .none)
    #expect(!flight.isAtKernel)
    #expect(flight.timerFired(now: 100 * ms) == .none)
  }

  @Test(
    "The grid's next point is always later, by at most a period", arguments: 1...40 as ClosedRange<Int64>)
  func grid(seed: Int64) {
    let period = seed * 977
    let flight = FrameFlight(period: period, now: seed * 31_337)
    for step in stride(from: Int64(-50_000), to: 2_000_000, by: 7919) {
      let next = flight.gridTime(after: step)
      #expect(next > step && next <= step + period)
      #expect((next - seed * 31_337) % period == 0)
    }
  }

  @Test("A period of zero does not cause a division by zero")
  func noPeriod() {
    #expect(FrameFlight(period: 0, now: 0).gridTime(after: 5) == 6)
  }

  @Test(
    "A frame is in flight from drawing it until it is presented, whether or not the kernel has accepted it"
  )
  func stages() {
    var flight = flight()
    flight.wasDrawn()
    #expect(flight.isDrawn && !flight.isIdle && !flight.isAccepted)
    // The card was busy, so the frame is submitted twice.
    flight.submit(as: 1)
    flight.submit(as: 2)
    flight.wasQueued(at: ms, isFlip: false)
    #expect(!flight.isDrawn && flight.isAccepted && !flight.isAtKernel)
    #expect(flight.completed(token: 2, sequence: 0, time: nil, now: ms) == .wait(until: 10 * ms))
    #expect(flight.isAccepted)
    #expect(flight.timerFired(now: 10 * ms) == shown(10, next: 20))
    #expect(flight.isIdle)
  }

  @Test("If a frame is drawn while the previous one is reported, the vblanks in between count as missed")
  func missed() {
    for isChained in [true, false] {
      var flight = flight()
      flight.queue(at: ms)
      _ = flight.completed(token: 1, sequence: 1, time: 10 * ms, now: 10 * ms)
      flight.isChaining = isChained
      flight.queue(at: 11 * ms)
      flight.isChaining = false
      let presentation = Presentation(time: 40 * ms, nextTime: 50 * ms)
      #expect(
        flight.completed(token: 2, sequence: 4, time: 40 * ms, now: 40 * ms)
          == .present(presentation, missed: isChained ? 2 : 0))
    }
  }
}
