// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Images
import Layers
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Widgets

/// Pictures of files on the display.
@Suite struct ImageWidgetTests {
  /// A directory with pictures of one colour each, and what is in front of them.
  private struct Files {
    let directory: TemporaryDirectory

    init(_ colors: [String: UInt32]) throws {
      directory = try TemporaryDirectory()
      for (name, color) in colors { put(name, color) }
    }

    func put(_ name: String, _ color: UInt32, _ width: Int = 40, _ height: Int = 20) {
      let rgb = [16, 8, 0].map { Int(color >> $0 & 255) }
      directory.put(name, PNGFile(width, height, .rgb) { _, _ in rgb }.bytes)
    }

    func path(_ name: String) -> String { directory.file(name) }
  }

  private static let size = PixelSize(width: 200, height: 120)

  private func stage(
    _ settings: ImageSettings, _ pictures: PictureLibrary, at instant: Instant = Instant(seconds: 0)
  ) -> Stage {
    Stage(
      Fixture.configuration([WidgetSettings(name: "logo", weight: 1, content: settings)]), size: Self.size,
      fonts: Fixture.fonts, pictures: pictures, zones: { _ in .utc }, model: Fixture.model(instant), time: 0)
  }

  /// The colours of all pixels.
  private func colors(_ stage: Stage) -> [UInt32] {
    let picture = stage.scene.picture(at: stage.scene.time)
    return withExtendedLifetime(picture) {
      (0..<picture.height).flatMap { y in
        (0..<picture.width).map { picture.buffer.row32(y)[$0] & 0xff_ffff }
      }
    }
  }

  /// The colour in the middle of the display.
  private func middle(_ stage: Stage) -> UInt32 {
    colors(stage)[Self.size.height / 2 * Self.size.width + Self.size.width / 2]
  }

  @Test func aPictureIsAsLargeAsFitsOrFillsItsPlace() throws {
    let files = try Files(["a.png": 0xff0000])
    var settings = ImageSettings()
    settings.file = files.path("a.png")
    func red(_ fit: ImageSettings.Fit) -> Int {
      settings.fit = fit
      return colors(stage(settings, PictureLibrary())).count { $0 == 0xff0000 }
    }
    // The place has a margin of 2 % at the sides and 3 % above and below.
    #expect(red(.contain) == 192 * 96)
    #expect(red(.cover) == 192 * 113 || red(.cover) == 192 * 112)
  }

  @Test func picturesTakeTurnsAndWakeNobodyBetween() throws {
    let colors: [String: UInt32] = ["a.png": 0xff0000, "b.png": 0x00ff00, "c.png": 0x0000ff]
    let files = try Files(colors)
    var settings = ImageSettings()
    (settings.folder, settings.every) = (["a", "b", "c"].map { files.path("\($0).png") }, 2.5)
    let stage = stage(settings, PictureLibrary())
    var (instant, shown): (Instant, [UInt32]) = (Instant(seconds: 0), [middle(stage)])
    var times: [Double] = []
    for _ in 0..<4 {
      instant = try #require(stage.nextChange(after: instant))
      times.append(Double(instant.seconds) + Double(instant.nanoseconds) / 1e9)
      stage.update(Fixture.model(instant), at: stage.scene.time + 1, animated: true)
      shown.append(middle(stage))
      #expect(!stage.prepare())
    }
    #expect(times == [2.5, 5, 7.5, 10])
    #expect(shown == [0xff0000, 0x00ff00, 0x0000ff, 0xff0000, 0x00ff00])
    #expect(settings.text(of: Fixture.model(instant), in: .english) { _ in .utc } == "b.png")
  }

  @Test(arguments: [-1, -1 << 40, 1 << 40, 7] as [Int64])
  func anyInstantHasAPicture(seconds: Int64) {
    let instant = Instant(seconds: seconds, nanoseconds: 999_999_999)
    var settings = ImageSettings()
    settings.folder = ["a", "b", "c"]
    #expect(["a", "b", "c"].contains(settings.text(of: Fixture.model(instant), in: .english) { _ in .utc }))
    let next = stage(settings, PictureLibrary()).nextChange(after: instant)
    #expect(next.map { $0 > instant && $0 <= instant.advanced(nanoseconds: 10_000_000_000) } == true)
  }

  /// A library whose pictures are read when the test says so.
  private final class SlowPictures {
    var waiting: [(Picture, (Result<Bitmap, PictureError>) -> Void)] = []
    var requests: [Picture] = []
    private(set) lazy var library = PictureLibrary(load: { [unowned self] in
      requests.append($0)
      waiting.append(($0, $1))
    })

    func readAll() {
      while !waiting.isEmpty {
        let (picture, completion) = waiting.removeFirst()
        completion(Result { () throws(PictureError) in try picture.load() })
      }
    }
  }

  @Test func theOldPictureStaysUntilTheNextOneIsRead() throws {
    let files = try Files(["a.png": 0xff0000, "b.png": 0x00ff00])
    let slow = SlowPictures()
    var settings = ImageSettings()
    settings.folder = [files.path("a.png"), files.path("b.png")]
    let stage = stage(settings, slow.library)
    slow.library.arrived = { stage.update(Fixture.model(Instant(seconds: 0)), at: 0, animated: true) }
    let empty = middle(stage)
    #expect(slow.requests.count == 1 && empty != 0xff0000)
    slow.readAll()
    #expect(middle(stage) == 0xff0000)
    // The next one is requested while nothing moves, once.
    for _ in 0..<3 { _ = stage.prepare() }
    #expect(slow.requests.map(\.path) == settings.files)
    stage.update(Fixture.model(Instant(seconds: 10)), at: 1, animated: true)
    #expect(middle(stage) == 0xff0000)
    slow.library.arrived = { stage.update(Fixture.model(Instant(seconds: 10)), at: 2, animated: true) }
    slow.readAll()
    #expect(middle(stage) == 0x00ff00)
  }

