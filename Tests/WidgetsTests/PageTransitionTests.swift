// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// Small pages with the built-in font outlines.
enum PageFixture {
  static func configuration(_ kind: PageTransitionSettings.Kind) -> Configuration {
    var clock = FlipClockSettings()
    clock.seconds = true
    var words = TextSettings()
    words.text = "WELCOME"
    var configuration = Fixture.configuration(
      [
        WidgetSettings(name: "time", weight: 3, content: clock),
        WidgetSettings(name: "score", weight: 2, content: ScoreSettings()),
        WidgetSettings(name: "words", weight: 1, content: words),
      ], rows: [])
    let pages = ["clock": [["time"], ["words"]], "match": [["score"]], "both": [["score", "time"]]]
    configuration.pages = ["clock", "match", "both"].map { name in
      var layout = LayoutSettings()
      layout.rows = pages[name] ?? []
      return PageSettings(name: name, layout: layout)
    }
    configuration.pageTransition.kind = kind
    configuration.pageTransition.bands = 5
    return configuration
  }

  static func stage(
    _ configuration: Configuration, _ size: PixelSize, margins: Int = 0, _ model: StageModel,
    page: String? = nil
  ) -> Stage {
    Stage(
      configuration, size: size, margins: margins, fonts: Fixture.fonts, zones: { _ in .utc }, model: model,
      time: 0, page: page)
  }

  static let small = PixelSize(width: 163, height: 91)
}

@Suite struct PageTransitionTests {
  private static let moving = PageTransitionSettings.Kind.allCases.filter { $0 != .cut }

  @Test("A transition begins with the outgoing page and ends with the incoming one", arguments: moving)
  func ends(kind: PageTransitionSettings.Kind) {
    let configuration = PageFixture.configuration(kind)
    for size in [PageFixture.small, PixelSize(width: 160, height: 90), PixelSize(width: 91, height: 120)] {
      let model = Fixture.model(home: 3, guest: 12)
      let stage = PageFixture.stage(configuration, size, model)
      let before = stage.scene.picture(at: 2)
      let isShown = stage.show(page: "match", model) { 2 }
      #expect(isShown)
      #expect(stage.scene.picture(at: 2).difference(from: before) == nil)
      #expect(stage.scene.picture(at: 2.5).difference(from: before) != nil)
      #expect(stage.isChangingPages)
      let fresh = PageFixture.stage(configuration, size, model, page: "match")
      #expect(stage.scene.picture(at: 2.5).difference(from: fresh.scene.picture(at: 0)) != nil)
      #expect(stage.scene.picture(at: 3).difference(from: fresh.scene.picture(at: 0)) == nil)
      #expect(!stage.isChangingPages)
      #expect(stage.scene.activity == .resting)
    }
  }

  @Test(
    "Flips in flight are in the picture, and a new page starts from the current picture", arguments: moving
  )
  func midFlight(kind: PageTransitionSettings.Kind) {
    let configuration = PageFixture.configuration(kind)
    let stage = PageFixture.stage(configuration, PageFixture.small, Fixture.model())
    let later = Fixture.model(Fixture.instant(10, 0), home: 8)
    stage.update(later, at: 1, animated: true)
    let flight = stage.scene.picture(at: 1.2)
    stage.show(page: "match", later) { 1.2 }
    #expect(stage.scene.picture(at: 1.2).difference(from: flight) == nil)
    let middle = stage.scene.picture(at: 1.73)
    stage.show(page: "both", later) { 1.73 }
    #expect(stage.scene.picture(at: 1.73).difference(from: middle) == nil)
    let fresh = PageFixture.stage(configuration, PageFixture.small, later, page: "both")
    #expect(stage.scene.picture(at: 2.73).difference(from: fresh.scene.picture(at: 0)) == nil)
    #expect(stage.pageName == "both")
  }

