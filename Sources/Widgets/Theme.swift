// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Typography

/// The colours, the typefaces and the shape of the cards of a page.
struct Theme {
  var groundTop: Color
  var groundBottom: Color
  var cardUpperTop: Color
  var cardUpperBottom: Color
  var cardLowerTop: Color
  var cardLowerBottom: Color
  /// The line between the halves of a card, and what is behind them.
  var gap: Color
  var symbol: Color
  var label: Color
  /// The serve mark.
  var mark: Color
  /// The figures of a timer near its end; nil: the red of `TimerLook` with the higher contrast.
  var warning: Color?
  /// The cards of a timer that has ended.
  var alarm: Color
  var alarmSymbol: Color
  var shadow: Color
  /// How dark shadows are, how much cards darken while they change, and how bright their lit edges are; 1: as in the
  /// theme `dark`.
  var shadowStrength: Double
  var shading: Double
  var edgeLight: Double
  /// The radius of a card's corners, as a fraction of its width.
  var cornerRadius: Double
  var hasPins: Bool
  /// The colour of large parts on the ground (names, the dots of a colon): the symbols' colour if it has enough
  /// contrast with the ground, else another colour that has enough.
  var onGround: Color
  /// The lightness of the ground, 0 (black) … 1 (white); shadows are softer on a light ground.
  var groundLightness: Double
  /// The tracking of labels, in em.
  var labelTracking = 0.18
  var symbolFace: FontFace
  var labelFace: FontFace
  var nameFace: FontFace

  init(_ settings: ThemeSettings, fonts: FontLibrary) {
    groundTop = Color(rgb: settings.groundTop)
    groundBottom = Color(rgb: settings.groundBottom)
    cardUpperTop = Color(rgb: settings.cardUpperTop)
    cardUpperBottom = Color(rgb: settings.cardUpperBottom)
    cardLowerTop = Color(rgb: settings.cardLowerTop)
    cardLowerBottom = Color(rgb: settings.cardLowerBottom)
    gap = Color(rgb: settings.gap)
    symbol = Color(rgb: settings.symbol)
    label = Color(rgb: settings.label)
    mark = Color(rgb: settings.mark)
    warning = settings.warning.map { Color(rgb: $0) }
    alarm = Color(rgb: settings.alarm)
    alarmSymbol = Color(rgb: settings.alarmSymbol)
    shadow = Color(rgb: settings.shadow)
    shadowStrength = settings.shadowStrength
    shading = settings.shading
    edgeLight = settings.edgeLight
    cornerRadius = settings.cornerRadius
    hasPins = settings.hasPins
    let ground = groundTop.mixed(with: groundBottom, 0.5)
    groundLightness = ground.luminance.squareRoot()
    let candidates = [symbol, label, ground.luminance > 0.18 ? Color(rgb: 0x161617) : Color(rgb: 0xf1eee6)]
    onGround = candidates.first { $0.contrast(with: ground) >= 3 } ?? candidates[2]
    symbolFace = fonts.face(settings.symbolFont, weight: .bold)
    labelFace = fonts.face(settings.labelFont, weight: .medium)
    nameFace = fonts.face(settings.labelFont, weight: .semibold)
  }

  /// How much lighter than a card a message's card is at its top, 0 … 1.
  var messageLight: Double { 0.045 * edgeLight }
  var messageTop: Color { cardUpperTop.mixed(with: .white, messageLight) }

  /// A team's colour, made visible if it is almost that of the ground. In a theme with very little light, it is not
  /// lighter than the names.
  func visible(_ color: Color) -> Color {
    if color.contrast(with: ground) < 1.5 { return color.mixed(with: onGround, 0.4) }
    return dimmed(color)
  }

  /// A colour of the config's; in a theme with very little light, not lighter than the names.
  func dimmed(_ color: Color) -> Color {
    guard groundLightness < 0.5, onGround.luminance < 0.4 else { return color }
    let steps = (0...20).map { color.mixed(with: .black, Double($0) / 20) }
    return steps.first { $0.luminance <= onGround.luminance } ?? color
  }

  /// The colour in the middle of the ground.
  var ground: Color { groundTop.mixed(with: groundBottom, 0.5) }
}

extension Color {
  /// Relative luminance, 0 … 1 (WCAG 2.1).
  var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio, 1 … 21 (WCAG 2.1); large text needs 3.
  func contrast(with other: Color) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}
