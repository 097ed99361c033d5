// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Display

struct FlipLedgerTests {
  struct Frame: Sendable, CustomStringConvertible {
    var description: String
    /// The vblank numbers of two successive completions; nil if the driver does not count.
    var sequences: (UInt64?, UInt64?)
    /// The second completion's time, in hundredths of a period after the first.
    var after: Int64
    var chained: Bool
    var missed: Int
  }

  static let frames = [
    Frame(description: "next vblank", sequences: (10, 11), after: 100, chained: true, missed: 0),
    Frame(description: "one skipped", sequences: (10, 12), after: 200, chained: true, missed: 1),
    Frame(description: "three skipped", sequences: (10, 14), after: 400, chained: true, missed: 3),
    Frame(description: "after a pause", sequences: (10, 500), after: 49_000, chained: false, missed: 0),
    Frame(description: "counter wraps", sequences: (0xffff_ffff, 1), after: 200, chained: true, missed: 1),
    Frame(description: "driver always reports 0", sequences: (0, 0), after: 300, chained: true, missed: 2),
    Frame(description: "counter reset", sequences: (900, 3), after: 200, chained: true, missed: 1),
    Frame(description: "no counter, on time", sequences: (nil, nil), after: 100, chained: true, missed: 0),
    Frame(description: "no counter, early", sequences: (nil, nil), after: 2, chained: true, missed: 0),
    Frame(description: "no counter, late event", sequences: (nil, nil), after: 149, chained: true, missed: 0),
    Frame(description: "no counter, one lost", sequences: (nil, nil), after: 151, chained: true, missed: 1),
    Frame(description: "no counter, pause", sequences: (nil, nil), after: 700, chained: false, missed: 0),
    Frame(description: "counter begins later", sequences: (nil, 7), after: 300, chained: true, missed: 2),
    Frame(description: "time runs backwards", sequences: (nil, nil), after: -300, chained: true, missed: 0),
  ]

  @Test("Only vblanks between back-to-back frames count as missed", arguments: frames)
  func counts(_ frame: Frame) {
    let period: Int64 = 16_666_666
    var ledger = FlipLedger()
    #expect(
      ledger.presented(sequence: frame.sequences.0, time: period, period: period, isChained: false) == 0)
    let time = period + period * frame.after / 100
    #expect(
      ledger.presented(sequence: frame.sequences.1, time: time, period: period, isChained: frame.chained)
        == frame.missed)
  }

  @Test("The first frame misses nothing, chained or not")
  func first() {
    var ledger = FlipLedger()
    #expect(ledger.presented(sequence: 1000, time: 1_000_000, period: 10, isChained: true) == 0)
  }

  @Test("A reset clears everything")
  func reset() {
    var ledger = FlipLedger()
    _ = ledger.presented(sequence: 1, time: 100, period: 100, isChained: false)
    ledger.reset()
    #expect(ledger == FlipLedger())
    #expect(ledger.presented(sequence: 10, time: 1000, period: 100, isChained: true) == 0)
  }

  @Test("Extreme times and periods do not trap", arguments: [Int64.min, -1, 0, 1, Int64.max])
  func absurd(_ value: Int64) {
    var ledger = FlipLedger()
    _ = ledger.presented(sequence: nil, time: Int64.min, period: value, isChained: true)
    #expect(ledger.presented(sequence: nil, time: value, period: value, isChained: true) >= 0)
    #expect(ledger.presented(sequence: .max, time: Int64.max, period: 1, isChained: true) >= 0)
  }
}
