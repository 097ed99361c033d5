// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Settings
import Spelling
import TOMLConfig

extension SettingsChecks {
  /// Checks of time zones and of the commands of keys. Does not check fonts, because this module does not
  /// import the font library.
  package static var standard: SettingsChecks {
    var checks = SettingsChecks()
    let zones = ZoneCheck()
    checks.zone = { zones.problem(with: $0) }
    checks.zoneOfCity = { zones.zone(of: $0) }
    checks.place = placeProblem
    checks.command = { words, configuration in CommandRehearsal(configuration).problem(with: words) }
    return checks
  }
}

/// The problem with a zone whose coordinates are not known.
private func placeProblem(_ zone: String) -> Problem? {
  // An unknown zone is reported by `SettingsChecks.zone`.
  guard let known = try? TimeZone(named: zone), TimeZone.coordinates(of: known.name) == nil else {
    return nil
  }
  let hint = "write latitude = 52.5 and longitude = 13.4 in [place]"
  if zone == "local" {
    return Problem(
      "sunrise and sunset need a place, and that of the machine's time zone '\(known.name)' is not known",
      hint: hint)
  }
  return Problem("the place of the time zone '\(zone)' is not known", hint: hint)
}

/// Looks up time zones, and suggests one for an unknown name.
final class ZoneCheck {
  private var names: [String]?
  private var known: [String: Problem?] = [:]

  /// - Parameter names: the names of all zones; nil: those in the machine's database.
  init(names: [String]? = nil) { self.names = names }

  func problem(with name: String) -> Problem? {
    if let known = known[name] { return known }
    let problem = look(for: name)
    known[name] = .some(problem)
    return problem
  }

  private func look(for name: String) -> Problem? {
    guard name != "local" else { return nil }
    do throws(TimeZoneError) {
      _ = try TimeZone(named: name)
      return nil
    } catch {
      switch error {
      case .invalidName, .unknownZone:
        let shown = name.prefix(64)
        return Problem("unknown time zone '\(shown)'", hint: hint(for: name))
      case .unreadable, .malformed:
        return Problem("the time zone '\(name)' cannot be read: \(error)")
      }
    }
  }

  private func hint(for name: String) -> String {
    let names = allNames()
    guard !names.isEmpty else { return "no time zones are installed: 'sudo apt install tzdata'" }
    if let near = Self.nearest(to: name, among: names) { return "did you mean '\(near)'?" }
    return "write \"local\" or a name such as \"Europe/London\"; 'timedatectl list-timezones' prints all"
  }

  private func allNames() -> [String] {
    let names = names ?? TimeZone.databaseNames()
    self.names = names
    return names
  }

  func zone(of city: String) -> String? { Self.zone(of: city, among: allNames()) }

  /// The zone whose name ends with that of the city: `America/New_York` for `New York`.
  private static func zone(of city: String, among names: [String]) -> String? {
    let plain = plain(city)
    return names.first { $0.contains("/") && Self.city($0).lowercased() == plain }
  }

  private static func city(_ zone: String) -> String {
    zone.split(separator: "/").last.map(String.init) ?? zone
  }

  private static func plain(_ city: String) -> String {
    String(city.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  /// The zone of the city with this name, `Asia/Tokyo` for `Tokyo`; else the zone whose name, or whose city's
  /// name, is most similar; nil if none is similar.
  static func nearest(to name: String, among names: [String]) -> String? {
    let typed = city(name)
    if let zone = zone(of: typed, among: names) { return zone }
    if let near = Spelling.nearest(to: name, among: names) { return near }
    var cities: [String: String] = [:]
    for name in names where name.contains("/") && cities[city(name)] == nil { cities[city(name)] = name }
    return Spelling.nearest(to: plain(typed), among: cities.keys.sorted()).flatMap { cities[$0] }
  }
}
