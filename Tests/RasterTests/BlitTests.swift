// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

/// Tests rectangle operations against a loop over pixels, for normal and absurd rectangles, between guard
/// bytes.
@Suite struct BlitTests {
  static let absurd = [
    0, 1, -1, 5, -7, 30, 1 << 30, -(1 << 30), 1 << 31, 1 << 40, -(1 << 40), Int.max / 2, -Int.max / 2, .max,
    .min, .max - 1, .min + 1,
  ]

  /// A number that is usually within the range of a small buffer, but may be any integer.
  static func number(_ random: inout SplitMix, _ range: ClosedRange<Int>) -> Int {
    random.int(0...7) == 0 ? absurd[random.int(0...(absurd.count - 1))] : random.int(range)
  }

  static func rect(_ random: inout SplitMix) -> PixelRect {
    PixelRect(
      x: number(&random, -8...30), y: number(&random, -8...20), width: number(&random, -2...40),
      height: number(&random, -2...30))
  }

  /// Whether a point lies in a rectangle, without overflow.
  static func contains(_ rect: PixelRect, _ x: Int, _ y: Int) -> Bool {
    guard rect.width > 0, rect.height > 0, x >= rect.x, y >= rect.y else { return false }
    let (dx, ox) = x.subtractingReportingOverflow(rect.x)
    let (dy, oy) = y.subtractingReportingOverflow(rect.y)
    return !ox && !oy && dx < rect.width && dy < rect.height
  }

  /// The pixel of `source` that is copied to (x, y) when `rect` of it is placed at (toX, toY), if any.
  static func origin(
    _ source: PixelBuffer, _ rect: PixelRect, _ toX: Int, _ toY: Int, _ x: Int, _ y: Int
  ) -> (x: Int, y: Int)? {
    let (dx, o1) = x.subtractingReportingOverflow(toX)
    let (dy, o2) = y.subtractingReportingOverflow(toY)
    let (sx, o3) = rect.x.addingReportingOverflow(dx)
    let (sy, o4) = rect.y.addingReportingOverflow(dy)
    guard !o1, !o2, !o3, !o4, contains(rect, sx, sy), sx >= 0, sy >= 0, sx < source.width, sy < source.height
    else { return nil }
    return (sx, sy)
  }

  static func run(
    _ seed: UInt64, _ format: PixelFormat, from sourceFormat: PixelFormat,
    draw: (PixelBuffer, PixelBuffer, PixelRect, Int, Int, PixelRect) -> Void,
    expected: (_ destination: UInt32, _ source: UInt32, _ row: Double) -> UInt32
  ) -> Bool {
    var random = SplitMix(seed: seed)
    for _ in 0..<150 {
      let destination = GuardedBuffer(random.int(0...24), random.int(0...16), format, slack: 4)
      let source = GuardedBuffer(random.int(0...24), random.int(0...16), sourceFormat, slack: 8)
      destination.buffer.randomize(&random)
      source.buffer.randomize(&random)
      let before = GuardedBuffer(destination.buffer.width, destination.buffer.height, format)
      before.buffer.assign(destination.buffer)
      let rect = rect(&random)
      let clip = random.int(0...2) == 0 ? destination.buffer.bounds : BlitTests.rect(&random)
      let (x, y) = (number(&random, -10...24), number(&random, -10...16))
      draw(destination.buffer, source.buffer, rect, x, y, clip)
      guard destination.isIntact, source.isIntact else { return false }
      for py in 0..<destination.buffer.height {
        for px in 0..<destination.buffer.width {
          var value = before.buffer.pixel(px, py)
          if contains(clip, px, py), let from = origin(source.buffer, rect, x, y, px, py) {
            let row = Double(from.y) - Double(rect.y)
            value = expected(
              value, source.buffer.pixel(from.x, from.y), row / max(Double(rect.height) - 1, 1))
          }
          if destination.buffer.pixel(px, py) != value { return false }
        }
      }
    }
    return true
  }

