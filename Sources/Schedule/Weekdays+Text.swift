// SPDX-License-Identifier: Apache-2.0

extension Weekdays {
  /// The days' names in the config; 0 is Sunday.
  package static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// Reads `"mon"`, or a range of days such as `"mon-fri"` or `"sat-sun"`. Nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let days = parts.compactMap { part in Self.names.firstIndex { $0 == part } }
    guard days.count == parts.count, (1...2).contains(days.count), let first = days.first,
      let last = days.last
    else { return nil }
    self = Self(first)
    var day = first
    while day != last {
      day = (day + 1) % 7
      insert(Self(day))
    }
  }
}
