// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What the display shows at certain times of day: entries, each with a beginning, an end, and the values in
/// between.
///
/// If several entries are in effect, each property has its value from the one that began last of those that
/// set it. If some of these began at the same instant, the last one in the config counts.
package struct Schedule: Hashable, Sendable {
  package var entries: [Entry]
  /// The zone of the times of day, and of the weekdays.
  package var zone: TimeZone
  /// Where sunrise and sunset are computed; nil: entries that need the sun are never in effect.
  package var place: Coordinates?

  package init(_ entries: [Entry] = [], zone: TimeZone = .utc, place: Coordinates? = nil) {
    self.entries = entries
    self.zone = zone
    self.place = place
  }
}

extension Schedule {
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var from: DayMoment
    package var to: DayMoment
    /// The weekdays on which the entry begins.
    package var days: Weekdays
    package var values: Values
    /// Whether the entry neither begins nor ends while a clock of the match runs, and leaves the displays on
    /// meanwhile.
    package var waitsForGame: Bool

    package init(
      _ name: String, from: DayMoment, to: DayMoment, days: Weekdays = .all, values: Values = Values(),
      waitsForGame: Bool = true
    ) {
      self.name = name
      self.from = from
      self.to = to
      self.days = days
      self.values = values
      self.waitsForGame = waitsForGame
    }

    package var needsSun: Bool { from.isSolar || to.isSolar }
  }

  /// The values while an entry is in effect; nil: the entry does not set the property.
  package struct Values: Hashable, Sendable {
    /// Percent, 1 … 100.
    package var brightness: Int?
    package var page: String?
    /// The name of a theme.
    package var theme: String?
    package var light: Light?

    package init(
      brightness: Int? = nil, page: String? = nil, theme: String? = nil, light: Light? = nil
    ) {
      self.brightness = brightness
      self.page = page
      self.theme = theme
      self.light = light
    }

    package var isEmpty: Bool { self == Values() }
  }

  /// Whether the display is on.
  package enum Light: String, CaseIterable, Hashable, Sendable {
    case on
    /// Switched off, as by `flipclockctl blank`.
    case off
    /// On, with a black picture.
    case black
    /// A black picture first, then switched off.
    case offAndBlack = "off-and-black"
  }
}

/// A time that recurs daily.
package enum DayMoment: Hashable, Sendable {
  /// Minutes after midnight by the zone's clocks, 0 … 1439.
  case clock(minutes: Int)
  /// Minutes after sunrise or sunset; negative: before it.
  case sun(SunEvent, minutes: Int)

  package enum SunEvent: String, CaseIterable, Hashable, Sendable {
    case sunrise, sunset
  }

  /// The largest distance from sunrise or sunset, in minutes.
  package static let maximumOffset = 720

  package var isSolar: Bool { if case .sun = self { true } else { false } }
}

/// A set of weekdays.
package struct Weekdays: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let all = Weekdays(rawValue: 0x7f)

  /// - Parameter weekday: 0 is Sunday.
  package init(_ weekday: Int) { self.init(rawValue: 1 << UInt8(truncatingIfNeeded: weekday)) }
}
