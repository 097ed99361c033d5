// SPDX-License-Identifier: Apache-2.0

import Raster

/// Source pictures, the same in every run.
package enum Pictures {
  /// The alpha values of a picture.
  enum Kind {
    case opaque
    /// Alpha as in the glyphs and rounded cards of a page: long transparent and opaque runs with soft edges
    /// between them.
    case realistic
    /// Every pixel is translucent.
    case translucent
  }

  static func bitmap(_ size: PixelSize, _ kind: Kind, format: PixelFormat = .argb8888) -> Bitmap {
    let bitmap = Bitmap(width: size.width, height: size.height, format: format)
    var random = UInt64(0x1234_5678_9abc_def1)
    func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: random >> 33) % count
    }
    for y in 0..<size.height {
      var x = 0
      while x < size.width {
        // Runs of pixels: the length and the alpha of each.
        let parts: [(Int, Int)] =
          switch kind {
          case .opaque: [(64, 255)]
          case .translucent: [(1 + next(24), 1 + next(254))]
          case .realistic:
            // A transparent run, an edge, an opaque run, an edge.
            [(24 + next(40), 0), (1, 40 + next(170)), (24 + next(60), 255), (1, 40 + next(170))]
          }
        for (length, alpha) in parts {
          for _ in 0..<length where x < size.width {
            let color = Color(
              red: UInt8(x * 255 / size.width), green: UInt8(y * 255 / size.height), blue: UInt8(next(256)),
              alpha: UInt8(alpha))
            switch format {
            case .a8: bitmap.buffer.row8(y)[x] = color.alpha
            default: bitmap.buffer.row32(y)[x] = color.premultiplied
            }
            x += 1
          }
        }
      }
    }
    return bitmap
  }

  /// Half a card: a gradient with a bright bar and round upper corners.
  static func halfCard(_ size: PixelSize) -> Bitmap {
    let bitmap = Bitmap(width: size.width, height: size.height, format: .argb8888)
    let radius = size.width / 14
    for y in 0..<size.height {
      for x in 0..<size.width {
        let dx = max(radius - x, x - (size.width - 1 - radius), 0)
        let dy = max(radius - y, 0)
        let inside = radius * radius - dx * dx - dy * dy
        let alpha = UInt8(min(max(inside * 128 / max(radius, 1), 0), 255))
        let shade = UInt8(40 + y * 30 / size.height)
        let isBar = abs(x - size.width / 2) < size.width / 6
        bitmap.buffer.row32(y)[x] =
          Color(red: isBar ? 230 : shade, green: isBar ? 225 : shade, blue: shade, alpha: alpha).premultiplied
      }
    }
    return bitmap
  }

  /// The maximum and the mean difference of the channels of two pictures.
  package static func difference(_ a: Bitmap, _ b: Bitmap, channels: UInt32 = 0x00ff_ffff) -> (
    most: Int, mean: Double
  ) {
    var most = 0
    var sum = 0
    for y in 0..<min(a.height, b.height) {
      for x in 0..<min(a.width, b.width) {
        let (first, second) = (a.buffer.row32(y)[x] & channels, b.buffer.row32(y)[x] & channels)
        if first == second { continue }
        for shift: UInt32 in [0, 8, 16, 24] {
          let apart = abs(Int((first >> shift) & 0xff) - Int((second >> shift) & 0xff))
          most = max(most, apart)
          sum += apart
        }
      }
    }
    return (most, Double(sum) / Double(max(a.width * a.height * 3, 1)))
  }
}
