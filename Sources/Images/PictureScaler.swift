// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// Scales a picture, a row at a time, with the cubic filter of Catmull and Rom, which is widened where the
/// picture gets smaller, so that every pixel of it counts. Colours are mixed as light: in linear sRGB, each
/// weighted by its alpha. A picture of the same size stays as it is.
///
/// Only as many rows as the filter is high are in memory.
final class PictureScaler {
  /// A pixel in linear light, premultiplied: red, green, blue, alpha.
  private typealias Light = SIMD4<Float>

  private let columns: [Taps]
  private let rows: [Taps]
  private let result: PictureRows
  /// The last rows, scaled horizontally, each at its number modulo their count.
  private var ring: [[Light]]
  private var source: [Light]
  private var received = 0
  private var produced = 0
  private var sum: [Light]

  /// - Parameters:
  ///   - size: that of the picture.
  ///   - part: what to show of it, in its pixels.
  ///   - target: the size at which the part is shown.
  init(_ size: PixelSize, part: Rect, to target: PixelSize) {
    columns = Taps.make(size.width, from: part.x, part.width, to: target.width)
    rows = Taps.make(size.height, from: part.y, part.height, to: target.height)
    result = PictureRows(target)
    source = [Light](repeating: .zero, count: size.width)
    sum = [Light](repeating: .zero, count: target.width)
    ring = Array(repeating: sum, count: rows.map(\.weights.count).max() ?? 1)
  }

  /// Adds the next row: straight 0xAARRGGBB.
  func add(_ row: UnsafeBufferPointer<UInt32>) {
    defer { received += 1 }
    guard produced < rows.count, rows[produced].first <= received else { return }
    for (x, pixel) in zip(source.indices, row) { source[x] = Self.light(pixel) }
    let slot = received % ring.count
    source.withUnsafeBufferPointer { source in
      ring[slot].withUnsafeMutableBufferPointer { line in
        for (x, taps) in columns.enumerated() { line[x] = taps.sum { source[$0] } }
      }
    }
    while produced < rows.count, rows[produced].end <= received + 1 {
      let taps = rows[produced]
      for x in sum.indices { sum[x] = .zero }
      for (offset, weight) in taps.weights.enumerated() {
        let line = ring[(taps.first + offset) % ring.count]
        for x in sum.indices { sum[x] += weight * line[x] }
      }
      result.add(sum, Self.pixel)
      produced += 1
    }
  }

  var bitmap: Bitmap { result.bitmap }

  // MARK: Light

  private static func light(_ pixel: UInt32) -> Light {
    let alpha = Float(pixel >> 24) / 255
    return Light(
      SRGB.linear[Int(pixel >> 16 & 255)] * alpha, SRGB.linear[Int(pixel >> 8 & 255)] * alpha,
      SRGB.linear[Int(pixel & 255)] * alpha, alpha)
  }

  /// The premultiplied pixel. The filter can exceed the range at edges.
  private static func pixel(_ light: Light) -> UInt32 {
    let alpha = UInt8(min(max(light.w, 0), 1) * 255 + 0.5)
    guard alpha > 0 else { return 0 }
    let straight = light / light.w
    return Color(
      red: SRGB.encoded(straight.x), green: SRGB.encoded(straight.y), blue: SRGB.encoded(straight.z),
      alpha: alpha
    ).premultiplied
  }
}

/// The pixels from which one pixel of the scaled picture is made, in one direction.
private struct Taps {
  var first: Int
  /// Their sum is 1.
  var weights: [Float]

  var end: Int { first + weights.count }

  @inline(__always)
  func sum(_ pixel: (Int) -> SIMD4<Float>) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for (offset, weight) in weights.enumerated() { sum += weight * pixel(first + offset) }
    return sum
  }

  /// - Parameters:
  ///   - count: the number of pixels of the picture.
  ///   - start: where the part to show begins.
  ///   - length: how long the part is.
  ///   - target: the number of pixels of the scaled picture.
  static func make(_ count: Int, from start: Double, _ length: Double, to target: Int) -> [Taps] {
    let step = length / Double(max(target, 1))
    let width = max(step, 1)
    return (0..<target).map { index in
      let center = start + (Double(index) + 0.5) * step
      let first = min(max(Int((center - 2 * width).rounded(.down)), 0), count - 1)
      let last = min(max(Int((center + 2 * width).rounded(.up)) - 1, first), count - 1)
      var weights = (first...last).map { filter(abs(Double($0) + 0.5 - center) / width) }
      let sum = weights.reduce(0, +)
      weights = weights.map { $0 / sum }
      // Zeros at the ends are the rule where the size stays.
      let kept = weights.indices.filter { abs(weights[$0]) > 1e-9 }
      let (from, to) = (kept.first ?? 0, kept.last ?? 0)
      return Taps(first: first + from, weights: weights[from...to].map(Float.init))
    }
  }

  /// The filter of Catmull and Rom: the cubic filter with B = 0 and C = ½ (Mitchell and Netravali,
  /// "Reconstruction Filters in Computer Graphics", 1988).
  private static func filter(_ x: Double) -> Double {
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }
}

/// The transfer function of sRGB (IEC 61966-2-1).
private enum SRGB {
  static let linear: [Float] = (0...255).map { Float(decoded(Double($0) / 255)) }

  /// The values from 0 to 1, so many that each channel value has its own.
  private static let table: [UInt8] = (0..<16_384).map { index in
    let linear = Double(index) / 16_383
    return UInt8(
      (linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055) * 255 + 0.5)
  }

  private static func decoded(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encoded(_ linear: Float) -> UInt8 { table[Int(min(max(linear, 0), 1) * 16_383 + 0.5)] }
}