  @Test(
    "filling equals a loop over pixels for any rectangle",
    arguments: [PixelFormat.xrgb8888, .argb8888, .rgb565, .a8],
    [
      Color.white, Color(red: 10, green: 200, blue: 30, alpha: 99), .clear,
    ])
  func fillingEqualsALoopOverPixelsForAnyRectangle(format: PixelFormat, color: Color) {
    var random = SplitMix(seed: 21)
    var same = true
    for _ in 0..<200 {
      let guarded = GuardedBuffer(random.int(0...24), random.int(0...16), format, slack: 4)
      guarded.buffer.randomize(&random)
      let before = GuardedBuffer(guarded.buffer.width, guarded.buffer.height, format)
      before.buffer.assign(guarded.buffer)
      let (rect, clip) = (BlitTests.rect(&random), BlitTests.rect(&random))
      guarded.buffer.fill(rect, with: color, clip: clip)
      for y in 0..<guarded.buffer.height {
        for x in 0..<guarded.buffer.width {
          var value = before.buffer.pixel(x, y)
          if BlitTests.contains(rect, x, y), BlitTests.contains(clip, x, y) {
            switch format {
            case .xrgb8888: value = Reference.over(color.premultiplied, value, opaque: true)
            case .argb8888: value = Reference.over(color.premultiplied, value, opaque: false)
            case .rgb565 where color.alpha > 0:
              value = Reference.to565(
                Reference.over(color.premultiplied, Reference.from565(value), opaque: true))
            case .rgb565, .xrgb2101010: break
            case .a8: value = UInt32(Int(color.alpha) + Reference.product(Int(value), 255 - Int(color.alpha)))
            }
          }
          same = same && guarded.buffer.pixel(x, y) == value
        }
      }
      same = same && guarded.isIntact
    }
    #expect(same)
  }

  @Test("clearing stores transparent black, or opaque black without alpha")
  func clearingStoresTransparentBlackOrOpaqueBlackWithoutAlpha() {
    for (format, value) in [
      (PixelFormat.argb8888, UInt32(0)), (.xrgb8888, 0xff00_0000), (.rgb565, 0), (.a8, 0),
    ] {
      let guarded = GuardedBuffer(5, 3, format)
      var random = SplitMix(seed: 3)
      guarded.buffer.randomize(&random)
      let kept = guarded.buffer.pixel(0, 0)
      guarded.buffer.clear(PixelRect(x: 1, y: -4, width: .max, height: 7), clip: guarded.buffer.bounds)
      #expect(guarded.buffer.pixel(1, 0) == value && guarded.buffer.pixel(4, 2) == value)
      #expect(guarded.buffer.pixel(0, 0) == kept && guarded.isIntact)
    }
  }

