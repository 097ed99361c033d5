// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import Settings
import TestSupport
import Testing
import Typography

@testable import Widgets

/// The optimized drawing of cards gives exactly the same pixels as the plain one.
@Suite struct CardArtistTests {
  private static var light: Theme {
    var settings = Fixture.themeSettings
    (settings.groundTop, settings.groundBottom) = (0xf4f1ea, 0xd8d2c4)
    (settings.cardUpperTop, settings.cardUpperBottom) = (0xffffff, 0xe9e6df)
    (settings.cardLowerTop, settings.cardLowerBottom) = (0xf6f4ee, 0xcfcabe)
    settings.symbol = 0x1d1d22
    return Theme(settings, fonts: Fixture.fonts)
  }

  /// All built-in themes, and `light`, which differs from the default theme only in its colours.
  private static var themes: [Theme] { Fixture.themes.map(\.theme) + [light] }

  /// Card metrics with the corners of a theme.
  private static func metrics(_ height: Double, _ aspect: Double, _ theme: Theme) -> CardMetrics {
    CardImages(metrics: CardMetrics(height: height, aspect: aspect), theme: theme).metrics
  }

  /// Random card sizes, half of them at most 60 pixels high, each with a theme and a symbol.
  private static func cards(_ count: Int, seed: UInt64) -> [(CardMetrics, Theme, CardSymbol)] {
    var random = SplitMix(seed: seed)
    let symbols: [CardSymbol] = [
      "", "0", "1", "4", "8", "07", "23", "AM", "W", "Å", "MMMM", "—", "█",
      CardSymbol("█", color: 0x2467d6), CardSymbol("8", color: 0x8a3ab9),
    ]
    let themes = themes
    return (0..<count).map { index in
      let height =
        index < count / 2 ? Double.random(in: 4...60, using: &random) : .random(in: 60...420, using: &random)
      let aspect = Bool.random(using: &random) ? CardMetrics.aspect : .random(in: 0.3...1.3, using: &random)
      let theme = themes[index % themes.count]
      return (metrics(height, aspect, theme), theme, symbols.randomElement(using: &random) ?? "")
    }
  }

  @Test("Cards and panels equal their pixel-by-pixel reference")
  func cardPictures() {
    for (metrics, theme, symbol) in Self.cards(56, seed: 1) {
      let (artist, plain) = (
        CardArtist(metrics: metrics, theme: theme), PlainCards(metrics: metrics, theme: theme)
      )
      let about = "\(metrics.width)x\(metrics.height) \(symbol)"
      #expect(artist.card(symbol).difference(from: plain.card(symbol)) == nil, "card \(about)")
      #expect(artist.panel(symbol).difference(from: plain.panel(symbol)) == nil, "panel \(about)")
    }
  }

  @Test(
    "The capitals of all Latin, Greek and Cyrillic alphabets are not much smaller than an H, and inside the card"
  )
  func letters() throws {
    let theme = Theme(Fixture.themeSettings, fonts: Fixture.fonts)
    for height in [60.0, 200.0] {
      let artist = CardArtist(metrics: Self.metrics(height, CardMetrics.aspect, theme), theme: theme)
      func ink(_ letter: Character) -> ClosedRange<Int>? {
        guard let mask = artist.symbolMask(String(letter)) else { return nil }
        let rows = (0..<mask.height).filter { y in (0..<mask.width).contains { mask.buffer.row8(y)[$0] > 96 }
        }
        return rows.first.flatMap { first in rows.last.map { first...$0 } }
      }
      let plain = try #require(ink("H"))
      for (tag, least) in [
        ("pl", 0.84), ("tr", 0.84), ("lv", 0.84), ("lt", 0.84), ("ro", 0.84), ("vi", 0.84), ("cs", 0.84),
        ("fr", 0.84),
        ("pt", 0.84), ("sv", 0.84),
        // The widest letters of the fallback font are made smaller: Ш, Ψ.
        ("el", 0.68), ("ru", 0.68), ("uk", 0.68),
      ] {
        let language = try #require(Language(tag))
        for letter in BoardSettings().flaps(in: language) where letter.isLetter {
          let rows = try #require(ink(letter))
          #expect(Double(rows.count) >= least * Double(plain.count), "\(letter) at \(height)")
          #expect(rows.lowerBound > 0 && rows.upperBound < Int(height) - 1, "\(letter) at \(height)")
        }
      }
    }
  }

