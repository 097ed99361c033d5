// SPDX-License-Identifier: Apache-2.0

import CSDL2
import Raster

/// Draws recorded frames with SDL2's software renderer, on a surface without a window.
///
/// Copies textures, which are created once, with `SDL_RenderCopy`. Draws rotated or shaded pictures in
/// strips.
final class SDLFrame {
  /// The height of a strip in rows, the same as with cairo.
  static let strip = 2

  let shadow: Bitmap
  private let renderer: OpaquePointer
  private let surface: UnsafeMutablePointer<SDL_Surface>
  private var textures: [UnsafeMutableRawPointer: OpaquePointer] = [:]

  init?(size: PixelSize) {
    shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let buffer = shadow.buffer
    guard
      let surface = SDL_CreateRGBSurfaceFrom(
        buffer.base, Int32(buffer.width), Int32(buffer.height), 32, Int32(buffer.bytesPerRow), 0xff0000,
        0xff00,
        0xff, 0)
    else { return nil }
    guard let renderer = SDL_CreateSoftwareRenderer(surface) else { return nil }
    self.surface = surface
    self.renderer = renderer
  }

  deinit {
    for texture in textures.values { SDL_DestroyTexture(texture) }
    SDL_DestroyRenderer(renderer)
    SDL_FreeSurface(surface)
  }

  /// Converts to straight alpha, which SDL's blending requires.
  private func texture(of bitmap: Bitmap) -> OpaquePointer? {
    let buffer = bitmap.buffer
    if let known = textures[buffer.base] { return known }
    var pixels: [UInt32] = []
    for y in 0..<buffer.height {
      for x in 0..<buffer.width {
        let pixel = buffer.row32(y)[x]
        let alpha = buffer.format == .xrgb8888 ? 255 : pixel >> 24
        func channel(_ shift: UInt32) -> UInt32 {
          alpha == 0 ? 0 : min((((pixel >> shift) & 0xff) * 255 + alpha / 2) / alpha, 255) << shift
        }
        pixels.append(alpha << 24 | channel(16) | channel(8) | channel(0))
      }
    }
    let isOpaque = buffer.format == .xrgb8888
    guard
      let made = SDL_CreateTexture(
        renderer, isOpaque ? SDL_PIXELFORMAT_RGB888.rawValue : SDL_PIXELFORMAT_ARGB8888.rawValue,
        Int32(SDL_TEXTUREACCESS_STATIC.rawValue), Int32(buffer.width), Int32(buffer.height))
    else { return nil }
    SDL_UpdateTexture(made, nil, pixels, Int32(buffer.width * 4))
    SDL_SetTextureBlendMode(made, isOpaque ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND)
    textures[buffer.base] = made
    return made
  }

  func draw(_ frame: RecordedFrame) {
    for rect in frame.damage {
      var clip = SDL_Rect(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
      SDL_RenderSetClipRect(renderer, &clip)
      for item in frame.items where rect.intersects(item.bounds) { draw(item, in: rect) }
    }
    SDL_RenderSetClipRect(renderer, nil)
    SDL_RenderPresent(renderer)
  }

  private func draw(_ item: FrameItem, in clip: PixelRect) {
    guard let texture = texture(of: item.bitmap) else { return }
    SDL_SetTextureAlphaMod(texture, UInt8(item.opacity * 255 + 0.5))
    let m = item.map
    if item.isTile {
      light(texture, 1)
      let width = item.bitmap.width
      var x = clip.x / width * width
      while x < clip.maxX {
        copy(
          texture, item.part,
          to: Rect(x: Double(x), y: 0, width: Double(width), height: Double(item.part.height)))
        x += width
      }
      return
    }
    if m.kind == .rows || item.shade != .none {
      let rows = item.rows
      var top = rows.top
      while top < rows.bottom {
        let bottom = min(top + Double(Self.strip), rows.bottom)
        if bottom > Double(clip.y), top < Double(clip.maxY) { drawStrip(item, texture, top, bottom) }
        top = bottom
      }
      return
    }
    light(texture, 1)
    copy(
      texture, item.part,
      to: Rect(
        x: m.c / m.i, y: m.f / m.i, width: Double(item.part.width) * m.a / m.i,
        height: Double(item.part.height) * m.e / m.i))
  }

  private func drawStrip(_ item: FrameItem, _ texture: OpaquePointer, _ top: Double, _ bottom: Double) {
    let m = item.map
    func source(_ y: Double) -> Double { (m.i * y - m.f) / (m.e - m.h * y) }
    let middle = source((top + bottom) / 2)
    let from = Int(source(top).rounded())
    let to = max(Int(source(bottom).rounded()), from + 1)
    let depth = m.h * middle + m.i
    let amount =
      item.shade.top + (item.shade.bottom - item.shade.top) * middle / Double(item.part.height)
    light(texture, 1 - min(max(amount, 0), 1))
    copy(
      texture,
      PixelRect(
        x: item.part.x, y: item.part.y + from, width: item.part.width,
        height: min(to, item.part.height) - from),
      to: Rect(
        x: (m.b * middle + m.c) / depth, y: top, width: Double(item.part.width) * m.a / depth,
        height: bottom - top))
  }

  private func light(_ texture: OpaquePointer, _ amount: Double) {
    let level = UInt8(amount * 255 + 0.5)
    SDL_SetTextureColorMod(texture, level, level, level)
  }

  private func copy(_ texture: OpaquePointer, _ part: PixelRect, to rect: Rect) {
    var from = SDL_Rect(x: Int32(part.x), y: Int32(part.y), w: Int32(part.width), h: Int32(part.height))
    let (x, y) = (Int32(rect.x.rounded()), Int32(rect.y.rounded()))
    var to = SDL_Rect(
      x: x, y: y, w: Int32((rect.x + rect.width).rounded()) - x,
      h: Int32((rect.y + rect.height).rounded()) - y)
    SDL_RenderCopy(renderer, texture, &from, &to)
  }
}
