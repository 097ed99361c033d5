// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings

/// The game clock or the shot clock on split-flap cards. It has no time of its own: what it shows follows from
/// the match, and while the clock of the match stands it wakes nobody.
final class TimerWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing
  private(set) var text = ""

  private let settings: TimerSettings
  private let context: WidgetContext
  private var board: FlipBoard?
  private var dots: [Layer] = []
  private var dotImages: (plain: LayerImage, alarmed: LayerImage)?
  private var rect = Rect.zero
  /// Cards for minutes (none for the shot clock) and for seconds.
  private var cards = (minutes: 0, seconds: 2)
  /// What was shown last.
  private var model: StageModel?

  private static let alarm = Color(rgb: 0xe5484d)

  init(_ settings: TimerSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    sizing = .flexible(weight: weight, limit: 0.62)
    cards = Self.cards(nil, hasMinutes: settings.source == .gameClock)
  }

  private var timer: GameTimer.ID { settings.source == .gameClock ? .game : .shot }
  private var hasMinutes: Bool { settings.source == .gameClock }

  private static func cards(_ text: TimerText?, hasMinutes: Bool) -> (minutes: Int, seconds: Int) {
    if hasMinutes { return (TimerText.minuteCards(text?.minutes ?? 0), 2) }
    return (0, max(String(text?.seconds ?? 0).count, 2))
  }

  private var parts: ClockGeometry.Parts {
    ClockGeometry.Parts(
      groups: hasMinutes ? [cards.minutes, cards.seconds] : [cards.seconds], aspect: CardMetrics.aspect,
      hasColon: true, hasPeriod: false)
  }

  func fittingSize(in box: Size) -> Size { ClockGeometry(parts, in: box).size }

  private func reading(_ model: StageModel) -> Scoreboard.TimerReading? {
    model.scoreboard.reading(of: timer, at: model.clock)
  }

  private func shown(_ reading: Scoreboard.TimerReading?) -> TimerText? {
    reading.map { TimerText($0, hasMinutes: hasMinutes) }
  }

  private func symbols(_ text: TimerText?) -> [String] {
    text?.symbols(minuteCards: cards.minutes, secondCards: cards.seconds)
      ?? Array(repeating: "", count: cards.minutes + cards.seconds)
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    rebuild(model)
  }

  private func rebuild(_ model: StageModel) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    let shown = shown(reading(model))
    cards = Self.cards(shown, hasMinutes: hasMinutes)
    let geometry = ClockGeometry(parts, in: rect.size)
    let origin = rect.offset(
      x: ((rect.width - geometry.size.width) / 2).rounded(),
      y: ((rect.height - geometry.size.height) / 2).rounded())
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    images.prepareDigits()
    let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
    for (symbol, frame) in zip(symbols(shown), geometry.cards) {
      board.addCard(symbol, frame: frame.offset(x: origin.x, y: origin.y), images: images, drum: .digits)
    }
    dots = geometry.dots.map { center in
      let dot = Layer()
      let side = Double(geometry.dotDiameter)
      dot.frame = Rect(
        x: (origin.x + center.x - side / 2).rounded(), y: (origin.y + center.y - side / 2).rounded(),
        width: side,
        height: side)
      return dot
    }
    dotImages = (
      LayerImage(Disc.image(diameter: geometry.dotDiameter, color: context.theme.onGround)),
      LayerImage(Disc.image(diameter: geometry.dotDiameter, color: Self.alarm))
    )
    for dot in dots { layer.addSublayer(dot) }
    layer.addSublayer(board.layer)
    self.board = board
    update(model, at: context.scene.time, animated: false)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let reading = reading(model)
    let shown = shown(reading)
    text = shown?.text(hasMinutes: hasMinutes) ?? ""
    guard let board else { return }
    if Self.cards(shown, hasMinutes: hasMinutes) != cards {
      rebuild(model)
      return
    }
    board.show(symbols(shown), at: time, animated: animated)
    let isAlarmed = reading.map { $0.isWarning || $0.hasEnded } ?? false
    for dot in dots { dot.contents = isAlarmed ? dotImages?.alarmed : dotImages?.plain }
  }

  func nextChange(after instant: Instant) -> Instant? {
    guard let model else { return nil }
    let elapsed = model.instant.nanoseconds(until: instant)
    guard let reading = model.scoreboard.reading(of: timer, at: model.clock + elapsed),
      let remaining = TimerText.remaining(reading)
    else { return nil }
    return instant.advanced(nanoseconds: max(remaining, 1))
  }
}

extension Instant {
  /// Nanoseconds from here to `other`, within what they can count.
  fileprivate func nanoseconds(until other: Instant) -> Int64 {
    let seconds = min(
      max(other.seconds.subtractingReportingOverflow(self.seconds).partialValue, -1 << 32), 1 << 32)
    return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(nanoseconds)
  }

  fileprivate func advanced(nanoseconds count: Int64) -> Instant {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sum = Int64(nanoseconds) + rest
    return Instant(
      seconds: seconds + whole + sum / 1_000_000_000,
      nanoseconds: Int32(truncatingIfNeeded: sum % 1_000_000_000))
  }
}
