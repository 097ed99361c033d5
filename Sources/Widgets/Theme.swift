// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Typography

/// The colours and typefaces of a page.
struct Theme {
  var groundTop: Color
  var groundBottom: Color
  var cardUpperTop: Color
  var cardUpperBottom: Color
  var cardLowerTop: Color
  var cardLowerBottom: Color
  var symbol: Color
  var label: Color
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
    symbol = Color(rgb: settings.symbol)
    label = Color(rgb: settings.label)
    let ground = groundTop.mixed(with: groundBottom, 0.5)
    groundLightness = ground.luminance.squareRoot()
    let candidates = [symbol, label, ground.luminance > 0.18 ? Color(rgb: 0x161617) : Color(rgb: 0xf1eee6)]
    onGround = candidates.first { $0.contrast(with: ground) >= 3 } ?? candidates[2]
    symbolFace = fonts.face(settings.symbolFont, weight: .bold)
    labelFace = fonts.face(settings.labelFont, weight: .medium)
    nameFace = fonts.face(settings.labelFont, weight: .semibold)
  }
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
