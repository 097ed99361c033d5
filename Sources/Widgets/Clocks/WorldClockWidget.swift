// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension WorldClockSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    WorldClockWidget(self, weight: weight, context: context)
  }

  /// Each city with its time and mark: `OSLO 09:59, TOKYO 17:59 +1`.
  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    let times = cities.map { zones($0.zone).civil(model.instant) }
    return zip(cities, times).map { city, time in
      let mark = dayMark.text(time, beside: times[0], in: language)
      return "\(city.name) \(ClockText(time, clock, in: language).text)" + (mark.isEmpty ? "" : " \(mark)")
    }.joined(separator: ", ")
  }

  /// The settings of each city's clock.
  fileprivate var clock: FlipClockSettings {
    var clock = FlipClockSettings()
    clock.hours = hours
    clock.leadingZero = leadingZero
    clock.amPM = amPM
    return clock
  }
}

extension WorldClockSettings.DayMark {
  /// The mark of another date; empty if the date is the first city's.
  fileprivate func text(_ fields: CivilFields, beside first: CivilFields, in language: Language) -> String {
    // Zones are at most 26 hours apart.
    let days = (fields.weekday - first.weekday + 10) % 7 - 3
    guard days != 0 else { return "" }
    switch self {
    case .none: return ""
    case .offset: return language.digits(in: days > 0 ? "+\(days)" : "−\(-days)")
    case .weekday:
      return language.uppercased(language.weekday(fields.weekday, .init(isShort: true, isAlone: true)))
    }
  }
}

/// The time in several cities, each on a small flip clock with its name beneath and a mark if the date
/// differs from the first city's.
final class WorldClockWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: WorldClockSettings
  private let clockSettings: FlipClockSettings
  private let zones: [TimeZone]
  private let context: WidgetContext
  private let parts: ClockGeometry.Parts
  private(set) var cities: [City] = []
  private(set) var images: CardImages?

  struct City {
    let board: FlipBoard
    let caption: CityCaption
  }

  init(_ settings: WorldClockSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    self.zones = settings.cities.map { context.zones($0.zone) }
    sizing = .flexible(weight: weight, limit: 0.84)
    clockSettings = settings.clock
    parts = ClockGeometry.Parts(
      groups: [2, 2], aspect: CardMetrics.aspect, hasColon: true,
      hasPeriod: settings.hours.isTwelve(in: context.language) && settings.amPM)
  }

  private func geometry(in box: Size) -> WorldClockGeometry {
    WorldClockGeometry(
      cities: settings.cities.count, parts, reference: min(context.page.width, context.page.height), in: box)
  }

  func fittingSize(in box: Size) -> Size { geometry(in: box).size }

  func layOut(in rect: Rect, model: StageModel) {
    let geometry = geometry(in: rect.size)
    let origin = Point(
      x: rect.x + ((rect.width - geometry.size.width) / 2).rounded(),
      y: rect.y + ((rect.height - geometry.size.height) / 2).rounded())
    let clock = geometry.clock
    let images = CardImages(metrics: clock.metrics, theme: context.theme, digits: context.language)
    self.images = images
    let periodImages =
      parts.hasPeriod ? CardImages(metrics: clock.periodMetrics, theme: context.theme) : images
    let room = min(geometry.columnGap * 0.42, Double(clock.metrics.height) * 0.5)
    for (index, zone) in zones.enumerated() {
      var place = geometry.origin(index, of: zones.count)
      if context.language.isRightToLeft { place.x = geometry.size.width - place.x - clock.size.width }
      let corner = Point(x: origin.x + place.x, y: origin.y + place.y)
      let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
      let shown = ClockText(zone.civil(model.instant), clockSettings, in: context.language)
      for (number, (symbol, frame)) in zip(shown.symbols, clock.cards).enumerated() {
        let isPeriod = parts.hasPeriod && number == clock.cards.count - 1
        board.addCard(
          symbol, frame: frame.offset(x: corner.x, y: corner.y), images: isPeriod ? periodImages : images,
          drum: isPeriod ? SymbolDrum(periods: context.language) : .digits)
      }
      for dot in clock.dots(at: corner, context.theme.onGround) { layer.addSublayer(dot) }
      let caption = CityCaption(
        settings.cities[index].name,
        in: Rect(
          x: corner.x - room, y: corner.y + clock.size.height, width: clock.size.width + 2 * room,
          height: geometry.captionHeight),
        cap: geometry.capHeight, theme: context.theme)
      layer.addSublayer(caption.layer)
      cities.append(City(board: board, caption: caption))
    }
    // A flap in flight passes in front of every colon and caption.
    for city in cities { layer.addSublayer(city.board.layer) }
    update(model, at: context.scene.time, animated: false)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let fields = zones.map { $0.civil(model.instant) }
    let clocks = fields.map { ClockText($0, clockSettings, in: context.language) }
    let marks = fields.map { settings.dayMark.text($0, beside: fields[0], in: context.language) }
    for ((city, clock), mark) in zip(zip(cities, clocks), marks) {
      city.board.show(clock.symbols, at: time, animated: animated)
      city.caption.show(mark: mark)
    }
  }

  /// Draws the next cards, and drops all cards but these and the shown ones; all cities share the pictures.
  /// If cards pass through all symbols, draws all digits instead.
  func prepare(after model: StageModel) -> Bool {
    guard let images else { return false }
    guard settings.motion.symbols != .through else { return images.prepareDigit() }
    func symbols(_ zone: TimeZone, _ instant: Instant) -> [CardSymbol] {
      ClockText(zone.civil(instant), clockSettings, in: context.language).symbols
    }
    let next = nextChange(after: model.instant) ?? model.instant
    let coming = zones.map { symbols($0, next) }
    return images.prepare(shown: zones.flatMap { symbols($0, model.instant) }, coming: Array(coming.joined()))
    {
      for (city, symbols) in zip(cities, coming) { city.board.prepare(symbols) }
    }
  }

  func nextChange(after instant: Instant) -> Instant? {
    zones.map { $0.nextBoundary(after: instant, unit: .minute) }.min()
  }
}