  @Test func aPictureIsReadOnceForEachSizeAndAgainWhenItHasChanged() throws {
    let files = try Files(["a.png": 0xff0000, "b.png": 0x00ff00])
    let slow = SlowPictures()
    var settings = ImageSettings()
    settings.file = files.path("a.png")
    func show() -> UInt32 {
      let stage = stage(settings, slow.library)
      slow.readAll()
      stage.update(Fixture.model(Instant(seconds: 0)), at: 1, animated: true)
      return middle(stage)
    }
    for _ in 0..<3 { #expect(show() == 0xff0000) }
    slow.library.renew()
    #expect(show() == 0xff0000)
    #expect(slow.requests.count == 1)
    files.put("a.png", 0x0000ff, 41)
    #expect(show() == 0xff0000)
    slow.library.renew()
    #expect(show() == 0x0000ff)
    #expect(slow.requests.count == 2)
  }

  @Test func whatCannotBeShownStaysEmptyAndIsReportedOnce() throws {
    let files = try Files([:])
    files.directory.put("a.png", Array(PNGFile(9, 9, .rgb) { _, _ in [1, 2, 3] }.bytes.dropLast(30)))
    var lines: [String] = []
    let library = PictureLibrary(warn: { lines.append($0) })
    var settings = ImageSettings()
    settings.file = files.path("a.png")
    let empty = middle(stage(ImageSettings(), library))
    for _ in 0..<3 { #expect(middle(stage(settings, library)) == empty) }
    let line =
      "the picture '\(files.path("a.png"))' is damaged: the file ends too early; copy it again, or save it again as PNG"
    #expect(lines == [line] && library.problems == [line])
    library.renew()
    #expect(library.problems.isEmpty)
    files.put("a.png", 0x00ff00)
    #expect(middle(stage(settings, library)) == 0x00ff00)
    // The check of the config reports this one.
    settings.file = files.path("none.png")
    #expect(
      library.problem(with: files.path("none.png"))?.message == "cannot be read: No such file or directory")
    #expect(middle(stage(settings, library)) == empty)
    #expect(lines.count == 1 && library.problems.isEmpty)
  }

  /// Many pictures in turn must not fill the memory, and what is shown must not be read again and again.
  @Test func onlySomePicturesAreKept() throws {
    let names = (0..<12).map { "\(10 + $0).png" }
    let files = try Files(Dictionary(uniqueKeysWithValues: names.map { ($0, 0xff0000) }))
    let slow = SlowPictures()
    var settings = ImageSettings()
    (settings.folder, settings.every) = (names.map(files.path), 1)
    let stage = stage(settings, slow.library)
    for second in 0..<48 {
      let model = Fixture.model(Instant(seconds: Int64(second)))
      slow.library.arrived = { stage.update(model, at: Double(second), animated: true) }
      stage.update(model, at: Double(second), animated: true)
      slow.readAll()
      while stage.prepare() {}
      slow.readAll()
      #expect(slow.library.keptPixels <= 5 * 192 * 96)
    }
    #expect(slow.requests.count <= 49)
  }

  @Test func thePicturesOfOtherPagesAreReadBeforeTheyAreShown() throws {
    let files = try Files(["a.png": 0xff0000])
    let slow = SlowPictures()
    var settings = ImageSettings()
    settings.file = files.path("a.png")
    var configuration = Fixture.configuration(
      [
        WidgetSettings(name: "text", weight: 1, content: TextSettings()),
        WidgetSettings(name: "sponsor", weight: 1, content: settings),
      ], rows: [])
    configuration.pages = ["text", "sponsor"].map { name in
      var layout = LayoutSettings()
      layout.rows = [[name]]
      return PageSettings(name: name, layout: layout)
    }
    configuration.pageTransition.kind = .cut
    let stage = Stage(
      configuration, size: Self.size, fonts: Fixture.fonts, pictures: slow.library, zones: { _ in .utc },
      model: Fixture.model(), time: 0)
    for _ in 0..<3 { while stage.prepare() {} }
    #expect(slow.requests.count == 1)
    slow.readAll()
    stage.show(page: "sponsor", Fixture.model()) { 1 }
    #expect(middle(stage) == 0xff0000 && slow.requests.count == 1)
  }

  // MARK: Goldens

  /// A ring with thin, half transparent spokes and a transparent ground, without antialiasing.
  private func wheel(_ side: Int) -> PNGFile {
    var file = PNGFile(side, side, .palette, depth: 2) { x, y in
      let (dx, dy) = (2 * x + 1 - side, 2 * y + 1 - side)
      let (square, limit) = (dx * dx + dy * dy, side * side)
      if square > limit / 2 { return [square < limit * 9 / 10 ? 1 : 0] }
      return [dx * dx < limit / 400 || (dx + dy) * (dx + dy) < limit / 200 ? 2 : 0]
    }
    file.chunks = [("PLTE", [0, 0, 0, 0xff, 0xc0, 0, 0x20, 0x90, 0xff]), ("tRNS", [0, 0xff, 0xc0])]
    return file
  }

  @Test(arguments: [("down", 1600), ("up", 33)]) func aScaledPicture(name: String, side: Int) throws {
    let files = try Files([:])
    files.directory.put("wheel.png", wheel(side).bytes)
    var settings = ImageSettings()
    settings.file = files.path("wheel.png")
    try Golden.expect(
      stage(settings, PictureLibrary()).scene.picture(at: 0),
      crop: PixelRect(x: 40, y: 0, width: 120, height: 120), is: "image-\(name)")
  }
}
