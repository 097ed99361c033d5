// SPDX-License-Identifier: Apache-2.0

import CQREncode
import Layers
import Raster

/// The modules of a QR code (ISO/IEC 18004) with medium error correction; true is dark.
struct QRMatrix {
  /// The modules of a row.
  let side: Int
  private let modules: [Bool]

  /// Nil if the text is too long, or if there is no memory. The corresponding C function is
  /// `QRcode_encodeData`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    // The lowest bit of each byte is the colour.
    modules = (0..<side * side).map { data[$0] & 1 == 1 }
  }

  subscript(x: Int, y: Int) -> Bool { modules[y * side + x] }
}

/// A QR code in whole pixels on a light plate, which is also its quiet zone of four modules.
struct QRPlate {
  /// The modules of the quiet zone on both sides.
  static let quiet = 8
  let matrix: QRMatrix
  /// Pixels per module.
  let scale: Int
  /// The plate's width and height, in pixels.
  var side: Double { Double((matrix.side + Self.quiet) * scale) }

  init(_ matrix: QRMatrix, scale: Int) { (self.matrix, self.scale) = (matrix, scale) }

  /// Draws dark on light, whatever the theme is, because cameras do not read inverted codes.
  func draw(into bitmap: Bitmap, x left: Int, y top: Int) {
    let radius = 2.5 * Double(scale)
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: side, height: side), topRadius: radius, bottomRadius: radius)
    let mask = Bitmap(width: Int(side), height: Int(side), format: .a8)
    for y in 0..<mask.height {
      let row = mask.buffer.row8(y)
      for x in 0..<mask.width { row[x] = UInt8(truncatingIfNeeded: shape.coverage(x, y).alpha255) }
    }
    bitmap.buffer.fill(
      mask: mask.buffer, at: left, top, with: Color(rgb: 0xf4f1ea), clip: bitmap.buffer.bounds)
    let clip = PixelRect(x: left, y: top, width: Int(side), height: Int(side))
    for y in 0..<matrix.side {
      for x in 0..<matrix.side where matrix[x, y] {
        let module = PixelRect(
          x: left + (x + 4) * scale, y: top + (y + 4) * scale, width: scale, height: scale)
        bitmap.buffer.fill(module, with: Color(rgb: 0x111112), clip: clip)
      }
    }
  }
}
