// SPDX-License-Identifier: Apache-2.0

/// Decides which key events count: presses of configured keys, and their repeats if configured. Releases do
/// not count, and a bouncing contact counts once. A pure value.
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
  ///   - value: as in `struct input_event`: 0 released, 1 pressed, 2 repeated.
  ///   - time: the event's time in nanoseconds.
  ///   - withAlt: whether an Alt key is held on a device whose keys the kernel's console receives too.
  package mutating func counts(
    device: Int, code: UInt16, value: Int32, at time: Int64, withAlt: Bool = false
  ) -> Bool {
    if withAlt, value != 0, Self.consoleKeys.contains(code) { return false }
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

  /// The keys on which the kernel's console acts while Alt is held (`defkeymap.map`): F1 to F12, Left, Right,
  /// Up, Delete, and Delete on the number pad. They switch terminals or, with Control held too, restart the
  /// machine.
  static let consoleKeys: Set<UInt16> = Set(
    [59...68, 87...88, 105...106, 103...103, 111...111, 83...83].joined())

  /// Removes the state of a device that is gone.
  package mutating func forget(device: Int) { last = last.filter { $0.key.device != device } }
}
