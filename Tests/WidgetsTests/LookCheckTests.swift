// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import Widgets

@Suite struct LookCheckTests {
  private func configuration(_ change: (inout Configuration) -> Void) -> Configuration {
    var configuration = Fixture.configuration([])
    change(&configuration)
    return configuration
  }

  private func found(_ change: (inout Configuration) -> Void) -> [String] {
    LookCheck.findings(configuration(change)).map { "\($0.message); \($0.hint ?? "")" }
  }

  @Test("Two teams with nearly the same colour are reported, and the default colours are not")
  func teams() {
    #expect(found { _ in } == [])
    let alike = found { configuration in
      configuration.teams = [
        TeamSettings(id: "a", name: "A", color: 0x101010), TeamSettings(id: "b", name: "B", color: 0x080a10),
        TeamSettings(id: "c", name: "C", color: 0xf0f0f0),
      ]
    }
    #expect(
      alike == [
        "the colours of the teams 'a' and 'b' can hardly be distinguished; give one of them another 'color'"
      ])
    let colors = Configuration.teamColors
    let default6 = found { configuration in
      configuration.teams = colors.enumerated().map { TeamSettings(id: "t\($0)", name: "T", color: $1) }
    }
    #expect(default6 == [])
  }

  @Test("An image without a picture is reported")
  func images() {
    let found = found { configuration in
      var image = ImageSettings()
      configuration.widgets = [WidgetSettings(name: "a", weight: 1, content: image)]
      image.file = "x.png"
      configuration.widgets.append(WidgetSettings(name: "b", weight: 1, content: image))
    }
    #expect(
      found == ["the image 'a' has no picture; write file = \"logo.png\" or folder = \"sponsors\""])
  }

  @Test("A brightness at which the theme's symbols are black is reported, with the least that is visible")
  func brightness() {
    #expect(
      found { $0.display.brightness = 5 } == [
        "a brightness of 5% is practically black in this theme, unless the display has a backlight; write \"10%\" or more"
      ])
    for theme in ThemeSettings.builtIn {
      let least = LookCheck.leastBrightness(theme.settings)
      #expect((10...20).contains(least), "\(theme.name): \(least)")
    }
    #expect(
      LookCheck.leastBrightness(
        ThemeSettings.builtIn.first { $0.name == "night" }?.settings ?? ThemeSettings()) == 20)
  }
}
