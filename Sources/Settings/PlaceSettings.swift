// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// `[place]`: where the clock is, for sunrise and sunset.
package struct PlaceSettings: Hashable, Sendable {
  /// Degrees; both are given, or neither.
  package var latitude: Double?
  package var longitude: Double?
  /// A time zone, whose largest city is the place; nil: the machine's.
  package var zone: String?

  package init() {}

  /// The place if its coordinates are given.
  package var coordinates: Coordinates? {
    guard let latitude, let longitude else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }
}

/// What `[place]` says, with the locations for its checks.
struct PlaceDraft {
  var settings = PlaceSettings()
  var location: Location?
  var zoneLocation: Location?
  /// The keys that are written, perhaps with values that cannot be used.
  var keys: Set<String> = []
}

extension Section where Target == PlaceDraft {
  static var place: Section {
    let zone = ValueKind<String>.zone
    return Section(
      title: "place",
      text: """
        Where the clock is, for the entries of `[schedule.NAME]` with `sunrise` or `sunset`. Without this table it is the
        largest city of the machine's time zone.
        """,
      keys: [
        Key(
          "latitude", \.settings.latitude, .number(-90...90),
          "Degrees north of the equator; negative: south of it.",
          example: "52.5"),
        Key(
          "longitude", \.settings.longitude, .number(-180...180),
          "Degrees east of Greenwich; negative: west of it.",
          example: "13.4"),
        Key(
          name: "zone", shape: zone.shape,
          text: "Instead of both, a time zone such as `\"Europe/Berlin\"`: the place is its largest city.",
          example: "\"Europe/Berlin\"", written: { _ in nil }
        ) { draft, node, place, report in
          guard let name = zone.read(node, place, &report) else { return }
          draft.settings.zone = name
          draft.zoneLocation = node.location
        },
      ])
  }
}

extension PlaceDraft {
  mutating func collect(_ entry: Node.Entry, _ report: inout Report) {
    location = entry.keyLocation
    if case .table(let entries) = entry.value.value { keys.formUnion(entries.map(\.key)) }
    Section.place.apply(entry.value, to: &self, &report)
  }

  /// - Parameter sun: where a schedule's entry first needs the sun; nil: none does.
  func decode(sun: Location?, _ report: inout Report) -> PlaceSettings {
    let hasLatitude = keys.contains("latitude")
    let hasLongitude = keys.contains("longitude")
    if let location, hasLatitude != hasLongitude {
      report.error(
        location,
        "[place] has a '\(hasLatitude ? "latitude" : "longitude")' but no '\(hasLatitude ? "longitude" : "latitude")'",
        hint: "write both, or a 'zone'")
    } else if let zoneLocation, hasLatitude {
      report.error(
        zoneLocation, "'zone' in [place] and its coordinates exclude each other",
        hint: "leave one of them out")
    } else if let zoneLocation, let zone = settings.zone {
      report.report(report.checks.place(zone), at: zoneLocation)
    } else if let sun, !hasLatitude {
      report.report(report.checks.place("local"), at: sun)
    }
    return settings
  }
}
