// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Widgets

@Suite struct ThemeContrastTests {
  @Test("All text of all built-in themes has a contrast of at least 4.5, with one exception")
  func builtInThemes() {
    #expect(Fixture.themes.count == 6)
    for (name, _, theme) in Fixture.themes {
      #expect(theme.textContrasts.count == 8)
      for pair in theme.textContrasts {
        // The white on red of a timer's end keeps a contrast of 3, because the figures on cards are large
        // text.
        let least = name == "dark" && pair.text.contains("alarm-symbol") ? 3 : 4.5
        #expect(pair.ratio >= least, "\(name): \(pair.text) on \(pair.background): \(pair.ratio)")
      }
    }
  }

  @Test("Text is as legible on every row of a gradient as at its ends")
  func gradients() {
    for (name, _, theme) in Fixture.themes {
      for height in [8, 100, 401] {
        let metrics = CardMetrics(height: Double(height), aspect: CardMetrics.aspect)
        let shape = CardShape(metrics: metrics, theme: theme)
        for y in 0..<metrics.height {
          let paint = shape.ground(row: y)
          let color = Color(
            red: UInt8(paint.red.nearestByte), green: UInt8(paint.green.nearestByte),
            blue: UInt8(paint.blue.nearestByte))
          #expect(theme.symbol.contrast(with: color) >= 4.5, "\(name), row \(y) of \(height)")
        }
      }
    }
  }

  @Test("The serve mark and the bars of teams are visible on every ground")
  func marks() {
    var random = SystemRandomNumberGenerator()
    for (name, _, theme) in Fixture.themes {
      #expect(theme.mark.contrast(with: theme.ground) >= 3, "\(name)")
      let colors = (0..<200).map { _ in UInt32.random(in: 0...0xff_ffff, using: &random) }
      for rgb in colors + [0x000000, 0xffffff, 0xe5484d, 0x3e93ff] {
        let color = Color(rgb: rgb)
        #expect(theme.visible(color).contrast(with: theme.ground) >= 1.5, "\(name), \(rgb)")
        if name == "night" {
          #expect(theme.visible(color).luminance <= theme.onGround.luminance)
        } else if color.contrast(with: theme.ground) >= 1.5 {
          #expect(theme.visible(color) == color)
        }
      }
    }
  }

  @Test("A timer's warning and its end differ from a plain timer in lightness, not only in hue")
  func timers() {
    for (name, _, theme) in Fixture.themes {
      let warning = TimerLook.warning.applied(to: theme)
      let ended = TimerLook.ended.applied(to: theme)
      #expect(warning.symbol.contrast(with: theme.symbol) >= 1.25, "\(name)")
      #expect(ended.cardUpperTop.contrast(with: theme.cardUpperTop) >= 1.25, "\(name)")
    }
  }

  @Test("`check` warns about text with too little contrast, and names the theme")
  func findings() {
    func findings(_ change: (inout Configuration) -> Void) -> [String] {
      var configuration = Configuration()
      change(&configuration)
      return ThemeCheck.findings(configuration).map { "\($0.subject) \($0.message); \($0.hint ?? "")" }
    }
    #expect(findings { _ in } == [])
    for theme in ThemeSettings.builtIn {
      #expect(findings { $0.theme = theme.settings } == [], "\(theme.name)")
      #expect(
        findings {
          $0.theme = theme.settings
          $0.theme.labelFont = "Serif"
        } == [])
    }
    let pale = findings { $0.theme.label = 0x303030 }
    #expect(
      pale == [
        "table([\"theme\"]) in the theme, the contrast of the small text ('label') with the background is "
          + "only 1.3; choose colours with a contrast of at least 4.5"
      ])
    let mine = findings {
      var settings = ThemeSettings()
      settings.symbol = 0x505050
      $0.themes.append(NamedTheme(name: "mine", settings: settings))
    }
    #expect(mine.count == 2)
    #expect(mine.allSatisfy { $0.hasPrefix("table([\"themes\", \"mine\"]) in the theme 'mine', ") })
    // A text's own colour is checked on each of its pages, in the page's theme.
    let texts = findings { configuration in
      var text = TextSettings()
      text.color = 0xf1eee6
      configuration.widgets = [WidgetSettings(name: "hall", weight: 1, content: text)]
      var layout = LayoutSettings()
      layout.rows = [["hall"]]
      configuration.pages = [nil, "paper", "night"].enumerated().map {
        PageSettings(name: "p\($0)", layout: layout, theme: $1)
      }
    }
    #expect(
      texts == [
        "table([\"widgets\", \"hall\"]) the text 'hall' has a contrast of only 1 with the background of the "
          + "page 'p1'; choose a colour with a contrast of at least 4.5"
      ])
    // Large text may have less contrast.
    #expect(findings { $0.theme.symbol = 0x929292 } == [])
  }

  @Test("who has won a set is seen in all themes")
  func lesserFigures() {
    for (name, _, theme) in Fixture.themes {
      #expect(theme.lesser.contrast(with: theme.onGround) >= 1.6, "\(name)")
      #expect(theme.lesser.contrast(with: theme.ground) >= 2, "\(name)")
    }
  }

  @Test("Coloured letters can be read on the cards and on the background of all built-in themes")
  func boardColors() {
    for (name, _, theme) in Fixture.themes {
      for color in BoardColor.allCases.map({ Color(rgb: $0.rgb) }) {
        let letters = theme.onCards(color)
        #expect(theme.cards.allSatisfy { letters.contrast(with: $0) >= 3 }, "\(name)")
        let words = theme.onGround(color)
        #expect(
          [theme.groundTop, theme.groundBottom].allSatisfy { words.contrast(with: $0) >= 4.5 }, "\(name)")
      }
      // In the theme `night`, all colours are dark.
      guard name != "night" else { continue }
      let flaps = BoardColor.allCases.map { theme.covered(with: theme.dimmed(Color(rgb: $0.rgb))).cards }
      #expect(Set(flaps).count == flaps.count, "\(name)")
    }
  }
}
