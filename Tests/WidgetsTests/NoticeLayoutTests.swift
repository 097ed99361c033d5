// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite("The layout of notices") struct NoticeLayoutTests {
  private static let notices: [(name: String, notice: Notice)] =
    [("set-up", NoticeTests.setUp)]
    + [nil, Word.wrongPassword, .noAddress].flatMap { problem in
      let name = problem.map { " after \($0)" } ?? ""
      return [
        ("access point\(name)", NoticeTests.accessPoint(problem: problem)),
        ("invitation\(name)", NoticeTests.invitation(problem: problem)),
      ]
    }

  /// Usual displays, the extremes, and random ones.
  private static var sizes: [Size] {
    var random = SplitMix(seed: 31)
    let usual = [
      (320, 240), (240, 320), (480, 320), (320, 480), (640, 480), (800, 480), (480, 800), (1280, 400),
      (400, 1280), (1366, 768), (1920, 1080), (1080, 1920), (3840, 2160), (2160, 3840), (240, 240),
      (3840, 240), (240, 3840),
    ]
    let odd = (0..<TestEffort.rounds(40, long: 400)).map { _ in
      // Small displays, where there is little space, are the most frequent.
      let largest = random.int(0...2) == 0 ? 3840 : 700
      return (random.int(240...largest), random.int(240...largest))
    }
    return (usual + odd).map { Size(width: Double($0), height: Double($1)) }
  }

  private struct Sample {
    var what: String
    var artist: MessageArtist
    var notice: Notice
    var words: Words
    var contents: NoticeContents
    var isBrief: Bool

    func layout(height: Double) -> NoticeLayout? {
      NoticeLayout(
        contents, in: Size(width: artist.page.width, height: height), legible: artist.legible,
        isBrief: isBrief)
    }
  }

  private static func forEach(
    _ language: String, _ body: (Sample, _ height: Double, NoticeLayout) throws -> Void
  ) throws {
    let words = try #require(Language(language)).words
    let theme = Fixture.theme
    let all = notices.map { ($0.name, $0.notice, NoticeContents($0.notice, words, theme.nameFace)) }
    for page in sizes {
      let artist = MessageArtist(theme: theme, page: page)
      for (name, notice, contents) in all {
        for isBrief in notice.ends == nil ? [false, true] : [false] {
          let what = "\(name) on \(page.width) x \(page.height) in \(language)\(isBrief ? ", brief" : "")"
          let sample = Sample(
            what: what, artist: artist, notice: notice, words: words, contents: contents, isBrief: isBrief)
          let height = artist.height(of: notice, words, isBrief: isBrief)
          try body(sample, height, #require(sample.layout(height: height), "\(what)"))
        }
      }
    }
  }

  @Test(
    "Nothing is illegible, broken or left out while the panel could be higher", arguments: Words.languages)
  func legible(language: String) throws {
    try Self.forEach(language) { sample, height, layout in
      let (what, legible) = (sample.what, sample.artist.legible)
      let heights = NoticeLayout.heights(
        of: sample.notice, on: sample.artist.page, isBrief: sample.isBrief)
      #expect(height >= heights.usual && height <= heights.largest, "\(what): \(height)")
      // It is as high as it has to be, and not higher.
      for other in stride(from: height + 1, to: layout.isComplete ? height : heights.largest, by: 7) {
        let higher = sample.layout(height: other).map { $0.isMoreLegible(than: layout) } ?? false
        #expect(!higher, "\(what): more can be read with \(other) than with \(height)")
      }
      if height > heights.usual {
        let usual = sample.layout(height: heights.usual)
        #expect(usual.map { layout.isMoreLegible(than: $0) } ?? true, "\(what): \(height)")
      }
      for (part, contents) in zip(layout.parts, sample.contents.parts) {
        if !sample.isBrief || sample.artist.page.width >= 320 {
          #expect(part.text.smallest > legible - 0.1, "\(what): \(part.text.lines)")
        }
        #expect(part.plate?.scale ?? 0 >= 2, "\(what)")
        // What is needed is never left out.
        let needed = contents.texts.count { $0.rank == .needed && !$0.isCountdown }
        #expect(part.text.lines.count >= needed, "\(what): \(part.text.lines)")
      }
      let page = sample.artist.page
      if !sample.isBrief, page.width * page.height >= 320 * 240 {
        #expect(layout.parts.allSatisfy { $0.rank <= .problem }, "\(what): \(layout.parts.map(\.rank))")
        let lines = layout.parts.flatMap { $0.text.lines.map(\.text) }
        for text in ["flipclock-ab12", "MXK4WQ7R", "10.42.0.1:8080"] {
          let isShown = sample.notice.parts.contains { part in
            part.lines.contains { $0 == .name(text) || $0 == .password(text) || $0 == .address(text) }
          }
          #expect(!isShown || lines.contains(text), "\(what): \(lines)")
        }
      }
      if !sample.isBrief, min(page.width, page.height) >= 320 {
        #expect(layout.isComplete, "\(what)")
      }
    }
  }

  @Test("Nothing overlaps, and everything is inside the panel", arguments: Words.languages)
  func places(language: String) throws {
    try Self.forEach(language) { sample, height, layout in
      let what = sample.what
      let page = sample.artist.page
      #expect(layout.size.width <= page.width - 2 * layout.air.width + 0.001, "\(what)")
      #expect(layout.size.height <= height - 2 * layout.air.height + 0.001, "\(what)")
      let sizes = layout.parts.map(\.size)
      let gaps = layout.between * Double(sizes.count - 1)
      let sum = sizes.reduce(gaps) { $0 + (layout.isRow ? $1.width : $1.height) }
      #expect(sum <= (layout.isRow ? layout.size.width : layout.size.height) + 0.001, "\(what)")
      for part in layout.parts {
        let side = part.plate?.side ?? 0
        let (width, height) = (part.text.width, part.text.height)
        #expect(part.isWide ? side + part.gap + width <= part.size.width + 0.001 : width <= part.size.width)
        #expect(
          part.isWide ? height <= part.size.height : side + part.gap + height <= part.size.height + 0.001)
        for (line, next) in zip(part.text.lines, part.text.lines.dropFirst()) {
          let free = next.baseline - next.capHeight - line.baseline
          #expect(free >= 0.45 * min(line.capHeight, next.capHeight), "\(what): \(line.text), \(next.text)")
        }
      }
    }
  }

  @Test("The drawn codes can be read, with a quiet zone of four modules", arguments: [false, true])
  func codes(isBrief: Bool) throws {
    let words = try #require(Language("de")).words
    for page in Self.sizes.filter({ $0.width * $0.height < 1_000_000 }) {
      let artist = MessageArtist(theme: Fixture.theme, page: page)
      for (name, notice) in Self.notices {
        let area = Rect(
          x: 0, y: 0, width: page.width, height: artist.height(of: notice, words, isBrief: isBrief))
        let panel = try #require(artist.panel(notice, words, in: area, isBrief: isBrief))
        let what = "\(name) on \(page.width) x \(page.height)"
        #expect(panel.letters.frame.isInside(area), "\(what)")
        for code in notice.parts.compactMap(\.code) {
          #expect(NoticeTests.scale(of: code, in: panel.letters.bitmap) ?? 0 >= 2, "\(what): \(code)")
        }
      }
    }
  }

  @Test("On a high display, the codes of two parts are about as large as a single one")
  func portrait() throws {
    for (width, height) in [(1080, 1920), (2160, 3840), (720, 1280), (768, 1366)] {
      let artist = MessageArtist(
        theme: Fixture.theme, page: Size(width: Double(width), height: Double(height)))
      func scale(_ notice: Notice) throws -> Double {
        let height = artist.height(of: notice, .english, isBrief: false)
        let area = Rect(x: 0, y: 0, width: Double(width), height: height)
        let panel = try #require(artist.panel(notice, .english, in: area))
        let scales = notice.parts.map { NoticeTests.scale(of: $0.code ?? "", in: panel.letters.bitmap) ?? 0 }
        return Double(scales.min() ?? 0)
      }
      let single = try scale(NoticeTests.setUp)
      let two = try scale(NoticeTests.accessPoint())
      #expect(two >= 0.8 * single, "\(width) x \(height): \(two), alone \(single)")
      #expect(try scale(NoticeTests.accessPoint(problem: .noAddress)) >= 0.65 * single)
    }
  }
}
