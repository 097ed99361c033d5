// SPDX-License-Identifier: Apache-2.0

import Raster

/// What the beginning of a PNG says, up to the first pixels. Refuses what cannot be shown before any memory
/// is allocated for it.
package struct PNGHeader: Hashable, Sendable {
  package let size: PixelSize

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let formats: [(start: [UInt8], at: Int, name: String)] = [
    ([0xff, 0xd8, 0xff], 0, "a JPEG"), (Array("GIF8".utf8), 0, "a GIF"), (Array("WEBP".utf8), 8, "a WebP"),
    (Array("BM".utf8), 0, "a BMP"), ([0x49, 0x49, 0x2a, 0], 0, "a TIFF"),
    ([0x4d, 0x4d, 0, 0x2a], 0, "a TIFF"),
    (Array("ftypavif".utf8), 4, "an AVIF"), (Array("ftyphei".utf8), 4, "a HEIC"),
    (Array("<svg".utf8), 0, "an SVG"), (Array("<?xml".utf8), 0, "an SVG"), (Array("%PDF".utf8), 0, "a PDF"),
  ]

  package init(_ bytes: [UInt8]) throws(PictureError) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.starts(with: Self.signature) else {
      let format = Self.formats.first { bytes.dropFirst($0.at).starts(with: $0.start) }
      throw Self.signature.starts(with: bytes) ? .damaged("the file ends too early") : .notPNG(format?.name)
    }
    /// The number of four bytes, the highest first; nil after the end.
    func number(_ index: Int) -> Int? {
      guard index + 4 <= bytes.count else { return nil }
      return bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.dropFirst(12).starts(with: "IHDR".utf8), let width = number(16), let height = number(20)
    else {
      throw .damaged("it has no size")
    }
    size = PixelSize(width: width, height: height)
    guard width > 0, height > 0 else { throw .damaged("its size is \(width)x\(height)") }
    guard max(width, height) <= Picture.sideLimit else { throw .tooLarge(size) }
    // The chunk acTL of an animation is before the pixels.
    var chunk = 8
    while let length = number(chunk), chunk + 8 <= bytes.count {
      let type = bytes[chunk + 4..<chunk + 8]
      if type.elementsEqual("acTL".utf8) { throw .animated }
      if type.elementsEqual("IDAT".utf8) { return }
      chunk += 12 + length
    }
  }
}
