// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite("The mark of a wall that is cut off") struct CutOffMarkTests {
  private static func stage(_ isCutOff: Bool, _ size: PixelSize, theme: String? = nil) -> Stage {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings())
    ])
    configuration.theme = configuration.theme(named: theme)
    var model = Fixture.model()
    model.isCutOff = isCutOff
    return Fixture.stage(configuration, size, model)
  }

  @Test(
    "It appears and disappears in a corner, at every size and in every theme",
    arguments: [(64, 32), (320, 240), (480, 800), (1366, 768), (1920, 515)])
  func mark(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    for theme in ThemeSettings.builtIn.map(\.name) {
      let plain = Self.stage(false, size, theme: theme).scene.picture(at: 1)
      let marked = Self.stage(true, size, theme: theme).scene.picture(at: 1)
      let stage = Self.stage(false, size, theme: theme)
      var model = Fixture.model()
      for isCutOff in [true, false, true] {
        model.isCutOff = isCutOff
        stage.update(model, at: 1, animated: true)
        #expect(stage.scene.picture(at: 2).difference(from: isCutOff ? marked : plain) == nil)
      }
      // Only pixels near the lower right corner differ.
      let edge = max(min(width, height) / 14, 12)
      var count = 0
      for y in 0..<height {
        let (a, b) = (plain.buffer.row32(y), marked.buffer.row32(y))
        for x in 0..<width where a[x] != b[x] {
          count += 1
          #expect(x >= width - edge && y >= height - edge)
        }
      }
      #expect(count > 10, "\(theme): \(count) pixels")
    }
  }
}
