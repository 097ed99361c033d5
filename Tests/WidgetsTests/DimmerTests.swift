// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct DimmerTests {
  private let size = PixelSize(width: 200, height: 120)

  private func stage() -> Stage {
    Fixture.stage(
      Fixture.configuration(
        [WidgetSettings(name: "score", weight: 1, content: ScoreSettings())], rows: [["score"]]),
      size, Fixture.model(home: 7, guest: 21))
  }

  private func picture(_ stage: Stage) -> Bitmap { stage.scene.snapshot(of: stage.scene.root) }

  /// The sum of all channels.
  private func light(_ bitmap: Bitmap) -> Int {
    var sum = 0
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let pixel = bitmap.buffer.row32(y)[x]
        sum += Int(pixel & 0xff) + Int(pixel >> 8 & 0xff) + Int(pixel >> 16 & 0xff)
      }
    }
    return sum
  }

  @Test("At full brightness there is no layer; at lower ones each pixel is scaled by the brightness")
  func still() {
    let stage = stage()
    let full = picture(stage)
    let layers = stage.scene.root.sublayers.count
    for percent in [100, 60, 1, 0] {
      stage.dimmer.setBrightness(Double(percent) / 100, animated: false)
      #expect(stage.scene.root.sublayers.count == layers + (percent == 100 ? 0 : 1))
      let dimmed = picture(stage)
      var worst = 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          for shift: UInt32 in [0, 8, 16] {
            let before = Int(full.buffer.row32(y)[x] >> shift & 0xff)
            let after = Int(dimmed.buffer.row32(y)[x] >> shift & 0xff)
            worst = max(worst, abs(after * 100 - before * percent))
          }
        }
      }
      #expect(worst <= 200, "more than two levels of 255")
    }
    let other = Layer()
    stage.scene.root.addSublayer(other)
    #expect(stage.scene.root.sublayers.last === stage.dimmer.layer, "also in front of layers added later")
    other.removeFromSuperlayer()
    stage.dimmer.setBrightness(1, animated: false)
    #expect(stage.scene.root.sublayers.count == layers)
    #expect(stage.scene.activity == .resting)
  }

  @Test("A change fades in 0.3 s from the current brightness, and full brightness removes the layer")
  func motion() {
    let stage = stage()
    let full = light(picture(stage))
    let layers = stage.scene.root.sublayers.count
    stage.dimmer.setBrightness(0.2, animated: true)
    stage.scene.advance(to: stage.scene.time + 0.15)
    let half = light(picture(stage))
    #expect(half < full * 9 / 10 && half > full / 4)
    stage.dimmer.setBrightness(1, animated: true)
    #expect(abs(light(picture(stage)) - half) <= full / 100, "no jump")
    stage.scene.advance(to: stage.scene.time + 0.31)
    #expect(light(picture(stage)) == full)
    #expect(stage.scene.root.sublayers.count == layers)
    stage.dimmer.setBrightness(0.2, animated: true)
    stage.scene.advance(to: stage.scene.time + 0.31)
    let shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    withExtendedLifetime(shadow) { _ = stage.scene.render(into: shadow.buffer) }
    #expect(stage.scene.activity == .resting)
    #expect(abs(light(picture(stage)) - full / 5) <= full / 50)
  }

  @Test("An outgoing page is not darkened twice, and the incoming one is equally dark")
  func pages() {
    var configuration = Fixture.configuration(
      [WidgetSettings(name: "score", weight: 1, content: ScoreSettings())], rows: [["score"]])
    var layout = LayoutSettings()
    layout.rows = [["score"]]
    configuration.pages = [PageSettings(name: "a", layout: layout), PageSettings(name: "b", layout: layout)]
    configuration.pageTransition.kind = .fade
    let model = Fixture.model(home: 7, guest: 21)
    let stage = Fixture.stage(configuration, size, model)
    stage.dimmer.setBrightness(0.5, animated: false)
    let before = light(picture(stage))
    stage.show(page: "b", model) { stage.scene.time }
    for _ in 0..<4 {
      stage.scene.advance(to: stage.scene.time + 0.1)
      let now = light(picture(stage))
      #expect(abs(now - before) <= before / 20, "\(now) \(before)")
    }
  }
}
