// SPDX-License-Identifier: Apache-2.0

import CPixman
import Glibc
import Raster

/// Cases for individual kernels. A kernel and pixman write to the same destination.
package struct KernelCases {
  package let size: PixelSize
  private let target: Bitmap
  private let source: Bitmap
  private let bounds: PixelRect

  package init(size: PixelSize) {
    self.size = size
    bounds = PixelRect(size)
    target = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    source = Pictures.bitmap(size, .opaque, format: .xrgb8888)
  }

  package static let names = [
    "copy", "fill", "over", "over-translucent", "over-constant-alpha", "solid-a8", "solid-a8-translucent",
    "copy-565", "copy-565-dither", "copy-2101010", "copy-rotated", "bilinear", "flap", "flap-card",
  ]

  /// Nil for an unknown name, or if pixman fails.
  package func make(_ name: String) -> BenchmarkCase? {
    switch name {
    case "copy": copy()
    case "fill": fill()
    case "over": over(name, .realistic)
    case "over-translucent": over(name, .translucent)
    case "over-constant-alpha": overConstantAlpha()
    case "solid-a8": solid(name, .realistic)
    case "solid-a8-translucent": solid(name, .translucent)
    case "copy-565": copy565(name, dithered: false)
    case "copy-565-dither": copy565(name, dithered: true)
    case "copy-2101010": copy2101010()
    case "copy-rotated": copyRotated()
    case "bilinear": bilinear()
    case "flap": flap()
    case "flap-card": flapCard()
    default: nil
    }
  }

  // MARK: Common parts

  /// memcpy of `bytes` bytes, as many as the kernel writes.
  private func memory(bytes: Int) -> Contestant {
    let (target, source) = (target, source)
    return Contestant(name: "memcpy") { memcpy(target.buffer.base, source.buffer.base, bytes) }
  }

  private func make(
    _ name: String, _ ours: @escaping (PixelBuffer) -> Void,
    _ peer: @escaping (PixelBuffer, PixmanImage) -> Void,
    format: PixelFormat = .xrgb8888, bytes: Int? = nil, most: Int, mean: Double = 255
  ) -> BenchmarkCase? {
    let bitmap = format == .xrgb8888 ? target : Bitmap(width: size.width, height: size.height, format: format)
    guard let image = PixmanImage(bitmap) else { return nil }
    let pixels = size
    return BenchmarkCase(
      name: name, size: size,
      contestants: [
        Contestant(name: "flipclock") { ours(bitmap.buffer) },
        Contestant(name: "pixman") { peer(bitmap.buffer, image) },
        memory(bytes: bytes ?? size.width * size.height * 4),
      ],
      difference: {
        // flipclock and pixman start with the same background; 16-bit pixels are widened for the comparison.
        let made = [true, false].map { isOurs in
          for y in 0..<pixels.height { memset(bitmap.buffer.row(y), 0x5a, bitmap.buffer.bytesPerRow) }
          if isOurs { ours(bitmap.buffer) } else { peer(bitmap.buffer, image) }
          let copy = Bitmap(width: pixels.width, height: pixels.height, format: .argb8888)
          copy.buffer.copy(bitmap.buffer, PixelRect(pixels), to: 0, 0, clip: PixelRect(pixels))
          return copy
        }
        let apart = Pictures.difference(made[0], made[1])
        return apart.most > most || apart.mean > mean
          ? "differs from pixman's by up to \(apart.most), on average by \(thousandths(apart.mean))" : nil
      }, pixels: size.width * size.height)
  }

  // MARK: The kernels

  private func copy() -> BenchmarkCase? {
    guard let from = PixmanImage(source) else { return nil }
    let (source, bounds) = (source, bounds)
    return make(
      "copy", { $0.copy(source.buffer, bounds, to: 0, 0, clip: bounds) },
      { $1.composite(PIXMAN_OP_SRC, from, over: bounds) }, most: 0)
  }

  private func fill() -> BenchmarkCase? {
    let color = Color(rgb: 0x2b3c4d)
    let bounds = bounds
    return make(
      "fill", { $0.fill(bounds, with: color, clip: bounds) },
      { buffer, _ in
        pixman_fill(
          buffer.base.assumingMemoryBound(to: UInt32.self), Int32(buffer.bytesPerRow / 4), 32, 0, 0,
          Int32(bounds.width), Int32(bounds.height), color.premultiplied)
      }, most: 0)
  }

  private func over(_ name: String, _ kind: Pictures.Kind) -> BenchmarkCase? {
    let picture = Pictures.bitmap(size, kind)
    guard let from = PixmanImage(picture) else { return nil }
    let bounds = bounds
    return make(
      name, { $0.blend(picture.buffer, bounds, to: 0, 0, opacity: 1, shade: .none, clip: bounds) },
      { $1.composite(PIXMAN_OP_OVER, from, over: bounds) }, most: 0)
  }

  private func overConstantAlpha() -> BenchmarkCase? {
    let picture = Pictures.bitmap(size, .realistic)
    guard let from = PixmanImage(picture), let alpha = PixmanImage(solid: 0x9900_0000) else { return nil }
    let bounds = bounds
    // The results may differ by one, because both round twice but in different orders.
    return make(
      "over-constant-alpha",
      { $0.blend(picture.buffer, bounds, to: 0, 0, opacity: 0.6, shade: .none, clip: bounds) },
      { $1.composite(PIXMAN_OP_OVER, from, mask: alpha, over: bounds) }, most: 1)
  }

  private func solid(_ name: String, _ kind: Pictures.Kind) -> BenchmarkCase? {
    let coverage = Pictures.bitmap(size, kind, format: .a8)
    let color = Color(rgb: 0xe6e1dc)
    guard let mask = PixmanImage(coverage), let from = PixmanImage(solid: color.premultiplied) else {
      return nil
    }
    let bounds = bounds
    return make(
      name, { $0.fill(mask: coverage.buffer, at: 0, 0, with: color, clip: bounds) },
      { $1.composite(PIXMAN_OP_OVER, from, mask: mask, over: bounds) }, most: 1)
  }

  private func copy565(_ name: String, dithered: Bool) -> BenchmarkCase? {
    guard let from = PixmanImage(source) else { return nil }
    let (source, bounds) = (source, bounds)
    let style: PixelBuffer.Dithering = dithered ? .ordered : .none
    // The dither matrices differ, so the results may differ by one level of five bits.
    return make(
      name, { $0.copy(source.buffer, bounds, to: 0, 0, dithering: style, clip: bounds) },
      { _, image in
        pixman_image_set_dither(image.image, dithered ? PIXMAN_DITHER_ORDERED_BAYER_8 : PIXMAN_DITHER_NONE)
        // pixman's fast paths do not dither. CONJOINT_OVER has no fast path; for opaque pixels it does the
        // same as SRC.
        image.composite(dithered ? PIXMAN_OP_CONJOINT_OVER : PIXMAN_OP_SRC, from, over: bounds)
      }, format: .rgb565, bytes: size.width * size.height * 2, most: dithered ? 9 : 0)
  }

  private func copy2101010() -> BenchmarkCase? {
    let bitmap = Bitmap(width: size.width, height: size.height, format: .xrgb2101010)
    let (source, bounds) = (source, bounds)
    guard let from = PixmanImage(source), let image = PixmanImage(bitmap) else { return nil }
    let peer = { image.composite(PIXMAN_OP_SRC, from, over: bounds) }
    let ours = { bitmap.buffer.copy(source.buffer, bounds, to: 0, 0, clip: bounds) }
    return BenchmarkCase(
      name: "copy-2101010", size: size,
      contestants: [
        Contestant(name: "flipclock", run: ours), Contestant(name: "pixman", run: peer),
        memory(bytes: size.width * size.height * 4),
      ],
      difference: {
        peer()
        let copy = Bitmap(width: bounds.width, height: bounds.height, format: .xrgb8888)
        memcpy(copy.buffer.base, bitmap.buffer.base, bounds.height * copy.buffer.bytesPerRow)
        ours()
        for y in 0..<bounds.height {
          for x in 0..<bounds.width
          where (copy.buffer.row32(y)[x] ^ bitmap.buffer.row32(y)[x]) & 0x3fff_ffff != 0 {
            return "differs from pixman's at \(x), \(y)"
          }
        }
        return nil
      }, pixels: size.width * size.height)
  }

  private func copyRotated() -> BenchmarkCase? {
    let upright = Pictures.bitmap(
      PixelSize(width: size.height, height: size.width), .opaque, format: .xrgb8888)
    guard let from = PixmanImage(upright) else { return nil }
    // Maps the centre of the destination's pixel (x, y) to that of the source's pixel (y, h − 1 − x), where h
    // is the source's height.
    from.transform(
      Homography(a: 0, b: 1, c: 0, d: -1, e: 0, f: Double(size.width), g: 0, h: 0, i: 1),
      filter: PIXMAN_FILTER_NEAREST, repeats: PIXMAN_REPEAT_NONE)
    let bounds = bounds
    return make(
      "copy-rotated", { $0.copy(upright.buffer, upright.buffer.bounds, rotation: .clockwise) },
      { $1.composite(PIXMAN_OP_SRC, from, over: bounds) }, most: 0)
  }

  private func bilinear() -> BenchmarkCase? {
    let scale = 1.6
    let small = Pictures.bitmap(
      PixelSize(width: Int(Double(size.width) / scale), height: Int(Double(size.height) / scale)), .opaque,
      format: .xrgb8888)
    guard let from = PixmanImage(small) else { return nil }
    let map = Homography.scale(
      x: Double(size.width) / Double(small.width), y: Double(size.height) / Double(small.height))
    guard let inverse = map.inverse else { return nil }
    from.transform(inverse, filter: PIXMAN_FILTER_BILINEAR, repeats: PIXMAN_REPEAT_PAD)
    let bounds = bounds
    let scratch = ScratchBox()
    // pixman's weights have a resolution of 1/128.
    return make(
      "bilinear",
      {
        $0.draw(
          small.buffer, small.buffer.bounds, through: map, opacity: 1, shade: .none, clip: bounds,
          scratch: &scratch.rows)
      }, { $1.composite(PIXMAN_OP_SRC, from, over: bounds) }, most: 255, mean: 2)
  }

  /// A flap as large as the display.
  private func flap() -> BenchmarkCase? { FlapCase(card: size).make("flap", size: size) }

  /// A flap of a clock with six digits on a display of `size`: as wide as a card, and half as high.
  private func flapCard() -> BenchmarkCase? {
    let card = PixelSize(width: size.width * 14 / 100, height: size.width * 113 / 1000)
    return FlapCase(card: card).make("flap-card", size: size)
  }
}

/// Lets closures share scratch rows.
final class ScratchBox {
  var rows = RowScratch()
}