  @Test("In every theme the capitals without accents are as high as an H, and no wider than the card allows")
  func heights() throws {
    for theme in Self.themes {
      for (height, aspect) in [(40.0, CardMetrics.aspect), (90, 0.5), (200, CardMetrics.aspect), (90, 0.8)] {
        let metrics = Self.metrics(height, aspect, theme)
        let artist = CardArtist(metrics: metrics, theme: theme)
        func ink(_ letter: Character) -> PixelRect? {
          guard let mask = artist.symbolMask(String(letter)) else { return nil }
          let rows = (0..<mask.height).filter { y in
            (0..<mask.width).contains { mask.buffer.row8(y)[$0] > 96 }
          }
          let columns = (0..<mask.width).filter { x in
            (0..<mask.height).contains { mask.buffer.row8($0)[x] > 96 }
          }
          guard let (top, left) = rows.first.flatMap({ y in columns.first.map { (y, $0) } }) else {
            return nil
          }
          return PixelRect(x: left, y: top, width: columns.count, height: rows.count)
        }
        let plain = try #require(ink("H"))
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZÆŒ" {
          let own = try #require(ink(letter))
          #expect(abs(own.y - plain.y) <= 1 + Int(0.02 * height), "\(letter) \(height) \(aspect)")
          #expect(own.height + 1 + Int(0.02 * height) >= plain.height, "\(letter) \(height) \(aspect)")
          #expect(own.width <= Int(metrics.symbolWidth) + 3, "\(letter) \(height) \(aspect)")
        }
      }
    }
  }

  @Test("East Asian punctuation is whole on a card")
  func punctuation() throws {
    let theme = Theme(Fixture.themeSettings, fonts: Fixture.fonts)
    for aspect in [CardMetrics.aspect, 0.5, 0.8] {
      let metrics = Self.metrics(120, aspect, theme)
      let artist = CardArtist(metrics: metrics, theme: theme)
      for mark in "。、「」『』・！？（）" {
        let mask = try #require(artist.symbolMask(String(mark)))
        let columns = (0..<mask.width).filter { x in
          (0..<mask.height).contains { mask.buffer.row8($0)[x] > 0 }
        }
        let (left, right) = (try #require(columns.first), try #require(columns.last))
        #expect(left > 1 && right < mask.width - 2, "\(mark) \(aspect)")
      }
    }
  }

  @Test("Beds and flap shadows equal their pixel-by-pixel reference")
  func shadows() {
    for (metrics, theme, _) in Self.cards(56, seed: 2) {
      let (artist, plain) = (
        CardArtist(metrics: metrics, theme: theme), PlainCards(metrics: metrics, theme: theme)
      )
      let about = "\(metrics.width)x\(metrics.height)"
      #expect(artist.bed().difference(from: plain.bed()) == nil, "bed \(about)")
      #expect(artist.flapShadow().difference(from: plain.flapShadow()) == nil, "shadow \(about)")
    }
  }

  @Test("The disc of a clock equals its pixel-by-pixel reference")
  func dials() {
    var random = SplitMix(seed: 4)
    for index in 0..<36 {
      let radius =
        index < 12 ? Double.random(in: 1...12, using: &random) : .random(in: 12...240, using: &random)
      let theme = Self.themes[index % Self.themes.count]
      let side = AnalogClockDial(theme: theme, marks: .none, radius: radius).side + random.int(0...3)
      let drawn = Bitmap(width: side, height: side, format: .argb8888)
      let dial = AnalogDisc(theme: theme, radius: radius, side: side)
      for y in 0..<side { dial.draw(row: y, to: drawn.buffer.row32(y)) }
      let plain = PlainDial(theme: theme, radius: radius, side: side).draw()
      #expect(drawn.difference(from: plain) == nil, "radius \(radius)")
    }
  }

  @Test("Channels are rounded like by the C library's `round`")
  func rounding() {
    var random = SplitMix(seed: 3)
    var values = (-1...256).flatMap { [Double($0), Double($0) + 0.5, Double($0) - 0.5] }
    values += values.flatMap { [$0.nextUp, $0.nextDown] }
    values += (0..<20_000).map { _ in Double.random(in: -2...258, using: &random) }
    for value in values {
      #expect(Double(value.nearestByte) == min(max(value.rounded(), 0), 255), "\(value)")
    }
    for _ in 0..<20_000 {
      let color = Color(rgb: UInt32.random(in: 0...0xff_ffff, using: &random))
      let paint = Paint(color).mixed(with: Paint(.white), .random(in: 0...1, using: &random))
      let coverage = Double.random(in: -0.2...1.2, using: &random)
      let threshold = Dither.threshold(.random(in: 0..<8, using: &random), .random(in: 0..<8, using: &random))
      let drawn = paint.pixel(coverage: coverage, threshold: threshold)
      #expect(drawn == paint.plainPixel(coverage: coverage, threshold: threshold))
    }
  }
}
