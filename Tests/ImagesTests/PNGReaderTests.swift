// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Images

@Suite("Reading PNG files") struct PNGReaderTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var kind: PNGFile.Kind
    var depth: Int
    var isInterlaced: Bool
    /// Whether the file has a chunk tRNS, if its kind can have one.
    var hasTransparency: Bool

    var testDescription: String {
      "\(kind) \(depth)\(isInterlaced ? " interlaced" : "")\(hasTransparency ? " tRNS" : "")"
    }

    var samples: @Sendable (Int, Int) -> [Int] {
      let (kind, top) = (kind, 1 << depth)
      return { x, y in (0..<kind.channels).map { (x * 7919 + y * 104_729 + $0 * 31_337 + x * y) % top } }
    }

    var file: PNGFile {
      var file = PNGFile(19, 11, kind, depth: depth, isInterlaced: isInterlaced, samples: samples)
      if kind == .palette { file.chunks = [("PLTE", (0..<1 << depth).flatMap(Self.color))] }
      guard hasTransparency else { return file }
      let transparent = samples(3, 2)
      switch kind {
      case .palette: file.chunks.append(("tRNS", (0..<1 << depth).map(Self.alpha)))
      case .gray, .rgb: file.chunks.append(("tRNS", transparent.flatMap { PNGFile.number($0).suffix(2) }))
      case .grayAlpha, .rgba: break
      }
      return file
    }

    private static func color(_ index: Int) -> [UInt8] {
      [UInt8(index * 97 & 255), UInt8(index * 59 & 255), UInt8(255 - index)]
    }
    private static func alpha(_ index: Int) -> UInt8 { UInt8(index * 83 & 255) }

    /// The pixel that the file has, computed without libpng.
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      let samples = samples(x, y)
      let eight = samples.map { UInt8((Double($0) * 255 / Double((1 << depth) - 1)).rounded()) }
      let isTransparent = hasTransparency && samples == self.samples(3, 2)
      let keyed: UInt8 = isTransparent ? 0 : 255
      let color: [UInt8] =
        switch kind {
        case .gray: [eight[0], eight[0], eight[0], keyed]
        case .rgb: eight + [keyed]
        case .palette: Self.color(samples[0]) + [hasTransparency ? Self.alpha(samples[0]) : 255]
        case .grayAlpha: [eight[0], eight[0], eight[0], eight[1]]
        case .rgba: eight
        }
      return Color(red: color[0], green: color[1], blue: color[2], alpha: color[3]).premultiplied
    }
  }

  static let forms = PNGFile.Kind.allCases.flatMap { kind in
    kind.depths.flatMap { depth in
      [false, true].flatMap { interlaced in
        [false, true].map {
          Form(kind: kind, depth: depth, isInterlaced: interlaced, hasTransparency: $0)
        }
      }
    }
  }

  @Test(arguments: forms) func everyFormIsRead(form: Form) throws {
    let decoded = try PNG.decode(form.file.bytes)
    #expect(decoded.size == PixelSize(width: 19, height: 11))
    let expected = (0..<11).flatMap { y in (0..<19).map { form.pixel($0, y) } }
    #expect(pixels(decoded) == expected)
  }

  @Test(arguments: [1, 3, 8]) func smallInterlacedImagesAreRead(side: Int) throws {
    for height in 1...9 {
      let file = PNGFile(side, height, .gray, isInterlaced: true) { x, y in [x * 20 + y] }
      let expected = (0..<height).flatMap { y in
        (0..<side).map { UInt32($0 * 20 + y) * 0x1_0101 | 0xff00_0000 }
      }
      #expect(try pixels(PNG.decode(file.bytes)) == expected)
    }
  }

  @Test func theGammaOfAFileIsApplied() throws {
    var file = PNGFile(2, 1, .rgb) { x, _ in x == 0 ? [128, 0, 255] : [55, 55, 55] }
    #expect(try pixels(PNG.decode(file.bytes)) == [0xff80_00ff, 0xff37_3737])
    // Linear light. libpng computes with the exponent 2.2: 128 becomes 186.
    file.chunks = [("gAMA", PNGFile.number(100_000))]
    #expect(try pixels(PNG.decode(file.bytes)).map { $0 >> 16 & 255 } == [186, 127])
  }

  // MARK: Refused files

  @Test func otherFormatsAreNamed() {
    func error(_ start: [UInt8]) -> PictureError? {
      do throws(PictureError) {
        _ = try PNG.decode(start + [UInt8](repeating: 0, count: 64))
        return nil
      } catch { return error }
    }
    #expect(error([0xff, 0xd8, 0xff, 0xe0])?.message == "is a JPEG, not a PNG")
    #expect(error(Array("RIFF____WEBPVP8".utf8)) == .notPNG("a WebP"))
    #expect(error(Array("GIF89a".utf8)) == .notPNG("a GIF"))
    #expect(error(Array("<svg xmlns".utf8)) == .notPNG("an SVG"))
    #expect(error(Array("hello".utf8)) == .notPNG(nil))
    #expect(throws: PictureError.empty) { try PNG.decode([]) }
  }

  @Test func animatedAndLargeFilesAreRefusedByTheirHeader() {
    var file = PNGFile(3, 2, .gray) { _, _ in [0] }
    file.chunks = [("gAMA", PNGFile.number(45_455)), ("acTL", PNGFile.number(2) + PNGFile.number(0))]
    #expect(throws: PictureError.animated) { try PNG.decode(file.bytes) }
    for (width, height) in [(4097, 1), (1, 4097), (1 << 30, 1 << 30), (Int(UInt32.max), 1)] {
      let header = PNGFile.number(width) + PNGFile.number(height) + [8, 6, 0, 0, 0]
      let bytes = Array(PNGFile(1, 1, .gray) { _, _ in [0] }.bytes.prefix(8)) + PNGFile.chunk("IHDR", header)
      #expect(throws: PictureError.tooLarge(PixelSize(width: width, height: height))) {
        try PNG.decode(bytes)
      }
    }
    let none = PNGFile.chunk("IHDR", PNGFile.number(0) + PNGFile.number(1) + [8, 6, 0, 0, 0])
    #expect(throws: PictureError.damaged("its size is 0x1")) {
      try PNG.decode(Array(file.bytes.prefix(8)) + none)
    }
  }

  @Test(arguments: forms.filter(\.hasTransparency)) func aFileThatEndsTooEarlyIsRefused(form: Form) {
    let bytes = form.file.bytes
    for count in bytes.indices {
      #expect(throws: PictureError.self, "\(count) bytes") { try PNG.decode(Array(bytes.prefix(count))) }
    }
  }

  /// Each chunk has a checksum, so a changed byte is found everywhere.
  @Test(arguments: forms.filter(\.hasTransparency)) func aChangedByteIsFound(form: Form) {
    var generator = SplitMix(seed: 5)
    let bytes = form.file.bytes
    for index in bytes.indices {
      for change in [1 << UInt8(generator.int(0...7)), UInt8(generator.int(1...255))] {
        var damaged = bytes
        damaged[index] ^= change
        #expect(throws: PictureError.self, "byte \(index)") { try PNG.decode(damaged) }
      }
    }
  }
}
