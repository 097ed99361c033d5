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
  let text: TextLines
  private let lines: (ShownMatch) -> [TextLines.Line]
  private let change: (ShownMatch, Instant) -> Instant?

  var layer: Layer { text.layer }

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

/// A caption between the scores of two teams. While one of them needs one point to win the set or the match,
/// this is shown instead, with an arrow in the team's colour that points to its score.
final class WinningCaption: MatchPartView {
  let text: TextLines
  private let name: TextLines.Line?
  private let mark: TextLines.Line
  let arrows = [Layer(), Layer()]
  private var shownColors: [Color?] = []
  private let context: WidgetContext

  var layer: Layer { text.layer }

  /// - Parameters:
  ///   - name: the caption; nil: none.
  ///   - mark: the line of a set point or match point, without its text.
  init(_ name: TextLines.Line?, _ mark: TextLines.Line, context: WidgetContext) {
    text = TextLines(theme: context.theme)
    self.name = name
    self.context = context
    var mark = mark
    let (width, height) = (max((1.2 * mark.cap).rounded(), 4), max((1.7 * mark.cap).rounded(), 6))
    let ends = [mark.box.x.rounded(), (mark.box.maxX - width).rounded()]
    for (arrow, x) in zip(arrows, context.language.isRightToLeft ? ends.reversed() : ends) {
      arrow.frame = Rect(x: x, y: (mark.box.midY - height / 2).rounded(), width: width, height: height)
      text.layer.addSublayer(arrow)
    }
    let side = width + max((0.5 * mark.cap).rounded(), 2)
    mark.box.x += side
    mark.box.width -= 2 * side
    self.mark = mark
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    let points = match.teams.map { match.scoreboard.winningPoint(of: $0) }
    let best: WinningPoint? = points.contains(.match) ? .match : points.contains(.set) ? .set : nil
    if let best {
      var mark = mark
      mark.text = match.scoreboard.rules.winningPointNames[best]
      text.show([mark])
    } else {
      text.show(name.map { [$0] } ?? [])
    }
    let colors = zip(match.teams, points).map { best != nil && $1 == best ? context.color(of: $0) : nil }
    guard colors != shownColors else { return }
    shownColors = colors
    for (arrow, color) in zip(arrows, colors) {
      arrow.contents = color.map { Self.arrow(arrow.frame.size, toLeft: arrow.frame.x < mark.box.x, $0) }
    }
  }

  /// A triangle that points to a side.
  private static func arrow(_ size: Size, toLeft: Bool, _ color: Color) -> LayerImage {
    let image = Bitmap(width: Int(size.width), height: Int(size.height), format: .argb8888)
    let (base, tip) = toLeft ? (size.width, 0) : (0, size.width)
    let corners = [
      Point(x: base, y: 0), Point(x: tip, y: size.height / 2), Point(x: base, y: size.height),
    ]
    var filler = PolygonFiller()
    filler.fill(corners, with: color, into: image.buffer, clip: image.buffer.bounds)
    return LayerImage(image)
  }
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
    board.addCard(CardSymbol(String(number(match))), frame: rect, images: images, drum: .digits)
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    board.show([CardSymbol(String(number(match)))], at: time, animated: animated)
  }

  func prepare(after model: StageModel) -> Bool { images.prepareDigit() }
}

/// A clock of the match.
final class MatchClock: MatchPartView {
  let id: GameTimer.ID
  let timer: TimerWidget
  var layer: Layer { timer.layer }

  /// - Parameter isTight: whether the minutes have no empty card.
  init(
    _ id: GameTimer.ID, in rect: Rect, isTight: Bool, context: WidgetContext, motion: CardMotionSettings,
    model: StageModel
  ) {
    self.id = id
    var settings = TimerSettings()
    switch id {
    case .game: settings.source = .gameClock
    case .shot: settings.source = .shotClock
    case .breakClock: settings.source = .breakClock
    }
    settings.motion = motion
    timer = TimerWidget(settings, weight: 1, zone: .utc, context: context, isTight: isTight)
    timer.layOut(in: isTight ? rect : rect.wholeMiddle(timer.fittingSize(in: rect.size)), model: model)
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
