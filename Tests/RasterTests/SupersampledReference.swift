// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import Raster

/// The reference for `draw`, in doubles, 16×16 samples per pixel.
///
/// The model: the source consists of squares of colour. A pixel shows the mean of the source over the area
/// that the pixel covers, multiplied by the part of the pixel that is inside the image. The area is at least
/// one source pixel wide along either axis, so the result is bilinear where the image is enlarged, and a box
/// filter elsewhere. The coverage is not widened in this way, because an image's edge is sharp on the screen
/// at any scale.
struct SupersampledReference {
  let source: PixelBuffer
  let back: Homography
  /// The number of samples across a pixel, and normally down it. `samplesDown` is 128 for an image of few
  /// rows, where a single sample's share of a row's coverage would be visible.
  static let samples = 16
  let samplesDown: Int

  init?(_ source: PixelBuffer, _ map: Homography, height: Int) {
    guard let back = map.inverse else { return nil }
    self.source = source
    self.back = back
    samplesDown = height < 24 ? 128 : SupersampledReference.samples
  }

  /// The premultiplied pixel (b, g, r, a), 0 … 255.
  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let n = SupersampledReference.samples
    let (w, h) = (Double(source.width), Double(source.height))
    let cx = Double(x) + 0.5
    let cy = Double(y) + 0.5
    var inside: [(Double, Double)] = []
    inside.reserveCapacity(n * samplesDown)
    var middle = (0.0, 0.0)
    for j in 0..<samplesDown {
      for i in 0..<n {
        let p = map(
          cx + (Double(i) + 0.5) / Double(n) - 0.5, cy + (Double(j) + 0.5) / Double(samplesDown) - 0.5)
        if let p, p.0 >= 0, p.0 <= w, p.1 >= 0, p.1 <= h {
          inside.append(p)
          middle.0 += p.0
          middle.1 += p.1
        }
      }
    }
    guard !inside.isEmpty else { return .zero }
    let coverage = Double(inside.count) / Double(n * samplesDown)
    middle.0 /= Double(inside.count)
    middle.1 /= Double(inside.count)
    // The size of the area of the source that this pixel covers, in source pixels along each axis.
    let depth = 1 / (back.g * cx + back.h * cy + back.i)
    let across = hypot((back.a - back.g * middle.0) * depth, (back.b - back.h * middle.0) * depth)
    let down = hypot((back.d - back.g * middle.1) * depth, (back.e - back.h * middle.1) * depth)
    var sum = SIMD4<Double>.zero
    if across >= 1 && down >= 1 {
      for p in inside { sum += load(p.0, p.1) }
      return sum / Double(inside.count) * coverage
    }
    // The area is widened about the pixel's centre. Samples outside the image are ignored.
    let centre = map(cx, cy) ?? middle
    let wideX = across < 1 ? 1 / across : 1
    let wideY = down < 1 ? 1 / down : 1
    var count = 0
    for j in 0..<samplesDown {
      for i in 0..<n {
        guard
          let p = map(
            cx + (Double(i) + 0.5) / Double(n) - 0.5, cy + (Double(j) + 0.5) / Double(samplesDown) - 0.5)
        else { continue }
        let u = centre.0 + (p.0 - centre.0) * wideX
        let v = centre.1 + (p.1 - centre.1) * wideY
        guard u >= 0, u <= w, v >= 0, v <= h else { continue }
        sum += load(u, v)
        count += 1
      }
    }
    return count == 0 ? .zero : sum / Double(count) * coverage
  }

  private func map(_ x: Double, _ y: Double) -> (Double, Double)? {
    let d = back.g * x + back.h * y + back.i
    guard d > 0 else { return nil }
    return ((back.a * x + back.b * y + back.c) / d, (back.d * x + back.e * y + back.f) / d)
  }

  private func load(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let pixel = source.row32(min(Int(v), source.height - 1))[min(Int(u), source.width - 1)]
    return SIMD4(
      Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255),
      Double(source.format == .xrgb8888 ? 255 : pixel >> 24))
  }

  /// The PSNR in dB (255 against the root mean square difference of the colour channels) over every
  /// `stride`th pixel of `area`. `before` is the colour of the background.
  func psnr(_ drawn: PixelBuffer, over before: UInt32, area: PixelRect, stride: Int) -> Double {
    let background = SIMD4(
      Double(before & 255), Double(before >> 8 & 255), Double(before >> 16 & 255), 255)
    var sum = 0.0
    var count = 0
    var index = 0
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        index += 1
        if index % stride != 0 { continue }
        let p = pixel(x, y)
        let expected = p + background * (1 - p[3] / 255)
        let got = drawn.row32(y)[x]
        let d =
          expected - SIMD4(Double(got & 255), Double(got >> 8 & 255), Double(got >> 16 & 255), expected[3])
        sum += (d * d).sum()
        count += 3
      }
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 / (sum / Double(count)))
  }
}

/// Half of a split-flap card as the widgets draw it: round corners, a gradient, strokes of a digit.
enum CardPicture {
  static func make(width: Int, height: Int, format: PixelFormat = .argb8888) -> Bitmap {
    let bitmap = Bitmap(width: width, height: height, format: format)
    let (w, h) = (Double(width), Double(height))
    let radius = 0.075 * w
    for y in 0..<height {
      for x in 0..<width {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        // A ring and a bar with edges one pixel soft, like rasterised glyphs.
        let ring = abs(hypot((px - w / 2) / 0.8, py - h * 1.02) - 0.55 * h) - 0.11 * h
        let bar = max(abs(px - 0.5 * w) - 0.3 * w, abs(py - 0.93 * h) - 0.045 * h)
        let ink = min(max(0.5 - min(ring, bar), 0), 1)
        let corner = hypot(max(abs(px - w / 2) - (w / 2 - radius), 0), max(radius - py, 0)) - radius
        let alpha = format == .xrgb8888 ? 1 : min(max(0.5 - corner, 0), 1)
        let ground = 0x34 - 11 * py / h
        let value = ground + (241 - ground) * ink
        let (a, c) = (UInt32((alpha * 255).rounded()), UInt32((value * alpha).rounded()))
        bitmap.buffer.row32(y)[x] = a << 24 | c << 16 | c << 8 | c
      }
    }
    return bitmap
  }

  /// The map of a flap rotated by `angle` (0 … π) about the bottom edge of the picture, which is at (x, y) at
  /// rest. The eye is 2.7 card heights in front of the hinge's middle.
  static func flap(_ angle: Double, width: Int, height: Int, x: Double, y: Double) -> Homography {
    let (w, h) = (Double(width), Double(height))
    return Transform3D.translation(x: -w / 2, y: -h)
      .concatenating(.rotation(-angle, x: 1, y: 0, z: 0))
      .concatenating(.perspective(distance: 2.7 * 2 * h))
      .concatenating(.translation(x: x + w / 2, y: y + h)).homography
  }
}
