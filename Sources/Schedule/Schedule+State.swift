// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension Schedule {
  /// A value of an entry that is in effect.
  package struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    /// The entry's name.
    package var entry: String
    /// When the entry began to be in effect.
    package var since: Instant
  }

  /// The values at an instant; nil: no entry in effect sets the property.
  package struct State: Hashable, Sendable {
    package var brightness: Setting<Int>?
    package var page: Setting<String>?
    package var theme: Setting<String>?
    package var light: Setting<Light>?
    /// The names of the entries in effect, in the order of the config.
    package var entries: [String] = []

    package init() {}
  }

  /// What an entry can set.
  package enum Property: CaseIterable, Hashable, Sendable {
    case brightness, page, theme, light
  }

  /// A time at which the state changes.
  package struct Switch: Hashable, Sendable {
    package var time: Instant
    /// The properties whose value or entry changes; empty if only the list of entries in effect changes.
    package var properties: Set<Property>
  }

  /// An occurrence begins and ends less than this many days from the day to which its beginning belongs. A
  /// time of the sun is at most a day from that day's noon, and its offset is at most half a day.
  private static let reach = 4

  /// How many days `nextSwitch` looks ahead, at least. Entries recur weekly, but near the poles an entry that
  /// needs the sun may have no effect for months.
  private static let horizon = 400

  /// Instants outside this range, in seconds since 1970, have no state and no switches.
  private static let range = -60_000_000_000...200_000_000_000 as ClosedRange<Int64>

  /// The state at `instant`.
  ///
  /// - Parameter game: when the game that is played at `instant` began, at most a day before; nil: none is
  ///   played.
  package func state(at instant: Instant, during game: Instant? = nil) -> State {
    guard !entries.isEmpty, Self.range.contains(instant.seconds) else { return State() }
    let day = zone.day(of: instant)
    return state(at: instant, during: game, of: occurrences(on: (day - Self.reach)...(day + Self.reach)))
  }

  /// The state at an instant. `occurrences` has all that can be in effect.
  func state(at instant: Instant, during game: Instant? = nil, of occurrences: [Occurrence]) -> State {
    var active = occurrences.filter {
      let time = entries[$0.entry].waitsForGame ? game ?? instant : instant
      return $0.start <= time && time < $0.end
    }
    active.sort { ($0.start, $0.entry) < ($1.start, $1.entry) }
    var state = State()
    for occurrence in active {
      let entry = entries[occurrence.entry]
      func setting<Value>(_ value: Value?, instead current: Setting<Value>?) -> Setting<Value>? {
        value.map { Setting(value: $0, entry: entry.name, since: occurrence.start) } ?? current
      }
      state.brightness = setting(entry.values.brightness, instead: state.brightness)
      state.page = setting(entry.values.page, instead: state.page)
      state.theme = setting(entry.values.theme, instead: state.theme)
      if game == nil || !entry.waitsForGame {
        state.light = setting(entry.values.light, instead: state.light)
      }
    }
    state.entries = Set(active.map(\.entry)).sorted().map { entries[$0].name }
    return state
  }

  /// The first switch strictly after `instant`; nil if it finds none. It looks at least 400 days ahead.
  ///
  /// - Parameters:
  ///   - property: only switches of this property.
  ///   - game: when the game began that is played now, and until the switch; nil: none is played.
  package func nextSwitch(
    after instant: Instant, of property: Property? = nil, during game: Instant? = nil
  ) -> Switch? {
    guard !entries.isEmpty, Self.range.contains(instant.seconds) else { return nil }
    if let property, !entries.contains(where: { $0.values.sets(property) }) { return nil }
    let day = zone.day(of: instant)
    var first = day - Self.reach
    var length = 3 * Self.reach
    var start = instant
    while first < day + Self.horizon {
      let days = first...(first + length)
      let occurrences = occurrences(on: days)
      // From then on, days after these can have boundaries too.
      let end = zone.firstInstant(ofDay: days.upperBound - Self.reach, second: 0)
      let boundaries = Set(occurrences.flatMap { [$0.start, $0.end] }).filter { start < $0 && $0 < end }
      var before = state(at: start, during: game, of: occurrences)
      for time in boundaries.sorted() {
        let after = state(at: time, during: game, of: occurrences)
        let properties = after.differences(from: before)
        let isWanted =
          property.map { properties.contains($0) } ?? (!properties.isEmpty || after.entries != before.entries)
        if isWanted { return Switch(time: time, properties: properties) }
        before = after
      }
      start = Instant(seconds: end.seconds - 1)
      first = days.upperBound - 2 * Self.reach
      length = 64
    }
    return nil
  }
}

extension Schedule.Values {
  fileprivate func sets(_ property: Schedule.Property) -> Bool {
    switch property {
    case .brightness: brightness != nil
    case .page: page != nil
    case .theme: theme != nil
    case .light: light != nil
    }
  }
}

extension Schedule.State {
  /// The properties whose value or entry differs. An entry that begins again just when it ends makes no
  /// difference.
  package func differences(from other: Schedule.State) -> Set<Schedule.Property> {
    var result: Set<Schedule.Property> = []
    func compare<Value>(
      _ a: Schedule.Setting<Value>?, _ b: Schedule.Setting<Value>?, _ property: Schedule.Property
    ) {
      if a?.value != b?.value || a?.entry != b?.entry { result.insert(property) }
    }
    compare(brightness, other.brightness, .brightness)
    compare(page, other.page, .page)
    compare(theme, other.theme, .theme)
    compare(light, other.light, .light)
    return result
  }
}
