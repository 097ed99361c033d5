// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import LinuxSystem
import Raster
import Scoreboard
import Settings
import Typography
import Widgets

/// Everything that moves, one kind at a time.
struct Subjects {
  /// The number of stack traces to print per frame.
  var traces = 0
  private let size = PixelSize(width: 320, height: 180)

  typealias Report = (_ name: String, FrameCounter) -> Void

  func run(_ report: Report) throws(SystemError) {
    for transition in DigitTransition.allCases where transition != .none {
      for path in [CardMotionSettings.Path.direct, .through] {
        try cards(transition, path, nil, report)
      }
      try cards(transition, .direct, .steps(6), report)
    }
    for kind in PageTransitionSettings.Kind.allCases where kind != .cut { try pages(kind, report) }
    for (tick, name) in [
      (AnalogClockSettings.Tick.spring, "spring"), (.eased(.easeIn), "ease-in"),
      (.eased(.easeInOut), "ease-in-out"),
    ] {
      try hands(tick, name, report)
    }
    try messages(report)
    try scoreboard(report)
    try layers(report)
  }

  // MARK: Widgets

  private func configuration(_ widgets: [WidgetSettings]) -> Configuration {
    var configuration = Configuration()
    configuration.theme.symbolFont = FontLibrary.builtInName
    configuration.theme.labelFont = FontLibrary.builtInName
    configuration.widgets = widgets
    configuration.layout.rows = widgets.map { [$0.name] }
    return configuration
  }

  private func stage(_ configuration: Configuration, _ model: StageModel) -> Stage {
    Stage(configuration, size: size, fonts: FontLibrary { _ in }, zones: { _ in .utc }, model: model, time: 0)
  }

  private func model(_ second: Int = 0, home: Int = 0, guest: Int = 12) -> StageModel {
    StageModel(
      instant: Instant(seconds: 1_795_132_797 + Int64(second)),
      scoreboard: Scoreboard(teams: [
        .init(id: "home", name: "HOME", score: home), .init(id: "guest", name: "GUEST", score: guest),
      ]))
  }

  private func cards(
    _ transition: DigitTransition, _ path: CardMotionSettings.Path, _ easing: EasingSettings?,
    _ report: Report
  ) throws(SystemError) {
    var score = ScoreSettings()
    score.motion.transition = transition
    score.motion.symbols = path
    score.motion.flapRate = 4
    score.motion.easing = easing
    let stage = stage(configuration([WidgetSettings(name: "score", weight: 1, content: score)]), model())
    let counter = try FrameCounter(stage.scene, traces: traces)
    // A change, another change while the cards move, and several at once.
    for (home, guest, time) in [(1, 12, 0.3), (3, 12, 2), (44, 57, 4)] {
      stage.update(model(home: home, guest: guest), at: stage.scene.time, animated: true)
      try counter.run(until: time)
    }
    let steps = easing == nil ? "" : " in steps"
    report("digits \(transition.rawValue) \(path.rawValue)\(steps)", counter)
  }

  /// The scoreboard page: its score, period and clocks change.
  private func scoreboard(_ report: Report) throws(SystemError) {
    var settings = ScoreSettings()
    settings.style = .scoreboard
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(.basketball))
    func model(_ second: Int) -> StageModel {
      StageModel(
        instant: Instant(seconds: 1_795_132_797 + Int64(second)), scoreboard: scoreboard,
        clock: Int64(second) * 1_000_000_000)
    }
    let stage = stage(
      configuration([WidgetSettings(name: "score", weight: 1, content: settings)]), model(0))
    let counter = try FrameCounter(stage.scene, traces: traces)
    let actions: [Scoreboard.Action] = [
      .startTimer(.game), .addScore(team: "home", by: 3), .addPeriod(by: 1),
      .setCounter(team: "guest", counter: "fouls", to: 2),
    ]
    for (second, action) in actions.enumerated() {
      try? scoreboard.apply(action, at: Int64(second) * 1_000_000_000)
      stage.update(model(second + 1), at: stage.scene.time, animated: true)
      try counter.run(until: Double(second + 1))
    }
    report("scoreboard", counter)
  }

  private func pages(_ kind: PageTransitionSettings.Kind, _ report: Report) throws(SystemError) {
    var clock = FlipClockSettings()
    clock.seconds = true
    var configuration = configuration([
      WidgetSettings(name: "time", weight: 1, content: clock),
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings()),
    ])
    configuration.pages = ["time", "score"].map { name in
      var layout = LayoutSettings()
      layout.rows = [[name]]
      return PageSettings(name: name, layout: layout)
    }
    configuration.pageTransition.kind = kind
    let stage = stage(configuration, model())
    let counter = try FrameCounter(stage.scene, traces: traces)
    for (second, page) in ["score", "time", "score", "time"].enumerated() {
      stage.show(page: page, model(second)) { stage.scene.time }
      try counter.run(until: stage.scene.time + 0.4)
      // The page's contents change during the transition.
      stage.update(model(second + 1, home: second + 1), at: stage.scene.time, animated: true)
      // The third page is replaced during its transition.
      try counter.run(until: stage.scene.time + (second == 2 ? 0.2 : 1.6))
    }
    report("page \(kind.rawValue)", counter)
  }

  private func hands(
    _ tick: AnalogClockSettings.Tick, _ name: String, _ report: Report
  ) throws(SystemError) {
    var settings = AnalogClockSettings()
    settings.tick = tick
    settings.tickDuration = 0.6
    settings.secondsBar = true
    let stage = stage(
      configuration([WidgetSettings(name: "hands", weight: 1, content: settings)]), model())
    let counter = try FrameCounter(stage.scene, traces: traces)
    for second in 1...4 {
      stage.update(model(second), at: stage.scene.time, animated: true)
      try counter.run(until: Double(second))
    }
    report("hands and bar \(name)", counter)
  }

  private func messages(_ report: Report) throws(SystemError) {
    let stage = stage(
      configuration([WidgetSettings(name: "score", weight: 1, content: ScoreSettings())]), model())
    let counter = try FrameCounter(stage.scene, traces: traces)
    // A message appears, another one replaces it while it moves, and the second one disappears.
    for (message, time) in [("HELLO", 0.2), ("GOODBYE", 1), (nil, 2)] as [(String?, Double)] {
      var shown = model(home: Int(time * 10))
      shown.message = message
      stage.update(shown, at: stage.scene.time, animated: true)
      try counter.run(until: time)
    }
    report("message", counter)
  }
}
