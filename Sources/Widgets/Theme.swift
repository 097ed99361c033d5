// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Typography

/// The colours, the typefaces and the shape of the cards of a page. The colours and numbers of its settings
/// are also members of the theme.
@dynamicMemberLookup
struct Theme {
  private var settings: ThemeSettings
  /// The colour of large parts on the ground (names, the dots of a colon): the symbols' colour if it has
  /// enough contrast with the ground, else another colour that has enough.
  var onGround: Color
  /// The lightness of the ground, 0 (black) … 1 (white); shadows are softer on a light ground.
  let groundLightness: Double
  let symbolFace: FontFace
  let labelFace: FontFace
  let nameFace: FontFace

  init(_ settings: ThemeSettings, fonts: FontLibrary) {
    self.settings = settings
    let ground = Color(rgb: settings.groundTop).mixed(with: Color(rgb: settings.groundBottom), 0.5)
    groundLightness = ground.luminance.squareRoot()
    let other: UInt32 = ground.luminance > 0.18 ? 0x161617 : 0xf1eee6
    let candidates = [settings.symbol, settings.label, other].map { Color(rgb: $0) }
    onGround = candidates.first { $0.contrast(with: ground) >= 3 } ?? candidates[2]
    symbolFace = fonts.face(settings.symbolFont, weight: .bold)
    labelFace = fonts.face(settings.labelFont, weight: .medium)
    nameFace = fonts.face(settings.labelFont, weight: .semibold)
  }

  subscript(dynamicMember color: WritableKeyPath<ThemeSettings, UInt32>) -> Color {
    get { Color(rgb: settings[keyPath: color]) }
    set { settings[keyPath: color] = newValue.rgb }
  }

  subscript(dynamicMember number: KeyPath<ThemeSettings, Double>) -> Double { settings[keyPath: number] }

  var hasPins: Bool { settings.hasPins }
  /// The colour for warnings; nil: the red of `TimerLook` with the higher contrast.
  var warning: Color? { settings.warning.map { Color(rgb: $0) } }

  /// How much lighter than a card the box of a message is at its top, 0 … 1.
  var messageLight: Double { 0.045 * self.edgeLight }
  var messageTop: Color { self.cardUpperTop.mixed(with: .white, messageLight) }

  /// A team's colour, made visible if it is almost that of the ground. In a theme with very little light, it
  /// is not lighter than the names.
  func visible(_ color: Color) -> Color {
    if color.contrast(with: ground) < 1.5 { return color.mixed(with: onGround, 0.4) }
    return dimmed(color)
  }

  /// The colour of the serve mark, of a break and of a winner's frame: the theme's, if it has some contrast
  /// with the ground.
  var accent: Color { self.mark.contrast(with: ground) >= 2 ? self.mark : onGround }

  /// The colour of a figure beside a more important one.
  var lesser: Color {
    self.label.contrast(with: onGround) >= 1.6 ? self.label : onGround.mixed(with: ground, 0.45)
  }

  /// A colour from the config; in a theme with very little light, darkened until it is not lighter than the
  /// names.
  func dimmed(_ color: Color) -> Color {
    guard groundLightness < 0.5, onGround.luminance < 0.4 else { return color }
    let steps = (0...20).map { color.mixed(with: .black, Double($0) / 20) }
    return steps.first { $0.luminance <= onGround.luminance } ?? color
  }

  /// The colour of a symbol, made lighter or darker until it has enough contrast with the cards.
  func onCards(_ color: Color) -> Color { legible(color, on: cards, least: 3, or: self.symbol) }

  /// The colour of small text, made lighter or darker until it has enough contrast with the background.
  func onGround(_ color: Color) -> Color {
    legible(color, on: [self.groundTop, self.groundBottom], least: 4.5, or: onGround)
  }

  private func legible(_ color: Color, on grounds: [Color], least: Double, or other: Color) -> Color {
    let end = (grounds.map(\.luminance).max() ?? 0) > 0.18 ? Color.black : .white
    let steps = (0...10).map { dimmed(color).mixed(with: end, Double($0) / 10) }
    return steps.first { step in grounds.allSatisfy { step.contrast(with: $0) >= least } } ?? other
  }

  /// The theme of cards that are covered with a colour, and are shaded like the cards of this theme.
  func covered(with color: Color) -> Theme {
    var theme = self
    let lightest = cards.map(\.brightness).max() ?? 0
    for part: WritableKeyPath<ThemeSettings, UInt32> in [
      \.cardUpperTop, \.cardUpperBottom, \.cardLowerTop, \.cardLowerBottom,
    ] {
      let shade = 1 - self[dynamicMember: part].brightness / max(lightest, 1)
      theme[dynamicMember: part] = color.mixed(with: .black, 0.5 * shade)
    }
    return theme
  }

  /// The colour in the middle of the ground.
  var ground: Color { self.groundTop.mixed(with: self.groundBottom, 0.5) }
}

extension Color {
  /// `0xRRGGBB`, without the alpha.
  fileprivate var rgb: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// The sum of the channels.
  fileprivate var brightness: Double { Double(red) + Double(green) + Double(blue) }

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