/// The name of a city, followed by a mark if the date differs.
final class CityCaption {
  let layer = Layer()

  private let name: String
  private let box: Rect
  private let cap: Double
  private let theme: Theme
  private let label = Label()
  private let markLabel = Label()
  private var mark: String?

  init(_ name: String, in box: Rect, cap: Double, theme: Theme) {
    self.name = name
    self.cap = cap
    self.theme = theme
    // The caption is slightly below the middle of the box, to keep a distance from the cards above.
    self.box = Rect(x: box.x, y: box.y + 0.1 * box.height, width: box.width, height: 0.9 * box.height)
    layer.addSublayer(label.layer)
    layer.addSublayer(markLabel.layer)
  }

  func show(mark: String) {
    guard mark != self.mark else { return }
    self.mark = mark
    let style = theme.labelStyle(for: name, cap: cap)
    var markStyle = style
    markStyle.face = theme.nameFace
    markStyle.color = theme.onGround
    markStyle.tracking = 0.04
    let air = 0.85 * cap
    let markWidth = mark.isEmpty ? 0 : Label.width(of: mark, style: markStyle) + air
    let free = max(box.width - markWidth, 0)
    let width = min(Label.width(of: name, style: style), free)
    let left = box.midX - (width + markWidth) / 2
    let letters = label.show(
      name, style: style, in: Rect(x: left, y: box.y, width: free, height: box.height), alignment: 0)
    markLabel.layer.isHidden = mark.isEmpty
    guard !mark.isEmpty else { return }
    markLabel.show(
      mark, style: markStyle,
      in: Rect(x: letters.maxX + air, y: box.y, width: markWidth, height: box.height), alignment: 0)
  }
}