  @Test(
    "copying equals a loop over pixels for any rectangles",
    arguments: [PixelFormat.xrgb8888, .argb8888, .rgb565, .a8],
    [
      PixelFormat.xrgb8888, .argb8888, .rgb565, .a8,
    ])
  func copyingEqualsALoopOverPixelsForAnyRectangles(format: PixelFormat, sourceFormat: PixelFormat) {
    #expect(
      BlitTests.run(
        31, format, from: sourceFormat, draw: { $0.copy($1, $2, to: $3, $4, clip: $5) },
        expected: { destination, source, _ in
          switch (sourceFormat, format) {
          case (.rgb565, .rgb565), (.a8, .a8), (.argb8888, .argb8888): source
          case (.a8, _), (_, .a8): destination
          case (.rgb565, _): Reference.from565(source)
          case (_, .rgb565): Reference.to565(source)
          default: source | 0xff00_0000
          }
        }))
  }

  @Test(
    "a copy within one buffer gives the same result as through a second buffer",
    arguments: [(0, 3), (0, -3), (2, 1), (-2, 0), (5, -1), (0, 0)])
  func aCopyWithinOneBufferActsAsIfThroughASecondOne(dx: Int, dy: Int) {
    let guarded = GuardedBuffer(20, 12, .rgb565)
    var random = SplitMix(seed: 8)
    guarded.buffer.randomize(&random)
    let before = GuardedBuffer(20, 12, .rgb565)
    before.buffer.assign(guarded.buffer)
    let rect = PixelRect(x: 4, y: 3, width: 9, height: 6)
    guarded.buffer.copy(guarded.buffer, rect, to: 4 + dx, 3 + dy, clip: guarded.buffer.bounds)
    var same = true
    for y in 0..<12 {
      for x in 0..<20 {
        let inside = BlitTests.contains(rect, x - dx, y - dy)
        same =
          same && guarded.buffer.pixel(x, y) == before.buffer.pixel(inside ? x - dx : x, inside ? y - dy : y)
      }
    }
    #expect(same && guarded.isIntact)
  }

  @Test(
    "blending equals a loop over pixels for any rectangles", arguments: [PixelFormat.xrgb8888, .argb8888],
    [PixelFormat.xrgb8888, .argb8888])
  func blendingEqualsALoopOverPixelsForAnyRectangles(format: PixelFormat, sourceFormat: PixelFormat) {
    let looks: [(Double, Shade)] = [
      (1, .none), (0.5, .none), (1, Shade(top: 0, bottom: 1)), (0.3, Shade(0.4)), (0, .none), (.nan, .none),
      (7, Shade(top: -3, bottom: 2)), (1, Shade(.nan)), (1, Shade(top: .infinity, bottom: 0)),
    ]
    for (index, (opacity, shade)) in looks.enumerated() {
      let alpha = Int((min(max(opacity.isNaN ? 0 : opacity, 0), 1) * 255).rounded())
      #expect(
        BlitTests.run(
          UInt64(41 + index), format, from: sourceFormat,
          draw: { $0.blend($1, $2, to: $3, $4, opacity: opacity, shade: shade, clip: $5) },
          expected: { destination, source, row in
            if alpha == 0 { return destination }
            let amount = shade.top + (shade.bottom - shade.top) * min(max(row, 0), 1)
            let light = amount.isNaN ? 256 : Int(((1 - min(max(amount, 0), 1)) * 256).rounded())
            let pixel = sourceFormat == .xrgb8888 ? source | 0xff00_0000 : source
            return Reference.over(
              Reference.scaled(Reference.lit(pixel, light), alpha), destination, opaque: format == .xrgb8888)
          }))
    }
  }

  @Test(
    "filling through a mask equals a loop over pixels at any position",
    arguments: [PixelFormat.xrgb8888, .argb8888])
  func fillingThroughAMaskEqualsALoopOverPixelsAtAnyPosition(format: PixelFormat) {
    let color = Color(red: 250, green: 120, blue: 0, alpha: 255)
    var random = SplitMix(seed: 52)
    var same = true
    for _ in 0..<200 {
      let destination = GuardedBuffer(20, 14, format)
      let mask = GuardedBuffer(random.int(0...16), random.int(0...16), .a8, slack: 3)
      destination.buffer.randomize(&random)
      mask.buffer.randomize(&random)
      let before = GuardedBuffer(20, 14, format)
      before.buffer.assign(destination.buffer)
      let (x, y) = (BlitTests.number(&random, -16...20), BlitTests.number(&random, -16...14))
      let clip = BlitTests.rect(&random)
      destination.buffer.fill(mask: mask.buffer, at: x, y, with: color, clip: clip)
      for py in 0..<14 {
        for px in 0..<20 {
          var value = before.buffer.pixel(px, py)
          if BlitTests.contains(clip, px, py),
            let from = BlitTests.origin(mask.buffer, mask.buffer.bounds, x, y, px, py)
          {
            let amount = Int(mask.buffer.pixel(from.x, from.y))
            value = Reference.over(
              Reference.scaled(color.premultiplied, amount), value, opaque: format == .xrgb8888)
          }
          same = same && destination.buffer.pixel(px, py) == value
        }
      }
      same = same && destination.isIntact && mask.isIntact
    }
    #expect(same)
  }
}
