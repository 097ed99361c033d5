// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Images

@Suite struct HostilePNGTests {
  static let valid = TestPNG(
    width: 2, height: 2, depth: 8, colorType: 6,
    rows: [0, 1, 2, 3, 255, 4, 5, 6, 128, 2, 7, 8, 9, 0, 1, 2, 3, 4])

  static let hostile: [(String, [UInt8])] = [
    ("no bytes", []),
    ("a signature alone", TestPNG.signature),
    ("text", Array("hello, this is not a picture".utf8)),
    ("a JPEG", [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0, count: 64)),
    ("width 0", TestPNG(width: 0, height: 1, depth: 8, colorType: 2, rows: [0]).bytes),
    ("depth 3", TestPNG(width: 1, height: 1, depth: 3, colorType: 0, rows: [0, 0]).bytes),
    ("colour type 5", TestPNG(width: 1, height: 1, depth: 8, colorType: 5, rows: [0, 0]).bytes),
    ("interlace 9", TestPNG(width: 1, height: 1, depth: 8, colorType: 0, interlace: 9, rows: [0, 0]).bytes),
    (
      "a palette image without palette",
      TestPNG(width: 1, height: 1, depth: 8, colorType: 3, rows: [0, 0]).bytes
    ),
    ("too few rows", TestPNG(width: 4, height: 4, depth: 8, colorType: 0, rows: [0, 1, 2, 3, 4]).bytes),
    ("4 billion wide", TestPNG(width: .max, height: .max, depth: 8, colorType: 0, rows: [0]).bytes),
    (
      "an unknown critical chunk",
      TestPNG(width: 1, height: 1, depth: 8, colorType: 0, chunks: [("EViL", [1])], rows: [0, 0]).bytes
    ),
  ]

  @Test("malformed or truncated PNGs throw", arguments: hostile)
  func malformedOrTruncatedPNGsThrow(
    _ name: String, _ bytes: [UInt8]
  ) {
    #expect(throws: PNGError.self, "\(name)") { try PNG.decode(bytes) }
  }

  @Test("an image above the limit is rejected from its header alone")
  func anImageAboveTheLimitIsRejectedFromItsHeaderAlone()
    throws
  {
    // Its 65,535² pixels would need 16 GiB; the file contains none of them.
    let bomb = TestPNG(width: 65_535, height: 65_535, depth: 8, colorType: 0, rows: [0])
    let size = PixelSize(width: 65_535, height: 65_535)
    #expect(throws: PNGError.tooLarge(size, maximumPixels: 7680 * 4320)) { try PNG.decode(bomb.bytes) }
    #expect(throws: PNGError.self) { try PNG.decode(Self.valid.bytes, maximumPixels: 3) }
    #expect(try PNG.decode(Self.valid.bytes, maximumPixels: 4).size == PixelSize(width: 2, height: 2))
    #expect(throws: PNGError.self) { try PNG.decode(Self.valid.bytes, maximumPixels: -1) }
  }

  @Test("a file truncated before its last pixel throws")
  func aFileTruncatedBeforeItsLastPixelThrows()
    throws
  {
    let whole = Self.valid.bytes
    #expect(try PNG.decode(whole).size == PixelSize(width: 2, height: 2))
    // The last 24 bytes, the IDAT's checksum and the IEND chunk, contain no pixels.
    for length in 0..<whole.count - 24 {
      #expect(throws: PNGError.self, "\(length) bytes") { try PNG.decode(Array(whole.prefix(length))) }
    }
  }

  @Test("a damaged file throws or gives an image of the size in its header")
  func aDamagedFileThrowsOrGivesAnImageOfTheSizeInItsHeader() {
    var generator = SplitMix(seed: 7)
    var decoded = 0
    var refused = 0
    for round in 0..<3000 {
      var file = Self.valid.bytes
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        file[Int.random(in: file.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if round % 2 == 0 { file = TestPNG.mendingChecksums(file) }
      do throws(PNGError) {
        let bitmap = try PNG.decode(file, maximumPixels: 1 << 20)
        #expect(bitmap.width * bitmap.height <= 1 << 20 && bitmap.width > 0 && bitmap.height > 0)
        decoded += 1
      } catch {
        #expect(!error.description.isEmpty)
        refused += 1
      }
    }
    #expect(decoded > 0 && refused > 0)
  }
}
