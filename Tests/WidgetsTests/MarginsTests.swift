// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// The margins for TVs that cut the edges of the picture off.
@Suite struct MarginsTests {
  private static func size(_ random: inout SplitMix) -> PixelSize {
    PixelSize(width: random.int(80...400), height: random.int(80...400))
  }

  /// A model with any time, scores and signs, and perhaps something over the page.
  private static func model(_ random: inout SplitMix) -> StageModel {
    var model = Fixture.model(
      Fixture.instant(random.int(0...23), random.int(0...59), random.int(0...59)),
      home: random.int(0...99), guest: random.int(0...9))
    (model.isCutOff, model.isUnsaved) = (random.int(0...1) == 0, random.int(0...1) == 0)
    switch random.int(0...3) {
    case 0: model.message = "TIME OUT"
    case 1:
      let part = Notice.Part.pairing(
        url: "http://192.168.1.20:8080/pair#abc", address: "192.168.1.20:8080", codes: ["123 456"],
        heading: .keepScore, hasEnd: true)
      model.notice = Notice([part], ends: 60_000_000_000)
    default: break
    }
    return model
  }

  private static func configuration(_ random: inout SplitMix, ground: UInt32? = nil) -> Configuration {
    var configuration = PageFixture.configuration(.cut)
    configuration.theme.groundTop = ground ?? configuration.theme.groundTop
    configuration.theme.groundBottom = ground ?? configuration.theme.groundBottom
    configuration.burnIn.radius = random.int(0...8)
    return configuration
  }

  @Test("Inside the margins, the picture is that of a smaller display")
  func smallerDisplay() {
    var random = SplitMix(seed: 3)
    var wrong: [String] = []
    for _ in 0..<TestEffort.rounds(60, long: 1_000) {
      let configuration = Self.configuration(&random, ground: 0x20_40_60)
      let (size, margins, page) = (Self.size(&random), random.int(0...10), ["clock", "match", "both"])
      let inside = size.inside(margins: margins)
      let first = Self.model(&random)
      let large = PageFixture.stage(configuration, size, margins: margins, first)
      let small = PageFixture.stage(configuration, inside.size, first)
      // Only the large stage is drawn by its damage.
      let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
      for step in 1...6 {
        // The motion that begins here is in flight at the next step.
        let (time, model, name) = (Double(step) * 0.2, Self.model(&random), page[random.int(0...2)])
        large.scene.advance(to: time)
        _ = large.scene.render(into: shown.buffer)
        // Outside, the small display has no room for the shadow of a box that rises.
        let part = Bitmap(width: inside.width, height: inside.height, format: .xrgb8888)
        part.buffer.copy(shown.buffer, inside, to: 0, 0, clip: part.buffer.bounds)
        if let difference = part.difference(from: small.scene.picture(at: time)) {
          wrong.append("\(size), \(margins) %, step \(step): \(difference)")
        }
        for stage in [large, small] {
          stage.update(model, at: time, animated: true)
          if step % 2 == 0 { stage.show(page: name, model) { time } }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
  }

  @Test("A ground with a gradient fills the display, and nothing else is in the margins")
  func ground() {
    var random = SplitMix(seed: 4)
    for _ in 0..<TestEffort.rounds(40, long: 1_000) {
      let size = Self.size(&random)
      var configuration = Self.configuration(&random)
      let stage = PageFixture.stage(configuration, size, margins: 5, Self.model(&random))
      configuration.pages = []
      configuration.widgets = []
      configuration.layout.rows = []
      let shown = stage.scene.picture(at: 0)
      let empty = PageFixture.stage(configuration, size, Fixture.model()).scene.picture(at: 0)
      let inside = size.inside(margins: 5)
      shown.buffer.copy(empty.buffer, inside, to: inside.x, inside.y, clip: inside)
      #expect(shown.difference(from: empty) == nil, "\(size)")
    }
  }

  @Test("A stage with other margins does not continue from the old places")
  func otherMargins() {
    let (configuration, size) = (PageFixture.configuration(.fade), PageFixture.small)
    let model = Fixture.model(home: 3, guest: 4)
    let before = PageFixture.stage(configuration, size, Fixture.model())
    before.update(model, at: 1, animated: true)
    let stage = PageFixture.stage(configuration, size, margins: 10, model)
    let fresh = stage.scene.picture(at: 1)
    stage.resume(from: before, at: 1)
    #expect(stage.scene.picture(at: 1).difference(from: fresh) == nil)
  }

  @Test("Pages are checked at the size inside the margins of each display")
  func check() {
    var configuration = Configuration()
    configuration.display.margins = 10
    #expect(
      LayoutCheck.sizes(configuration).prefix(2) == [
        PixelSize(width: 256, height: 192), PixelSize(width: 384, height: 256),
      ])
    configuration.display.mode = .size(PixelSize(width: 1920, height: 1080), refreshMillihertz: nil)
    var (left, right) = (OutputSettings(name: "left"), OutputSettings(name: "right"))
    left.margins = 0
    right.rule.rotation = .clockwise
    configuration.outputs = [left, right]
    #expect(
      LayoutCheck.sizes(configuration) == [
        PixelSize(width: 1536, height: 864), PixelSize(width: 1920, height: 1080),
        PixelSize(width: 864, height: 1536),
      ])
    configuration.display.mode = .auto
    configuration.outputs = [left]
    configuration.display.margins = 3
    let sizes = LayoutCheck.sizes(configuration)
    #expect(LayoutCheck.commonSizes.allSatisfy { sizes.contains($0) }, "the output 'left' has no margins")
    #expect(sizes.count == 2 * LayoutCheck.commonSizes.count)
  }
}
