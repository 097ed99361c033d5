// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Scoreboard
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct TimerWidgetTests {
  private static let second: Int64 = 1_000_000_000
  private static let size = PixelSize(width: 200, height: 120)

  private static func rules(_ direction: GameRules.Timer.Direction) -> GameRules {
    var rules = GameRules()
    rules.game = GameRules.Timer(
      direction, length: direction == .down ? 600 * second : 0, warning: direction == .down ? 60 * second : 0)
    rules.shot = GameRules.Timer(.down, length: 24 * second, warning: 5 * second)
    return rules
  }

  private static func scoreboard(
    _ direction: GameRules.Timer.Direction = .down, _ actions: [(Scoreboard.Action, Int64)] = []
  ) throws -> Scoreboard {
    var scoreboard = Scoreboard(teams: [], rules: rules(direction))
    scoreboard.adopt([.init(id: "home", name: "HOME")], rules: rules(direction))
    for (action, time) in actions { try scoreboard.apply(action, at: time) }
    return scoreboard
  }

  private static func model(_ scoreboard: Scoreboard, at clock: Int64) -> StageModel {
    StageModel(
      instant: Instant(seconds: 1_795_132_800 + clock / second, nanoseconds: Int32(clock % second)),
      scoreboard: scoreboard.settled(at: clock), clock: clock)
  }

  private static func stage(
    _ model: StageModel, _ source: TimerSettings.Source = .gameClock,
    _ change: (inout TimerSettings) -> Void = { _ in }
  ) -> Stage {
    var settings = TimerSettings()
    settings.source = source
    change(&settings)
    return Fixture.stage(
      Fixture.configuration([WidgetSettings(name: "clock", weight: 1, content: settings)]), size, model)
  }

  @Test("counting down shows a second until it is over, counting up shows the completed seconds")
  func rounding() throws {
    let started: [(Scoreboard.Action, Int64)] = [(.startTimer(.game), 0)]
    let down = try Self.scoreboard(.down, started)
    let up = try Self.scoreboard(.up, started)
    for (clock, expectedDown, expectedUp) in [
      (Int64(0), "10:00", "0:00"), (1, "10:00", "0:00"), (Self.second / 2, "10:00", "0:00"),
      (Self.second, "9:59", "0:01"), (Self.second + 900_000_000, "9:59", "0:01"),
      (61 * Self.second, "8:59", "1:01"), (599 * Self.second + 5_000_000, "0:01", "9:59"),
      (600 * Self.second, "0:00", "10:00"), (700 * Self.second, "0:00", "11:40"),
    ] {
      let whole = Self.stage(Self.model(down, at: clock)) { $0.tenths = false }
      #expect(whole.texts[0].text == expectedDown)
      #expect(Self.stage(Self.model(up, at: clock)).texts[0].text == expectedUp)
    }
  }

  @Test("a timer wakes exactly at each change of the second, and not while it is stopped")
  func wakeUps() throws {
    for direction in [GameRules.Timer.Direction.down, .up] {
      let standing = Self.model(try Self.scoreboard(direction), at: 5 * Self.second)
      #expect(Self.stage(standing).nextChange(after: standing.instant) == nil)
      let start = 3 * Self.second + 250_000_000
      let scoreboard = try Self.scoreboard(direction, [(.startTimer(.game), start)])
      let stage = Self.stage(Self.model(scoreboard, at: start))
      var clock = start
      var shown = stage.texts[0].text
      for _ in 0..<20 {
        let now = Self.model(scoreboard, at: clock)
        let next = try #require(stage.nextChange(after: now.instant))
        let wait =
          (next.seconds - now.instant.seconds) * Self.second
          + Int64(next.nanoseconds - now.instant.nanoseconds)
        #expect(wait == Self.second)
        stage.update(Self.model(scoreboard, at: clock + wait - 3_000_000), at: 0, animated: false)
        #expect(stage.texts[0].text == shown)
        clock += wait
        stage.update(Self.model(scoreboard, at: clock), at: 0, animated: false)
        #expect(stage.texts[0].text != shown)
        shown = stage.texts[0].text
      }
    }
  }

  @Test("minutes add a card when they need one, and keep their symbols")
  func addedMinutesCard() throws {
    let scoreboard = try Self.scoreboard(
      .up, [(.setTimer(.game, to: 5_999 * Self.second), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(scoreboard, at: 0))
    #expect(stage.texts[0].text == "99:59")
    stage.update(Self.model(scoreboard, at: Self.second), at: 1, animated: true)
    #expect(stage.texts[0].text == "100:00")
    let fresh = Self.stage(Self.model(scoreboard, at: Self.second))
    #expect(stage.scene.picture(at: 9).difference(from: fresh.scene.picture(at: 9)) == nil)
  }

  @Test("the shot clock shows seconds; a game without one shows empty cards")
  func shotClock() throws {
    let scoreboard = try Self.scoreboard(.down, [(.startTimer(.game), 0), (.startTimer(.shot), 0)])
    #expect(Self.stage(Self.model(scoreboard, at: 0), .shotClock).texts[0].text == "24")
    #expect(Self.stage(Self.model(scoreboard, at: 15 * Self.second), .shotClock).texts[0].text == "9")
    let none = Scoreboard(teams: [])
    #expect(Self.stage(Self.model(none, at: 0), .shotClock).texts[0].text == "")
  }

  @Test(
    "A break whose clock stands is told from one that runs, after a pause and after a restart, by more than colour",
    arguments: GameRules.Preset.allCases)
  func pausedBreaks(preset: GameRules.Preset) throws {
    func match() throws -> Match {
      var match = Match(Fixture.scoreboard(preset))
      try match.apply(.startBreak(.interval, length: 90 * Self.second), at: 0)
      return match
    }
    for (width, height) in [(640, 360), (480, 320), (360, 640), (320, 240)] {
      let size = PixelSize(width: width, height: height)
      func picture(_ match: Match, at clock: Int64) -> Bitmap {
        Fixture.stage(PageFitTests.configuration(preset), size, Self.model(match.scoreboard, at: clock)).scene
          .picture(at: 0)
      }
      let running = try match()
      var paused = running
      try paused.apply(.pauseTimer(.breakClock), at: 7 * Self.second)
      var restarted = running
      restarted.pauseTimers(at: 7 * Self.second)
      var resumed = paused
      try resumed.apply(.startTimer(.breakClock), at: 7 * Self.second)
      let (still, moving) = (picture(paused, at: 7 * Self.second), picture(running, at: 7 * Self.second))
      // A display that has no room for the break shows neither.
      if picture(running, at: 8 * Self.second).difference(from: moving) == nil { continue }
      #expect(still.difference(from: moving) != nil, "\(preset) \(width)x\(height)")
      #expect(picture(restarted, at: 7 * Self.second).difference(from: still) == nil)
      #expect(picture(paused, at: 40 * Self.second).difference(from: still) == nil)
      #expect(picture(resumed, at: 7 * Self.second).difference(from: moving) == nil)
    }
    let bars = ClockGeometry(
      ClockGeometry.Parts(groups: [2, 2], aspect: CardMetrics.aspect, hasColon: true, hasPeriod: false),
      in: Size(width: 400, height: 100)
    ).pauseBars(at: .zero, .white)
    #expect(bars.count == 2 && bars.allSatisfy { $0.frame.height > 3 * $0.frame.width })
  }

  @Test("The clock of a break has its name above it, in every size, legible from where the page is")
  func breakClocks() throws {
    var settings = TimerSettings()
    settings.source = .breakClock
    for (_, _, theme) in Fixture.themes {
      for (width, page, height) in [
        (1920.0, 300.0, 300.0), (1920, 1080, 200), (480, 90, 90), (480, 320, 64), (320, 240, 50),
        (1080, 1920, 250), (1080, 1900, 1900), (300, 300, 300), (3840, 1080, 240),
      ] {
        var context = Fixture.context(PixelSize(width: Int(width), height: Int(page)))
        context.theme = theme
        let widget = try #require(
          settings.makeWidget(weight: 1, context: context) as? TimerWidget)
        for (kind, words) in [
          (GameBreak.Kind.timeOut(team: "home"), "TIME-OUT LIONS"), (.interval, "INTERVAL"),
          (.halfTime, "HALF-TIME"),
        ] {
          var scoreboard = Fixture.scoreboard(.basketball)
          try scoreboard.apply(.setTeam(team: "home", name: "LIONS", shortName: nil, color: nil))
          let none = Self.model(scoreboard, at: 0)
          try scoreboard.apply(.startBreak(kind, length: 60 * Self.second))
          let size = widget.fittingSize(in: Size(width: width, height: height))
          #expect(size.width <= width && size.height <= height)
          let rect = Rect(x: 0, y: 0, width: size.width.rounded(.down), height: size.height.rounded(.down))
          widget.layOut(in: rect, model: Self.model(scoreboard, at: 0))
          let shown = widget.name?.shown ?? []
          #expect(shown.map(\.text) == [words], "\(width)x\(height)")
          let name = try #require(widget.name).layer
          let cards = Self.pictures(in: widget.layer.sublayers.filter { $0 !== name })
          #expect(cards.count > 4)
          for line in shown {
            let letters = line.box.middle(Size(width: line.box.width, height: line.cap))
            // Shadows may reach the letters.
            let isClear = cards.allSatisfy { !$0.grown(-0.08 * $0.height).overlaps(letters) }
            #expect(isClear, "\(width)x\(page)")
          }
          #expect(shown.allSatisfy { $0.look == .accent && $0.cap >= 0.09 * min(rect.height, rect.width) })
          #expect(shown.allSatisfy { $0.cap >= 0.03 * min(width, page) }, "\(width)x\(page)")
          widget.update(none, at: 1, animated: false)
          #expect(widget.name?.shown.isEmpty == true)
        }
      }
    }
  }

  @Test("The label of a countdown is shown whole in every size, as large as possible")
  func labels() throws {
    var settings = TimerSettings()
    (settings.source, settings.countdown) = (.countdown, "doors")
    for (_, _, theme) in Fixture.themes {
      for (width, height) in [(1920.0, 300.0), (480, 320), (720, 640), (720, 1280), (1080, 1920), (320, 480)]
      {
        var context = Fixture.context(PixelSize(width: Int(width), height: Int(height)))
        context.theme = theme
        let widget = try #require(settings.makeWidget(weight: 1, context: context) as? TimerWidget)
        var caps: [Double] = []
        for label in ["DOORS", "DOORS OPEN IN THE MAIN HALL", "WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWW"] {
          var model = Self.model(try Self.scoreboard(), at: 0)
          model.countdowns["doors"] = Countdown(.running(end: 91_800 * Self.second), label: label, since: 0)
          widget.layOut(in: Rect(x: 0, y: 0, width: width, height: height), model: model)
          let line = try #require(widget.name?.shown.first)
          #expect(line.text == label && line.isWhole(theme), "\(label) \(width)x\(height)")
          caps.append(line.cap)
        }
        #expect(caps == caps.sorted(by: >))
      }
    }
  }

  @Test("A countdown that is paused has a sign of that, also after its end if it counts on")
  func pauses() throws {
    let model = Self.model(try Self.scoreboard(), at: 0)
    for left in [90, 1, 0, -1, -5, -4_000] as [Int64] {
      for overtime in [false, true] {
        func picture(_ countdown: Countdown) -> Bitmap {
          Self.stage(model, countdown: countdown) { $0.overtime = overtime }.scene.picture(at: 0)
        }
        let paused = picture(Countdown(.paused(left: left * Self.second), since: 0))
        let running = picture(Countdown(.running(end: left * Self.second), since: 0))
        // One that has ended and does not count on looks the same.
        #expect((paused.difference(from: running) == nil) == (left <= 0 && !overtime), "\(left) \(overtime)")
      }
    }
  }

  /// Where these layers, and those in them, have pictures.
  private static func pictures(in layers: [Layer], at origin: Point = .zero) -> [Rect] {
    layers.flatMap { layer in
      let frame = layer.frame.offset(x: origin.x, y: origin.y)
      return (layer.contents == nil ? [] : [frame])
        + pictures(in: layer.sublayers, at: Point(x: frame.x, y: frame.y))
    }
  }

  @Test("tenths appear in the game clock's last minute and in the shot clock's last five seconds")
  func tenths() throws {
    let tenth = Self.second / 10
    for (value, game, shot) in [
      (Int64(6_001), "10:01", "601"), (610, "1:01", "61"), (600, "1:00", "60"), (599, "59.9", "60"),
      (595, "59.5", "60"), (50, "5.0", "5"), (49, "4.9", "4.9"), (1, "0.1", "0.1"), (0, "0.0", "0.0"),
    ] {
      let scoreboard = try Self.scoreboard(
        .down, [(.setTimer(.game, to: value * tenth), 0), (.setTimer(.shot, to: value * tenth), 0)])
      let model = Self.model(scoreboard, at: 0)
      #expect(Self.stage(model).texts[0].text == game)
      #expect(Self.stage(model, .shotClock).texts[0].text == shot)
    }
  }

  @Test("a timer wakes ten times a second only while it runs in the last minute, and misses no tenth")
  func wakeUpsForTenths() throws {
    let start = 61 * Self.second + Self.second / 4
    let standing = try Self.scoreboard(.down, [(.setTimer(.game, to: 30 * Self.second), 0)])
    let still = Self.model(standing, at: 0)
    #expect(Self.stage(still).nextChange(after: still.instant) == nil)
    let scoreboard = try Self.scoreboard(.down, [(.setTimer(.game, to: start), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(scoreboard, at: 0))
    var clock: Int64 = 0
    var texts = [stage.texts[0].text]
    while let next = stage.nextChange(after: Self.model(scoreboard, at: clock).instant) {
      let now = Self.model(scoreboard, at: clock).instant
      let wait = (next.seconds - now.seconds) * Self.second + Int64(next.nanoseconds - now.nanoseconds)
      #expect(wait >= 90_000_000 && wait <= Self.second)
      clock += wait
      stage.update(Self.model(scoreboard, at: clock), at: Double(clock) / 1e9, animated: true)
      #expect(stage.texts[0].text != texts.last)
      texts.append(stage.texts[0].text)
      if texts.count > 700 { break }
    }
    let tenths = (0...599).reversed().map { "\($0 / 10).\($0 % 10)" }
    #expect(texts == ["1:02", "1:01", "1:00"] + tenths)
  }

  @Test("from one hour on a timer shows hours if configured")
  func hours() throws {
    for (seconds, plain, hours) in [
      (Int64(3_599), "59:59", "59:59"), (3_600, "60:00", "1:00:00"), (359_999, "5999:59", "99:59:59"),
    ] {
      let scoreboard = try Self.scoreboard(.up, [(.setTimer(.game, to: seconds * Self.second), 0)])
      let model = Self.model(scoreboard, at: 0)
      #expect(Self.stage(model).texts[0].text == plain)
      #expect(Self.stage(model) { $0.showHours = true }.texts[0].text == hours)
    }
  }

  @Test("a countdown shows days, hours, minutes and seconds until its end, and then stops")
  func countdown() throws {
    func stage(_ until: String, _ hour: Int, _ second: Int = 0) -> Stage {
      Self.stage(Fixture.model(Fixture.instant(hour, 0, second)), .countdown) {
        $0.until = CivilMoment(until)
      }
    }
    #expect(stage("2026-11-20T10:00:00", 9).texts[0].text == "1:00:00")
    #expect(stage("2026-11-20T10:00:00", 9, 1).texts[0].text == "0:59:59")
    #expect(stage("2026-11-21T09:00:00", 9).texts[0].text == "1d 0:00:00")
    #expect(stage("2026-11-20T10:00:00+01:00", 8, 59).texts[0].text == "0:59:01")
    #expect(stage("2027-11-20", 0).texts[0].text == "365d 0:00:00")
    #expect(stage("9999-12-31", 0).texts[0].text == "2912119d 0:00:00")
    #expect(stage("0001-01-01", 0).texts[0].text == "0:00:00")
    let running = stage("2026-11-20T09:00:02", 9)
    var instant = Fixture.instant(9, 0)
    for text in ["0:00:01", "0:00:00"] {
      instant = try #require(running.nextChange(after: instant))
      running.update(Fixture.model(instant), at: 0, animated: true)
      #expect(running.texts[0].text == text)
    }
    #expect(instant == Fixture.instant(9, 0, 2))
    #expect(running.nextChange(after: instant) == nil)
  }

  @Test("the look changes near the end and at the end; flips and full redraws give the same pictures")
  func looks() throws {
    let scoreboard = try Self.scoreboard(
      .down, [(.setTimer(.game, to: 62 * Self.second), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(scoreboard, at: 0))
    let shown = stage.scene.picture(at: 0)
    for tick in [1, 2, 3, 10, 40, 62, 63] {
      let clock = Int64(tick) * Self.second
      stage.scene.advance(to: Double(tick))
      stage.update(Self.model(scoreboard, at: clock), at: Double(tick), animated: true)
      for step in 0..<4 {
        stage.scene.advance(to: Double(tick) + Double(step) * 0.16)
        _ = stage.scene.render(into: shown.buffer)
      }
      let fresh = Self.stage(Self.model(scoreboard, at: clock)).scene.picture(at: 0)
      stage.scene.advance(to: Double(tick) + 0.95)
      _ = stage.scene.render(into: shown.buffer)
      #expect(shown.difference(from: fresh) == nil)
      func count(_ color: UInt32) -> Int {
        (0..<Self.size.height).reduce(0) { sum, y in
          sum + (0..<Self.size.width).filter { shown.buffer.row32(y)[$0] & 0xff_ffff == color }.count
        }
      }
      // The timer starts at 62 seconds. The warning begins after two seconds, when 60 are left.
      #expect((count(0xff7657) > 0) == (2..<62).contains(tick))
      #expect((count(0xffffff) > 0) == (tick >= 62))
    }
  }

  private static func stage(
    _ model: StageModel, countdown: Countdown?, size: PixelSize = size,
    _ change: (inout TimerSettings) -> Void = { _ in }
  ) -> Stage {
    var (settings, model) = (TimerSettings(), model)
    (settings.source, settings.countdown) = (.countdown, "doors")
    change(&settings)
    model.countdowns["doors"] = countdown
    return Fixture.stage(
      Fixture.configuration([WidgetSettings(name: "clock", weight: 1, content: settings)]), size, model)
  }

  @Test("A countdown with a name counts down to its end, and after it as configured")
  func namedCountdowns() throws {
    let model = Self.model(try Self.scoreboard(), at: 0)
    let minute = 60 * Self.second
    for (left, plain, overtime, minutes) in [
      (125 * minute, "2:05:00", "2:05:00", "2:05"), (90 * Self.second, "1:30", "1:30", "0:02"),
      (minute, "1:00", "1:00", "0:01"), (Self.second / 10, "0:01", "0:01", "0:01"),
      (0, "0:00", "0:00", "0:00"),
      (-5 * Self.second, "0:00", "+0:05", "0:00"), (-12 * minute, "0:00", "+12:00", "0:00"),
      (-99 * 60 * minute, "0:00", "+99:00:00", "0:00"), (25 * 60 * minute, "25:00:00", "25:00:00", "1d 1:00"),
    ] {
      let countdown = Countdown(.running(end: left), since: 0)
      #expect(Self.stage(model, countdown: countdown).texts[0].text == plain)
      #expect(Self.stage(model, countdown: countdown) { $0.overtime = true }.texts[0].text == overtime)
      #expect(Self.stage(model, countdown: countdown) { $0.seconds = false }.texts[0].text == minutes)
    }
    #expect(Self.stage(model, countdown: nil).texts[0].text == "")
    #expect(
      Self.stage(model, countdown: nil) { $0.until = CivilMoment("2026-11-20T00:02:00Z") }.texts[0].text != ""
    )
  }

  @Test(
    "A countdown warns, ends and counts on in different colours; at rest, flips leave what a new widget shows"
  )
  func countdownLooks() throws {
    let scoreboard = try Self.scoreboard()
    let countdown = Countdown(.running(end: 30 * Self.second), label: "DOORS OPEN", since: 0)
    func settings(_ timer: inout TimerSettings) { (timer.overtime, timer.warning) = (true, 20) }
    func model(_ tick: Int) -> StageModel {
      var model = Self.model(scoreboard, at: Int64(tick) * Self.second)
      model.countdowns["doors"] = countdown
      return model
    }
    let size = PixelSize(width: 320, height: 160)
    let stage = Self.stage(model(0), countdown: countdown, size: size, settings)
    var colors: [Set<UInt32>] = []
    for tick in [1, 11, 30, 35] {
      stage.update(model(tick), at: Double(tick), animated: true)
      let shown = stage.scene.picture(at: Double(tick) + 0.95)
      let fresh = Self.stage(model(tick), countdown: countdown, size: size, settings).scene.picture(at: 0)
      #expect(shown.difference(from: fresh) == nil, "\(tick)")
      colors.append(
        Set((0..<size.height).flatMap { y in (0..<size.width).map { shown.buffer.row32(y)[$0] & 0xff_ffff } })
      )
    }
    #expect(!colors[0].contains(0xff7657) && colors[1].contains(0xff7657))
    #expect(!colors[1].contains(0xffffff) && colors[2].contains(0xffffff) && colors[3].contains(0xffffff))
  }

  @Test("A countdown that shows minutes wakes once a minute, one that is paused or over does not")
  func countdownWakeups() throws {
    let model = Self.model(try Self.scoreboard(), at: 0)
    func wakeups(_ countdown: Countdown, _ change: (inout TimerSettings) -> Void = { _ in }) -> Int {
      let stage = Self.stage(model, countdown: countdown, change)
      var (count, instant) = (0, model.instant)
      while let next = stage.nextChange(after: instant),
        model.instant.nanoseconds(until: next) <= 3_600 * Self.second
      {
        (count, instant) = (count + 1, next)
      }
      return count
    }
    let hours = Countdown(.running(end: 7_200 * Self.second), since: 0)
    #expect(wakeups(hours) == 3_600)
    #expect(wakeups(hours) { $0.seconds = false } == 60)
    #expect(wakeups(Countdown(.paused(left: 7_200 * Self.second), since: 0)) == 0)
    #expect(wakeups(Countdown(.running(end: 60 * Self.second), since: 0)) == 60)
    #expect(wakeups(Countdown(.running(end: 0), since: 0)) == 0)
    #expect(wakeups(Countdown(.running(end: 0), since: 0)) { $0.overtime = true } == 3_600)
    let timed = Countdown(.timed(end: (model.instant.seconds + 30) * Self.second), since: 0)
    #expect(wakeups(timed) == 30)
  }

  @Test("the card of the tenths does not flip")
  func tenthsDoNotFlip() throws {
    let scoreboard = try Self.scoreboard(
      .down, [(.setTimer(.game, to: 20 * Self.second), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(scoreboard, at: 1_250_000_000))
    stage.update(Self.model(scoreboard, at: 1_350_000_000), at: 1, animated: true)
    #expect(stage.scene.activity == .resting)
    stage.update(Self.model(scoreboard, at: 2_150_000_000), at: 2, animated: true)
    #expect(stage.scene.activity != .resting)
  }

  @Test(
    "warnings and ends, small and upright", arguments: [(320, 240), (240, 400)])
  func warningsAndEnds(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    func picture(_ model: StageModel, _ source: TimerSettings.Source, until: String? = nil) -> Bitmap {
      var settings = TimerSettings()
      settings.source = source
      settings.until = until.flatMap { CivilMoment($0) }
      let configuration = Fixture.configuration([
        WidgetSettings(name: "clock", weight: 1, content: settings)
      ])
      return Fixture.stage(configuration, size, model).scene.picture(at: 0)
    }
    for (name, value) in [("warning", 45_700_000_000), ("end", 0)] as [(String, Int64)] {
      let model = Self.model(try Self.scoreboard(.down, [(.setTimer(.game, to: value), 0)]), at: 0)
      try Golden.expect(picture(model, .gameClock), is: "timer-\(width)x\(height)-\(name)")
    }
    let countdown = picture(Fixture.model(), .countdown, until: "2026-12-31T23:59:59")
    try Golden.expect(countdown, is: "timer-\(width)x\(height)-countdown")
  }
}
