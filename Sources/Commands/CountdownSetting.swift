// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A countdown as a person or another program sets it.
package struct CountdownSetting: Hashable, Sendable {
  package enum End: Hashable, Sendable {
    /// After so many milliseconds.
    case after(Int)
    /// At the next time of day of this many seconds after midnight, in the time zone of the wall.
    case timeOfDay(Int)
  }

  package var end: End
  /// The text above its clock; nil: none.
  package var label: String?
  /// Who or what has set it, for `status`.
  package var source: String?
  /// Whether to show the page that has the countdown.
  package var showsPage: Bool

  package init(_ end: End, label: String? = nil, source: String? = nil, showsPage: Bool = false) {
    (self.end, self.label, self.source, self.showsPage) = (end, label, source, showsPage)
  }
}

/// What can be done with a countdown that is set.
package enum CountdownControl: Hashable, Sendable {
  case pause
  case resume
  /// Resumes a countdown that is paused, and pauses one that runs.
  case toggle
  /// Adds milliseconds to what is left.
  case add(Int)

  /// The words of those that take no time, in the interface and in JSON objects.
  package static let words: [String: CountdownControl] = [
    "pause": .pause, "resume": .resume, "toggle": .toggle,
  ]
}

/// Times of day as text.
package enum TimeOfDay {
  /// Reads `19:30` and `19:30:15`.
  ///
  /// - Returns: seconds after midnight; nil if the text has another form.
  package static func second(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: ":")).contains($0) })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
  }

  /// `19:30`, or `19:30:15` with seconds that are not 0.
  package static func text(_ second: Int) -> String {
    "\(padded(second / 3_600)):\(padded(second / 60 % 60))"
      + (second % 60 == 0 ? "" : ":\(padded(second % 60))")
  }
}
