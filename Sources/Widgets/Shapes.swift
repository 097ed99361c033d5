// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// A rectangle with one radius for its upper and one for its lower corners.
struct RoundedRect {
  var rect: Rect
  var topRadius: Double
  var bottomRadius: Double

  /// The signed distance of a point from the outline, negative inside, in pixels.
  func distance(x: Double, y: Double) -> Double {
    let radius = min(y < rect.midY ? topRadius : bottomRadius, rect.width / 2, rect.height / 2)
    let dx = abs(x - rect.midX) - rect.width / 2 + radius
    let dy = abs(y - rect.midY) - rect.height / 2 + radius
    let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
    return outside + min(max(dx, dy), 0) - radius
  }

  /// How much of the pixel at column `x`, row `y` is inside, 0 … 1.
  func coverage(_ x: Int, _ y: Int) -> Double {
    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
    if px < rect.x - 1 || px > rect.maxX + 1 || py < rect.y - 1 || py > rect.maxY + 1 { return 0 }
    return min(max(0.5 - distance(x: px, y: py), 0), 1)
  }
}

/// A colour for mixing. Colours are mixed in their stored encoding, not in linear light, which is good enough
/// at these contrasts. The result is rounded once, with an ordered dither that keeps dark gradients free of
/// bands.
struct Paint {
  var red: Double
  var green: Double
  var blue: Double

  init(_ color: Color) {
    red = Double(color.red)
    green = Double(color.green)
    blue = Double(color.blue)
  }

  func mixed(with other: Paint, _ fraction: Double) -> Paint {
    var result = self
    result.red += (other.red - red) * fraction
    result.green += (other.green - green) * fraction
    result.blue += (other.blue - blue) * fraction
    return result
  }

  func lit(_ amount: Double) -> Paint { mixed(with: Paint(.white), amount) }

  /// A pixel of a shadow of this colour; `alpha` is the strength of the shadow, 0 … 1.
  func shadowPixel(_ alpha: Double) -> UInt32 {
    isBlack ? alpha.alpha255 << 24 : pixel(coverage: alpha, threshold: 0)
  }

  var isBlack: Bool { red == 0 && green == 0 && blue == 0 }

  /// The premultiplied pixel with this coverage. `threshold` (−0.5 … 0.5) is the dither.
  func pixel(coverage: Double, threshold: Double) -> UInt32 {
    let alpha = coverage.alpha255
    func channel(_ value: Double) -> UInt32 {
      let t = (value + threshold).nearestByte &* alpha &+ 128
      return (t &+ (t &>> 8)) &>> 8
    }
    return alpha << 24 | channel(red) << 16 | channel(green) << 8 | channel(blue)
  }
}

extension Double {
  /// `rounded()`, clamped to 0 … 255. On a processor without an instruction for it, `rounded()` would call
  /// the C library for every channel of every pixel; this property does not.
  var nearestByte: UInt32 {
    guard self > 0 else { return 0 }
    guard self < 255 else { return 255 }
    // In the range where the last bit of a double is worth one, the addition rounds to the nearest whole
    // number, and ties to the even number.
    let sum = self + 0x1p52
    let nearest = UInt32(truncatingIfNeeded: sum.bitPattern)
    return self - (sum - 0x1p52) == 0.5 ? nearest &+ 1 : nearest
  }

  /// A coverage as an alpha value, 0 … 255.
  var alpha255: UInt32 { (self * 255).nearestByte }
}

/// The strength of a shadow, 0 … 1, at a distance inside its edge: a step blurred by a Gaussian.
func softStep(_ distance: Double, sigma: Double) -> Double {
  0.5 * (1 + erf(distance / (sigma * 2.0.squareRoot())))
}

extension RoundedRect {
  /// A picture that the shape fills, with soft edges.
  static func image(width: Int, height: Int, radius: Double, color: Color) -> Bitmap {
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)), topRadius: radius,
      bottomRadius: radius)
    return shape.image(color, coverage: shape.coverage)
  }

  /// A picture of the shape's outline, which is drawn inside it. `rect` has its origin at (0, 0).
  func outline(width: Double, color: Color) -> Bitmap {
    let inner = RoundedRect(
      rect: Rect(
        x: width, y: width, width: max(rect.width - 2 * width, 0), height: max(rect.height - 2 * width, 0)),
      topRadius: max(topRadius - width, 0), bottomRadius: max(bottomRadius - width, 0))
    return image(color, border: width) { max(coverage($0, $1) - inner.coverage($0, $1), 0) }
  }

  /// A picture of the size of `rect`.
  ///
  /// - Parameter border: how far the shape inside is from the edges.
  private func image(_ color: Color, border: Double = 0, coverage: (Int, Int) -> Double) -> Bitmap {
    let bitmap = Bitmap(width: Int(rect.width), height: Int(rect.height), format: .argb8888)
    let paint = Paint(color)
    // Between the corners and their soft edges all rows are the same.
    let corner = Int(max(topRadius, bottomRadius, border).rounded(.up)) + 1
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      if y > corner, y < bitmap.height - corner {
        row.update(from: bitmap.buffer.row32(y - 1), count: bitmap.width)
      } else {
        for x in 0..<bitmap.width { row[x] = paint.pixel(coverage: coverage(x, y), threshold: 0) }
      }
    }
    return bitmap
  }
}

enum Disc {
  static func image(diameter: Int, color: Color) -> Bitmap {
    RoundedRect.image(width: diameter, height: diameter, radius: Double(diameter) / 2, color: color)
  }
}
