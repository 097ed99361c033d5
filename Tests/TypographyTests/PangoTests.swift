// SPDX-License-Identifier: Apache-2.0

import CFreeType
import Glibc
import Raster
import TestSupport
import Testing

@testable import Typography

/// Compares shaped text with Pango's, glyph by glyph, on the same fonts.
@Suite(.enabled(if: Pango.isAvailable, "Debian's libpangoft2-1.0-0 and python3 are not installed"))
struct PangoTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var family: String
    /// The first that exists is used.
    var files: [String]
    var texts: [String]
    /// Letters and marks of which random texts are made.
    var letters: [ClosedRange<UInt32>]

    var testDescription: String { family }
    var file: String? { files.first { access($0, R_OK) == 0 } }
  }

  private static let noto = "/usr/share/fonts/truetype/noto"
  static let samples = [
    Sample(
      family: "Inter Medium",
      files: [
        "/usr/share/fonts/opentype/inter/Inter-Medium.otf",
        "/usr/share/fonts/truetype/inter/Inter-Medium.ttf",
      ],
      texts: [
        "AVATAR", "To", "We fi ffl Ty. LT", "SATURDAY 2 NOVEMBER", "samedi 2 novembre",
        "Samstag, 2. November",
        "sábado, 2 de noviembre", "sábado, 2 de novembro", "zaterdag 2 november", "sobota, 2 listopada",
        "2 Kasım Cumartesi", "субота, 2 листопада", "Σάββατο 2 Νοεμβρίου", "Ä\u{308}Çğışöü e\u{301}\u{323}",
        "1:7 – 3",
      ], letters: [0x20...0x2f, 0x41...0x7e, 0xc0...0x17f, 0x391...0x3a1, 0x410...0x44f, 0x300...0x304]),
    Sample(
      family: "Noto Sans Arabic", files: ["\(noto)/NotoSansArabic-Regular.ttf"],
      texts: ["السبت ٢ نوفمبر", "الفريق المضيف", "مُبَارَاة", "لا إله ٧", "\u{202b}سلام\u{202c} - سلام"],
      letters: [0x20...0x20, 0x621...0x64a, 0x64b...0x652]),
    Sample(
      family: "Noto Sans Hebrew", files: ["\(noto)/NotoSansHebrew-Regular.ttf"],
      texts: ["יום שבת בנובמבר", "שָׁלוֹם", "בית אורחים"],
      letters: [0x20...0x20, 0x5d0...0x5ea, 0x5b0...0x5b9]),
    Sample(
      family: "Noto Sans Devanagari", files: ["\(noto)/NotoSansDevanagari-Regular.ttf"],
      texts: ["शनिवार, २ नवंबर", "क्षत्रिय हिन्दी", "मेज़बान", "र्कि"],
      letters: [0x20...0x20, 0x905...0x939, 0x93e...0x94d]),
    Sample(
      family: "Noto Sans Thai", files: ["\(noto)/NotoSansThai-Regular.ttf"],
      texts: ["วันเสาร์ที่ ๒ พฤศจิกายน", "น้ำ ก่ำ ปู่"],
      letters: [0x20...0x20, 0xe01...0xe2e, 0xe30...0xe3a, 0xe47...0xe4d]),
    Sample(
      family: "Droid Sans Fallback", files: ["/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"],
      texts: ["十一月二日星期六", "土曜日", "ホーム 対 ゲスト", "主队 客队"],
      letters: [0x20...0x20, 0x3042...0x3093, 0x30a2...0x30f3, 0x4e00...0x4fff]),
    // A large package, which scripts/setup does not install.
    Sample(
      family: "Noto Sans CJK KR", files: ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"],
      texts: ["11월 2일 토요일", "홈 7 원정", "11月2日土曜日"], letters: [0x20...0x20, 0x1100...0x1112, 0xac00...0xacff]),
  ].filter { $0.file != nil || !$0.family.contains("CJK") }

  @Test("The same glyphs at the same positions as with Pango", arguments: samples)
  func samePositions(_ sample: Sample) throws {
    let path = try #require(sample.file, "the font of \(sample.family) is not installed")
    let directory = try TemporaryDirectory()
    let configuration = directory.configuration(directories: [directory.path])
    // The only font, so that neither flipclock nor Pango can use another one.
    try #require(symlink(path, "\(directory.path)/font.\(path.suffix(3))") == 0)
    let library = FontLibrary(configuration: configuration, warn: { _ in })
    library.language = "en"
    let face = library.face(sample.family, weight: .regular)
    guard case .file(let font) = face.source else {
      Issue.record("\(path) is not used")
      return
    }
    let texts = sample.texts + randomTexts(sample, font)
    let theirs = try Pango.lines(texts, font: sample.family, configuration: configuration, in: directory)
    try #require(theirs.count == texts.count)
    var worst = 0.0
    var different: [String] = []
    for (text, line) in zip(texts, theirs) {
      var items: [(glyph: Glyph, x: Double, y: Double)] = []
      let width = face.layOut(text, tracking: 0) { items.append(($0.glyph, $1, $0.y)) } / face.emPerCap
      // Pango omits invisible characters, which are blank glyphs without a width.
      let inked = items.filter { $0.glyph.ink != nil }
      let expected = line.glyphs.filter { font.glyph($0.index)?.ink != nil }
      let isSame =
        inked.count == expected.count
        && zip(inked, expected).allSatisfy { ours, glyph in
          font.glyph(glyph.index)?.outline.points.elementsEqual(ours.glyph.outline.points, by: ==) == true
        }
      if !isSame { different.append(text) }
      for (ours, glyph) in zip(inked, expected) where isSame {
        worst = max(worst, abs(ours.x / face.emPerCap - glyph.x), abs(ours.y / face.emPerCap - glyph.y))
      }
      if isSame { worst = max(worst, abs(width - line.width)) }
    }
    #expect(different.isEmpty, "\(different.count) of \(texts.count)")
    // Half a pixel at an em of 250 pixels.
    #expect(worst < 0.002, "in ems")
  }

  /// Digits are left out, because Pango kerns them, and so are texts of marks only, because versions of Pango
  /// differ in where they place a mark without a letter.
  private func randomTexts(_ sample: Sample, _ font: FontFile) -> [String] {
    var random = SplitMix(seed: 14)
    let scalars = sample.letters.joined().compactMap(Unicode.Scalar.init).filter { font.index(of: $0) != nil }
    return (0..<150).map { _ -> String in
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        if let scalar = scalars.randomElement(using: &random) { text.append(scalar) }
      }
      return String(text)
    }.filter { text in !text.unicodeScalars.allSatisfy(\.properties.isGraphemeExtend) }
  }
}

