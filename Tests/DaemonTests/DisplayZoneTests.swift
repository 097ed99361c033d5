// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import Glibc
import LinuxSystem
import Schedule
import Settings
import TOMLConfig
import TestSupport
import Testing
import WallState
import Walls
import Widgets

@testable import Daemon

/// `zone` in `[locale]`: everything that shows or reads a local time uses it.
@Suite("The display's time zone") struct DisplayZoneTests {
  /// Zones that change to summer time before, at and after the instants of the tests, and one that never
  /// does.
  private static let zones = ["Europe/Zurich", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe"]

  /// Hours from a day before to two days after the changes of 2026 to and from summer time in Europe, with
  /// those of the other zones at other times.
  private static let instants = ["2026-03-28T00:30:00Z", "2026-10-24T00:30:00Z", "2026-03-07T12:00:00Z"]
    .compactMap { Instant(rfc3339: $0) }

  private let log = Log(style: .journal, threshold: .emergency)

  /// - Parameter zone: the display's zone, and nil for the widgets; or nil, and the zone of each widget.
  private func configuration(display: String?, widgets: String?) throws -> Configuration {
    let directory = try TemporaryDirectory()
    let path = directory.file("flipclock.toml")
    let zone = widgets.map { "zone = \"\($0)\"\n" } ?? ""
    let text = """
      \(display.map { "[locale]\nzone = \"\($0)\"" } ?? "")
      [widgets.clock]
      type = "flip-clock"
      \(zone)[widgets.day]
      type = "date"
      \(zone)[widgets.hands]
      type = "analog-clock"
      \(zone)[widgets.event]
      type = "timer"
      source = "countdown"
      until = 2026-11-01T12:00:00
      \(zone)[widgets.world]
      type = "world-clock"
      cities = ["Here = \(widgets ?? "local")", "Tokyo"]
      [schedule.night]
      from = "22:15"
      to = "06:45"
      days = ["mon-sat"]
      brightness = "20%"
      [schedule.dusk]
      from = "sunset"
      to = "22:00"
      brightness = "60%"
      """
    try writeFile(Array(text.utf8), to: path)
    let result = SettingsLoader.load(.explicit(path), mode: .running, checks: .standard)
    return try #require(result.configuration, "\(result.diagnostics)")
  }

  private func wall(_ configuration: Configuration, _ zones: ZoneCache, at now: Moment) -> Wall {
    Wall(
      alone: configuration, schedule: Schedule(configuration, zone: zones["local"]),
      displays: [Wall.Display(name: "A")], at: now)
  }

  private func machineZones(in zone: String) -> ZoneCache {
    ZoneCache(log: log) { name throws(TimeZoneError) in
      try TimeZone(named: name == "local" ? zone : name)
    }
  }

  private func moment(_ instant: Instant) -> Moment {
    Moment(clock: instant.seconds * 1_000_000_000, realtime: instant.seconds * 1_000_000_000)
  }

  /// What the wall shows and reads at an instant.
  private func facts(
    _ configuration: Configuration, _ zones: ZoneCache, _ wall: Wall, at instant: Instant
  ) throws -> [String] {
    var (wall, effects) = (wall, Wall.Effects())
    let now = moment(instant)
    wall.advance(to: now, &effects)
    var facts = configuration.texts(of: wall.model(at: instant)) { zones[$0] }.map { "\($0.name) \($0.text)" }
    facts.append("\(wall.light(of: nil).level) until \(wall.scheduleStatus?.nextSwitch ?? "")")
    try OfflineRenderer.Event(parsing: "0 countdown doors --until 02:30").perform(on: &wall, at: now)
    facts.append(wall.countdownStates(at: now).first?.until ?? "")
    facts.append(instant.rfc3339(in: zones["local"]))
    return facts
  }

  @Test("It is that of widgets, schedule, sun and countdowns, over changes to summer time", arguments: zones)
  func places(zone: String) throws {
    let chosen = try configuration(display: zone, widgets: nil)
    let other = try configuration(display: nil, widgets: zone)
    let (cache, machine) = (ZoneCache(local: zone, log: log), machineZones(in: zone))
    for start in Self.instants {
      let walls = (wall(chosen, cache, at: moment(start)), wall(other, machine, at: moment(start)))
      for hour in 0..<72 {
        let instant = Instant(seconds: start.seconds + Int64(hour) * 3_600)
        let found = try facts(chosen, cache, walls.0, at: instant)
        let expected = try facts(other, machine, walls.1, at: instant)
        #expect(found == expected, "\(zone) at \(instant)")
      }
    }
  }

  @Test("A reload changes it everywhere, and back to the machine's")
  func reload() throws {
    let cache = machineZones(in: "Africa/Lagos")
    let start = Self.instants[0]
    var generator = SplitMix(seed: 1)
    let first = try configuration(display: nil, widgets: nil)
    var reloaded = wall(first, cache, at: moment(start))
    for (number, zone) in (Self.zones + ["local"] + Self.zones).enumerated() {
      let configuration = try configuration(display: zone, widgets: nil)
      let now = moment(Instant(seconds: start.seconds + Int64(number) * 40_000))
      var effects = Wall.Effects()
      cache.renew(local: configuration.locale.zone)
      reloaded.adopt(
        configuration, schedule: Schedule(configuration, zone: cache["local"]),
        displays: [Wall.Display(name: "A")], at: now, &generator, keep: { _ in "" }, &effects)
      let meant = zone == "local" ? "Africa/Lagos" : zone
      let (other, machine) = (try self.configuration(display: nil, widgets: meant), machineZones(in: meant))
      let fresh = wall(other, machine, at: now)
      for hour in 0..<30 {
        let instant = Instant(seconds: now.instant.seconds + Int64(hour) * 3_600)
        #expect(
          try facts(configuration, cache, reloaded, at: instant)
            == facts(other, machine, fresh, at: instant), "\(zone) at \(instant)")
      }
    }
  }
}
