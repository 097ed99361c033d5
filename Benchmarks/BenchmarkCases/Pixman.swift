// SPDX-License-Identifier: Apache-2.0

import CPixman
import Raster

/// A pixman image that shares a bitmap's pixels or has a single colour.
final class PixmanImage {
  let image: OpaquePointer
  private let bitmap: Bitmap?

  /// Nil if pixman fails.
  init?(_ bitmap: Bitmap) {
    let buffer = bitmap.buffer
    self.bitmap = bitmap
    let format: pixman_format_code_t =
      switch buffer.format {
      case .argb8888: PIXMAN_a8r8g8b8
      case .rgb565: PIXMAN_r5g6b5
      case .a8: PIXMAN_a8
      case .xrgb2101010: PIXMAN_x2r10g10b10
      default: PIXMAN_x8r8g8b8
      }
    guard
      let image = pixman_image_create_bits_no_clear(
        format, Int32(buffer.width), Int32(buffer.height), buffer.base.assumingMemoryBound(to: UInt32.self),
        Int32(buffer.bytesPerRow))
    else { return nil }
    self.image = image
  }

  init?(solid pixel: UInt32) {
    func wide(_ shift: UInt32) -> UInt16 { UInt16((pixel >> shift) & 0xff) * 257 }
    var color = pixman_color_t(red: wide(16), green: wide(8), blue: wide(0), alpha: wide(24))
    guard let image = pixman_image_create_solid_fill(&color) else { return nil }
    self.image = image
    bitmap = nil
  }

  deinit { pixman_image_unref(image) }

  /// Sets the map from positions in the destination to positions in this image.
  func transform(_ map: Homography, filter: pixman_filter_t, repeats: pixman_repeat_t) {
    func fixed(_ value: Double) -> pixman_fixed_t { pixman_fixed_t((value * 65536).rounded()) }
    // Sixteen fractional bits are few for a perspective, so the matrix is scaled to make its last entry 1.
    let k = 1 / map.i
    var matrix = pixman_transform_t()
    matrix.matrix.0 = (fixed(map.a * k), fixed(map.b * k), fixed(map.c * k))
    matrix.matrix.1 = (fixed(map.d * k), fixed(map.e * k), fixed(map.f * k))
    matrix.matrix.2 = (fixed(map.g * k), fixed(map.h * k), fixed(1))
    pixman_image_set_transform(image, &matrix)
    pixman_image_set_filter(image, filter, nil, 0)
    pixman_image_set_repeat(image, repeats)
  }

  func composite(
    _ op: pixman_op_t, _ source: PixmanImage, mask: PixmanImage? = nil, source x: Int = 0, _ y: Int = 0,
    over rect: PixelRect
  ) {
    pixman_image_composite32(
      op, source.image, mask?.image, image, Int32(x), Int32(y), 0, 0, Int32(rect.x), Int32(rect.y),
      Int32(rect.width), Int32(rect.height))
  }
}
