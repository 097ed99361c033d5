// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite struct DriftTests {
  private static func steps(_ places: [DriftOffset]) -> [(Int, Int)] {
    zip(places, places.dropFirst() + places.prefix(1)).map { (abs($1.x - $0.x), abs($1.y - $0.y)) }
  }

  @Test(
    "The path stays within the radius, moves by one pixel, visits every place, and has mean zero",
    arguments: 1...40)
  func path(radius: Int) {
    let path = DriftPath(radius: radius)
    var visits: [DriftOffset: Int] = [:]
    for place in path.places {
      #expect(place.x * place.x + place.y * place.y <= radius * radius)
      visits[place, default: 0] += 1
    }
    #expect(Self.steps(path.places).allSatisfy { $0 <= 1 && $1 <= 1 && $0 + $1 > 0 })
    let all = (-radius...radius).flatMap { y in (-radius...radius).map { DriftOffset(x: $0, y: y) } }
    for place in all where place.x * place.x + place.y * place.y <= radius * radius {
      #expect(visits[place] != nil, "\(place)")
    }
    #expect(path.places.map(\.x).reduce(0, +) == 0)
    #expect(path.places.map(\.y).reduce(0, +) == 0)
    // Only places near the edge, where the path goes back, are visited more than twice.
    #expect(visits.values.allSatisfy { $0 <= 6 })
    #expect(path.places.count <= 4 * visits.count)
  }

  @Test("Without a radius, there is one place")
  func noRadius() {
    #expect(DriftPath(radius: 0).places == [DriftOffset()])
    #expect(DriftPath(radius: -3).places == [DriftOffset()])
  }

  @Test("Places are defined at all times, also before 1970")
  func anyMinute() {
    let path = DriftPath(radius: 3)
    for minute in [Int64.min, -1, 0, 1, .max] { #expect(path.contains(path.place(at: minute))) }
    #expect(path.place(at: -1) == path.places.last)
    for seconds in [-61, -60, -59, -1, 0, 59, 60] as [Int64] {
      let instant = Instant(seconds: seconds, nanoseconds: 5)
      #expect(instant.minute == Int64((Double(seconds) / 60).rounded(.down)))
      #expect(instant.nextMinute.seconds > seconds && instant.nextMinute.seconds - seconds <= 60)
    }
  }

  @Test("A drift that left out steps catches up by one pixel at a time, within the radius")
  func catchingUp() {
    var random = SplitMix(seed: 8)
    for radius in 1...20 {
      var minute: Int64 = 1_000
      var drift = Drift(radius: radius, minute: minute)
      for _ in 0..<40 {
        minute += Int64(random.int(1...3_000))
        for _ in 0..<30 {
          minute += 1
          let before = drift.place
          drift.step(at: minute)
          #expect(drift.path.contains(drift.place))
          #expect(abs(drift.place.x - before.x) <= 1 && abs(drift.place.y - before.y) <= 1)
        }
      }
      for _ in 0..<(8 * radius) {
        minute += 1
        drift.step(at: minute)
      }
      for _ in 0..<(4 * radius) where drift.place != drift.path.place(at: minute) {
        minute += 1
        drift.step(at: minute)
      }
      #expect(drift.place == drift.path.place(at: minute), "radius \(radius)")
    }
  }

  @Test("The radius is limited by the size of the display")
  func limit() {
    func radius(_ wanted: Int, _ width: Int, _ height: Int) -> Int {
      var settings = BurnInSettings()
      settings.radius = wanted
      return Drift.radius(settings, for: PixelSize(width: width, height: height))
    }
    #expect(radius(0, 1920, 1080) == 0)
    #expect(radius(8, 1920, 1080) == 8)
    #expect(radius(64, 1920, 1080) == 16)
    #expect(radius(64, 480, 320) == 4)
    #expect(radius(64, 60, 40) == 0)
    #expect(radius(-2, 1920, 1080) == 0)
  }

  // MARK: On a stage

  private static let size = PixelSize(width: 480, height: 320)

  private static func configuration(_ radius: Int, refresh: Int? = nil) -> Configuration {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 3, content: FlipClockSettings()),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
    ])
    configuration.burnIn.radius = radius
    configuration.burnIn.refresh = refresh
    configuration.burnIn.refreshDuration = 14
    return configuration
  }

  @Test("The page moves, the ground does not, and the damage covers what changes")
  func movedPicture() {
    let stage = Fixture.stage(Self.configuration(4), Self.size, Fixture.model(Fixture.instant(9, 0)))
    let still = Fixture.stage(Self.configuration(0), Self.size, Fixture.model(Fixture.instant(9, 0)))
    let ground = Fixture.stage(
      Fixture.configuration([]), Self.size, Fixture.model()
    ).scene.picture(at: 0)
    let shown = Bitmap(width: 480, height: 320, format: .xrgb8888)
    var seen: Set<DriftOffset> = []
    for minute in 0..<12 {
      let model = Fixture.model(Fixture.instant(9, minute))
      for stage in [stage, still] { stage.update(model, at: Double(minute), animated: false) }
      stage.scene.advance(to: Double(minute))
      _ = stage.scene.render(into: shown.buffer)
      let offset = stage.offset
      seen.insert(offset)
      let unmoved = still.scene.picture(at: Double(minute))
      let expected = Bitmap(width: 480, height: 320, format: .xrgb8888)
      expected.buffer.copy(ground.buffer, ground.buffer.bounds, to: 0, 0, clip: expected.buffer.bounds)
      for y in 0..<320 {
        for x in 0..<480 where (0..<480).contains(x - offset.x) && (0..<320).contains(y - offset.y) {
          // Where the page draws nothing, the ground of its own row is visible.
          let pixel = unmoved.buffer.row32(y - offset.y)[x - offset.x]
          if pixel != ground.buffer.row32(y - offset.y)[x - offset.x] { expected.buffer.row32(y)[x] = pixel }
        }
      }
      // Soft shadows and antialiased edges are blended with another row of the ground.
      #expect(shown.largestDifference(from: expected) <= 2, "\(offset)")
      #expect(shown.difference(from: stage.scene.picture(at: Double(minute))) == nil)
    }
    #expect(seen.count > 8)
  }

  @Test("The picture moves only at the full minute, and not while a clock of the match runs")
  func moments() throws {
    var match = Scoreboard(
      teams: [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")],
      rules: GameRules(.basketball))
    let stage = Fixture.stage(Self.configuration(4), Self.size, Fixture.model(Fixture.instant(9, 0)))
    var time = 0.0
    func offset(_ minute: Int, _ second: Int) -> DriftOffset {
      time += 1
      stage.update(
        StageModel(instant: Fixture.instant(9, minute, second), scoreboard: match), at: time, animated: true)
      return stage.offset
    }
    let first = offset(0, 1)
    #expect(offset(0, 59) == first)
    let second = offset(1, 0)
    #expect(second != first)
    #expect(offset(1, 30) == second)
    try match.run()
    for minute in 2..<9 { #expect(offset(minute, 0) == second) }
    try match.stop()
    #expect(offset(8, 30) == second)
    let later = offset(9, 0)
    #expect(later != second)
    #expect(abs(later.x - second.x) <= 1 && abs(later.y - second.y) <= 1)
  }

  @Test("A page without a clock changes at every full minute only with burn-in protection")
  func wakeups() {
    let hour = Fixture.instant(9, 0, 5)
    func next(_ configuration: Configuration) -> Instant? {
      var configuration = configuration
      configuration.widgets.removeFirst()
      configuration.layout.rows.removeFirst()
      return Fixture.stage(configuration, Self.size, Fixture.model(hour)).nextChange(after: hour)
    }
    #expect(next(Self.configuration(0)) == Fixture.instant(24, 0))
    #expect(next(Self.configuration(4)) == Fixture.instant(9, 1))
    #expect(next(Self.configuration(0, refresh: 210)) == Fixture.instant(9, 1))
    // A clock changes at these moments anyway.
    let clock = Fixture.stage(Self.configuration(4), Self.size, Fixture.model(hour))
    #expect(clock.nextChange(after: hour) == Fixture.instant(9, 1))
  }

  @Test("A new stage continues from the place of the previous one")
  func resuming() throws {
    var match = Scoreboard(teams: [.init(id: "home", name: "HOME")], rules: GameRules(.basketball))
    try match.run()
    let before = Fixture.stage(Self.configuration(4), Self.size, Fixture.model(Fixture.instant(9, 0)))
    let model = StageModel(instant: Fixture.instant(9, 40), scoreboard: match)
    before.update(model, at: 1, animated: false)
    let after = Fixture.stage(Self.configuration(4), Self.size, model, time: 2)
    #expect(after.offset != before.offset)
    after.resume(from: before, at: 2)
    #expect(after.offset == before.offset)
    #expect(after.scene.picture(at: 2).difference(from: before.scene.picture(at: 2)) == nil)
  }

  // MARK: The refresh page

  @Test("The refresh page shows each of its colours on every pixel, once a day, then the page again")
  func refreshPage() {
    let stage = Fixture.stage(
      Self.configuration(0, refresh: 9 * 60 + 30), Self.size, Fixture.model(Fixture.instant(9, 29)))
    #expect(!stage.isRefreshing)
    stage.update(Fixture.model(Fixture.instant(9, 30)), at: 10, animated: false)
    #expect(stage.isRefreshing)
    let shown = Bitmap(width: 480, height: 320, format: .xrgb8888)
    for (index, color) in RefreshPage.colors.enumerated() {
      stage.scene.advance(to: 10 + 2 * Double(index) + 1)
      _ = stage.scene.render(into: shown.buffer)
      #expect(shown.difference(from: stage.scene.picture(at: stage.scene.time)) == nil)
      stage.scene.advance(to: 10 + 2 * Double(index + 1))
      _ = stage.scene.render(into: shown.buffer)
      let isPlain = (0..<320).allSatisfy { y in
        (0..<480).allSatisfy { shown.buffer.row32(y)[$0] & 0xff_ffff == color }
      }
      #expect(isPlain, "\(String(color, radix: 16))")
    }
    stage.update(Fixture.model(Fixture.instant(9, 30, 20)), at: 23, animated: false)
    stage.scene.advance(to: 25)
    #expect(!stage.isRefreshing)
    _ = stage.scene.render(into: shown.buffer)
    let fresh = Fixture.stage(Self.configuration(0), Self.size, Fixture.model(Fixture.instant(9, 30)))
    #expect(shown.difference(from: fresh.scene.picture(at: 0)) == nil)
    #expect(stage.scene.activity == .resting)
    // It does not begin again in the same minute.
    stage.update(Fixture.model(Fixture.instant(9, 30, 40)), at: 26, animated: false)
    #expect(!stage.isRefreshing)
  }

  @Test("A message, a running clock and another page end the refresh page or prevent it")
  func interruptions() throws {
    let start = Fixture.model(Fixture.instant(9, 30))
    func stage() -> Stage {
      var configuration = Self.configuration(0, refresh: 9 * 60 + 30)
      configuration.pages = [
        PageSettings(name: "a", layout: configuration.layout),
        PageSettings(name: "b", layout: configuration.layout),
      ]
      return Fixture.stage(configuration, Self.size, Fixture.model(Fixture.instant(9, 29)))
    }
    var match = Scoreboard(teams: [.init(id: "home", name: "HOME")], rules: GameRules(.basketball))
    try match.run()
    let running = StageModel(instant: Fixture.instant(9, 30), scoreboard: match)
    var message = start
    message.message = "HELLO"
    for prevented in [running, message] {
      let stage = stage()
      stage.update(prevented, at: 1, animated: true)
      #expect(!stage.isRefreshing)
    }
    for interruption in [running, message] {
      let stage = stage()
      stage.update(start, at: 1, animated: true)
      #expect(stage.isRefreshing)
      stage.update(interruption, at: 2, animated: true)
      #expect(!stage.isRefreshing)
    }
    let other = stage()
    other.update(start, at: 1, animated: true)
    other.show(page: "b", start) { 2 }
    #expect(!other.isRefreshing)
  }

  @Test("Without motion, the colours change without wipes")
  func still() {
    var configuration = Self.configuration(0, refresh: 9 * 60 + 30)
    configuration.motion = .none
    let stage = Fixture.stage(configuration, Self.size, Fixture.model(Fixture.instant(9, 29)))
    let page = stage.scene.picture(at: 0)
    stage.update(Fixture.model(Fixture.instant(9, 30)), at: 10, animated: false)
    var pictures: Set<UInt32> = []
    for step in 0..<140 {
      let picture = stage.scene.picture(at: 10 + Double(step) / 10 + 0.05)
      let corners = [picture.buffer.row32(0)[0], picture.buffer.row32(319)[479]].map { $0 & 0xff_ffff }
      if step >= 20, step < 120 { #expect(corners[0] == corners[1]) }
      pictures.insert(corners[0])
    }
    #expect(pictures.isSuperset(of: RefreshPage.colors))
    #expect(stage.scene.picture(at: 30).size == page.size)
    #expect(!stage.isRefreshing)
  }
}

extension Scoreboard {
  fileprivate mutating func run() throws { self = try applying(.startTimer(.game)) }
  fileprivate mutating func stop() throws { self = try applying(.pauseTimer(.game)) }

  private func applying(_ action: Action) throws -> Scoreboard {
    var match = Match(self)
    _ = try match.apply(action, at: 0)
    return match.scoreboard
  }
}

extension Bitmap {
  /// The largest difference of a channel from another picture of the same size.
  func largestDifference(from other: Bitmap) -> Int {
    var largest = 0
    for y in 0..<height {
      for x in 0..<width {
        for shift in [0, 8, 16] as [UInt32] {
          let (a, b) = (buffer.row32(y)[x] >> shift & 255, other.buffer.row32(y)[x] >> shift & 255)
          largest = max(largest, abs(Int(a) - Int(b)))
        }
      }
    }
    return largest
  }
}
