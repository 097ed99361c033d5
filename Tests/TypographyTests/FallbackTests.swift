// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import TestSupport
import Testing

@testable import Typography

@Suite struct FallbackTests {
  /// Draws a text and returns whether it left ink.
  private func draws(_ face: FontFace, _ text: String = "0123") -> Bool {
    let mask = Bitmap(width: 200, height: 40, format: .a8)
    face.draw(text, into: mask.buffer, x: 4, baseline: 32, capHeight: 24, tracking: 0, stretch: 1)
    return mask.inked != nil
  }

  @Test("without installed fonts the built-in outlines are used, with one warning")
  func noFonts() throws {
    let directory = try TemporaryDirectory()
    let warnings = Warnings()
    let library = FontLibrary(configuration: directory.configuration(), warn: warnings.append)
    for name in ["Bebas Neue", "Inter", "sans-serif", ""] {
      let face = library.face(name, weight: .bold)
      #expect(face.isBuiltIn && face.name == "built-in")
      #expect(draws(face))
    }
    #expect(warnings.lines.count == 1 && warnings.lines[0].contains("built-in"), "\(warnings.lines)")
  }

  @Test("a missing or malformed configuration acts like an empty one")
  func brokenConfiguration() throws {
    let directory = try TemporaryDirectory()
    for path in ["\(directory.path)/none", directory.path, directory.put("bad", Array("<<<&".utf8))] {
      let warnings = Warnings()
      let face = FontLibrary(configuration: path, warn: warnings.append).face("Inter", weight: .regular)
      #expect(face.isBuiltIn && draws(face))
      #expect(warnings.lines.count == 1)
    }
  }

  @Test("a missing family is reported once, with its substitute", .needsBebasNeue)
  func missingFamily() {
    let warnings = Warnings()
    let library = FontLibrary(warn: warnings.append)
    for _ in 0..<3 {
      let face = library.face("No Such Family", weight: .bold)
      #expect(!face.isBuiltIn && draws(face))
      #expect(warnings.lines.count == 1)
      #expect(warnings.lines[0].contains("No Such Family") && warnings.lines[0].contains(face.name))
    }
  }

  @Test("an installed family is found without a warning", .needsBebasNeue)
  func presentFamily() {
    let warnings = Warnings()
    let library = FontLibrary(warn: warnings.append)
    for name in ["Bebas Neue", "bebas neue", "BebasNeue", bebasNeue] {
      #expect(library.face(name, weight: .bold).name == "Bebas Neue Bold")
    }
    #expect(library.face("Bebas Neue", weight: .regular).name == "Bebas Neue Regular")
    #expect(library.face("built-in", weight: .bold).isBuiltIn)
    _ = library.face("sans-serif", weight: .regular)
    #expect(warnings.lines.isEmpty, "\(warnings.lines)")
  }

  @Test("a path to a file that is not a font falls back and reports why")
  func badPaths() throws {
    let directory = try TemporaryDirectory()
    let fifo = "\(directory.path)/fifo.ttf"
    mkfifo(fifo, 0o600)
    let huge = directory.put("huge.ttf", [0, 1, 0, 0])
    truncate(huge, off_t(FontFile.maximumBytes) + 1)
    var generator = SplitMix(seed: 3)
    let random = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let cases: [(String, String)] = [
      (directory.path, "not a regular file"), (fifo, "not a regular file"),
      ("/dev/zero", "not a regular file"),
      ("/nonexistent/font.ttf", "No such file"), (huge, "larger"), (directory.put("empty.ttf", []), "empty"),
      (directory.put("random.ttf", random), "FreeType"),
      (directory.put("head.ttf", [0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]), "FreeType"),
      ("/etc/passwd", "FreeType"), ("/", "not a regular file"),
      (String(repeating: "/x", count: 5000), "too long"),
    ]
    let configuration = directory.configuration()
    for (path, reason) in cases {
      let warnings = Warnings()
      let library = FontLibrary(configuration: configuration, warn: warnings.append)
      for _ in 0..<2 {
        let face = library.face(path, weight: .bold)
        #expect(face.isBuiltIn && draws(face))
      }
      #expect(warnings.lines.count == 1 && warnings.lines[0].contains(reason), "\(path): \(warnings.lines)")
    }
  }

