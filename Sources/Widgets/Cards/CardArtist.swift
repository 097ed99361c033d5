// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Typography

/// Draws the parts of a card, once per size; animations only move the resulting pictures.
///
/// Repeating pixels are computed once and then copied. The ground and the lit rim are the same under every
/// symbol. Along a row, a gradient repeats with the period of the dither. A shadow's rows repeat where its
/// depth is constant.
struct CardArtist {
  let metrics: CardMetrics
  let theme: Theme
  private let blank: BlankCard

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    self.theme = theme
    blank = BlankCard(metrics: metrics, theme: theme)
  }

  var width: Double { Double(metrics.width) }
  var height: Double { Double(metrics.height) }
  private var hinge: Double { height / 2 }

  /// What is drawn for a symbol.
  private struct Parts {
    let blank: BlankCard
    /// The coverage of the ink; nil: none.
    let mask: Bitmap?
    let ink: Paint
  }

  private func parts(of symbol: CardSymbol) -> Parts {
    let color = symbol.color.map { Color(rgb: $0) }
    guard symbol.isFilled else {
      return Parts(
        blank: blank, mask: symbolMask(symbol.text), ink: Paint(color.map(theme.onCards) ?? theme.symbol))
    }
    let cover = theme.covered(with: color.map(theme.dimmed) ?? theme.symbol)
    return Parts(blank: BlankCard(metrics: metrics, theme: cover), mask: nil, ink: Paint(.black))
  }

  /// Both halves of a card with its symbol, ARGB8888. The gap between them is clear.
  ///
  /// - Parameter keepsRim: whether a colour that covers the card ends at the edges of the card's window.
  func card(_ symbol: CardSymbol, keepsRim: Bool = false) -> Bitmap {
    let whole = card(parts(of: symbol))
    guard keepsRim, symbol.isFilled else { return whole }
    let card = card("")
    let (left, count) = (metrics.windowInset, metrics.width - 2 * metrics.windowInset)
    for y in metrics.windowInset..<(metrics.height - metrics.windowInset) {
      (card.buffer.row32(y) + left).update(from: whole.buffer.row32(y) + left, count: count)
    }
    return card
  }

  private func card(_ parts: Parts) -> Bitmap {
    let bitmap = Bitmap(width: metrics.width, height: metrics.height, format: .argb8888)
    for y in 0..<metrics.height {
      let row = bitmap.buffer.row32(y)
      parts.blank.draw(row: y, to: row)
      if let mask = parts.mask { draw(mask.buffer.row8(y), parts.ink, row: y, to: row) }
    }
    return bitmap
  }

  /// Draws the ink onto a row of the blank card. Most pixels are either fully covered by ink or not at all.
  private func draw(
    _ mask: UnsafePointer<UInt8>, _ ink: Paint, row y: Int, to row: UnsafeMutablePointer<UInt32>
  ) {
    let solid = ink.pixel(coverage: 1, threshold: 0)
    let eight = SIMD8<UInt32>(repeating: solid)
    let inside = blank.plainPixels(row: y)
    let ground = blank.ground(row: y)
    var x = 0
    while x < metrics.width {
      if x + 8 <= metrics.width {
        let coverage = UnsafeRawPointer(mask + x).loadUnaligned(as: UInt64.self)
        if coverage == 0 {
          x += 8
          continue
        }
        if coverage == .max, inside.contains(x), inside.contains(x + 7) {
          UnsafeMutableRawPointer(row + x).storeBytes(of: eight, as: SIMD8<UInt32>.self)
          x += 8
          continue
        }
      }
      switch mask[x] {
      case 0: break
      case 255 where inside.contains(x): row[x] = solid
      case let coverage where inside.contains(x):
        row[x] = ground.mixed(with: ink, Double(coverage) / 255)
          .pixel(coverage: 1, threshold: Dither.threshold(x, y))
      case let coverage: row[x] = blank.shape.pixel(x, y, ground: ground, ink: ink, Double(coverage) / 255)
      }
      x += 1
    }
  }

  /// The picture that moves behind the card's window: the card inside its rim, opaque, without the gap.
  func panel(_ symbol: CardSymbol) -> Bitmap {
    let inset = metrics.windowInset
    let parts = parts(of: symbol)
    let whole = card(parts)
    let area = PixelRect(
      x: inset, y: inset, width: metrics.width - 2 * inset, height: metrics.height - 2 * inset)
    let bitmap = Bitmap(width: area.width, height: area.height, format: .xrgb8888)
    let middle = metrics.height / 2
    let gap = (middle - metrics.hingeGap / 2)..<(middle + metrics.hingeGap / 2)
    for y in area.y..<area.maxY {
      let row = bitmap.buffer.row32(y - area.y)
      guard gap.contains(y) else {
        row.update(from: whole.buffer.row32(y) + area.x, count: area.width)
        continue
      }
      let ground = parts.blank.ground(row: y)
      let maskRow = parts.mask?.buffer.row8(y)
      for x in area.x..<area.maxX {
        let coverage = Double(maskRow?[x] ?? 0) / 255
        row[x - area.x] = ground.mixed(with: parts.ink, coverage).pixel(
          coverage: 1, threshold: coverage < 1 ? Dither.threshold(x, y) : 0)
      }
    }
    return bitmap
  }

  /// The symbol's coverage on a card: centred on the hinge, condensed if too wide; nil for an empty symbol.
  func symbolMask(_ symbol: String) -> Bitmap? {
    guard !symbol.isEmpty else { return nil }
    let mask = Bitmap(width: metrics.width, height: metrics.height, format: .a8)
    let face = theme.symbolFace
    var cap = metrics.capHeight
    // Capitals reach from the baseline to the cap height; letters of other scripts are placed by their own
    // extent.
    let own = face.extent(ofScriptOf: symbol)
    let extent = own ?? -1...0
    cap = min(cap, Self.tallest * height / (extent.upperBound - extent.lowerBound))
    let isSingle = symbol.count == 1
    let tracking = isSingle ? 0 : 0.02
    var measure = face.measure(symbol, capHeight: cap, tracking: tracking)
    var stretch = 1.0
    if measure.ink.width > metrics.symbolWidth {
      // A single letter is condensed by up to 30 %: letters of many scripts are wider than cards, and letters
      // of the same height look like one font. Capitals differ much in width, so a W is condensed by up to
      // 60 % beside an E that is not. Several letters are condensed by up to 16 %. If that is not enough,
      // they are also made smaller.
      stretch = max(metrics.symbolWidth / measure.ink.width, !isSingle ? 0.84 : own == nil ? 0.4 : 0.7)
      let rest = metrics.symbolWidth / (measure.ink.width * stretch)
      if rest < 1 {
        cap *= rest
        measure = face.measure(symbol, capHeight: cap, tracking: tracking)
      }
    }
    // Accents above capitals make the letters smaller. A letter with a mark below is also raised a little. On
    // the baseline of the others it would have to be so small that it would look like another font.
    var baseline = hinge - (extent.lowerBound + extent.upperBound) / 2 * cap
    let edge = Self.edge * height
    let below = baseline + measure.ink.maxY - (height - edge)
    baseline -= min(max(below, 0), Self.raise * height)
    let room = min(
      (baseline - edge) / max(-measure.ink.y, 1), (height - edge - baseline) / max(measure.ink.maxY, 1))
    if room < 1 {
      cap *= room
      measure = face.measure(symbol, capHeight: cap, tracking: tracking)
    }
    let x = width / 2 - (measure.ink.x + measure.ink.width / 2) * stretch
    // A single character is centred by its advance, so that digits do not shift against each other; a longer
    // symbol is centred by its ink. East Asian punctuation is at the side of a square that is wider than the
    // card.
    let side = Self.side * width
    let advanceX = max(
      min((width - measure.width * stretch) / 2, width - side - measure.ink.maxX * stretch),
      side - measure.ink.x * stretch)
    face.draw(
      symbol, into: mask.buffer, x: isSingle ? advanceX : x,
      baseline: baseline, capHeight: cap, tracking: tracking, stretch: stretch)
    return mask
  }

  /// The minimum distance of a symbol from the upper and the lower edge, in card heights.
  private static let edge = 0.035

  /// The minimum distance of a single character from the left and the right edge, in card widths.
  private static let side = 0.06

  /// The maximum distance by which a letter with a mark below is raised, in card heights.
  private static let raise = 0.09

  /// The maximum height of the letters of a script, from the lowest to the highest point, in card heights.
  private static let tallest = 0.84

  /// The dark line between the halves. It is in front of every flap and does not change while the flap falls.
  func hingeLine() -> Bitmap {
    let bitmap = Bitmap(width: metrics.width, height: metrics.hingeGap, format: .xrgb8888)
    bitmap.buffer.fill(bitmap.buffer.bounds, with: theme.gap, clip: bitmap.buffer.bounds)
    return bitmap
  }

  /// The metal bearing at each end of the hinge.
  func pin() -> Bitmap {
    let bitmap = Bitmap(width: metrics.pinWidth, height: metrics.pinHeight, format: .argb8888)
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: Double(bitmap.width), height: Double(bitmap.height)),
      topRadius: min(0.3 * Double(bitmap.width), 3), bottomRadius: min(0.3 * Double(bitmap.width), 3))
    let light = Paint(theme.cardUpperTop).lit(0.05)
    let dark = Paint(theme.cardUpperTop).mixed(with: Paint(theme.shadow), 0.55)
    for y in 0..<bitmap.height {
      let down = (Double(y) + 0.5) / Double(bitmap.height)
      for x in 0..<bitmap.width {
        // The pin is a cylinder: it is brightest left of its middle, and darker towards its lower end.
        let across = (Double(x) + 0.5) / Double(bitmap.width)
        let sheen = max(0, 1 - abs(across - 0.4) * 1.9)
        let paint = dark.mixed(with: light, sheen * (1 - 0.45 * down))
        bitmap.buffer.row32(y)[x] = paint.pixel(coverage: shape.coverage(x, y), threshold: 0)
      }
    }
    return bitmap
  }
}
