// SPDX-License-Identifier: Apache-2.0

/// A theme and its name.
package struct NamedTheme: Hashable, Sendable {
  package var name: String
  package var settings: ThemeSettings

  package init(name: String, settings: ThemeSettings) {
    self.name = name
    self.settings = settings
  }
}

/// The built-in themes. Text has a contrast of at least 4.5 with everything beneath it. Only the figures of
/// an ended timer in the theme `dark` have less, at least 3 (`ThemeContrastTests`).
extension ThemeSettings {
  /// The name of the default theme.
  package static let standardName = "dark"

  package static let builtIn: [NamedTheme] = [
    NamedTheme(name: standardName, settings: ThemeSettings()),
    NamedTheme(name: "paper", settings: paper),
    NamedTheme(name: "night", settings: night),
    NamedTheme(name: "amber", settings: amber),
    NamedTheme(name: "solari", settings: solari),
    NamedTheme(name: "high-contrast", settings: highContrast),
  ]

  /// Dark ink on white cards. Shadows are brown and shading is weak, so that a flipping card keeps the colour
  /// of paper and does not turn grey.
  private static var paper: ThemeSettings {
    var theme = ThemeSettings()
    (theme.groundTop, theme.groundBottom) = (0xefe8da, 0xe2d8c3)
    (theme.cardUpperTop, theme.cardUpperBottom) = (0xfffbf2, 0xf9f2e4)
    (theme.cardLowerTop, theme.cardLowerBottom) = (0xf1e9d9, 0xfbf5e9)
    theme.gap = 0x9a8a6c
    theme.symbol = 0x1f1c18
    theme.label = 0x625847
    theme.mark = 0xa65200
    theme.warning = 0xb3261e
    theme.alarm = 0xb3261e
    theme.shadow = 0x3d2f18
    theme.shadowStrength = 1.1
    theme.shading = 0.36
    return theme
  }

  /// As little light as letters need to be legible, with hardly any blue.
  private static var night: ThemeSettings {
    var theme = ThemeSettings()
    (theme.groundTop, theme.groundBottom) = (0x000000, 0x000000)
    (theme.cardUpperTop, theme.cardUpperBottom) = (0x150503, 0x0f0302)
    (theme.cardLowerTop, theme.cardLowerBottom) = (0x0a0201, 0x100302)
    theme.gap = 0x000000
    theme.symbol = 0xea341a
    theme.label = 0xe63218
    theme.mark = 0xff8a3d
    theme.warning = 0xff9a4d
    theme.alarm = 0x5a0f05
    theme.alarmSymbol = 0xff8a3d
    theme.edgeLight = 0.35
    return theme
  }

  /// Amber symbols on brown cards, like the light of a warm lamp.
  private static var amber: ThemeSettings {
    var theme = ThemeSettings()
    (theme.groundTop, theme.groundBottom) = (0x171009, 0x0c0804)
    (theme.cardUpperTop, theme.cardUpperBottom) = (0x35260f, 0x291c0b)
    (theme.cardLowerTop, theme.cardLowerBottom) = (0x1f1508, 0x2b1e0c)
    theme.gap = 0x060402
    theme.symbol = 0xffb52e
    theme.label = 0xb68636
    theme.mark = 0xfff0cf
    theme.warning = 0xff8a5c
    theme.alarm = 0xb3261e
    theme.edgeLight = 0.8
    return theme
  }

  /// The departure boards of railway stations: yellow letters on black flaps with nearly square corners.
  private static var solari: ThemeSettings {
    var theme = ThemeSettings()
    theme.symbolFont = "Inter"
    (theme.groundTop, theme.groundBottom) = (0x2a2c2e, 0x1e2022)
    (theme.cardUpperTop, theme.cardUpperBottom) = (0x131313, 0x0f0f0f)
    (theme.cardLowerTop, theme.cardLowerBottom) = (0x0a0a0a, 0x101010)
    theme.gap = 0x000000
    theme.symbol = 0xffd21f
    theme.label = 0xb9b6ac
    theme.mark = 0xffffff
    theme.alarm = 0xb3261e
    theme.edgeLight = 1.2
    theme.cornerRadius = 0.02
    return theme
  }

  /// White on dark grey cards and a black background, without gradients, shadows, lit edges and pins.
  private static var highContrast: ThemeSettings {
    var theme = ThemeSettings()
    (theme.groundTop, theme.groundBottom) = (0x000000, 0x000000)
    (theme.cardUpperTop, theme.cardUpperBottom) = (0x242424, 0x242424)
    (theme.cardLowerTop, theme.cardLowerBottom) = (0x242424, 0x242424)
    theme.gap = 0x000000
    theme.symbol = 0xffffff
    theme.label = 0xffffff
    theme.mark = 0xffd60a
    theme.warning = 0xffd60a
    theme.alarm = 0x8f0c14
    theme.shadowStrength = 0
    theme.shading = 0.7
    theme.edgeLight = 0
    theme.cornerRadius = 0.04
    theme.hasPins = false
    return theme
  }
}
