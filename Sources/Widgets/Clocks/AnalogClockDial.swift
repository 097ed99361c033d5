// SPDX-License-Identifier: Apache-2.0

import Glibc
import Languages
import Raster
import Settings
import Typography

/// Draws the dial of an analog clock: a disc lit like the cards, a soft shadow, ticks and numerals. Drawn
/// once per size.
struct AnalogClockDial {
  let theme: Theme
  let marks: AnalogClockSettings.Marks
  /// The disc's radius, in pixels.
  let radius: Double
  /// Space for the shadow around the disc, in whole pixels.
  let margin: Int

  private let language: Language
  /// Below this radius, dials have no minute ticks and only four numerals.
  private static let smallRadius = 70.0

  init(
    theme: Theme, marks: AnalogClockSettings.Marks, radius: Double, digits language: Language = .english
  ) {
    self.theme = theme
    self.language = language
    self.marks = marks
    self.radius = radius
    margin = Int((radius * 0.1).rounded(.up))
  }

  var side: Int { Int((radius * 2).rounded()) + 2 * margin }
  private var center: Double { Double(side) / 2 }

  func draw() -> Bitmap {
    let bitmap = Bitmap(width: side, height: side, format: .argb8888)
    let dial = AnalogDisc(theme: theme, radius: radius, side: side)
    for y in 0..<side { dial.draw(row: y, to: bitmap.buffer.row32(y)) }
    if marks == .ticks || marks == .both { drawTicks(into: bitmap.buffer) }
    if marks == .numerals || marks == .both { drawNumerals(into: bitmap.buffer) }
    return bitmap
  }

  private func drawTicks(into buffer: PixelBuffer) {
    var filler = PolygonFiller()
    for minute in 0..<60 {
      let isHour = minute % 5 == 0
      if !isHour, radius < Self.smallRadius { continue }
      let outer = radius * 0.925
      let inner = radius * (isHour ? 0.835 : 0.89)
      let half = isHour ? max(radius * 0.0105, 0.7) : max(radius * 0.0035, 0.4)
      let angle = Double(minute) * .pi / 30
      let (s, c) = (sin(angle), cos(angle))
      let points = [(-half, outer), (half, outer), (half, inner), (-half, inner)].map { x, y in
        Point(x: center + x * c + y * s, y: center + x * s - y * c)
      }
      filler.fill(
        points, with: isHour ? theme.symbol : theme.label, into: buffer, clip: buffer.bounds)
    }
  }

  private func drawNumerals(into buffer: PixelBuffer) {
    let hasTicks = marks == .both
    let cap = radius * (hasTicks ? 0.115 : 0.135)
    let place = radius * (hasTicks ? 0.69 : 0.77)
    let isSmall = radius < Self.smallRadius
    let mask = Bitmap(width: side, height: side, format: .a8)
    for hour in 1...12 where !isSmall || hour % 3 == 0 {
      let height = isSmall ? cap * 1.4 : cap
      let text = language.digits(in: String(hour))
      let ink = theme.nameFace.measure(text, capHeight: height, tracking: 0).ink
      let angle = Double(hour) * .pi / 6
      theme.nameFace.draw(
        text, into: mask.buffer, x: center + sin(angle) * place - ink.midX,
        baseline: center - cos(angle) * place - ink.midY, capHeight: height, tracking: 0, stretch: 1)
    }
    buffer.fill(mask: mask.buffer, at: 0, 0, with: theme.symbol, clip: buffer.bounds)
  }
}
