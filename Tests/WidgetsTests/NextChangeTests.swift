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

/// The process sleeps until `nextChange` of what is shown, so a widget must not look different before.
@Suite struct NextChangeTests {
  static let names = WidgetSettings.kinds.map { $0.typeName }

  /// The default settings of a kind, and variants that show more. A sweeping second hand is not among them:
  /// its angle is different at every instant, and `nextChange` is when the difference is large enough to be
  /// drawn.
  private static func variants(_ kind: any WidgetContent.Type) -> [any WidgetContent] {
    func variant<Kind: WidgetContent>(_ change: (inout Kind) -> Void) -> any WidgetContent {
      var content = Kind()
      change(&content)
      return content
    }
    func countdown(
      _ name: String, _ change: (inout TimerSettings) -> Void = { _ in }
    ) -> any WidgetContent {
      var content = TimerSettings()
      (content.source, content.countdown) = (.countdown, name)
      change(&content)
      return content
    }
    let more: [any WidgetContent] = [
      variant { (clock: inout FlipClockSettings) in (clock.seconds, clock.colon) = (true, .blinking) },
      variant { (hands: inout AnalogClockSettings) in hands.secondsBar = true },
      variant { (hands: inout AnalogClockSettings) in hands.secondHand = .none },
      variant { (timer: inout TimerSettings) in timer.tenths = false },
      variant { (timer: inout TimerSettings) in timer.source = .shotClock },
      variant { (timer: inout TimerSettings) in
        timer.source = .countdown
        timer.until = CivilMoment("2026-11-20T12:01:30Z")
      },
      countdown("timed"), countdown("doors"), countdown("doors") { $0.seconds = false },
      countdown("doors") { ($0.seconds, $0.overtime) = (false, true) },
      countdown("timed") { ($0.overtime, $0.warning) = (true, 2.3) }, countdown("paused"), countdown("gone"),
      countdown("gone") { ($0.until, $0.seconds) = (CivilMoment("2026-11-20T12:01:30Z"), false) },
      variant { (score: inout ScoreSettings) in score.style = .scoreboard },
      variant { (board: inout BoardSettings) in board.text = "HALL 1" },
      variant { (image: inout ImageSettings) in
        // Without a picture, only the name in the status changes.
        (image.folder, image.every) = (["/a.png", "/b.png"], 1.5)
      },
    ]
    return [kind.init()] + more.filter { type(of: $0) == kind }
  }

  /// A game with clocks and penalties that run from second 0 on.
  private static let match: Scoreboard = {
    var rules = GameRules(.iceHockey)
    rules.game = GameRules.Timer(.down, length: 65_000_000_000)
    rules.shot = GameRules.Timer(.down, length: 24_000_000_000)
    var board = Scoreboard(teams: [])
    board.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules)
    for action: Scoreboard.Action in [
      .startTimer(.game), .addPenalty(team: "home", length: 3_400_000_000, number: 7),
      .setTimer(.shot, to: 7_300_000_000),
    ] { try? board.apply(action) }
    return board
  }()

  private static let start = Fixture.instant(11, 59, 58)

  private static let countdowns: [String: Countdown] = [
    "doors": Countdown(.running(end: 95_400_000_000), label: "DOORS OPEN", since: 0),
    "timed": Countdown(.timed(end: (start.seconds + 7) * 1_000_000_000), since: 0),
    "paused": Countdown(.paused(left: 3_900_000_000_000), label: "PAUSED", since: 0),
  ]

  private static func model(at instant: Instant) -> StageModel {
    StageModel(
      instant: instant, scoreboard: match, clock: start.nanoseconds(until: instant), countdowns: countdowns)
  }

  private struct Appearance: Equatable {
    var text: String
    var picture: Bitmap

    static func == (a: Self, b: Self) -> Bool {
      a.text == b.text && a.picture.difference(from: b.picture) == nil
    }
  }

  @Test(
    "A widget's picture and its text in `status` change at `nextChange` and not before",
    arguments: names)
  func appearances(typeName: String) throws {
    let kind = try #require(WidgetSettings.kinds.first { $0.typeName == typeName })
    for content in Self.variants(kind) {
      let configuration = Fixture.configuration([WidgetSettings(name: "w", weight: 1, content: content)])
      func stage(_ instant: Instant) -> Stage {
        Fixture.stage(configuration, PixelSize(width: 160, height: 90), Self.model(at: instant))
      }
      func appearance(_ instant: Instant) -> Appearance {
        let stage = stage(instant)
        return Appearance(text: stage.texts[0].text, picture: stage.scene.picture(at: 0))
      }
      var random = SplitMix(seed: 7)
      for begin in [Self.start, Fixture.instant(23, 59, 57), Fixture.instant(12, 1, 28)] {
        var instant = begin.advanced(nanoseconds: 250_000_000)
        for _ in 0..<12 {
          let shown = appearance(instant)
          let next = stage(instant).nextChange(after: instant)
          let wait = next.map { instant.nanoseconds(until: $0) } ?? 100_000_000_000
          #expect(wait > 0)
          // A wakeup that is up to 2 ms early shows the clocks of a match after the change.
          for part in [0, random.unit(), 1] {
            let later = instant.advanced(nanoseconds: max(Int64(Double(wait - 3_000_000) * part), 0))
            #expect(
              appearance(later) == shown, "\(content): something changes between \(instant) and \(later)")
          }
          guard let next else { break }
          #expect(appearance(next) != shown, "\(content): nothing changes at \(next)")
          instant = next
        }
      }
    }
  }
}