  @Test("a truncated or damaged font draws or falls back", .needsBebasNeue)
  func damagedFonts() throws {
    let directory = try TemporaryDirectory()
    let configuration = directory.configuration()
    let whole = contents(bebasNeue)
    var generator = SplitMix(seed: 5)
    var loaded = 0
    for round in 0..<120 {
      var bytes = whole
      if round % 3 == 0 {
        bytes.removeLast(.random(in: 1..<bytes.count, using: &generator))
      } else {
        for _ in 0..<round {
          bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
      }
      let library = FontLibrary(configuration: configuration, warn: { _ in })
      let face = library.face(directory.put("damaged.otf", bytes), weight: .bold)
      if !face.isBuiltIn { loaded += 1 }
      _ = draws(face, "0123456789 HÄ&ß→")
      let measure = face.measure("08:15", capHeight: 20, tracking: 0)
      #expect(measure.width.isFinite)
    }
    #expect(loaded > 0 && loaded < 120)
  }

  @Test("truncating a font file in use does not crash the process", .needsBebasNeue)
  func shrinkingFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.put("shrinking.otf", contents(bebasNeue))
    let face = FontLibrary(configuration: directory.configuration(), warn: { _ in }).face(path, weight: .bold)
    #expect(!face.isBuiltIn && draws(face, "H"))
    truncate(path, 0)
    #expect(draws(face, "0123456789"))
  }

  @Test("the next candidate is used when the best match cannot be opened", .needsBebasNeue)
  func nextCandidate() throws {
    let directory = try TemporaryDirectory()
    let path = directory.put("only.otf", contents(bebasNeue))
    let configuration = directory.configuration(directories: [
      directory.path, "/usr/share/fonts/truetype/dejavu",
    ])
    // The configuration is scanned while the file exists; the face is opened after it was removed.
    let warnings = Warnings()
    let context = FontContext(configurationPath: configuration, warn: warnings.append)
    let candidates = context.configuration.candidates(family: "Bebas Neue", weight: .bold)
    unlink(path)
    let usable = candidates.flatMap { context.firstUsable($0, weight: .bold) }
    #expect(usable?.file.name.hasPrefix("DejaVu") ?? !warnings.lines.isEmpty)
    #expect(warnings.lines.first?.contains("only.otf") == true)
  }

  @Test(
    "Punctuation of Chinese, Japanese and Korean comes from the font of its neighbours, also alone",
    arguments: ["ja", "zh", "zh-Hant", "ko", "en"])
  func eastAsianPunctuation(language: String) {
    let library = FontLibrary(warn: { _ in })
    library.language = language
    func fonts(_ text: String) -> [String] {
      library.face("Bebas Neue", weight: .bold).prepare(text).clusters.map { cluster in
        if case .font(let font) = cluster.source { font.name } else { "none" }
      }
    }
    let letter = language == "ja" ? "ア" : language == "ko" ? "한" : "中"
    let own = fonts(letter)
    for mark in "、。〃〆〈〉「」『』【】〒〔〕〜・ー゛゜㈱㍿（）！？，．：；［］￥～｡｢｣､･" {
      // A mark that the letter's font does not have comes from another.
      guard fonts("\(letter)\(mark)")[1] == own[0] else { continue }
      #expect(fonts("\(mark)") == own, "\(mark)")
      #expect(fonts("\(mark)\(letter)") == own + own, "\(mark)")
      #expect(fonts("\(mark)\(mark)") == own + own, "\(mark)")
    }
  }
}
