// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite("The marks of a wall with a problem") struct WarningMarkTests {
  private static let signs: [[WarningMark.Sign]] = [[], [.cutOff], [.unsaved], [.cutOff, .unsaved]]

  private static func model(_ signs: [WarningMark.Sign]) -> StageModel {
    var model = Fixture.model()
    (model.isCutOff, model.isUnsaved) = (signs.contains(.cutOff), signs.contains(.unsaved))
    return model
  }

  private static func stage(_ signs: [WarningMark.Sign], _ size: PixelSize, theme: String? = nil) -> Stage {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings())
    ])
    configuration.theme = configuration.theme(named: theme)
    return Fixture.stage(configuration, size, model(signs))
  }

  @Test(
    "The marks appear and disappear in a corner, each in its place, at every size and in every theme",
    arguments: [(64, 32), (320, 240), (480, 800), (1366, 768), (1920, 515)])
  func mark(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    for theme in ThemeSettings.builtIn.map(\.name) {
      let pictures = Self.signs.map { Self.stage($0, size, theme: theme).scene.picture(at: 1) }
      let stage = Self.stage([], size, theme: theme)
      for index in [1, 0, 2, 3, 1, 3, 0] {
        stage.update(Self.model(Self.signs[index]), at: 1, animated: true)
        #expect(stage.scene.picture(at: 2).difference(from: pictures[index]) == nil)
      }
      // Two pictures of which one has a mark more differ, and only near the lower right corner.
      let edge = max(min(width, height) / 14, 12)
      for (a, b) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
        var count = 0
        for y in 0..<height {
          let (first, second) = (pictures[a].buffer.row32(y), pictures[b].buffer.row32(y))
          for x in 0..<width where first[x] != second[x] {
            count += 1
            #expect(x >= width - 2 * edge && y >= height - edge)
          }
        }
        #expect(count > 10, "\(theme), \(Self.signs[a]) and \(Self.signs[b]): \(count) pixels")
      }
    }
  }
}
