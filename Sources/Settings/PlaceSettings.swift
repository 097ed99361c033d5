// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TOMLConfig

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

extension ConfigTable where Draft == SettingsDraft {
  static var place: ConfigTable {
    ConfigTable(
      .place, \.configuration.place, standard: PlaceSettings(), heading: "Day and night",
      example: .init("place"), check: checkPlace)
  }

  private static func checkPlace(_ draft: inout SettingsDraft, _ files: ConfigFiles, _ report: inout Report) {
    let keys = files.keys("place")
    let hasLatitude = keys.contains("latitude")
    let zone = draft.configuration.place.zone.flatMap { zone in
      files.entries("place", "zone").last.map { (name: zone, location: $0.value.location) }
    }
    if let table = files.entries("place").last, hasLatitude != keys.contains("longitude") {
      let (given, missing) = hasLatitude ? ("latitude", "longitude") : ("longitude", "latitude")
      report.error(
        table.keyLocation, "[place] has a '\(given)' but no '\(missing)'", hint: "write both, or a 'zone'")
    } else if let zone, hasLatitude {
      report.error(
        zone.location, "'zone' in [place] and its coordinates exclude each other",
        hint: "leave one of them out")
    } else if let zone {
      report.report(report.checks.place(report.locale.meaning(ofZone: zone.name)), at: zone.location)
    } else if let sun = draft.solarTime(files), !hasLatitude {
      report.report(report.checks.place(report.locale.zone), at: sun)
    }
  }
}

extension Section where Target == PlaceSettings {
  static var place: Section {
    Section(
      title: "place",
      text: """
        Where the clock is, for the entries of `[schedule.NAME]` with `sunrise` or `sunset`. Without this table it is the
        largest city of the `zone` in `[locale]`.
        """,
      keys: [
        Key(
          "latitude", \.latitude, .number(-90...90),
          "Degrees north of the equator; negative: south of it.",
          example: "52.5"),
        Key(
          "longitude", \.longitude, .number(-180...180),
          "Degrees east of Greenwich; negative: west of it.",
          example: "13.4"),
        Key(
          "zone", \.zone, .zone,
          "Instead of both, a time zone such as `\"Europe/Berlin\"`: the place is its largest city.",
          example: "\"Europe/Berlin\""),
      ])
  }
}
