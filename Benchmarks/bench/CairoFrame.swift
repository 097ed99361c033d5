// SPDX-License-Identifier: Apache-2.0

import CCairo
import Raster

/// Draws recorded frames with cairo on an image surface.
final class CairoFrame {
  /// The height of a strip in rows. A flap is drawn as affine strips, because cairo has no perspective. The
  /// edges of a nearly edge-on flap move by three quarters of a pixel per row; higher strips would show as
  /// steps.
  static let strip = 2

  let shadow: Bitmap
  private let context: OpaquePointer
  private var surfaces: [UnsafeMutableRawPointer: OpaquePointer] = [:]

  init?(size: PixelSize) {
    shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let surface = CairoFrame.surface(shadow.buffer)
    guard let context = cairo_create(surface) else { return nil }
    cairo_surface_destroy(surface)
    self.context = context
  }

  deinit {
    cairo_destroy(context)
    for surface in surfaces.values { cairo_surface_destroy(surface) }
  }

  private static func surface(_ buffer: PixelBuffer) -> OpaquePointer? {
    cairo_image_surface_create_for_data(
      buffer.base.assumingMemoryBound(to: UInt8.self),
      buffer.format == .xrgb8888 ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(buffer.width),
      Int32(buffer.height), Int32(buffer.bytesPerRow))
  }

  private func surface(of item: FrameItem) -> OpaquePointer? {
    let buffer = item.bitmap.buffer
    // A part of a picture is its own surface, so that pixels next to it are not filtered in.
    let base = buffer.row(item.part.y) + item.part.x * 4
    if let known = surfaces[base] { return known }
    let part = PixelBuffer(
      base: base, width: item.part.width, height: item.part.height, bytesPerRow: buffer.bytesPerRow,
      format: buffer.format)
    let made = CairoFrame.surface(part)
    surfaces[base] = made
    return made
  }

  func draw(_ frame: RecordedFrame) {
    cairo_save(context)
    for rect in frame.damage {
      cairo_rectangle(context, Double(rect.x), Double(rect.y), Double(rect.width), Double(rect.height))
    }
    cairo_clip(context)
    for item in frame.items where frame.damage.contains(where: { $0.intersects(item.bounds) }) {
      draw(item)
    }
    cairo_restore(context)
    cairo_surface_flush(cairo_get_target(context))
  }

  private func draw(_ item: FrameItem) {
    guard let surface = surface(of: item), let pattern = cairo_pattern_create_for_surface(surface) else {
      return
    }
    defer { cairo_pattern_destroy(pattern) }
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
    cairo_pattern_set_extend(pattern, item.isTile ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_NONE)
    let m = item.map
    if case .rows = m.kind {
      let rows = item.rows
      var top = rows.top.rounded(.down)
      while top < rows.bottom {
        let bottom = min(top + Double(Self.strip), rows.bottom)
        drawStrip(item, pattern, top, bottom, rows)
        top += Double(Self.strip)
      }
      return
    }
    var matrix = cairo_matrix_t(xx: m.i / m.a, yx: 0, xy: 0, yy: m.i / m.e, x0: -m.c / m.a, y0: -m.f / m.e)
    cairo_pattern_set_matrix(pattern, &matrix)
    cairo_set_source(context, pattern)
    if item.opacity < 1 { cairo_paint_with_alpha(context, item.opacity) } else { cairo_paint(context) }
    guard item.shade != .none else { return }
    let shade = cairo_pattern_create_linear(0, item.rows.top, 0, item.rows.bottom)
    cairo_pattern_add_color_stop_rgba(shade, 0, 0, 0, 0, item.shade.top)
    cairo_pattern_add_color_stop_rgba(shade, 1, 0, 0, 0, item.shade.bottom)
    cairo_set_source(context, shade)
    cairo_mask(context, pattern)
    cairo_pattern_destroy(shade)
  }

  /// Draws the rows from `top` to `bottom`, with the scale and the light of their middle.
  private func drawStrip(
    _ item: FrameItem, _ pattern: OpaquePointer, _ top: Double, _ bottom: Double,
    _ rows: (top: Double, bottom: Double)
  ) {
    let m = item.map
    func source(_ y: Double) -> Double { (m.i * y - m.f) / (m.e - m.h * y) }
    let from = source(max(top, rows.top))
    let to = source(bottom)
    let middle = source((max(top, rows.top) + bottom) / 2)
    let depth = m.h * middle + m.i
    let scale = m.a / depth
    let origin = (m.b * middle + m.c) / depth
    let rise = (to - from) / max(bottom - max(top, rows.top), 1e-6)
    var matrix = cairo_matrix_t(
      xx: 1 / scale, yx: 0, xy: 0, yy: rise, x0: -origin / scale, y0: from - max(top, rows.top) * rise)
    cairo_pattern_set_matrix(pattern, &matrix)
    cairo_rectangle(
      context, origin.rounded(.down) - 1, top, Double(item.part.width) * scale + 3, bottom - top)
    cairo_set_source(context, pattern)
    if item.opacity < 1 {
      cairo_save(context)
      cairo_clip(context)
      cairo_paint_with_alpha(context, item.opacity)
      cairo_restore(context)
    } else {
      cairo_fill(context)
    }
    guard item.shade != .none else { return }
    let position = (middle / Double(item.part.height))
    let amount = item.shade.top + (item.shade.bottom - item.shade.top) * position
    cairo_save(context)
    cairo_rectangle(
      context, origin.rounded(.down) - 1, top, Double(item.part.width) * scale + 3, bottom - top)
    cairo_clip(context)
    cairo_set_source_rgba(context, 0, 0, 0, amount)
    cairo_mask(context, pattern)
    cairo_restore(context)
  }
}
