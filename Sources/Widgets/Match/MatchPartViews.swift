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

// MARK: Text

/// Lines of text, drawn again only where they change.
final class MatchText: MatchPartView {
  /// A line of text in a box.
  struct Line: Hashable {
    enum Look: Hashable {
      case label
      case figure
      /// A figure that is less important than those beside it.
      case lesser
      /// In the colour of the serve mark.
      case accent
    }

    var text: String
    var look: Look
    var box: Rect
    /// The cap height, in pixels.
    var cap: Double
    /// As in `Label.show`.
    var alignment = 0.5
  }

  let layer = Layer()
  private(set) var shown: [Line] = []
  private var labels: [Label] = []
  private let theme: Theme
  private let lines: (ShownMatch) -> [Line]
  private let change: (ShownMatch, Instant) -> Instant?

  /// - Parameter change: when the lines change although the match does not.
  init(
    theme: Theme, change: @escaping (ShownMatch, Instant) -> Instant? = { _, _ in nil },
    lines: @escaping (ShownMatch) -> [Line]
  ) {
    self.theme = theme
    self.lines = lines
    self.change = change
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    let lines = lines(match)
    while labels.count > lines.count { labels.removeLast().layer.removeFromSuperlayer() }
    while labels.count < lines.count {
      let label = Label()
      layer.addSublayer(label.layer)
      labels.append(label)
    }
    for (index, line) in lines.enumerated() where !shown.indices.contains(index) || shown[index] != line {
      labels[index].show(line.text, style: style(line), in: line.box, alignment: line.alignment)
    }
    shown = lines
  }

  private func style(_ line: Line) -> Label.Style {
    switch line.look {
    case .label: return theme.labelStyle(cap: line.cap, narrowing: 2)
    case .accent:
      var style = theme.labelStyle(cap: line.cap, narrowing: 2)
      style.color = theme.accent
      return style
    case .figure, .lesser:
      var style = theme.figureStyle(cap: line.cap)
      if line.look == .lesser { style.color = theme.label }
      return style
    }
  }

  func nextChange(_ match: ShownMatch, after instant: Instant) -> Instant? { change(match, instant) }
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
    let size = timer.fittingSize(in: rect.size)
    timer.layOut(
      in: Rect(
        x: (rect.midX - size.width / 2).rounded(), y: (rect.midY - size.height / 2).rounded(),
        width: size.width.rounded(.down), height: size.height.rounded(.down)), model: model)
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
      guard match.teams.indices.contains(team) else { return }
      line.show(match.teams[team].counter(line.counter.id), of: match.scoreboard.limit(of: line.counter))
    }
  }
}