private func == (a: FT_Vector, b: FT_Vector) -> Bool { a.x == b.x && a.y == b.y }

/// Runs Tests/Pango/pango.py.
enum Pango {
  struct Line {
    var glyphs: [(index: UInt32, x: Double, y: Double)]
    var width: Double
  }

  private static let script =
    #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Pango/pango.py"

  static let isAvailable: Bool = {
    guard let library = dlopen("libpangoft2-1.0.so.0", RTLD_LAZY) else { return false }
    dlclose(library)
    return true
  }()

  static func lines(
    _ texts: [String], font: String, configuration: String, in directory: borrowing TemporaryDirectory
  ) throws -> [Line] {
    let input = directory.put("lines", Array(texts.map { $0 + "\n" }.joined().utf8))
    let command =
      "FONTCONFIG_FILE='\(configuration)' LC_ALL=C.UTF-8 python3 '\(script)' '\(font)' <'\(input)'"
    let pipe = try #require(popen(command, "r"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer.prefix(count) }
    try #require(pclose(pipe) == 0)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      let glyphs = stride(from: 0, to: numbers.count - 1, by: 3).map {
        (index: UInt32(numbers[$0]), x: numbers[$0 + 1], y: numbers[$0 + 2])
      }
      return Line(glyphs: glyphs, width: numbers.last ?? 0)
    }
  }
}
