// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport
import Testing

@testable import Schedule

extension Schedule.Entry {
  /// An entry whose times and days are texts, as in a config. Without `values` it sets the brightness to 5.
  init(
    _ name: String, _ from: String, _ to: String, _ days: String? = nil, values: Schedule.Values? = nil
  ) throws {
    let days = try days?.split(separator: " ").reduce(into: Weekdays()) {
      $0.formUnion(try #require(Weekdays(String($1))))
    }
    self.init(
      name, from: try DayMoment(from), to: try DayMoment(to), days: days ?? .all,
      values: values ?? Schedule.Values(brightness: 5))
  }
}

func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

extension Schedule {
  /// All switches from `start` on, before `end`.
  func switches(from start: Instant, to end: Instant) -> [Switch] {
    var result: [Switch] = []
    var now = Instant(seconds: start.seconds - 1)
    while let next = nextSwitch(after: now), next.time < end {
      result.append(next)
      now = next.time
    }
    return result
  }
}

/// The places of the random schedules, each with its zone: daylight saving time of an hour and of half an
/// hour, both ways round the year, offsets that are not whole hours, polar days, and a zone that is 24 hours
/// from its meridian.
enum World {
  static let places: [(zone: String, latitude: Double, longitude: Double)] = [
    ("Europe/Berlin", 52.5, 13.37), ("America/New_York", 40.71, -74), ("Australia/Lord_Howe", -31.55, 159.08),
    ("Asia/Kathmandu", 27.72, 85.32), ("Europe/Oslo", 69.65, 18.95), ("Pacific/Kiritimati", 1.87, -157.4),
    ("America/St_Johns", 47.57, -52.72), ("Pacific/Chatham", -43.95, -176.55),
    ("Africa/Casablanca", 33.65, -7.58),
    ("America/Nuuk", 64.18, -51.73), ("Antarctica/Troll", -72.01, 2.53),
  ]

  static func schedule(
    _ place: (zone: String, latitude: Double, longitude: Double), using random: inout SplitMix
  ) throws -> Schedule {
    let count = Int.random(in: 1...6, using: &random)
    let entries = (0..<count).map { Self.entry("e\($0)", using: &random) }
    return Schedule(
      entries, zone: try TimeZone(named: place.zone),
      place: Coordinates(latitude: place.latitude, longitude: place.longitude))
  }

  private static func entry(_ name: String, using random: inout SplitMix) -> Schedule.Entry {
    func moment() -> DayMoment {
      if Int.random(in: 0..<3, using: &random) == 0 {
        return .sun(
          Bool.random(using: &random) ? .sunrise : .sunset,
          minutes: Bool.random(using: &random) ? 0 : .random(in: -150...150, using: &random))
      }
      // Times at night are frequent, because the clocks are changed then.
      let hours = Bool.random(using: &random) ? 0...4 : 0...23
      return .clock(
        minutes: .random(in: hours, using: &random) * 60
          + ([0, 15, 30, 59].randomElement(using: &random) ?? 0))
    }
    let from = moment()
    var to = moment()
    while to == from { to = moment() }
    var days = Weekdays.all
    if Bool.random(using: &random) { days = Weekdays(rawValue: .random(in: 1...0x7f, using: &random)) }
    var values = Schedule.Values()
    if Bool.random(using: &random) { values.brightness = .random(in: 1...100, using: &random) }
    if Bool.random(using: &random) { values.page = ["clock", "match"].randomElement(using: &random) }
    if Bool.random(using: &random) { values.theme = "night" }
    if Bool.random(using: &random) {
      values.light = [.off, .black, .on].randomElement(using: &random)
    }
    return Schedule.Entry(
      name, from: from, to: to, days: days, values: values,
      waitsForGame: Int.random(in: 0..<4, using: &random) > 0)
  }
}
