// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Images

/// The pixels of a 32-bit buffer, row by row.
func pixels(_ bitmap: Bitmap) -> [UInt32] {
  (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { bitmap.buffer.row32(y)[$0] } }
}

func bitmap(_ width: Int, _ height: Int, _ format: PixelFormat, _ pixel: (Int, Int) -> UInt32) -> Bitmap {
  let bitmap = Bitmap(width: width, height: height, format: format)
  for y in 0..<height { for x in 0..<width { bitmap.buffer.row32(y)[x] = pixel(x, y) } }
  return bitmap
}

@Suite struct PNGTests {
  @Test("an opaque image survives a round trip as XRGB8888")
  func anOpaqueImageSurvivesARoundTripAsXRGB8888() throws {
    var generator = SplitMix(seed: 1)
    let original = bitmap(67, 41, .xrgb8888) { _, _ in UInt32.random(in: 0...0xffff_ffff, using: &generator) }
    let decoded = try PNG.decode(PNG.encode(original.buffer))
    #expect(decoded.buffer.format == .xrgb8888)
    #expect(decoded.size == original.size)
    #expect(pixels(decoded) == pixels(original).map { $0 | 0xff00_0000 })
  }

  @Test("every premultiplied pixel survives a round trip")
  func everyPremultipliedPixelSurvivesARoundTrip() throws {
    // All pairs of alpha and a channel value up to it. Red and blue have that value, green has alpha minus
    // the value.
    let original = bitmap(256, 256, .argb8888) { x, alpha in
      let channel = UInt32(min(x, alpha))
      let other = UInt32(alpha) - channel
      return UInt32(alpha) << 24 | channel << 16 | other << 8 | channel
    }
    let decoded = try PNG.decode(PNG.encode(original.buffer))
    #expect(decoded.buffer.format == .argb8888)
    #expect(pixels(decoded) == pixels(original))
  }

  @Test("a colour above its alpha saturates")
  func aColourAboveItsAlphaSaturates() throws {
    let original = bitmap(1, 1, .argb8888) { _, _ in 0x80ff_4000 }
    #expect(try pixels(PNG.decode(PNG.encode(original.buffer))) == [0x8080_4000])
  }

  @Test("RGB565 is widened so that white stays white")
  func rgb565IsWidenedSoThatWhiteIsWhite() throws {
    let original = Bitmap(width: 3, height: 1, format: .rgb565)
    original.buffer.row16(0)[0] = 0xffff
    original.buffer.row16(0)[1] = 0xf800
    original.buffer.row16(0)[2] = 0x0821
    #expect(
      try pixels(PNG.decode(PNG.encode(original.buffer))) == [0xffff_ffff, 0xffff_0000, 0xff08_0408])
  }

  @Test("coverage is written as grey")
  func coverageIsWrittenAsGrey() throws {
    let original = Bitmap(width: 2, height: 1, format: .a8)
    original.buffer.row8(0)[1] = 0x5a
    #expect(try pixels(PNG.decode(PNG.encode(original.buffer))) == [0xff00_0000, 0xff5a_5a5a])
  }

  @Test("the same pixels give the same bytes, without a time chunk")
  func theSamePixelsGiveTheSameBytesWithoutATimeChunk() throws {
    let picture = bitmap(9, 7, .argb8888) { x, y in UInt32(x * y) << 24 }
    let first = try PNG.encode(picture.buffer)
    #expect(try PNG.encode(picture.buffer) == first)
    for name in ["tIME", "tEXt", "iTXt", "pHYs"] {
      let needle = Array(name.utf8)
      #expect(!first.indices.dropLast(3).contains { Array(first[$0..<$0 + 4]) == needle }, "\(name)")
    }
  }

  @Test("rows encoded in slices give the same bytes as all at once")
  func rowsEncodedInSlicesGiveTheSameBytesAsAllAtOnce() throws {
    let picture = bitmap(30, 20, .xrgb8888) { x, y in UInt32(x * 7 + y * 1000) }
    let whole = try PNG.encode(picture.buffer)
    for slice in [1, 3, 7, 20] {
      let encoder = PNGEncoder(size: picture.size)
      while encoder.rowsEncoded < 20 {
        try encoder.encodeRows(
          of: picture.buffer, from: encoder.rowsEncoded, count: min(slice, 20 - encoder.rowsEncoded))
      }
      #expect(try encoder.finish() == whole)
    }
  }

  @Test("rows that do not belong to the image throw, and encoding can continue")
  func rowsThatDoNotBelongToTheImageThrowAndEncodingCanContinue() throws {
    let picture = bitmap(4, 4, .xrgb8888) { _, _ in 0 }
    let encoder = PNGEncoder(size: picture.size)
    for (from, count) in [(-1, 1), (0, -1), (0, 5), (4, 1), (1, 4), (Int.max, 1), (0, Int.max), (Int.min, 2)]
    {
      #expect(throws: PNGError.self) { try encoder.encodeRows(of: picture.buffer, from: from, count: count) }
    }
    #expect(throws: PNGError.self) { try encoder.finish() }
    try encoder.encodeRows(of: picture.buffer, from: 0, count: 3)
    let other = bitmap(4, 4, .argb8888) { _, _ in 0 }
    #expect(throws: PNGError.self) { try encoder.encodeRows(of: other.buffer, from: 3, count: 1) }
    let narrow = bitmap(3, 4, .xrgb8888) { _, _ in 0 }
    #expect(throws: PNGError.self) { try encoder.encodeRows(of: narrow.buffer, from: 3, count: 1) }
    #expect(throws: PNGError.self) { try encoder.finish() }
    try encoder.encodeRows(of: picture.buffer, from: 3, count: 1)
    #expect(try PNG.decode(encoder.finish()).size == picture.size)
    #expect(throws: PNGError.self) { try encoder.finish() }
    #expect(throws: PNGError.self) { try encoder.encodeRows(of: picture.buffer, from: 0, count: 0) }
  }

  @Test("an empty image is an error", arguments: [(0, 0), (0, 5), (5, 0)])
  func anEmptyImageIsAnError(_ size: (Int, Int)) {
    let empty = Bitmap(width: size.0, height: size.1, format: .xrgb8888)
    #expect(throws: PNGError.self) { try PNG.encode(empty.buffer) }
  }

  @Test("libpng's message is kept and thrown again")
  func libpngsMessageIsKeptAndThrownAgain() {
    let encoder = PNGEncoder(size: PixelSize(width: 0, height: 3))
    let empty = Bitmap(width: 0, height: 3, format: .xrgb8888)
    for _ in 0..<2 {
      #expect {
        try encoder.encodeRows(of: empty.buffer, from: 0, count: 1)
      } throws: { error in
        guard case .libpng(let message)? = error as? PNGError else { return false }
        return !message.isEmpty
      }
    }
  }
}
