// SPDX-License-Identifier: Apache-2.0

/// The proportions of a card, derived from its height and aspect ratio, in whole pixels where an edge must be
/// sharp.
struct CardMetrics: Hashable {
  /// The radius of the corners, as a fraction of a card's width.
  var cornerRadius = 0.075

  /// Width of a card for one symbol, in card heights.
  static let aspect = 0.62
  /// Width of a card for a pair of digits.
  static let pairAspect = 1.16

  let width: Int
  /// The height in pixels. It is even, so that the hinge is between two rows.
  let height: Int

  /// The largest card with this aspect ratio (width / height) that is at most `height` pixels high, but at
  /// least 8.
  init(height: Double, aspect: Double) {
    let even = max(Int((height / 2).rounded(.down)) * 2, 8)
    self.height = even
    width = max(Int((Double(even) * aspect).rounded()), 4)
  }

  /// The gap between the cards of a number, in card heights.
  static let gap = 0.07 * aspect

  /// The gap between the cards of a number, in pixels.
  var gap: Double { max((Self.gap * h).rounded(), 1) }

  /// The width of a number of `cards` cards, with the gaps between them.
  func width(of cards: Int) -> Double { Double(cards * width) + Double(max(cards - 1, 0)) * gap }

  private var h: Double { Double(height) }
  /// The width that determines radii and pins, so that a card for a pair has the same corners as a card for
  /// one symbol.
  private var w: Double { min(Double(width), h * Self.aspect) }

  var outerRadius: Double { cornerRadius * w }
  var innerRadius: Double { cornerRadius == 0 ? 0 : max(0.2 * cornerRadius * w, 0.5) }
  /// The gap at the hinge, even.
  var hingeGap: Int { max(Int((0.011 * h / 2).rounded()) * 2, 2) }
  var pinWidth: Int { max(Int((0.028 * w).rounded()), 2) }
  var pinHeight: Int { max(Int((0.07 * h / 2).rounded()) * 2, 4) }
  var capHeight: Double { 0.75 * h }
  /// The largest width of a symbol that is not condensed.
  var symbolWidth: Double { 0.8 * Double(width) }
  /// How far the soft shadow extends beyond the card.
  var shadowMargin: Int { Int((0.07 * h).rounded(.up)) + 1 }
  /// The distance of the window from the card's edge, which keeps the window's corners inside the card's
  /// rounded corners.
  var windowInset: Int {
    min(Int((0.293 * outerRadius + 0.4).rounded(.up)), width / 4)
  }
  var hairline: Double { max(0.0028 * h, 0.6) }
}
