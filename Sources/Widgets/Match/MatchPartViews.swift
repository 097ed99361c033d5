// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings

/// What the parts of a scoreboard show.
struct ShownMatch {
  /// In the order in which they are shown.
  var teams: [Scoreboard.Team]
  var model: StageModel

  var scoreboard: Scoreboard { model.scoreboard }
}

/// The layers of a scoreboard's part.
protocol MatchPartView: AnyObject {
  var layer: Layer { get }
  /// Shows what the part says of the match. Cards start flipping at `time` (scene seconds) if `animated`.
  func show(_ match: ShownMatch, at time: Double, animated: Bool)
  /// The next time, strictly after `instant`, at which the part shows something else although `match` is
  /// unchanged.
  func nextChange(_ match: ShownMatch, after instant: Instant) -> Instant?
  /// As in `Widget`.
  func prepare(after model: StageModel) -> Bool
}

extension MatchPartView {
  func nextChange(_ match: ShownMatch, after instant: Instant) -> Instant? { nil }
  func prepare(after model: StageModel) -> Bool { false }
}

/// Lines of text that follow from the match.
final class MatchText: MatchPartView {
  private let text: TextLines
  private let lines: (ShownMatch) -> [TextLines.Line]
  private let change: (ShownMatch, Instant) -> Instant?

  var layer: Layer { text.layer }
  var shown: [TextLines.Line] { text.shown }

  /// - Parameter change: when the lines change although the match does not.
  init(
    theme: Theme, change: @escaping (ShownMatch, Instant) -> Instant? = { _, _ in nil },
    lines: @escaping (ShownMatch) -> [TextLines.Line]
  ) {
    text = TextLines(theme: theme)
    self.lines = lines
    self.change = change
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) { text.show(lines(match)) }

  func nextChange(_ match: ShownMatch, after instant: Instant) -> Instant? { change(match, instant) }
}

/// A team's logo.
final class MatchLogo: MatchPartView {
  private let picture: PictureLayer
  private let team: Int
  private let logos: [String: String]

  var layer: Layer { picture.layer }

  init(in rect: Rect, team: Int, _ context: WidgetContext) {
    picture = PictureLayer(in: rect, context.pictures)
    (self.team, logos) = (team, context.logos)
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    picture.show(match.teams.at(team).flatMap { logos[$0.id] })
  }
}

// MARK: Cards

/// A small number on one card.
final class MatchNumber: MatchPartView {
  let layer: Layer
  private let board: FlipBoard
  private let images: CardImages
  private let number: (ShownMatch) -> Int

  init(
    in rect: Rect, images: CardImages, motion: FlipMotion, scene: Scene,
    number: @escaping (ShownMatch) -> Int,
    match: ShownMatch
  ) {
    self.number = number
    self.images = images
    board = FlipBoard(motion: motion, scene: scene)
    layer = board.layer
    board.addCard(String(number(match)), frame: rect, images: images, drum: .digits)
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    board.show([String(number(match))], at: time, animated: animated)
  }

  func prepare(after model: StageModel) -> Bool { images.prepareDigit() }
}

/// A clock of the match.
final class MatchClock: MatchPartView {
  private let timer: TimerWidget
  var layer: Layer { timer.layer }

  init(
    _ id: GameTimer.ID, in rect: Rect, context: WidgetContext, motion: CardMotionSettings, model: StageModel
  ) {
    var settings = TimerSettings()
    var context = context
    switch id {
    case .game: settings.source = .gameClock
    case .shot: settings.source = .shotClock
    case .breakClock:
      settings.source = .breakClock
      context.theme.symbol = context.theme.accent
      context.theme.onGround = context.theme.accent
    }
    settings.motion = motion
    timer = TimerWidget(settings, weight: 1, zone: .utc, context: context)
    timer.layOut(in: rect.wholeMiddle(timer.fittingSize(in: rect.size)), model: model)
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    timer.update(match.model, at: time, animated: animated)
  }

  func nextChange(_ match: ShownMatch, after instant: Instant) -> Instant? {
    timer.nextChange(after: instant)
  }

  func prepare(after model: StageModel) -> Bool { timer.prepare(after: model) }
}

extension CounterLine {
  /// A team's counter as a part of a scoreboard.
  final class Part: MatchPartView {
    let layer: Layer
    let line: CounterLine
    private let team: Int

    init(_ line: CounterLine, team: Int) {
      self.line = line
      self.team = team
      layer = line.layer
    }

    func show(_ match: ShownMatch, at time: Double, animated: Bool) {
      guard let team = match.teams.at(team) else { return }
      line.show(team.counter(line.counter.id), of: match.scoreboard.limit(of: line.counter))
    }
  }
}