  @Test(
    "Damage covers every change at any time, and the end is the model's picture", arguments: moving)
  func anything(kind: PageTransitionSettings.Kind) {
    let configuration = PageFixture.configuration(kind)
    for seed in 0..<4 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      var model = Fixture.model()
      let stage = PageFixture.stage(configuration, PageFixture.small, model)
      let shown = Bitmap(width: PageFixture.small.width, height: PageFixture.small.height, format: .xrgb8888)
      var time = 0.0
      for _ in 0..<60 {
        time += random.unit() * 0.15
        stage.scene.advance(to: time)
        switch random.int(0...5) {
        case 0:
          stage.show(page: ["clock", "match", "both"][random.int(0...2)], model) { time }
        case 1, 2:
          model = Fixture.model(
            Fixture.instant(9, 59, random.int(0...59)), home: random.int(0...99), guest: random.int(0...9))
          stage.update(model, at: time, animated: random.int(0...3) > 0)
        default: break
        }
        _ = stage.scene.render(into: shown.buffer)
        #expect(shown.difference(from: stage.scene.picture(at: time)) == nil, "seed \(seed) at \(time) s")
      }
      let fresh = PageFixture.stage(configuration, PageFixture.small, model, page: stage.pageName)
      let end = stage.scene.picture(at: time + 4)
      #expect(end.difference(from: fresh.scene.picture(at: 0)) == nil, "seed \(seed)")
      #expect(stage.scene.activity == .resting)
    }
  }

  @Test("The outgoing picture is released when its page has gone", arguments: moving)
  func pictures(kind: PageTransitionSettings.Kind) {
    let stage = PageFixture.stage(PageFixture.configuration(kind), PageFixture.small, Fixture.model())
    _ = stage.scene.picture(at: 0)
    stage.show(page: "match", Fixture.model()) { 0 }
    _ = stage.scene.picture(at: 0.4)
    let overlay = stage.overlay
    weak var picture: LayerImage?
    func find(_ layer: Layer) {
      if picture == nil { picture = layer.contents }
      for layer in layer.sublayers { find(layer) }
    }
    find(overlay)
    #expect(picture != nil)
    _ = stage.scene.picture(at: 1)
    #expect(overlay.sublayers.isEmpty)
    #expect(picture == nil)
  }

  @Test("A cut, or a transition of no duration, changes the page at once")
  func atOnce() {
    for kind in PageTransitionSettings.Kind.allCases {
      var configuration = PageFixture.configuration(kind)
      if kind != .cut { configuration.pageTransition.duration = 0 }
      let stage = PageFixture.stage(configuration, PageFixture.small, Fixture.model())
      _ = stage.scene.picture(at: 1)
      stage.show(page: "match", Fixture.model()) { 1 }
      let fresh = PageFixture.stage(configuration, PageFixture.small, Fixture.model(), page: "match")
      #expect(stage.scene.picture(at: 1).difference(from: fresh.scene.picture(at: 0)) == nil)
      #expect(!stage.isChangingPages)
    }
  }

  @Test("Only the current page causes wake-ups, and all pages report their texts")
  func shownPageOnly() {
    let stage = PageFixture.stage(
      PageFixture.configuration(.shutter), PageFixture.small, Fixture.model(), page: "match")
    #expect(stage.nextChange(after: Fixture.instant(9, 0)) == nil)
    #expect(stage.texts.map(\.text) == ["09:59:59", "0 : 0", "WELCOME"])
    stage.show(page: "clock", Fixture.model(home: 2)) { 0 }
    #expect(stage.nextChange(after: Fixture.instant(9, 0)) == Fixture.instant(9, 0, 1))
    #expect(stage.texts.map(\.text) == ["09:59:59", "2 : 0", "WELCOME"])
    #expect(stage.pageNames == ["clock", "match", "both"])
  }

  @Test("An unknown page changes nothing; a stage for an unknown page shows the first one")
  func unknownPage() {
    let stage = PageFixture.stage(
      PageFixture.configuration(.shutter), PageFixture.small, Fixture.model(), page: "nothing")
    #expect(stage.pageName == "clock")
    let isShown = stage.show(page: "nothing", Fixture.model()) { 0 }
    #expect(!isShown)
    #expect(stage.pageName == "clock")
  }

  @Test("Both halves of a flipping page show the same moment")
  func halves() {
    let stage = PageFixture.stage(
      PageFixture.configuration(.flip), PageFixture.small, Fixture.model(), page: "match")
    stage.motion.isShaded = false
    stage.show(page: "clock", Fixture.model()) { 0 }
    let later = Fixture.model(Fixture.instant(10, 0))
    stage.scene.advance(to: 0.3)
    stage.update(later, at: 0.3, animated: true)
    // As soon as the flap has left the upper half, that half shows the new page at rest, with the complete
    // new time.
    let fresh = PageFixture.stage(
      PageFixture.configuration(.flip), PageFixture.small, later, page: "clock"
    ).scene.picture(at: 0)
    let turning = stage.scene.picture(at: 0.75)
    let half = PixelRect(x: 0, y: 0, width: PageFixture.small.width, height: PageFixture.small.height / 2 - 1)
    var differences = 0
    for y in 0..<half.height {
      for x in 0..<half.width where turning.buffer.row32(y)[x] != fresh.buffer.row32(y)[x] {
        differences += 1
      }
    }
    #expect(differences == 0)
    #expect(stage.scene.picture(at: 1).difference(from: fresh) == nil)
  }

  @Test("Bands begin and end on whole pixels, at any width")
  func bands() {
    for width in [1, 2, 7, 8, 480, 1023, 1366, 1920] {
      for count in [2, 3, 8, 64] {
        let outgoing = LayerImage(Bitmap(width: width, height: 1, format: .xrgb8888))
        let context = PageTransitionContext(
          motion: PageMotion(), scene: Scene(size: outgoing.bitmap.size), overlay: Layer(), page: Layer(),
          outgoing: outgoing)
        let edges = context.edges(count)
        #expect(edges.first == 0 && edges.last == width)
        let widths = zip(edges, edges.dropFirst()).map { $1 - $0 }
        #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
        for (left, right) in zip(edges, edges.dropFirst()) {
          let part = context.part(left, right)
          #expect(Int((part.x * Double(width)).rounded()) == left)
          #expect(Int((part.maxX * Double(width)).rounded()) == right)
        }
      }
    }
  }
}
