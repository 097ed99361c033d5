// SPDX-License-Identifier: Apache-2.0

/// Decides which key events count: presses of configured keys, and their repeats if configured. Releases do not
/// count, and a bouncing contact counts once. A pure value.
package struct KeyFilter: Hashable, Sendable {
  package struct Rule: Hashable, Sendable {
    package var repeats: Bool

    package init(repeats: Bool = false) { self.repeats = repeats }
  }

  private let rules: [UInt16: Rule]
  private let debounce: Int64
  /// The time of each key's last press or release, by device and key, for debouncing.
  private var last: [Source: Int64] = [:]

  private struct Source: Hashable {
    var device: Int
    var code: UInt16
  }

  /// - Parameter debounce: nanoseconds.
  package init(rules: [UInt16: Rule], debounce: Int64) {
    self.rules = rules
    self.debounce = debounce
  }

  /// The codes of the configured keys, sorted.
  package var codes: [UInt16] { rules.keys.sorted() }

  /// Returns whether the event counts.
  ///
  /// - Parameters:
  /// - value: as in `struct input_event`: 0 released, 1 pressed, 2 repeated.
  /// - time: the event's time in nanoseconds.
  package mutating func counts(device: Int, code: UInt16, value: Int32, at time: Int64) -> Bool {
    guard let rule = rules[code] else { return false }
    let source = Source(device: device, code: code)
    let before = last[source]
    switch value {
    case 0:
      last[source] = time
      return false
    case 1:
      last[source] = time
      guard let before else { return true }
      let (age, overflow) = time.subtractingReportingOverflow(before)
      return overflow || age < 0 || age >= debounce
    case 2: return rule.repeats
    default: return false
    }
  }

  /// Removes the state of a device that is gone.
  package mutating func forget(device: Int) { last = last.filter { $0.key.device != device } }
}
