// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Settings

/// The symbols on a timer's cards, and when they change.
struct TimerText: Hashable {
  /// A number between two separators.
  struct Group: Hashable {
    var value: Int
    var cards: Int
    /// Whether cards before the first digit show 0 instead of a blank.
    var isZeroFilled = true
    /// Whether the first card shows a plus sign.
    var hasSign = false

    var symbols: [CardSymbol] {
      let digits = String(value).map { CardSymbol($0) }
      let blank: CardSymbol = isZeroFilled ? "0" : ""
      let blanks = Array(repeating: blank, count: max(cards - digits.count, 0))
      return (hasSign ? ["+"] + blanks.dropFirst() : blanks) + digits
    }
  }

  /// The format of a timer.
  enum Form: Hashable {
    /// Minutes and seconds; minutes may exceed 59.
    case minutes
    /// The same, without an empty card before the minutes.
    case tightMinutes
    /// Minutes and seconds; from one hour on, also hours.
    case hours
    case seconds
    /// Hours, minutes and seconds; from one day on, also days.
    case days
    /// The same without seconds.
    case daysAndMinutes

    /// Whether the groups have captions, which say what they count.
    var hasCaptions: Bool { self == .days || self == .daysAndMinutes }

    /// The unit in which it counts, in nanoseconds.
    fileprivate var unit: Int64 { self == .daysAndMinutes ? 60_000_000_000 : 1_000_000_000 }
  }

  private(set) var groups: [Group] = []
  /// Whether the last group is tenths of a second, after a point.
  private(set) var hasTenths = false
  private(set) var text = ""

  private static let second: Int64 = 1_000_000_000
  private static let tenth: Int64 = 100_000_000
  /// If the next change of the match time is at most this many nanoseconds away, the value after it is shown.
  /// So a wakeup that is slightly early need not be repeated. The difference is not visible. The program
  /// wakes for a change of the wall clock with the instant of the change.
  static let slack: Int64 = 2_000_000

  /// - Parameters:
  ///   - tenthsBelow: the number of seconds below which timers that count down show tenths; 0: never.
  ///   - hasSign: whether the time since the end has a sign.
  init(
    _ reading: Scoreboard.TimerReading, _ form: Form, tenthsBelow: Int64 = 0, hasSign: Bool = false,
    slack: Int64 = slack
  ) {
    let unit = Self.unit(reading, form, tenthsBelow)
    let shown = Self.shown(reading, unit, slack)
    self.init(seconds: unit == Self.tenth ? 0 : shown * (unit / Self.second), form)
    if hasSign, reading.value < 0, shown > 0, let first = groups.first {
      text = "+\(text)"
      groups[0].hasSign = true
      groups[0].cards = max(first.cards, String(first.value).count + 1)
    }
    guard unit == Self.tenth else { return }
    hasTenths = true
    let seconds = Group(value: Int(shown / 10), cards: tenthsBelow > 10 ? 2 : 1, isZeroFilled: false)
    groups = [seconds, Group(value: Int(shown % 10), cards: 1)]
    text = "\(shown / 10).\(shown % 10)"
  }

  /// Formats whole seconds.
  init(seconds shown: Int64, _ form: Form) {
    let (hours, minutes, seconds) = (shown / 3_600, shown / 60 % 60, shown % 60)
    switch form {
    case .seconds:
      groups = [Self.first(shown)]
      text = String(shown)
      return
    case .days where hours >= 24, .daysAndMinutes where hours >= 24:
      groups = [Self.first(hours / 24, cards: 1), Group(value: Int(hours % 24), cards: 2)]
      text = "\(hours / 24)d \(hours % 24):"
    case .days, .daysAndMinutes:
      groups = [Self.first(hours)]
      text = "\(hours):"
    case .hours where hours > 0:
      groups = [Self.first(hours)]
      text = "\(hours):"
    case .hours, .minutes, .tightMinutes:
      let minutes = Self.first(shown / 60, cards: form == .tightMinutes ? 1 : 2)
      groups = [minutes, Group(value: Int(seconds), cards: 2)]
      text = "\(shown / 60):\(padded(seconds))"
      return
    }
    groups.append(Group(value: Int(minutes), cards: 2))
    text += padded(minutes)
    guard form != .daysAndMinutes else { return }
    groups.append(Group(value: Int(seconds), cards: 2))
    text += ":\(padded(seconds))"
  }

  /// The first group, with as many cards as it needs but at least `cards`, and blanks instead of leading
  /// zeros.
  private static func first(_ value: Int64, cards: Int = 2) -> Group {
    Group(value: Int(value), cards: max(String(value).count, cards), isZeroFilled: false)
  }

  /// The number of cards in each group while there is no time to show.
  static func blank(_ form: Form) -> [Int] {
    switch form {
    case .seconds: [2]
    case .minutes, .tightMinutes, .hours, .daysAndMinutes: [2, 2]
    case .days: [2, 2, 2]
    }
  }

  // MARK: Time

  private static func unit(
    _ reading: Scoreboard.TimerReading, _ form: Form, _ tenthsBelow: Int64
  ) -> Int64 {
    guard reading.direction == .down, reading.value >= 0, tenthsBelow > 0 else { return form.unit }
    return shown(reading, tenth, slack) < tenthsBelow * 10 ? tenth : form.unit
  }

  /// The value in whole units. Counting down rounds up, so that zero is the end; counting up rounds down.
  /// Beyond its end a timer that counts down shows the time since then, counting up.
  private static func shown(_ reading: Scoreboard.TimerReading, _ unit: Int64, _ slack: Int64) -> Int64 {
    let value = reading.value
    if reading.direction == .up || value < 0 { return (Int64(value.magnitude) + slack) / unit }
    return max(value - slack + unit - 1, 0) / unit
  }

  /// Nanoseconds until the text changes; nil while the timer is stopped.
  static func remaining(
    _ reading: Scoreboard.TimerReading, _ form: Form, tenthsBelow: Int64 = 0, slack: Int64 = slack
  ) -> Int64? {
    guard reading.isRunning else { return nil }
    let value = reading.value
    let unit = unit(reading, form, tenthsBelow)
    let shown = shown(reading, unit, slack)
    if reading.direction == .up || value < 0 { return (shown + 1) * unit - Int64(value.magnitude) }
    if shown == 0 {
      // After 0:00 the timer counts upwards.
      return value + unit
    }
    // Tenths appear a tenth of a second after the text has reached `tenthsBelow`: 1:00 is followed by 59.9.
    if unit == second, shown == tenthsBelow { return max(value - shown * second + tenth, 1) }
    return value - (shown - 1) * unit
  }
}
