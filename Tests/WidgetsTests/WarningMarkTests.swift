// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite("The marks of a wall with a problem") struct WarningMarkTests {
  private typealias Sign = WarningMark.Sign

  /// All sets of signs; one is in the set at an index if its bit is set in the index.
  private static let sets = (0..<1 << Sign.allCases.count).map { bits in
    Set(Sign.allCases.filter { bits & 1 << $0.rawValue != 0 })
  }

  private static func model(_ signs: Set<Sign>) -> StageModel {
    var model = Fixture.model()
    (model.isCutOff, model.isUnsaved) = (signs.contains(.cutOff), signs.contains(.unsaved))
    model.isTimeConfirmed = !signs.contains(.unconfirmedTime)
    return model
  }

  private static func stage(_ signs: Set<Sign>, _ size: PixelSize, theme: String? = nil) -> Stage {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings()),
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings()),
    ])
    configuration.theme = configuration.theme(named: theme)
    return Fixture.stage(configuration, size, model(signs))
  }

  /// The number of pixels that differ, and whether all of them are near the lower right corner.
  private static func difference(_ a: Bitmap, _ b: Bitmap) -> (count: Int, isInCorner: Bool) {
    let edge = max(min(a.width, a.height) / 14, 12)
    var (count, isInCorner) = (0, true)
    for y in 0..<a.height {
      let (first, second) = (a.buffer.row32(y), b.buffer.row32(y))
      for x in 0..<a.width where first[x] != second[x] {
        count += 1
        if x < a.width - Sign.allCases.count * edge || y < a.height - edge { isInCorner = false }
      }
    }
    return (count, isInCorner)
  }

  @Test(
    "The marks appear and disappear in a corner, each in its place, at every size and in every theme",
    arguments: [(64, 32), (320, 240), (480, 800), (1366, 768), (1920, 515)])
  func mark(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    for theme in ThemeSettings.builtIn.map(\.name) {
      let pictures = Self.sets.map { Self.stage($0, size, theme: theme).scene.picture(at: 1) }
      let stage = Self.stage([], size, theme: theme)
      for index in Array(Self.sets.indices) + Self.sets.indices.reversed() {
        stage.update(Self.model(Self.sets[index]), at: 1, animated: true)
        #expect(stage.scene.picture(at: 2).difference(from: pictures[index]) == nil)
      }
      // Two pictures of which one has a mark more differ, and only near the lower right corner.
      for index in Self.sets.indices {
        for sign in Sign.allCases where !Self.sets[index].contains(sign) {
          let (count, isInCorner) = Self.difference(pictures[index], pictures[index | 1 << sign.rawValue])
          #expect(count > 10 && isInCorner, "\(theme), \(sign) beside \(Self.sets[index])")
        }
      }
    }
  }

  @Test("A time that nothing has confirmed is marked on the pages that show the time, also after a change")
  func pages() throws {
    var configuration = Fixture.configuration(
      [
        WidgetSettings(name: "scores", weight: 1, content: ScoreSettings()),
        WidgetSettings(name: "clock", weight: 1, content: FlipClockSettings()),
      ], rows: [])
    configuration.pages = ["scores", "clock"].map { name in
      var layout = LayoutSettings()
      layout.rows = [[name]]
      return PageSettings(name: name, layout: layout)
    }
    let size = PixelSize(width: 640, height: 360)
    let sets: [Set<Sign>] = [[.unconfirmedTime], []]
    let stages = sets.map { Fixture.stage(configuration, size, Self.model($0)) }
    for page in ["clock", "scores", "clock"] {
      for (stage, signs) in zip(stages, sets) {
        stage.update(Self.model(signs), at: stage.scene.time, animated: true)
        #expect(stage.show(page: page, Self.model(signs), animated: false) { stage.scene.time })
        stage.scene.advance(to: stage.scene.time + 5)
      }
      let time = stages[0].scene.time
      let (count, isInCorner) = Self.difference(
        stages[0].scene.picture(at: time), stages[1].scene.picture(at: time))
      #expect((count > 10) == (page == "clock") && isInCorner, "\(page): \(count)")
    }
  }
}
