// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Settings

/// A time as the cards of a clock show it.
struct ClockText: Hashable {
  /// Hours, minutes and optionally seconds; each group lists the symbols of its cards.
  var groups: [[String]]
  /// `AM` or `PM`; nil: not shown.
  var period: String?
  /// The time as text: `9:05 PM`.
  var text: String

  init(_ fields: CivilFields, _ settings: FlipClockSettings, in language: Language = .english) {
    var hour = fields.hour
    if settings.hours.isTwelve(in: language) {
      hour = hour % 12 == 0 ? 12 : hour % 12
      let periods = language.dayPeriods
      period = settings.amPM ? (fields.hour < 12 ? periods.am : periods.pm) : nil
    }
    let hours = padded(hour)
    let hideZero = !settings.leadingZero && hour < 10
    var numbers = [hideZero ? String(hour) : hours, padded(fields.minute)]
    if settings.seconds { numbers.append(padded(fields.second)) }
    text = numbers.joined(separator: ":") + (period.map { " \($0)" } ?? "")
    groups = numbers.map { number in
      switch settings.cards {
      case .pair: return [number]
      case .digit:
        // Without its leading zero, the hour keeps two cards; the first one is empty.
        let digits = number.map(String.init)
        return digits.count < 2 ? [""] + digits : digits
      }
    }
  }

  var symbols: [CardSymbol] {
    (groups.flatMap { $0 } + (period.map { [$0] } ?? [])).map { CardSymbol($0) }
  }
}
