// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct WorldClockTests {
  /// Zones by POSIX rules, so that the tests do not depend on the machine's database.
  private static let rules = [
    "A/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3", "A/New_York": "EST5EDT,M3.2.0,M11.1.0", "A/Tokyo": "JST-9",
    "A/Kiritimati": "<+14>-14", "A/Pago_Pago": "SST11", "A/Kathmandu": "<+0545>-5:45",
  ]

  private static func stage(
    _ zones: [String], _ size: PixelSize = PixelSize(width: 320, height: 240),
    at instant: Instant = Fixture.instant(9, 59), time: Double = 0,
    _ change: (inout WorldClockSettings) -> Void = { _ in }
  ) -> Stage {
    var settings = WorldClockSettings()
    settings.cities = zones.map { WorldClockSettings.City(zone: "A/" + $0) }
    change(&settings)
    return Stage(
      Fixture.configuration([WidgetSettings(name: "world", weight: 1, content: settings)]),
      size: size, fonts: Fixture.fonts,
      zones: { (try? TimeZone(posix: rules[$0] ?? "UTC0")) ?? .utc }, model: Fixture.model(instant),
      time: time)
  }

  @Test("each city shows its own time, and a mark if its date is not the first city's")
  func citiesAndMarks() {
    func text(_ zones: [String], _ hour: Int, _ change: (inout WorldClockSettings) -> Void = { _ in })
      -> String
    {
      Self.stage(zones, at: Fixture.instant(hour, 30), change).texts[0].text
    }
    #expect(text(["Berlin", "New_York", "Tokyo"], 9) == "BERLIN 10:30, NEW YORK 04:30, TOKYO 18:30")
    #expect(text(["Berlin", "Tokyo"], 16) == "BERLIN 17:30, TOKYO 01:30 +1")
    #expect(text(["Tokyo", "Berlin"], 16) == "TOKYO 01:30, BERLIN 17:30 −1")
    #expect(text(["Pago_Pago", "Kiritimati"], 10) == "PAGO PAGO 23:30, KIRITIMATI 00:30 +2")
    #expect(text(["Kiritimati", "Pago_Pago"], 10) == "KIRITIMATI 00:30, PAGO PAGO 23:30 −2")
    #expect(text(["Berlin", "Tokyo"], 16) { $0.dayMark = .weekday } == "BERLIN 17:30, TOKYO 01:30 SAT")
    #expect(text(["Berlin", "Tokyo"], 16) { $0.dayMark = .none } == "BERLIN 17:30, TOKYO 01:30")
    #expect(
      text(["Berlin", "Kathmandu"], 16) { $0.hours = .twelve } == "BERLIN 05:30 PM, KATHMANDU 10:15 PM")
  }

  @Test("a world clock wakes once a minute, and then shows what a new one shows")
  func wakeUps() throws {
    let zones = ["Berlin", "Tokyo", "Kathmandu"]
    let stage = Self.stage(zones, at: Fixture.instant(14, 58, 20))
    var instant = Fixture.instant(14, 58, 20)
    for minute in [59, 60, 61] {
      instant = try #require(stage.nextChange(after: instant))
      #expect(instant == Fixture.instant(14, minute))
      stage.update(Fixture.model(instant), at: Double(minute), animated: true)
      #expect(stage.scene.activity != .resting)
      let fresh = Self.stage(zones, at: instant)
      #expect(
        stage.scene.picture(at: Double(minute) + 5).difference(from: fresh.scene.picture(at: 0)) == nil)
    }
  }

  @Test(
    "clocks and captions stay in their place and do not overlap, at any size and number",
    arguments: [
      (320, 240), (240, 320), (480, 320), (800, 480), (480, 800), (1280, 320), (1920, 1080), (64, 64),
    ])
  func clocksStandInsideTheirPlace(width: Int, height: Int) {
    let box = Size(width: Double(width) * 0.92, height: Double(height) * 0.84)
    for hasPeriod in [false, true] {
      let parts = ClockGeometry.Parts(
        groups: [2, 2], aspect: CardMetrics.aspect, hasColon: true, hasPeriod: hasPeriod)
      for count in 1...12 {
        let geometry = WorldClockGeometry(
          cities: count, parts, reference: Double(min(width, height)), in: box)
        #expect(geometry.columns * geometry.rows >= count)
        #expect(geometry.columns * geometry.rows - count < geometry.columns)
        // Cards are at least eight pixels high. Clocks with cards of that height may not fit; the widget is
        // then not shown.
        if geometry.clock.metrics.height > 8 {
          #expect(geometry.size.width <= box.width && geometry.size.height <= box.height)
        }
        let rects = (0..<count).map { index in
          let origin = geometry.origin(index, of: count)
          return Rect(
            x: origin.x, y: origin.y, width: geometry.clock.size.width,
            height: geometry.clock.size.height + geometry.captionHeight)
        }
        for (index, rect) in rects.enumerated() {
          #expect(rect.x >= 0 && rect.y >= 0 && rect.isWhole)
          #expect(rect.maxX <= geometry.size.width && rect.maxY <= geometry.size.height)
          for other in rects[..<index] { #expect(!rect.overlaps(other)) }
        }
      }
    }
    #expect(box.width > 0)
  }

  @Test("six cities on a small and on an upright display", arguments: [(320, 240), (480, 800), (800, 480)])
  func sixCities(width: Int, height: Int) throws {
    let stage = Self.stage(
      ["Berlin", "New_York", "Tokyo", "Kiritimati", "Pago_Pago", "Kathmandu"],
      PixelSize(width: width, height: height), at: Fixture.instant(10, 30))
    try Golden.expect(stage.scene.picture(at: 0), is: "world-\(width)x\(height)")
  }
}
