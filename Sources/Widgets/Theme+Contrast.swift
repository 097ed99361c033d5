// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Typography

/// A colour of text and the colours on which it is drawn.
struct TextContrast {
  /// The text and its background, for messages.
  var text: String
  var background: String
  var color: Color
  var grounds: [Color]
  /// Whether the text is always large, at least 24 pixels or 19 pixels in bold on a usual display (WCAG 2.1).
  var isLarge: Bool

  /// The lowest contrast ratio with any of the backgrounds.
  var ratio: Double { grounds.map { color.contrast(with: $0) }.min() ?? 21 }
  /// The lowest ratio that WCAG 2.1 accepts (level AA).
  var leastRatio: Double { isLarge ? 3 : 4.5 }
}

extension Theme {
  /// The colours of text in this theme that are checked, with their backgrounds. No text is drawn in the
  /// colours of teams.
  var textContrasts: [TextContrast] {
    let grounds = [self.groundTop, self.groundBottom]
    let warning = TimerLook.warning.applied(to: self)
    let ended = TimerLook.ended.applied(to: self)
    return [
      TextContrast(
        text: "the symbols on the cards ('symbol')", background: "the cards", color: self.symbol,
        grounds: cards, isLarge: true),
      TextContrast(
        text: "the text of messages ('symbol')", background: "the message's box", color: self.symbol,
        grounds: [messageTop, self.cardUpperBottom], isLarge: true),
      TextContrast(
        text: "the names and figures", background: "the background", color: onGround, grounds: grounds,
        isLarge: true),
      TextContrast(
        text: "the small text ('label')", background: "the background", color: self.label, grounds: grounds,
        isLarge: false),
      TextContrast(
        text: "the figures near a timer's end ('warning')", background: "the cards", color: warning.symbol,
        grounds: warning.cards, isLarge: true),
      TextContrast(
        text: "the figures near a timer's end ('warning')", background: "the background",
        color: warning.onGround, grounds: grounds, isLarge: true),
      TextContrast(
        text: "the figures at a timer's end ('alarm-symbol')", background: "the cards ('alarm')",
        color: ended.symbol, grounds: ended.cards, isLarge: true),
      TextContrast(
        text: "the figures at a timer's end ('alarm')", background: "the background", color: ended.onGround,
        grounds: grounds, isLarge: true),
    ]
  }

  /// The ends of the cards' gradients.
  var cards: [Color] {
    [self.cardUpperTop, self.cardUpperBottom, self.cardLowerTop, self.cardLowerBottom]
  }
}

/// Finds the themes of a configuration whose text is hard to read. Draws nothing and opens no font.
package enum ThemeCheck {
  /// A finding for each kind of text that has too little contrast. Built-in themes without changes have
  /// enough.
  package static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    let named = configuration.themes.filter { theme in
      !ThemeSettings.builtIn.contains { $0.name == theme.name && $0.settings.hasColors(of: theme.settings) }
    }
    var findings: [SettingsChecks.Finding] = []
    if !(ThemeSettings.builtIn.map(\.settings) + named.map(\.settings)).contains(where: {
      $0.hasColors(of: configuration.theme)
    }) {
      findings += Self.findings(configuration.theme, .table(["theme"]), "the theme")
    }
    for theme in named {
      findings += Self.findings(theme.settings, .table(["themes", theme.name]), "the theme '\(theme.name)'")
    }
    return findings + texts(configuration)
  }

  /// The `text` widgets whose own colour has too little contrast with the background of one of their pages.
  private static func texts(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    var findings: [SettingsChecks.Finding] = []
    for widget in configuration.widgets {
      guard let rgb = (widget.content as? TextSettings)?.color else { continue }
      let color = Color(rgb: rgb)
      for page in configuration.allPages where page.layout.rows.joined().contains(widget.name) {
        let theme = configuration.theme(named: page.theme)
        let ratio =
          [theme.groundTop, theme.groundBottom].map { color.contrast(with: Color(rgb: $0)) }.min() ?? 21
        guard ratio < 4.5 else { continue }
        findings.append(
          SettingsChecks.Finding(
            .table(["widgets", widget.name]),
            "the text '\(widget.name)' has a contrast of only \(decimal(ratio)) with the background of the page "
              + "'\(page.name)'", hint: "choose a colour with a contrast of at least 4.5"))
      }
    }
    return findings
  }

  private static func findings(
    _ settings: ThemeSettings, _ subject: SettingsChecks.Finding.Subject, _ name: String
  ) -> [SettingsChecks.Finding] {
    Theme(settings.withBuiltInFonts, fonts: FontLibrary { _ in }).textContrasts
      .filter { $0.ratio < $0.leastRatio }
      .map { pair in
        SettingsChecks.Finding(
          subject,
          "in \(name), the contrast of \(pair.text) with \(pair.background) is only \(decimal(pair.ratio))",
          hint: "choose colours with a contrast of at least \(decimal(pair.leastRatio))")
      }
  }

  /// One decimal place, rounded down, so that a ratio below a limit is not shown as the limit.
  private static func decimal(_ ratio: Double) -> String {
    let tenths = Int(ratio * 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension ThemeSettings {
  /// The same theme in the built-in outlines, for calculations that need no font.
  var withBuiltInFonts: ThemeSettings {
    var settings = self
    settings.symbolFont = FontLibrary.builtInName
    settings.labelFont = FontLibrary.builtInName
    return settings
  }

  fileprivate func hasColors(of other: ThemeSettings) -> Bool { withBuiltInFonts == other.withBuiltInFonts }
}
