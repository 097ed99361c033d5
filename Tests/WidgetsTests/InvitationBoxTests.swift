// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Languages
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite("The box with which phones are paired") struct InvitationBoxTests {
  private static let second: Int64 = 1_000_000_000
  private static let codes = PairingCodes.example.typed.map(PairingCode.shown)

  private static func notice(
    _ address: String = "192.168.1.20:8080", secret: String = "Xq3vB0aZ_-kLm9PtR2sWy7", scorer: Bool = true
  ) -> Notice {
    let part = Notice.Part.pairing(
      url: "http://\(address)/pair#\(secret)", address: address, codes: codes,
      heading: scorer ? .keepScore : .watchScore, hasEnd: true)
    return Notice([part], ends: 120 * second)
  }

  private static func model(_ notice: Notice?, at clock: Int64 = 0) -> StageModel {
    var model = Fixture.model(Fixture.instant(10, 0))
    model.clock = clock
    model.instant = Instant(
      seconds: model.instant.seconds + clock / second, nanoseconds: Int32(clock % second))
    model.notice = notice
    return model
  }

  private static func stage(_ model: StageModel, _ size: PixelSize, _ theme: String? = nil) -> Stage {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings())
    ])
    configuration.theme = configuration.theme(named: theme)
    return Fixture.stage(configuration, size, model)
  }

  /// The modules of the code that the box shows; nil if it shows none. The finder patterns give the size of a
  /// module.
  private static func read(_ bitmap: Bitmap, side: Int) -> (modules: [[Bool]], pixels: Int)? {
    func isDark(_ x: Int, _ y: Int) -> Bool { bitmap.buffer.row32(y)[x] & 0xffffff == 0x111112 }
    guard let top = (0..<bitmap.height).first(where: { y in (0..<bitmap.width).contains { isDark($0, y) } }),
      let left = (0..<bitmap.width).first(where: { isDark($0, top) })
    else { return nil }
    guard let end = (left..<bitmap.width).first(where: { !isDark($0, top) }) else { return nil }
    let scale = (end - left) / 7
    guard scale > 0, left + side * scale <= bitmap.width, top + side * scale <= bitmap.height else {
      return nil
    }
    let modules = (0..<side).map { y in
      (0..<side).map { x in isDark(left + x * scale + scale / 2, top + y * scale + scale / 2) }
    }
    return (modules, scale)
  }

  @Test(
    "On every page the box stays on the page, and shows the whole code where a code fits",
    arguments: [
      (1, 1), (16, 16), (64, 32), (128, 64), (64, 400), (240, 240), (320, 240), (480, 128), (480, 320),
      (800, 480), (480, 800), (1024, 200), (1280, 720), (1366, 768), (1080, 1920), (1920, 515), (2560, 1080),
    ])
  func pages(width: Int, height: Int) throws {
    let page = Size(width: Double(width), height: Double(height))
    let artist = MessageArtist(theme: Fixture.theme, page: page)
    let addresses = [
      "10.0.0.9:80", "192.168.100.200:65535", "[2001:db8:1234:5678:9abc:def0:1234:5678]:8080",
      "a-very-long-name-of-a-wall-in-the-great-hall-of-the-club.local:8080",
      String(repeating: "x", count: 63) + ".local:8080",
    ]
    for address in addresses {
      let notice = Self.notice(address)
      let area = Rect(x: 0, y: 0, width: page.width, height: page.height)
      guard let box = artist.panel(notice, .english, in: area) else {
        #expect(width < 100 || height < 50, "no box on \(width)x\(height)")
        continue
      }
      #expect(box.letters.frame.isWhole)
      // People type the address and the codes, so they are complete, if need be on several lines.
      let text = box.lines.joined().replacing("\u{a0}", with: " ")
      for part in Self.codes + [address] {
        #expect(text.contains(part), "\(box.lines) on \(width)x\(height)")
      }
      #expect(box.letters.frame.isInside(area))
      let code = try #require(QRMatrix(notice.parts[0].code ?? ""))
      let shown = Self.read(box.letters.bitmap, side: code.side)
      if let shown {
        let expected = (0..<code.side).map { y in (0..<code.side).map { code[$0, y] } }
        #expect(shown.modules == expected, "\(address) on \(width)x\(height)")
      } else {
        #expect(min(width, height) < 150, "no code of \(address) on \(width)x\(height)")
      }
    }
  }

  @Test(
    "A page with scores becomes smaller for the box, whose code a phone can read on every display",
    arguments: GameRules.Preset.allCases)
  func besideScores(_ preset: GameRules.Preset) throws {
    for (width, height, pixels) in [
      (1920, 1080, 7), (1280, 720, 5), (1080, 1920, 7), (800, 480, 3), (480, 320, 2), (320, 240, 2),
    ] {
      let size = PixelSize(width: width, height: height)
      var model = Self.model(Self.notice())
      model.scoreboard = Fixture.scoreboard(preset)
      let stage = Fixture.stage(PageFitTests.configuration(preset), size, model)
      let box = try #require(stage.message.box)
      #expect(stage.page.layer.frame.maxY == box.frame.y && box.frame.maxY == size.page.height)
      let code = try #require(QRMatrix(Self.notice().parts[0].code ?? ""))
      let bitmap = try #require(box.sublayers.first?.contents?.bitmap)
      let shown = try #require(Self.read(bitmap, side: code.side), "no code of \(preset) on \(size)")
      #expect(shown.modules == (0..<code.side).map { y in (0..<code.side).map { code[$0, y] } })
      #expect(shown.pixels >= pixels, "\(size): \(shown.pixels)")
      let text = stage.message.lines.joined(separator: " ").replacing("\u{a0}", with: " ")
      #expect(Self.codes.allSatisfy(text.contains), "\(text)")
    }
  }

  @Test("The box has all words in every language", arguments: Words.languages)
  func words(language: String) throws {
    let words = try #require(Language(language)).words
    for size in [
      Size(width: 800, height: 480), Size(width: 480, height: 800), Size(width: 1920, height: 1080),
    ] {
      let artist = MessageArtist(theme: Fixture.theme, page: size)
      for scorer in [true, false] {
        let area = Rect(x: 0, y: 0, width: size.width, height: size.height)
        let box = try #require(artist.panel(Self.notice(scorer: scorer), words, in: area))
        let text = box.lines.joined(separator: " ").replacing("\u{a0}", with: " ")
        #expect(!text.contains("…"), "\(text)")
        #expect(box.lines.joined().contains("192.168.1.20:8080") && Self.codes.allSatisfy(text.contains))
        #expect(text.contains(words[scorer ? .keepScore : .watchScore]))
      }
    }
  }

  @Test("In a right-to-left language, the code is at the right, and readable")
  func mirrored() throws {
    let artist = MessageArtist(theme: Fixture.theme, page: Size(width: 1280, height: 720))
    let notice = Self.notice()
    let code = try #require(QRMatrix(notice.parts[0].code ?? ""))
    let words = try #require(Language("ar")).words
    let area = Rect(
      x: 0, y: 0, width: 1280, height: artist.height(of: notice, words, isBrief: false))
    let bitmap = try #require(artist.panel(notice, words, in: area, isMirrored: true)).letters.bitmap
    #expect(Self.read(bitmap, side: code.side) != nil)
    func dark(_ columns: Range<Int>) -> Int {
      (0..<bitmap.height).reduce(0) { sum, y in
        sum + columns.count { bitmap.buffer.row32(y)[$0] & 0xffffff == 0x111112 }
      }
    }
    let middle = bitmap.width / 2
    #expect(dark(0..<middle) == 0 && dark(middle..<bitmap.width) > 1_000)
  }

  @Test("The time that is left changes once a second, and only its own pixels are drawn")
  func countdown() throws {
    let size = PixelSize(width: 800, height: 480)
    let notice = Self.notice()
    let stage = Self.stage(Self.model(notice), size)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    stage.scene.advance(to: 2)
    _ = stage.scene.render(into: shown.buffer)
    var instant = Self.model(notice).instant
    let start = instant
    for second in 1...3 {
      let next = try #require(stage.nextChange(after: instant))
      // The clock on the page has no seconds, so the next change is that of the box.
      let waited = next.seconds - start.seconds
      #expect(waited == Int64(second) && next.nanoseconds == start.nanoseconds)
      let model = Self.model(notice, at: Int64(second) * Self.second)
      stage.update(model, at: Double(2 + second), animated: true)
      stage.scene.advance(to: Double(2 + second) + 0.5)
      let damage = stage.scene.render(into: shown.buffer)
      let area = damage.reduce(0) { $0 + $1.width * $1.height }
      #expect(area > 0 && area < size.width * size.height / 30, "\(area)")
      // At rest the picture is that of a new stage.
      let fresh = Self.stage(model, size)
      #expect(fresh.scene.picture(at: 1).difference(from: shown) == nil)
      instant = next
    }
  }

  @Test("The box replaces a message, which returns after it")
  func precedence() {
    var model = Self.model(Self.notice())
    model.message = "TIME OUT"
    let stage = Self.stage(model, PixelSize(width: 800, height: 480))
    #expect(stage.message.lines.contains { $0.contains("8080") })
    model.notice = nil
    stage.update(model, at: 1, animated: true)
    #expect(stage.message.lines == ["TIME OUT"])
    #expect(stage.message.nextChange(after: model.instant) == nil)
  }

  @Test("The box in a dark and a light theme", arguments: ["night", "paper"])
  func picture(theme: String) throws {
    let stage = Self.stage(Self.model(Self.notice()), PixelSize(width: 800, height: 480), theme)
    try Golden.expect(stage.scene.picture(at: 1), is: "invitation-\(theme)")
  }
}
