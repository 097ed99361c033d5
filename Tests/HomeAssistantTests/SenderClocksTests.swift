// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HomeAssistant

/// All times are in milliseconds.
@Suite struct SenderClocksTests {
  private static let hour: Int64 = 3_600_000

  /// The age of a message; nil if it is refused.
  private func age(
    _ clocks: inout SenderClocks, _ time: Int64, at arrival: Int64, now: Int64? = nil, isSettled: Bool = true,
    from sender: String = "a"
  ) -> Int64? {
    try? clocks.age(of: Stamp(time: time, sender: sender), arrival: arrival, now: now, isSettled: isSettled)
  }

  @Test(
    "With any clocks, a message's age is about its delay beyond that of the fastest message",
    arguments: [-1, 0, 1])
  func offsets(sign: Int64) {
    let offset = sign * 1_795_437_785_000
    var clocks = SenderClocks()
    #expect(age(&clocks, offset, at: 100) == 0)
    #expect(age(&clocks, 10_000 + offset, at: 10_050) == 0)
    #expect(age(&clocks, 20_000 + offset, at: 24_000) == 3_948)
    #expect(age(&clocks, 30_000 + offset, at: 35_080) == nil)
    #expect(age(&clocks, 36_000 + offset, at: 36_060) == 5)
  }

  @Test(
    "A first message is judged by a synchronized clock, and otherwise refused while messages may have queued up"
  )
  func first() {
    for (delay, isAccepted) in [(0, true), (5_000, true), (5_001, false), (-5_000, true), (-5_001, false)] {
      var clocks = SenderClocks()
      let result = age(&clocks, 1_000_000 - Int64(delay), at: 50, now: 1_000_000, isSettled: false)
      #expect(result == (isAccepted ? max(Int64(delay), 0) : nil))
    }
    var clocks = SenderClocks()
    #expect(age(&clocks, 7, at: 50, isSettled: false) == nil)
    #expect(age(&clocks, 7, at: 60, from: "b") == 0)
  }

  @Test("No message of a queue from an unknown clock is performed, and every message after the queue is")
  func queue() {
    // Three presses waited for 25, 23 and 20 seconds.
    for (now, isSettled) in [(100_000, true), (nil, false)] as [(Int64?, Bool)] {
      var clocks = SenderClocks()
      for time: Int64 in [75_000, 77_000, 80_000] {
        #expect(age(&clocks, time, at: 30_000, now: now, isSettled: isSettled) == nil)
      }
      #expect(age(&clocks, 106_000, at: 36_000, now: now.map { $0 + 6_000 }) == 0)
    }
    // Without any sign of a queue, the first message is taken as fresh. The second message shows that there
    // is a queue.
    var clocks = SenderClocks()
    #expect(age(&clocks, 75_000, at: 30_000) == 0)
    #expect(age(&clocks, 77_000, at: 30_000) == nil && age(&clocks, 80_000, at: 30_010) == nil)
    #expect(age(&clocks, 106_000, at: 36_000) == 0)
  }

  @Test("A fresh message is performed at once after a refused one if the clocks are synchronized")
  func freshAfterStale() {
    var clocks = SenderClocks()
    #expect(age(&clocks, 75_000, at: 0, now: 100_000) == nil)
    #expect(age(&clocks, 101_000, at: 1_000, now: 101_000) == 0)
  }

  @Test("A clock that was set back is trusted again after a minute, and one that was set forward at once")
  func steps() {
    var clocks = SenderClocks()
    #expect(age(&clocks, 0, at: 0) == 0)
    #expect(age(&clocks, Self.hour + 10_000, at: 10_000) == 0)
    for arrival in stride(from: Int64(20_000), to: 80_000, by: 10_000) {
      #expect(age(&clocks, arrival, at: arrival) == nil)
    }
    #expect(age(&clocks, 80_000, at: 80_000) == 0)
    #expect(age(&clocks, 90_000, at: 97_000) == nil)
  }

  @Test("Each sender has its own clock, and only the latest clocks are kept")
  func senders() {
    var clocks = SenderClocks()
    for number: Int64 in 0..<1_000 {
      #expect(age(&clocks, number * 9_999, at: number, from: "\(number)") == 0)
    }
    #expect(age(&clocks, 999 * 9_999, at: 20_000, from: "999") == nil)
    #expect(age(&clocks, 0, at: 20_000, from: "0") == 0)
  }

  /// A sender with any offset and a drift of up to 100 ppm on each side, whose messages take up to a second.
  /// The messages of a stall arrive at its end, in their order. Every stall is followed by a fresh message.
  @Test("No late message is performed, and no fresh one refused after the first")
  func stalls() {
    var random = SplitMix(seed: 11)
    for _ in 0..<TestEffort.rounds(300, long: 20_000) {
      var clocks = SenderClocks()
      let offset = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
      let drift = Double.random(in: -200...200, using: &random) * 1e-6
      var sent = Int64.random(in: 0...Self.hour, using: &random)
      var arrival = sent
      for _ in 0..<40 {
        func judge(sent: Int64, arrival: Int64) -> Int64? {
          age(&clocks, offset + sent + Int64(Double(sent) * drift), at: arrival)
        }
        sent = max(sent, arrival) + Int64.random(in: 0...Self.hour / 2 - 1_000, using: &random)
        arrival = sent + Int64.random(in: 0...1_000, using: &random)
        #expect(judge(sent: sent, arrival: arrival) != nil, "a fresh message was refused")
        guard Bool.random(using: &random) else { continue }
        // A stall.
        let end = arrival + Int64.random(in: 1_000...600_000, using: &random)
        var queued = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          Int64.random(in: arrival...end, using: &random)
        }
        queued.sort()
        for sent in queued where judge(sent: sent, arrival: end) != nil {
          // Five seconds, the delay of the fastest message, and the drift.
          #expect(end - sent <= 5_000 + 1_000 + 800)
        }
        (sent, arrival) = (end, end)
      }
    }
  }
}
