// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension FlipClockSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    FlipClockWidget(self, weight: weight, zone: context.zones(zone), context: context)
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    ClockText(zones(zone).civil(model.instant), self, in: language).text
  }
}

/// The time on split-flap cards.
final class FlipClockWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: FlipClockSettings
  private let zone: TimeZone
  private let context: WidgetContext
  private var board: FlipBoard?
  private(set) var images: CardImages?
  private var dots: [Layer] = []
  private let parts: ClockGeometry.Parts

  init(_ settings: FlipClockSettings, weight: Double, zone: TimeZone, context: WidgetContext) {
    self.settings = settings
    self.zone = zone
    self.context = context
    let shorter = min(context.page.width, context.page.height)
    let most = settings.maxHeight.map { Double($0) / 100 * shorter / max(context.page.height, 1) }
    sizing = .flexible(weight: weight, limit: min(most ?? context.clockLimit, context.clockLimit))
    parts = ClockGeometry.Parts(
      groups: Array(repeating: settings.cards == .pair ? 1 : 2, count: settings.seconds ? 3 : 2),
      aspect: settings.cards == .pair ? CardMetrics.pairAspect : CardMetrics.aspect,
      hasColon: settings.colon != .none,
      hasPeriod: settings.hours.isTwelve(in: context.language) && settings.amPM)
  }

  func fittingSize(in box: Size) -> Size { ClockGeometry(parts, in: box).size }

  func layOut(in rect: Rect, model: StageModel) {
    let geometry = ClockGeometry(parts, in: rect.size)
    let origin = geometry.origin(in: rect)
    let clock = ClockText(zone.civil(model.instant), settings, in: context.language)
    let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
    let images = CardImages(metrics: geometry.metrics, theme: context.theme, digits: context.language)
    self.images = images
    let periodImages =
      parts.hasPeriod ? CardImages(metrics: geometry.periodMetrics, theme: context.theme) : images
    for (index, (symbol, frame)) in zip(clock.symbols, geometry.cards).enumerated() {
      let isPeriod = parts.hasPeriod && index == geometry.cards.count - 1
      board.addCard(
        symbol, frame: frame.offset(x: origin.x, y: origin.y), images: isPeriod ? periodImages : images,
        drum: drum(isPeriod: isPeriod, isHours: index == 0))
    }
    dots = geometry.dots(at: origin, context.theme.onGround)
    // A flap in flight passes in front of the colon.
    for dot in dots { layer.addSublayer(dot) }
    layer.addSublayer(board.layer)
    self.board = board
    update(model, at: context.scene.time, animated: false)
  }

  /// Whether only the shown and the next cards are kept. For a clock that shows seconds, or that passes
  /// through all symbols, all digits are drawn in advance instead, or nothing if its cards show pairs of
  /// digits.
  private var preparesAhead: Bool { !settings.seconds && settings.motion.symbols != .through }

  func prepare(after model: StageModel) -> Bool {
    guard let board, let images else { return false }
    guard preparesAhead else { return settings.cards == .digit && images.prepareDigit() }
    let next = zone.nextBoundary(after: model.instant, unit: .minute)
    let coming = ClockText(zone.civil(next), settings, in: context.language).symbols
    let shown = ClockText(zone.civil(model.instant), settings, in: context.language).symbols
    return images.prepare(shown: shown, coming: coming) { board.prepare(coming) }
  }

  private func drum(isPeriod: Bool, isHours: Bool) -> SymbolDrum {
    if isPeriod { return SymbolDrum(periods: context.language) }
    guard settings.cards == .pair else { return .digits }
    guard isHours else { return .pairs(0...59) }
    return settings.hours.isTwelve(in: context.language)
      ? .pairs(1...12, leadingZero: settings.leadingZero) : .pairs(0...23, leadingZero: settings.leadingZero)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let fields = zone.civil(model.instant)
    let clock = ClockText(fields, settings, in: context.language)
    board?.show(clock.symbols, at: time, animated: animated)
    if settings.colon == .blinking {
      for dot in dots { dot.opacity = fields.second % 2 == 0 ? 1 : 0.16 }
    }
  }

  func nextChange(after instant: Instant) -> Instant? {
    let everySecond = settings.seconds || settings.colon == .blinking
    return zone.nextBoundary(after: instant, unit: everySecond ? .second : .minute)
  }
}
