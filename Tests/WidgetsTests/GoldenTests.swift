// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

/// Frames of the default theme with the built-in font outlines, which need no installed font.
@Suite struct GoldenTests {
  private static let clock = Fixture.configuration([
    WidgetSettings(name: "time", weight: 3, content: FlipClockSettings()),
    WidgetSettings(name: "date", weight: 1, content: DateSettings()),
  ])

  /// The time at which the flap that starts first has turned by `degrees`, in seconds after the change.
  private static func time(_ degrees: Double) -> Double {
    let isFirst = degrees <= 90
    let progress = isFirst ? degrees / 90 : degrees / 90 - 1
    let curve = isFirst ? TimingFunction.easeIn : .easeOut
    var (low, high) = (0.0, 1.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if curve(middle) < progress { low = middle } else { high = middle }
    }
    return (isFirst ? 0 : 0.25) + low * 0.25
  }

  private static let moments: [(name: String, time: Double)] = [
    ("0-before", -1), ("1-at-45", time(45)), ("2-at-90", 0.25), ("3-at-135", time(135)),
    ("4-last-at-90", 0.43),
    ("5-after", 1),
  ]

  @Test("09:59 becomes 10:00 on a small panel")
  func smallPanel() throws {
    try compareClock(PixelSize(width: 480, height: 320), "clock-480x320", crop: nil)
  }

  /// The minutes only, to keep the files small; the hours use the same cards.
  @Test("09:59 becomes 10:00 on a large screen")
  func largeScreen() throws {
    try compareClock(
      PixelSize(width: 1920, height: 1080), "clock-1080p",
      crop: PixelRect(x: 1010, y: 150, width: 890, height: 660))
  }

  /// Compares each moment, drawn by its damage over the previous one, with its golden.
  private func compareClock(_ size: PixelSize, _ name: String, crop: PixelRect?) throws {
    let stage = Fixture.stage(Self.clock, size, Fixture.model(Fixture.instant(9, 59, 59)), time: 0)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    stage.update(Fixture.model(Fixture.instant(10, 0)), at: 2, animated: true)
    for moment in Self.moments {
      stage.scene.advance(to: 2 + moment.time)
      _ = stage.scene.render(into: shown.buffer)
      try Golden.expect(shown, crop: crop, is: "\(name)-\(moment.name)")
    }
  }

  @Test("a score flips on a small panel")
  func aScoreFlipsOnASmallPanel() throws {
    let size = PixelSize(width: 480, height: 320)
    let configuration = Fixture.configuration([
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings())
    ])
    let stage = Fixture.stage(configuration, size, Fixture.model(home: 20, guest: 17))
    stage.update(Fixture.model(home: 21, guest: 17), at: 1, animated: true)
    stage.scene.advance(to: 1 + Self.time(45))
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    _ = stage.scene.render(into: shown.buffer)
    try Golden.expect(shown, is: "score-480x320-at-45")
  }

  @Test("hands moving to the next mark")
  func handsInMotion() throws {
    let size = PixelSize(width: 240, height: 200)
    var settings = AnalogClockSettings()
    settings.secondsBar = true
    let configuration = Fixture.configuration([
      WidgetSettings(name: "hands", weight: 1, content: settings)
    ])
    let stage = Fixture.stage(configuration, size, Fixture.model(Fixture.instant(9, 59, 59)))
    stage.update(Fixture.model(Fixture.instant(10, 0)), at: 1, animated: true)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    for (name, time) in [("on-the-way", 1.03), ("beyond", 1.12), ("there", 3)] {
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shown.buffer)
      try Golden.expect(shown, is: "hands-\(name)")
    }
  }
}
