// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// Pages that are shown at any time while their content changes.
@Suite struct RandomPagesTests {
  /// A configuration with a widget of every kind; each card widget's transition is random.
  private static func configuration(
    _ kind: PageTransitionSettings.Kind, _ random: inout SplitMix
  ) -> Configuration {
    let widgets = WidgetSettings.kinds.map { kind in
      WidgetSettings(name: kind.typeName, weight: 1, content: content(kind, &random))
    }
    var configuration = Fixture.configuration(widgets, rows: [])
    // Each page has two kinds of widgets; the last page may have only one.
    let names = widgets.map(\.name)
    configuration.pages = stride(from: 0, to: names.count, by: 2).map { first in
      var layout = LayoutSettings()
      layout.rows = names[first..<min(first + 2, names.count)].map { [$0] }
      return PageSettings(name: "page\(first)", layout: layout)
    }
    configuration.pageTransition.kind = kind
    configuration.pageTransition.bands = random.int(2...9)
    configuration.pageTransition.sides = random.int(3...8)
    configuration.pageTransition.duration = 0.3 + random.unit()
    return configuration
  }

  private static func content(
    _ kind: any WidgetContent.Type, _ random: inout SplitMix
  ) -> any WidgetContent {
    var content = kind.init()
    switch content {
    case var clock as FlipClockSettings:
      clock.seconds = true
      clock.colon = .blinking
      content = clock
    case var board as BoardSettings:
      (board.columns, board.rows, board.text) = (5, 2, "WELL\nDONE")
      content = board
    case var image as ImageSettings:
      (image.folder, image.every) = (pictures, 1)
      content = image
    case var hands as AnalogClockSettings:
      hands.secondsBar = true
      hands.tick = [.spring, .eased(.easeIn), .eased(.easeInOut)][random.int(0...2)]
      content = hands
    default: break
    }
    if var cards = content as? any CardWidgetContent {
      let transitions = DigitTransition.allCases
      cards.motion.transition = transitions[random.int(0...transitions.count - 1)]
      cards.motion.symbols = random.int(0...2) == 0 ? .through : .direct
      cards.motion.order = [.rightToLeft, .together, .cascade][random.int(0...2)]
      content = cards
    }
    return content
  }

  /// Pictures of the repository.
  private static let pictures = ["hands-there", "score-480x320-at-45"].map {
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Goldens/\($0).png"
  }

  private static let sizes = [
    PixelSize(width: 131, height: 74), PixelSize(width: 128, height: 72), PixelSize(width: 75, height: 110),
  ]

  @Test(
    "pages: every frame drawn by its damage equals a full redraw, and the end is the model's picture",
    arguments: PageTransitionSettings.Kind.allCases, 0..<3)
  func pages(kind: PageTransitionSettings.Kind, variant: Int) {
    var random = SplitMix(seed: UInt64(variant * 17))
    let configuration = Self.configuration(kind, &random)
    let (size, margins) = (Self.sizes[variant], [0, 3, 10][variant])
    var model = Fixture.model()
    let stage = PageFixture.stage(configuration, size, margins: margins, model)
    // The twin is redrawn completely in every frame; only the other stage depends on its damage.
    let twin = PageFixture.stage(configuration, size, margins: margins, model)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    var time = 0.0
    var wrong: [String] = []
    var changing = 0
    for frame in 0..<60 {
      time += [0.3, 0, random.unit() / 5, random.unit() / 20, 1.0 / 60][random.int(0...4)]
      for stage in [stage, twin] { stage.scene.advance(to: time) }
      switch random.int(0...5) {
      case 0, 1:
        let page = stage.pageNames[random.int(0...stage.pageNames.count - 1)]
        let animated = random.int(0...6) > 0
        for stage in [stage, twin] { stage.show(page: page, model, animated: animated) { time } }
      case 2, 3:
        model = Fixture.model(
          Fixture.instant(random.int(0...23), random.int(0...59), random.int(0...59)),
          home: random.int(0...120), guest: random.int(0...9))
        let animated = random.int(0...3) > 0
        let start = time + [0, random.unit() / 10][random.int(0...1)]
        for stage in [stage, twin] { stage.update(model, at: start, animated: animated) }
      default: break
      }
      if stage.isChangingPages { changing += 1 }
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shown.buffer)
      if let difference = shown.difference(from: twin.scene.picture(at: time)) {
        wrong.append("frame \(frame): \(difference)")
      }
    }
    #expect(wrong == [])
    #expect((changing > 10) == (kind != .cut))
    // Wait for the longest change, a board that passes through its whole drum.
    for step in 1...8 { stage.scene.advance(to: time + Double(step * 3)) }
    _ = stage.scene.render(into: shown.buffer)
    let fresh = PageFixture.stage(configuration, size, margins: margins, model, page: stage.pageName)
    #expect(shown.difference(from: fresh.scene.picture(at: 0)) == nil)
    #expect(stage.scene.activity == .resting)
    #expect(!stage.isChangingPages)
    #expect(stage.leftOut.map(\.name) == [])
  }
}
