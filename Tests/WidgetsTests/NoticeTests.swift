// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite("Notices that stay") struct NoticeTests {
  static let setUp = Notice([
    .pairing(
      url: "http://192.168.1.20:8080/pair#Xq3vB0aZ_-kLm9PtR2sWy7", address: "flipclock.local:8080",
      codes: ["123 456"], heading: .setUp)
  ])

  /// The notice of an access point.
  ///
  /// - Parameter problem: why another network was not joined.
  static func accessPoint(problem: Word? = nil, code: Bool = true) -> Notice {
    let lines: [Notice.Line] =
      (problem.map { [.problem("FRITZ!Box 7590 XY", $0)] } ?? [])
      + [.heading(.joinWiFi), .name("flipclock-ab12"), .password("MXK4WQ7R")]
    let page = [Notice.Line.heading(.openPage), .address("10.42.0.1:8080")]
    return Notice([
      .init(code: "WIFI:T:WPA;S:flipclock-ab12;P:MXK4WQ7R;;", lines),
      .init(code: "http://10.42.0.1:8080/", page + (code ? [.code("123 456")] : [])),
    ])
  }

  /// An invitation while the access point is open.
  static func invitation(problem: Word? = nil, heading: Word = .keepScore) -> Notice {
    let part = Notice.Part.pairing(
      url: "http://10.42.0.1:8080/pair#Xq3vB0aZ_-kLm9PtR2sWy7", address: "flipclock.local:8080",
      codes: ["123 456"], heading: heading, hasEnd: true)
    return Notice([accessPoint(problem: problem).parts[0], part], ends: 120_000_000_000)
  }

  static let all: [(name: String, notice: Notice)] =
    [
      ("set-up", setUp), ("access-point", accessPoint()), ("failed-before", accessPoint(problem: .noAddress)),
      ("invitation", invitation()), ("invitation-failed-before", invitation(problem: .noAddress)),
      ("invitation-owner", invitation(heading: .setUp)),
      ("joining", Notice([.init([.heading(.joining), .name("FRITZ!Box 7590 XY")])])),
      ("joined", Notice([.init([.heading(.joined), .name("FRITZ!Box 7590 XY")])])),
      ("failed", Notice([.init([.problem("FRITZ!Box 7590 XY", .wrongPassword)])])),
    ]

  static let sizes = [
    (1920, 1080), (1280, 720), (1080, 1920), (800, 480), (480, 320), (320, 240), (480, 800), (1920, 540),
    (3840, 2160), (1024, 768), (2560, 720), (320, 480),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  static func stage(
    _ notice: Notice, _ size: PixelSize, language: String = "en", match: GameRules.Preset? = nil
  ) throws -> Stage {
    var model = Fixture.model(Fixture.instant(10, 0))
    model.notice = notice
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings()),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
    ])
    if let match {
      configuration = PageFitTests.configuration(match)
      model.scoreboard = try Fixture.played(match)
    }
    if let language = Language(language) { configuration.language = language }
    return Fixture.stage(configuration, size, model)
  }

  /// The distance of what a picture shows from the nearer side of the page, in pixels.
  private static func air(beside picture: Bitmap, at frame: Rect, width: Double) -> Int {
    let columns = (0..<picture.width).filter { x in
      (0..<picture.height).contains { picture.buffer.row32($0)[x] >> 24 != 0 }
    }
    guard let first = columns.first, let last = columns.last else { return 0 }
    return min(Int(frame.x) + first, Int(width - frame.x) - last - 1)
  }

  /// Whether only the light plate is in a margin of this width, except for its round corners.
  private static func hasQuietZone(_ plate: PixelRect, of width: Int, in bitmap: Bitmap) -> Bool {
    guard plate.x >= 0, plate.y >= 0, plate.x + plate.width <= bitmap.width,
      plate.y + plate.height <= bitmap.height
    else { return false }
    func isMargin(_ offset: Int, _ length: Int) -> Bool { offset < width || offset >= length - width }
    return (0..<plate.height).allSatisfy { y in
      (0..<plate.width).allSatisfy { x in
        let (atSide, atEnd) = (isMargin(x, plate.width), isMargin(y, plate.height))
        return atSide == atEnd || bitmap.buffer.row32(plate.y + y)[plate.x + x] & 0xffffff == 0xf4f1ea
      }
    }
  }

  /// How many pixels a module of a code has in a picture; nil if the picture does not have the code.
  static func scale(of code: String, in bitmap: Bitmap) -> Int? {
    guard let matrix = QRMatrix(code) else { return nil }
    func isDark(_ x: Int, _ y: Int) -> Bool { bitmap.buffer.row32(y)[x] & 0xffffff == 0x111112 }
    for top in 1..<bitmap.height {
      for left in 1..<bitmap.width
      where isDark(left, top) && !isDark(left - 1, top) && !isDark(left, top - 1) {
        guard let end = (left..<bitmap.width).first(where: { !isDark($0, top) }) else { continue }
        let scale = (end - left) / 7
        guard scale > 0, (end - left) % 7 == 0, left + matrix.side * scale <= bitmap.width,
          top + matrix.side * scale <= bitmap.height
        else { continue }
        let isEqual = (0..<matrix.side * matrix.side).allSatisfy { index in
          let (x, y) = (index % matrix.side, index / matrix.side)
          return isDark(left + x * scale + scale / 2, top + y * scale + scale / 2) == matrix[x, y]
        }
        let plate = QRPlate(matrix, scale: scale)
        let quiet = PixelRect(
          x: left - 4 * scale, y: top - 4 * scale, width: Int(plate.side), height: Int(plate.side))
        if isEqual, hasQuietZone(quiet, of: 4 * scale, in: bitmap) { return scale }
      }
    }
    return nil
  }

  @Test(
    "A notice is below the page, complete, and every phone can read its codes", arguments: Words.languages)
  func everywhere(language: String) throws {
    let words = try #require(Language(language)).words
    for (name, notice) in Self.all {
      // The sizes at which the words are the smallest, in every language.
      for size in language == "en" ? Self.sizes : Self.sizes.filter({ min($0.width, $0.height) < 500 }) {
        for match in [nil, GameRules.Preset.basketball] {
          let stage = try Self.stage(notice, size, language: language, match: match)
          let what = "\(name) on \(size) in \(language), \(match.map { "\($0)" } ?? "a clock")"
          let box = try #require(stage.message.box, "\(what)")
          #expect(box.frame.y == stage.page.layer.frame.maxY && box.frame.maxY == size.page.height, "\(what)")
          // One that ends is as large as beside a clock.
          let isBrief = match != nil && notice.ends == nil
          let page = Size(width: size.page.width, height: size.page.height)
          let heights = NoticeLayout.heights(of: notice, on: page, isBrief: isBrief)
          #expect(box.frame.height >= heights.usual && box.frame.height <= heights.largest, "\(what)")
          let share = heights.usual / min(page.width, page.height) / Double(notice.parts.count)
          #expect(
            share <= (!isBrief || min(size.width, size.height) < 450 ? 0.37 : 0.21), "\(what): \(share)")
          // On the smallest display, what is needed is legible instead.
          let isFull = size.height >= 300
          let letters = try #require(box.sublayers.first)
          #expect(
            letters.frame.isInside(Rect(x: 0, y: 0, width: box.frame.width, height: box.frame.height)))
          let picture = try #require(letters.contents?.bitmap)
          let air = Self.air(beside: picture, at: letters.frame, width: box.frame.width)
          #expect(air >= Int(0.02 * box.frame.width) - 1, "\(what): \(air) pixels beside it")
          let text = stage.message.lines.joined().filter { !$0.isWhitespace }
          func shows(_ texts: String...) -> Bool {
            texts.allSatisfy { text.contains($0.filter { !$0.isWhitespace }) }
          }
          for part in notice.parts {
            if let code = part.code {
              let scale = Self.scale(of: code, in: picture)
              #expect(scale ?? 0 >= 2, "\(what): \(scale ?? 0) pixels for \(code)")
            }
            for line in part.lines {
              switch line {
              case .heading(let word): #expect(!isFull || shows(words[word]), "\(what): \(text)")
              case .instructions, .countdown: break
              case .problem(let name, let word):
                #expect(!isFull && isBrief || shows(name, words[word]), "\(what): \(text)")
              case .name(let shown), .password(let shown), .address(let shown), .code(let shown):
                #expect(shows(shown), "\(what): \(text)")
              }
            }
          }
          #expect(!text.contains("…"), "\(what): \(text)")
        }
      }
    }
  }

  @Test("It stays still, and a refresh page against burn-in is shown nevertheless")
  func rest() throws {
    let stage = try Self.stage(Self.setUp, PixelSize(width: 800, height: 480))
    let instant = Fixture.instant(10, 0)
    // Only the minute of the clock changes.
    #expect(stage.nextChange(after: instant) == Fixture.instant(10, 1))
    var model = Fixture.model(instant)
    #expect(!model.isCovered)
    model.notice = Self.setUp
    #expect(!model.isCovered)
    model.notice?.ends = 1
    #expect(model.isCovered)
  }

  @Test("The first point makes it small, and a new match makes it large again")
  func small() throws {
    let size = PixelSize(width: 1280, height: 720)
    var model = Fixture.model(Fixture.instant(10, 0))
    model.notice = Self.setUp
    let teams = Fixture.scoreboard(.basketball).teams.map { Scoreboard.Team(id: $0.id, name: $0.name) }
    model.scoreboard = Scoreboard(teams: teams)
    model.scoreboard.adopt(teams, rules: GameRules(.basketball))
    let empty = model
    let stage = Fixture.stage(PageFitTests.configuration(.basketball), size, model)
    let large = try #require(stage.message.box).frame.height
    model.scoreboard = try Fixture.played(.basketball)
    stage.update(model, at: 1, animated: true)
    let small = try #require(stage.message.box).frame.height
    #expect(large == 259 && small == 144)
    stage.update(empty, at: 9, animated: false)
    #expect(stage.message.box?.frame.height == large)
    let fresh = Fixture.stage(PageFitTests.configuration(.basketball), size, empty)
    #expect(fresh.scene.picture(at: 1).difference(from: stage.scene.picture(at: 30)) == nil)
  }

  @Test(
    "Notices beside a clock and beside a match",
    arguments: ["access-point", "failed-before", "set-up", "invitation"])
  func pictures(name: String) throws {
    let notice = try #require(Self.all.first { $0.name == name }).notice
    let size = PixelSize(width: 800, height: 480)
    let match: GameRules.Preset? = name == "set-up" ? .basketball : nil
    try Golden.expect(try Self.stage(notice, size, match: match).scene.picture(at: 1), is: "notice-\(name)")
  }
}
