// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct StageThemeTests {
  private static let size = PixelSize(width: 320, height: 200)

  private static let widgets = [
    WidgetSettings(name: "time", weight: 3, content: FlipClockSettings()),
    WidgetSettings(name: "date", weight: 1, content: DateSettings()),
    WidgetSettings(name: "score", weight: 2, content: ScoreSettings()),
    WidgetSettings(name: "hands", weight: 2, content: AnalogClockSettings()),
  ]

  private static func configuration(_ theme: ThemeSettings? = nil) -> Configuration {
    var configuration = Fixture.configuration(widgets)
    configuration.pages = [
      PageSettings(name: "a", layout: configuration.layout),
      PageSettings(name: "b", layout: configuration.layout, theme: "paper"),
    ]
    if let theme { configuration.theme = theme }
    return configuration
  }

  /// The picture of a page of which everything is at rest, in a theme.
  private static func rest(
    _ theme: ThemeSettings, _ model: StageModel, motion: Motion = .full
  ) -> Bitmap {
    var configuration = configuration(theme)
    configuration.motion = motion
    return Fixture.stage(configuration, size, model).scene.picture(at: 0)
  }

  @Test("In every theme, the pictures before and after a flip, drawn by damage, equal the pictures at rest")
  func restInvariants() {
    for (name, settings, _) in Fixture.themes {
      let before = Fixture.model(Fixture.instant(9, 59, 59), home: 9, guest: 19)
      let after = Fixture.model(Fixture.instant(10, 0), home: 10, guest: 20)
      let stage = Fixture.stage(Self.configuration(settings), Self.size, before)
      let shown = Bitmap(width: Self.size.width, height: Self.size.height, format: .xrgb8888)
      func draw(_ time: Double) {
        stage.scene.advance(to: time)
        _ = stage.scene.render(into: shown.buffer)
      }
      draw(0)
      #expect(shown.difference(from: Self.rest(settings, before)) == nil, "\(name)")
      stage.update(after, at: 1, animated: true)
      draw(1)
      #expect(shown.difference(from: Self.rest(settings, before)) == nil, "\(name)")
      for step in 1..<12 {
        draw(1 + Double(step) * 0.06)
        #expect(shown.difference(from: stage.scene.picture(at: stage.scene.time)) == nil, "\(name), \(step)")
      }
      draw(3)
      #expect(stage.scene.activity == .resting)
      #expect(shown.difference(from: Self.rest(settings, after)) == nil, "\(name)")
    }
  }

  @Test("Themes look different")
  func differences() {
    let pictures = Fixture.themes.map { Self.rest($0.settings, Fixture.model()) }
    for (index, picture) in pictures.enumerated() {
      for other in pictures.dropFirst(index + 1) { #expect(picture.difference(from: other) != nil) }
    }
  }

  @Test("Each page is shown in its own theme")
  func pageThemes() {
    let model = Fixture.model()
    let stage = Fixture.stage(Self.configuration(), Self.size, model)
    let paper = Fixture.themes[1].settings
    stage.show(page: "b", model) { 1 }
    #expect(stage.scene.picture(at: 9).difference(from: Self.rest(paper, model)) == nil)
    stage.show(page: "a", model) { 10 }
    #expect(stage.scene.picture(at: 19).difference(from: Self.rest(Fixture.themeSettings, model)) == nil)
  }

  @Test("A theme for all pages fades in, and can be removed again", arguments: Motion.allCases)
  func commonTheme(motion: Motion) {
    var configuration = Self.configuration()
    configuration.motion = motion
    var model = Fixture.model()
    model.message = "HELLO"
    let stage = Fixture.stage(configuration, Self.size, model)
    let before = stage.scene.picture(at: 0)
    let night = Fixture.themes[2].settings
    stage.show(theme: "night", model) { 1 }
    #expect(stage.theme == "night")
    #expect(stage.isChangingPages == (motion != .none))
    if motion != .none {
      let fading = stage.scene.picture(at: 1.5)
      #expect(fading.difference(from: before) != nil)
      #expect(fading.difference(from: Self.rest(night, model, motion: motion)) != nil)
    }
    #expect(stage.scene.picture(at: 5).difference(from: Self.rest(night, model, motion: motion)) == nil)
    #expect(stage.scene.activity == .resting)
    stage.show(page: "b", model) { 6 }
    #expect(stage.scene.picture(at: 9).difference(from: Self.rest(night, model, motion: motion)) == nil)
    stage.show(theme: nil, model) { 10 }
    let paper = Fixture.themes[1].settings
    #expect(stage.scene.picture(at: 19).difference(from: Self.rest(paper, model, motion: motion)) == nil)
    // An unknown theme is replaced by the configured one.
    stage.show(theme: "nonsense", model) { 20 }
    #expect(
      stage.scene.picture(at: 29).difference(from: Self.rest(Fixture.themeSettings, model, motion: motion))
        == nil)
  }

  @Test("A stage can be built for a theme")
  func builtForATheme() {
    let model = Fixture.model()
    for (name, settings, _) in Fixture.themes {
      let stage = Stage(
        Self.configuration(), size: Self.size, fonts: Fixture.fonts, zones: { _ in .utc }, model: model,
        time: 0,
        page: "b", theme: name)
      #expect(stage.scene.picture(at: 0).difference(from: Self.rest(settings, model)) == nil, "\(name)")
    }
  }

  @Test("A theme that changes while a card flips and a page moves ends at rest")
  func interruptions() {
    let before = Fixture.model(Fixture.instant(9, 59, 59))
    let after = Fixture.model(Fixture.instant(10, 0))
    let stage = Fixture.stage(Self.configuration(), Self.size, before)
    stage.show(page: "b", before) { 1 }
    stage.update(after, at: 1.2, animated: true)
    _ = stage.scene.picture(at: 1.3)
    stage.show(theme: "amber", after) { 1.3 }
    _ = stage.scene.picture(at: 1.5)
    stage.show(theme: "solari", after) { 1.5 }
    _ = stage.scene.picture(at: 1.7)
    stage.show(page: "a", after) { 1.7 }
    #expect(stage.scene.picture(at: 9).difference(from: Self.rest(Fixture.themes[4].settings, after)) == nil)
    #expect(stage.scene.activity == .resting)
  }
}
