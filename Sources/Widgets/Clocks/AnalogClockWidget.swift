// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension AnalogClockSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    AnalogClockWidget(self, weight: weight, zone: context.zones(zone), context: context)
  }

  /// The time in 24-hour format: `09:05`.
  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    let time = zones(zone).civil(model.instant)
    return "\(padded(time.hour)):\(padded(time.minute))"
  }
}

/// An analog clock. The hour hand and the minute hand move on the full minute; the second hand ticks or
/// sweeps. Between two movements no animation runs.
final class AnalogClockWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: AnalogClockSettings
  private let zone: TimeZone
  private let context: WidgetContext
  private var hour: AnalogClockHand?
  private var minute: AnalogClockHand?
  private var second: AnalogClockHand?
  private var bar: ProgressBar?

  /// The height of the seconds bar with the space above it, as a fraction of the dial's diameter.
  private static let barRoom = 0.1
  private static let spring = Spring(mass: 1, stiffness: 900, damping: 34)

  init(_ settings: AnalogClockSettings, weight: Double, zone: TimeZone, context: WidgetContext) {
    self.settings = settings
    self.zone = zone
    self.context = context
    sizing = .flexible(weight: weight, limit: 0.88)
  }

  func fittingSize(in box: Size) -> Size {
    let room = settings.secondsBar ? 1 + Self.barRoom : 1
    let side = max((min(box.width, box.height / room) / 2).rounded(.down) * 2, 8)
    return Size(width: side, height: (side * room).rounded(.down))
  }

  func layOut(in rect: Rect, model: StageModel) {
    let side = fittingSize(in: rect.size).width
    let radius = side / 2
    let drawn = AnalogClockDial(
      theme: context.theme, marks: settings.marks, radius: radius, digits: context.language)
    let dial = Layer()
    let margin = Double(drawn.margin)
    let left = (rect.midX - radius).rounded()
    dial.frame = Rect(
      x: left - margin, y: rect.y - margin, width: Double(drawn.side), height: Double(drawn.side))
    dial.contents = LayerImage(drawn.draw())
    layer.addSublayer(dial)

    let arbour = Point(x: left + radius, y: rect.y + radius)
    let symbol = context.theme.symbol
    let theme = context.theme
    let ground = theme.cardUpperTop.mixed(with: theme.cardLowerTop, 0.5)
    /// A hand with a rim in the colour of the dial.
    func hand(_ color: Color, _ outline: (_ rim: Double) -> [Point]) -> AnalogClockHand {
      let rim = (outline(max(0.009 * radius, 0.7)), ground)
      let hand = AnalogClockHand(outline: outline(0), rim: rim, arbour: arbour, color: color)
      layer.addSublayer(hand)
      return hand
    }
    hour = hand(symbol) { rim in
      AnalogClockHand.bar(
        length: 0.52 * radius + rim, tail: 0.13 * radius + rim, base: 0.034 * radius + rim,
        tip: 0.026 * radius + rim)
    }
    minute = hand(symbol) { rim in
      AnalogClockHand.bar(
        length: 0.82 * radius + rim, tail: 0.15 * radius + rim, base: 0.026 * radius + rim,
        tip: 0.017 * radius + rim)
    }
    var cap = symbol
    if settings.secondHand != .none {
      cap = context.theme.dimmed(Color(rgb: settings.secondColor))
      let width = max(0.0075 * radius, 0.5)
      second = hand(cap) { rim in
        AnalogClockHand.needle(
          length: 0.88 * radius + rim, tail: 0.24 * radius + rim, width: width + rim,
          weight: width * 2.4 + rim)
      }
    }
    addHub(arbour, radius: max(0.042 * radius, 1.5), color: cap)
    if settings.secondsBar { addBar(under: rect, left: left, side: side) }
    update(model, at: context.scene.time, animated: false)
  }

  /// Adds the disc at the centre, with a pin in the middle.
  private func addHub(_ arbour: Point, radius: Double, color: Color) {
    let half = Int(radius.rounded(.up)) + 1
    let bitmap = Bitmap(width: 2 * half, height: 2 * half, format: .argb8888)
    func disc(_ radius: Double) -> [Point] {
      AnalogClockHand.bar(length: radius, tail: radius, base: radius, tip: radius).map {
        Point(x: $0.x + Double(half), y: $0.y + Double(half))
      }
    }
    var filler = PolygonFiller()
    let clip = bitmap.buffer.bounds
    filler.fill(disc(radius), with: color, into: bitmap.buffer, clip: clip)
    filler.fill(disc(radius * 0.36), with: context.theme.cardLowerTop, into: bitmap.buffer, clip: clip)
    let hub = Layer()
    hub.frame = Rect(
      x: arbour.x - Double(half), y: arbour.y - Double(half), width: Double(2 * half),
      height: Double(2 * half))
    hub.contents = LayerImage(bitmap)
    layer.addSublayer(hub)
  }

  private func addBar(under rect: Rect, left: Double, side: Double) {
    let height = max((side * 0.012).rounded(), 2)
    let width = (side * 0.6).rounded()
    let bar = ProgressBar(
      frame: Rect(
        x: left + ((side - width) / 2).rounded(),
        y: rect.y + (side * (1 + Self.barRoom)).rounded(.down) - height,
        width: width, height: height),
      track: context.theme.cardLowerBottom, color: context.theme.dimmed(Color(rgb: settings.secondColor)))
    layer.addSublayer(bar)
    self.bar = bar
  }

  // MARK: The model

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let fields = zone.civil(model.instant)
    let isSweeping = settings.secondHand == .sweeping
    let seconds = Double(fields.second) + (isSweeping ? Double(model.instant.nanoseconds) / 1e9 : 0)
    let motion = animated ? tick(at: time) : nil
    turn(hour, to: Double(fields.hour % 12 * 60 + fields.minute) / 720, motion)
    turn(minute, to: Double(fields.minute) / 60, motion)
    turn(second, to: seconds / 60, isSweeping ? nil : motion)
    if let bar {
      var slide = motion.map { _ in Animation(ProgressBar.progress, duration: 0.25) }
      slide?.timingFunction = .easeInEaseOut
      slide?.beginTime = time
      slide?.fillMode = .backwards
      bar.actions[ProgressBar.progress] = isSweeping ? nil : slide
      bar.set(ProgressBar.progress, to: .scalar(seconds / 60))
    }
  }

  private func turn(_ hand: AnalogClockHand?, to turns: Double, _ motion: Animation?) {
    hand?.actions[AnalogClockHand.angle] = motion
    hand?.set(AnalogClockHand.angle, to: .scalar(turns * 2 * .pi))
  }

  /// The animation of a hand to its next mark, starting at `time`; nil: the hand jumps.
  private func tick(at time: Double) -> Animation? {
    guard !context.motion.isOff, settings.tick == .spring || settings.tickDuration > 0 else { return nil }
    var animation = Animation(AnalogClockHand.angle, duration: settings.tickDuration)
    switch settings.tick {
    case .none: return nil
    case .spring: animation = Animation(AnalogClockHand.angle, spring: Self.spring)
    case .eased(let easing): animation.timingFunction = TimingFunction(easing)
    }
    animation.beginTime = time
    animation.fillMode = .backwards
    return animation
  }

  func nextChange(after instant: Instant) -> Instant? {
    if settings.secondHand == .none, !settings.secondsBar {
      return zone.nextBoundary(after: instant, unit: .minute)
    }
    let second = zone.nextBoundary(after: instant, unit: .second)
    guard settings.secondHand == .sweeping else { return second }
    let step = Int32(1e9 / min(max(settings.sweepRate, 1), 60))
    let next = (instant.nanoseconds / step + 1) * step
    // The last step of a second ends at the full second.
    guard next <= 1_000_000_000 - step / 2 else { return second }
    return Instant(seconds: instant.seconds, nanoseconds: next)
  }
}
