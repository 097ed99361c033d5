// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import Glibc
import Raster
import Settings
import Typography
import Widgets

/// The time from a config to its first picture: creating a stage with everything that is drawn once, and its
/// first frame.
struct StageCases {
  let size: PixelSize

  static let names = ["stage-clock", "stage-seconds", "stage-score", "stage-cities", "stage-hands"]

  func make(_ name: String) -> BenchmarkCase? {
    let content: any WidgetContent
    switch name {
    case "stage-clock": content = FlipClockSettings()
    case "stage-seconds":
      var clock = FlipClockSettings()
      clock.seconds = true
      content = clock
    case "stage-score": content = ScoreSettings()
    case "stage-cities": content = WorldClockSettings()
    case "stage-hands": content = AnalogClockSettings()
    default: return nil
    }
    var configuration = Configuration()
    configuration.theme.symbolFont = FontLibrary.builtInName
    configuration.theme.labelFont = FontLibrary.builtInName
    configuration.widgets = [WidgetSettings(name: name, weight: 1, content: content)]
    configuration.layout.rows = [[name]]
    // The state at a reload of the config: the fonts are loaded, the symbols are not drawn yet.
    let fonts = FontLibrary { _ in }
    let shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let scanout = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let size = size
    return BenchmarkCase(
      name: name, size: size,
      contestants: [
        Contestant(name: "flipclock") {
          let stage = Stage(
            configuration, size: size, fonts: fonts, zones: { _ in .utc }, model: StageRun.model(0), time: 0)
          _ = stage.scene.render(into: shadow.buffer)
        },
        Contestant(name: "memcpy") {
          memcpy(scanout.buffer.base, shadow.buffer.base, shadow.buffer.bytesPerRow * size.height)
        },
      ],
      difference: {
        let stage = Stage(
          configuration, size: size, fonts: fonts, zones: { _ in .utc }, model: StageRun.model(0), time: 0)
        _ = stage.scene.render(into: shadow.buffer)
        while stage.prepare() {}
        stage.scene.invalidate()
        _ = stage.scene.render(into: scanout.buffer)
        let apart = Pictures.difference(shadow, scanout)
        return apart.mean == 0 ? nil : "drawing the prepared symbols changes the picture"
      })
  }
}
