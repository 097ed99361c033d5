// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings

@testable import Layers
@testable import Widgets

/// What a card should show during a transition, without shading: in doubles, with 16×16 samples per pixel,
/// from the geometry of the transition and without the layer engine.
struct TransitionReference {
  static let samples = 16

  let images: CardImages
  let transition: DigitTransition
  let old: CardSymbol
  let new: CardSymbol
  /// 0 … 1.
  let progress: Double
  /// The position of the card.
  let origin: Point
  let ground: SIMD4<Double>
  /// The distance of the viewer, in pixels.
  let distance: Double

  private var width: Double { Double(images.metrics.width) }
  private var height: Double { Double(images.metrics.height) }

  /// The mean colour (b, g, r, a) of the pixel, 0 … 255.
  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    let n = Double(Self.samples)
    for j in 0..<Self.samples {
      for i in 0..<Self.samples {
        sum += sample(
          Double(x) + (Double(i) + 0.5) / n - origin.x, Double(y) + (Double(j) + 0.5) / n - origin.y)
      }
    }
    return sum / (n * n)
  }

  /// The colour at a point, relative to the card.
  private func sample(_ x: Double, _ y: Double) -> SIMD4<Double> {
    var color = ground
    let margin = Double(images.metrics.shadowMargin)
    over(&color, images.bed, x + margin, y + margin)
    if transition == .flip {
      over(&color, images.card(y < height / 2 ? new : old), x, y)
      flap(&color, x, y)
    } else {
      over(&color, images.card(""), x, y)
      window(&color, x, y)
    }
    let gap = Double(images.metrics.hingeGap)
    over(&color, images.hingeLine, x, y - (height - gap) / 2)
    guard let pinImage = images.pin else { return color }
    let pin = pinImage.bitmap
    for edge in [0, width] {
      over(
        &color, pinImage, x - ((origin.x + edge - Double(pin.width) / 2).rounded() - origin.x),
        y - (height - Double(pin.height)) / 2)
    }
    return color
  }

  /// The flap, which turns about the hinge from 0 to −π.
  private func flap(_ color: inout SIMD4<Double>, _ x: Double, _ y: Double) {
    let angle = -Double.pi * progress
    let dy = y - height / 2
    let v = dy / (cos(angle) + dy * sin(angle) / distance)
    guard v <= 0, v >= -height / 2 else { return }
    let u = (x - width / 2) * (1 - v * sin(angle) / distance)
    guard abs(u) <= width / 2 else { return }
    let isFront = progress < 0.5
    over(&color, images.card(isFront ? old : new), u + width / 2, isFront ? height / 2 + v : height / 2 - v)
  }

  private func window(_ color: inout SIMD4<Double>, _ x: Double, _ y: Double) {
    let inset = Double(images.metrics.windowInset)
    let (w, h) = (width - 2 * inset, height - 2 * inset)
    let (x, y) = (x - inset, y - inset)
    guard x >= 0, x < w, y >= 0, y < h else { return }
    color = SIMD4(8, 7, 7, 255)
    switch transition {
    case .roll:
      let step = Double.pi / 3
      side(&color, new, (progress - 1) * step, x, y, w, h)
      side(&color, old, progress * step, x, y, w, h)
    case .shutter:
      over(&color, images.panel(new), x, y)
      let count = max(Int((w / (0.21 * h)).rounded()) * 2, 4)
      for band in 0..<count {
        let left = (w * Double(band) / Double(count)).rounded()
        let right = (w * Double(band + 1) / Double(count)).rounded()
        guard x >= left, x < right else { continue }
        over(&color, images.panel(old), x, y + (band % 2 == 0 ? 1 : -1) * progress * h)
      }
    case .slide:
      over(&color, images.panel(new), x, y - (1 - progress) * h)
      over(&color, images.panel(old), x, y + progress * h)
    case .flip, .fade, .none: break
    }
  }

  /// A side of a hexagonal drum, turned upwards by `angle` about the drum's axis.
  private func side(
    _ color: inout SIMD4<Double>, _ symbol: CardSymbol, _ angle: Double, _ x: Double, _ y: Double,
    _ w: Double,
    _ h: Double
  ) {
    let apothem = h * 3.0.squareRoot() / 2
    let dy = y - h / 2
    let v =
      (dy * (1 - (apothem * cos(angle) - apothem) / distance) + apothem * sin(angle))
      / (cos(angle) + dy * sin(angle) / distance)
    guard abs(v) <= h / 2 else { return }
    let z = v * sin(angle) + apothem * cos(angle) - apothem
    let u = (x - w / 2) * (1 - z / distance)
    guard abs(u) <= w / 2 else { return }
    over(&color, images.panel(symbol), u + w / 2, v + h / 2)
  }

  /// Blends the picture's pixel at (x, y) over the colour.
  private func over(_ color: inout SIMD4<Double>, _ image: LayerImage, _ x: Double, _ y: Double) {
    let buffer = image.bitmap.buffer
    guard x >= 0, y >= 0, x <= Double(buffer.width), y <= Double(buffer.height) else { return }
    let pixel = buffer.row32(min(Int(y), buffer.height - 1))[min(Int(x), buffer.width - 1)]
    let alpha = buffer.format == .xrgb8888 ? 255 : Double(pixel >> 24)
    let top = SIMD4(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), alpha)
    color = top + color * (1 - alpha / 255)
  }

  /// The PSNR of a picture over every `stride`th pixel of `area`, in dB.
  func psnr(_ picture: Bitmap, _ area: PixelRect, stride: Int) -> Double {
    var sum = 0.0
    var count = 0
    for index in Swift.stride(from: 0, to: area.width * area.height, by: stride) {
      let (x, y) = (area.x + index % area.width, area.y + index / area.width)
      let expected = pixel(x, y)
      let got = picture.buffer.row32(y)[x]
      let d =
        expected - SIMD4(Double(got & 255), Double(got >> 8 & 255), Double(got >> 16 & 255), expected[3])
      sum += (d * d).sum()
      count += 3
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 / (sum / Double(count)))
  }
}
