// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import TOMLConfig

/// The time in several cities on small flip clocks.
package struct WorldClockSettings: Hashable, Sendable {
  package struct City: Hashable, Sendable {
    /// The name as it is shown: in capitals, so that names from the config and names of zones look alike.
    package var name: String
    /// `local` or an IANA name.
    package var zone: String

    package init(name: String, zone: String, in language: Language = .english) {
      self.name = language.uppercased(name)
      self.zone = zone
    }

    /// A city with the name of its zone: `America/New_York` is NEW YORK.
    package init(zone: String, in language: Language = .english) {
      let last = zone.split(separator: "/").last.map(String.init) ?? zone
      self.init(name: String(last.map { $0 == "_" ? " " : $0 }), zone: zone, in: language)
    }
  }

  /// How a city is marked if its date differs from that of the first city.
  package enum DayMark: String, CaseIterable, Hashable, Sendable {
    /// `+1` and `−1`.
    case offset
    /// `SAT`.
    case weekday
    case none
  }

  package var cities = ["America/New_York", "Europe/London", "Asia/Tokyo"].map { City(zone: $0) }
  package var hours = FlipClockSettings.Hours.auto
  /// If false, a leading zero of the hour is shown as an empty card.
  package var leadingZero = true
  /// Whether AM and PM are shown; in 12-hour mode only.
  package var amPM = true
  package var dayMark = DayMark.offset
  package var motion = CardMotionSettings()

  package init() {}
}

extension WorldClockSettings: CardWidgetContent {
  package static let typeName = "world-clock"
  package static let text = "The time in several cities, each on a small flip clock with its name beneath."

  package static var keys: [Key<WorldClockSettings>] {
    [
      Key(
        "cities", \.cities, .cities,
        """
        1 to 12 cities or time zones: `"New York"` is a city after which a zone is named, `"Europe/London"` is shown as
        LONDON, and `"Head office = America/New_York"` as HEAD OFFICE. Names are shown in capitals.
        """),
      Key("hours", \.hours, .choice(asNumbers: true), .hoursText),
      Key("leading-zero", \.leadingZero, .boolean, "`false` leaves the first card of 9:05 empty."),
      Key("am-pm", \.amPM, .boolean, "Whether AM and PM are shown beside the cards, with 12 hours only."),
      Key(
        "day-mark", \.dayMark, .choice(),
        """
        How a city is marked if its date differs from that of the first city: `"offset"` (+1), `"weekday"` (SAT, in the
        language of the display) or `"none"`.
        """),
    ]
  }
}

extension ValueKind where Value == [WorldClockSettings.City] {
  private static var maximumCities: Int { 12 }
  private static var example: String { "write [\"Europe/London\", \"New York = America/New_York\"]" }

  /// Cities or zones, with or without a name of their own: `"Tokyo"`, `"Europe/London"`,
  /// `"Head office = New York"`.
  static var cities: ValueKind {
    ValueKind(
      shape: .array(
        of: .form(pattern: "^([^=]*=)? *[^=/]+(/[A-Za-z0-9_+-]+)* *$", maximum: nil),
        count: 1...maximumCities, isUnique: false),
      read: { node, place, report in
        node.elements(
          1...maximumCities, "an array of cities", "must have 1 to \(maximumCities) cities", hint: example,
          place, &report
        ) { city($0, place, &$1) }
      },
      write: { cities in
        Units.array(
          cities.map { city in
            city == WorldClockSettings.City(zone: city.zone) ? city.zone : "\(city.name) = \(city.zone)"
          })
      })
  }

  private static func city(
    _ node: Node, _ place: Place, _ report: inout Report
  ) -> WorldClockSettings.City? {
    guard let text = ValueKind<String>.text(maximum: 300).read(node, place, &report) else { return nil }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    var zone = parts.last ?? ""
    var problem = report.checks.zone(zone)
    if problem != nil, let found = report.checks.zoneOfCity(zone) { (zone, problem) = (found, nil) }
    guard TimeZone.isZoneName(zone) else {
      report.error(
        node, place, "must have cities or time zones, found \(text.quoted)", hint: problem?.hint ?? example)
      return nil
    }
    report.report(problem, at: node.location)
    var city = WorldClockSettings.City(zone: zone, in: report.language)
    if parts.count == 2 {
      let length = parts[0].count
      guard (1...40).contains(length) else {
        report.error(
          node, place, "has a city with a name of \(length) characters; 1 to 40 are allowed", hint: example)
        return nil
      }
      city = WorldClockSettings.City(name: parts[0], zone: zone, in: report.language)
    }
    // The daemon shows UTC instead of the time of an unknown zone, and the name says so.
    if problem != nil { city.name += " (UTC)" }
    return city
  }

  private static func trimmed(_ text: Substring) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}
