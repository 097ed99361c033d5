// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Typography

/// The colours and faces that a page is drawn with.
struct Theme {
  var groundTop: Color
  var groundBottom: Color
  var cardUpperTop: Color
  var cardUpperBottom: Color
  var cardLowerTop: Color
  var cardLowerBottom: Color
  var symbol: Color
  var label: Color
  /// Letter spacing of labels, em.
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
    symbolFace = fonts.face(settings.symbolFont, weight: .bold)
    labelFace = fonts.face(settings.labelFont, weight: .medium)
    nameFace = fonts.face(settings.labelFont, weight: .semibold)
  }
}
