// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Settings

/// Formats a date with a subset of the Unicode date field patterns (UTS #35): `EEEE EEE d dd MMMM MMM MM M yyyy`
/// and quoted text. Everything else is copied.
struct DatePattern {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  let settings: DateSettings

  init(_ settings: DateSettings) { self.settings = settings }

  func string(_ fields: CivilFields) -> String {
    var result = ""
    var rest = Substring(settings.format)
    while let letter = rest.first {
      if letter == "'" {
        result += Self.takeQuoted(&rest)
        continue
      }
      let run = rest.prefix { $0 == letter }.count
      result += Self.field(letter, run, fields) ?? String(repeating: letter, count: run)
      rest = rest.dropFirst(run)
    }
    return settings.uppercase ? result.uppercased() : result
  }

  /// Literal text up to the closing apostrophe, or the end. Two apostrophes are one, inside quotes and outside.
  private static func takeQuoted(_ rest: inout Substring) -> String {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var result = ""
    while let letter = rest.popFirst() {
      if letter != "'" {
        result.append(letter)
      } else if rest.first == "'" {
        result.append("'")
        rest.removeFirst()
      } else {
        break
      }
    }
    return result
  }

  private static func field(_ letter: Character, _ count: Int, _ fields: CivilFields) -> String? {
    func padded(_ value: Int) -> String { count > 1 && value < 10 ? "0\(value)" : String(value) }
    let month = months[min(max(fields.month - 1, 0), 11)]
    let weekday = weekdays[min(max(fields.weekday, 0), 6)]
    switch (letter, count) {
    case ("E", 4): return weekday
    case ("E", 1...3): return String(weekday.prefix(3))
    case ("d", 1...2): return padded(fields.day)
    case ("M", 4): return month
    case ("M", 3): return String(month.prefix(3))
    case ("M", 1...2): return padded(fields.month)
    case ("y", 4), ("y", 1): return String(fields.year)
    case ("y", 2): return String(String(fields.year).suffix(2))
    default: return nil
    }
  }
}
