// SPDX-License-Identifier: Apache-2.0

/// The time in several cities on small flip clocks.
public struct WorldClockSettings: Hashable, Sendable {
  public struct City: Hashable, Sendable {
    /// As it stands under its clock, in capitals: names that are written and those of zones stand side by side.
    public var name: String
    /// `local` or an IANA name.
    public var zone: String

    public init(name: String, zone: String) {
      self.name = name.uppercased()
      self.zone = zone
    }

    /// With the name of the zone's city: `America/New_York` is NEW YORK.
    public init(zone: String) {
      let last = zone.split(separator: "/").last.map(String.init) ?? zone
      self.init(name: String(last.map { $0 == "_" ? " " : $0 }), zone: zone)
    }
  }

  /// How a date that is not the first city's is marked.
  public enum DayMark: String, CaseIterable, Hashable, Sendable {
    /// `+1` and `−1`.
    case offset
    /// `SAT`.
    case weekday
    case none
  }

  public var cities = ["America/New_York", "Europe/London", "Asia/Tokyo"].map(City.init(zone:))
  public var hours = FlipClockSettings.Hours.twentyFour
  /// When false, a leading zero of the hour is an empty card.
  public var leadingZero = true
  /// Shown in 12-hour mode only.
  public var amPM = true
  public var dayMark = DayMark.offset
  public var motion = CardMotionSettings()

  public init() {}
}

extension Section where Target == WorldClockSettings {
  static var worldClock: Section {
    Section(
      title: "",
      keys: [
        Key("cities", \.cities, .cities),
        Key("hours", \.hours, .choice(numbers: true)),
        Key("leading-zero", \.leadingZero, .boolean),
        Key("am-pm", \.amPM, .boolean),
        Key("day-mark", \.dayMark, .choice()),
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

extension ValueKind where Value == [WorldClockSettings.City] {
  static var maximumCities: Int { 12 }

  /// Zones, each perhaps with a name of its own: `"Europe/London"`, `"Head office = America/New_York"`.
  static var cities: ValueKind {
    ValueKind(shape: .array) { node, place, report in
      let example = "write [\"Europe/London\", \"New York = America/New_York\"]"
      guard case .array(let nodes) = node.value else {
        report.error(
          node.location, "\(place.description) must be an array of time zones, found \(node.found)",
          hint: example)
        return nil
      }
      guard (1...maximumCities).contains(nodes.count) else {
        report.error(
          node.location, "\(place.description) must have 1 to \(maximumCities) cities, found \(nodes.count)")
        return nil
      }
      var cities: [WorldClockSettings.City] = []
      for node in nodes {
        guard let text = ValueKind<String>.text(maximum: 300).read(node, place, &report) else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map { trimmed($0) }
        let zone = parts.last ?? ""
        let problem = report.checks.zone(zone)
        guard ValueKind<String>.isZone(zone) else {
          report.error(
            node.location, "\(place.description) must have time zones, found \(text.quoted)",
            hint: problem?.hint ?? example)
          return nil
        }
        report.report(problem, at: node.location)
        guard parts.count == 2 else {
          var city = WorldClockSettings.City(zone: zone)
          // While running the clock shows UTC: it must not pass for the city's time.
          if problem != nil { city.name += " (UTC)" }
          cities.append(city)
          continue
        }
        guard (1...40).contains(parts[0].unicodeScalars.count) else {
          report.error(
            node.location,
            "\(place.description) has a city with a name of \(parts[0].unicodeScalars.count) "
              + "characters; 1 to 40 are allowed", hint: example)
          return nil
        }
        cities.append(WorldClockSettings.City(name: parts[0] + (problem == nil ? "" : " (UTC)"), zone: zone))
      }
      return cities
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}
