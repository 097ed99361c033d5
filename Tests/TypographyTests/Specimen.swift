// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Testing

@testable import Typography

/// Writes a PGM for visual inspection if `FLIPCLOCK_SPECIMEN` names a file:
/// `FLIPCLOCK_SPECIMEN=/tmp/specimen.pgm swift test --filter Specimen`.
@Suite struct Specimen {
  @Test("every line of the specimen has ink")
  func specimen() {
    let library = FontLibrary(warn: { _ in })
    let builtIn = library.face(FontLibrary.builtInName, weight: .bold)
    let peer = library.face("Bebas Neue", weight: .bold)
    let lines: [(FontFace, String, Double)] = [
      (builtIn, "0123456789", 230), (peer, "0123456789", 230),
      (builtIn, "ABCDEFGHIJKLM", 170), (builtIn, "NOPQRSTUVWXYZ", 170),
      (builtIn, "SR 0356892 HOME 12:45", 130), (peer, "SR 0356892 HOME 12:45", 130),
      (builtIn, "ÄÖÜÉÈÀÑÇØÅÊŠŐÆŒŁĐÞẞĄĞ", 110),
      (builtIn, ".,:;-–+×=/\\|'\"!?¡¿&()[]%°·•#*<>…_^`~{}€$", 90),
      (builtIn, "Montag, 13. October — Guest 21:19", 60), (builtIn, "MON 13 OCT 2025 · 23:59:59", 24),
    ]
    let mask = Bitmap(width: 1800, height: 2150, format: .a8)
    var baseline = 0.0
    for (face, text, cap) in lines {
      baseline += cap * 1.42
      let before = ink(mask)
      face.draw(
        text, into: mask.buffer, x: 20, baseline: baseline, capHeight: cap, tracking: 0.02, stretch: 1)
      #expect(ink(mask) > before, "\(text)")
    }
    if let path = getenv("FLIPCLOCK_SPECIMEN") { write(mask, String(cString: path)) }
  }

  /// The sum over every fourth row, which is enough to detect that a line was drawn.
  private func ink(_ mask: Bitmap) -> Int {
    var sum = 0
    for y in stride(from: 0, to: mask.height, by: 4) {
      let row = mask.buffer.row8(y)
      var x = 0
      while x < mask.width {
        sum &+= Int(row[x])
        x &+= 1
      }
    }
    return sum
  }

  private func write(_ mask: Bitmap, _ path: String) {
    guard let file = fopen(path, "w") else { return }
    defer { fclose(file) }
    let header = "P5 \(mask.width) \(mask.height) 255\n"
    fputs(header, file)
    for y in 0..<mask.height { fwrite(mask.buffer.row(y), 1, mask.width, file) }
  }
}
