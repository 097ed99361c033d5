// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Input

@Suite struct KeyTests {
  @Test(
    "Names match patterns with * and ?",
    arguments: [
      ("*", "Logitech R400", true), ("*presenter*", "Logitech Wireless Presenter", true),
      ("*Presenter", "Wireless Presenter 2", false), ("R?00", "r400", true), ("R?00", "R00", false),
      ("", "", true),
      ("", "x", false), ("**a**b", "xxaxxb", true), ("a*b*c", "abcbd", false), ("*é", "Café", true),
    ])
  func globs(pattern: String, name: String, matches: Bool) {
    #expect(Glob(pattern).matches(name) == matches)
  }

  @Test("A hostile pattern with a long name does not take long")
  func hostile() {
    #expect(!Glob(String(repeating: "*a", count: 200) + "b").matches(String(repeating: "a", count: 4000)))
  }

  private let ms: Int64 = 1_000_000

  @Test("A press counts once; a release, a repeat and a bounce do not")
  func presses() {
    var filter = KeyFilter(rules: [79: .init(), 80: .init(repeats: true)], debounce: 30 * ms)
    let events: [(UInt16, Int32, Int64, Bool)] = [
      (79, 1, 0, true), (79, 2, 250, false), (79, 0, 300, false), (79, 1, 310, false), (79, 0, 312, false),
      (79, 1, 342, true), (79, 0, 343, false), (80, 1, 344, true), (80, 2, 600, true), (80, 0, 601, false),
      (81, 1, 700, false), (79, 1, 9000, true), (79, 7, 9100, false),
    ]
    for (code, value, time, counts) in events {
      let counted = filter.counts(device: 1, code: code, value: value, at: time * ms)
      #expect(counted == counts, "\(time) ms")
    }
  }

  @Test(
    "A second press counts even if it follows quickly; only contact bounce does not",
    arguments: [(5, false), (29, false), (30, true), (45, true), (60, true), (100, true), (150, true)]
      as [(Int64, Bool)])
  func quickPresses(gap: Int64, counts: Bool) {
    var filter = KeyFilter(rules: [79: .init()], debounce: 30 * ms)
    for press in 0..<10 {
      // The gap is from the release to the next press.
      let time = Int64(press) * (20 + gap)
      let pressed = filter.counts(device: 1, code: 79, value: 1, at: time * ms)
      #expect(pressed == (counts || press == 0))
      let released = filter.counts(device: 1, code: 79, value: 0, at: (time + 20) * ms)
      #expect(!released)
    }
  }

  @Test("A key that switches terminals or restarts the machine with Alt does nothing else with Alt")
  func consoleKeys() {
    let f2: UInt16 = 60
    let delete: UInt16 = 111
    let one: UInt16 = 79
    var filter = KeyFilter(rules: [f2: .init(repeats: true), delete: .init(), one: .init()], debounce: 0)
    let events: [(UInt16, Int32, Bool, Bool)] = [
      (f2, 1, true, false), (f2, 2, true, false), (f2, 0, true, false), (delete, 1, true, false),
      (one, 1, true, true), (f2, 1, false, true), (f2, 2, false, true), (delete, 1, false, true),
    ]
    for (index, (code, value, withAlt, counts)) in events.enumerated() {
      let counted = filter.counts(
        device: 1, code: code, value: value, at: Int64(index) * ms, withAlt: withAlt)
      #expect(counted == counts, "event \(index)")
    }
  }

  @Test("Each device is debounced separately, and a device that returns has no history")
  func devices() {
    var filter = KeyFilter(rules: [79: .init()], debounce: 30 * ms)
    var counted: [Bool] = []
    for device in [1, 2, 1] {
      counted.append(filter.counts(device: device, code: 79, value: 1, at: Int64(counted.count) * ms))
    }
    filter.forget(device: 1)
    for device in [1, 2] {
      counted.append(filter.counts(device: device, code: 79, value: 1, at: Int64(counted.count) * ms))
    }
    #expect(counted == [true, true, false, true, false])
  }

  @Test("A clock that goes backwards, and extreme times, do not block a key")
  func oddTimes() {
    var filter = KeyFilter(rules: [79: .init()], debounce: 30 * ms)
    var counted: [Bool] = []
    for time in [.max, .min, 0, ms] as [Int64] {
      counted.append(filter.counts(device: 1, code: 79, value: 1, at: time))
    }
    #expect(counted == [true, true, true, false])
  }
}
