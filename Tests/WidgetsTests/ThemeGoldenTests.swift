// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

/// Frames of the themes other than the default one, in the built-in outlines.
@Suite struct ThemeGoldenTests {
  private static let size = PixelSize(width: 320, height: 200)

  @Test("Cards flip in every theme", arguments: ["paper", "night", "amber", "solari", "high-contrast"])
  func flip(theme: String) throws {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 3, content: FlipClockSettings()),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
    ])
    configuration.theme = configuration.theme(named: theme)
    let stage = Fixture.stage(configuration, Self.size, Fixture.model(Fixture.instant(9, 59, 59)))
    stage.update(Fixture.model(Fixture.instant(10, 0)), at: 1, animated: true)
    let shown = Bitmap(width: Self.size.width, height: Self.size.height, format: .xrgb8888)
    for (name, time) in [("rest", 0.5), ("falling", 1.22), ("landing", 1.42)] {
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shown.buffer)
      try Golden.expect(shown, is: "theme-\(theme)-\(name)")
    }
  }

  @Test("A score and a message on a light ground and on a flat one", arguments: ["paper", "high-contrast"])
  func scoreAndMessage(theme: String) throws {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings())
    ])
    configuration.theme = configuration.theme(named: theme)
    var model = Fixture.model(home: 20, guest: 17)
    model.message = "TIME-OUT"
    let stage = Fixture.stage(configuration, Self.size, model)
    try Golden.expect(stage.scene.picture(at: 1), is: "theme-\(theme)-message")
  }
}
