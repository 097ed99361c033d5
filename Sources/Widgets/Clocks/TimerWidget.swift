// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings

extension TimerSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    TimerWidget(
      self, weight: weight, zone: context.zones(zone), context: context,
      hasName: source == .breakClock || (source == .countdown && countdown != nil))
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    TimerSource(self, zone: zones(zone)).appearance(model).text?.text ?? ""
  }
}

/// A clock of the match, or a countdown, on split-flap cards. What it shows follows from the model alone, so
/// a stopped clock causes no wakeups.
final class TimerWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: TimerSettings
  private let context: WidgetContext
  private let source: TimerSource
  /// The name of the break, or the label of the countdown, above its clock; nil: it has no place.
  let name: TextLines?
  private(set) var board: FlipBoard?
  /// The card of the tenths of a second, which does not flip, because tenths change too fast for that.
  private var tenths: FlipBoard?
  private var images: (look: TimerLook, cards: CardImages)?
  private var rect = Rect.zero
  /// The shape that the cards are laid out for.
  private var shape: Shape
  /// The model shown last.
  private var model: StageModel?

  /// The maximum duration of a flip while tenths of a second are shown, in seconds.
  private static let durationBesideTenths = 0.18

  private struct Shape: Hashable {
    var cards: [Int]
    var hasTenths = false
    var look = TimerLook.plain
    var isPaused = false
  }

  /// The height of the name's box, as a fraction of the widget's height.
  private static let nameShare = 0.23
  private static let mostNameShare = 0.4
  /// The cap height of the name that is legible from afar, as a fraction of the page's shorter side.
  private static let legibleNameCap = 0.032
  /// The least cap height of the name, in pixels.
  private static let leastNameCap = 6.5

  /// - Parameters:
  ///   - zone: the zone of the countdown's end.
  ///   - hasName: whether the name of the break, or the label of the countdown, is shown.
  ///   - isTight: whether the minutes of a game clock have no empty card, as those of a break's clock.
  init(
    _ settings: TimerSettings, weight: Double, zone: TimeZone, context: WidgetContext, hasName: Bool = false,
    isTight: Bool = false
  ) {
    self.settings = settings
    self.context = context
    name = hasName ? TextLines(theme: context.theme) : nil
    source = TimerSource(settings, zone: zone, isTight: isTight)
    sizing = .flexible(weight: weight, limit: source.form.hasCaptions ? 0.8 : context.clockLimit)
    shape = Shape(cards: TimerText.blank(source.form))
  }

  private static func shape(_ appearance: TimerSource.Appearance, _ form: TimerText.Form) -> Shape {
    guard let text = appearance.text else { return Shape(cards: TimerText.blank(form)) }
    return Shape(
      cards: text.groups.map(\.cards), hasTenths: text.hasTenths, look: appearance.look,
      isPaused: appearance.isPaused)
  }

  private func parts(_ shape: Shape) -> ClockGeometry.Parts {
    let least = max(0.02 * min(context.page.width, context.page.height), 6.5)
    return ClockGeometry.Parts(
      groups: shape.cards, aspect: CardMetrics.aspect, hasColon: true, hasPeriod: false,
      hasPoint: shape.hasTenths, captions: source.form.hasCaptions ? least : nil)
  }

  /// The shape for which the page is laid out, regardless of what is shown first.
  private var usualShape: Shape { Shape(cards: TimerText.blank(source.form)) }

  func fittingSize(in box: Size) -> Size {
    guard name == nil else {
      let rest = Size(width: box.width, height: box.height - nameHeight(of: box.height))
      let clock = ClockGeometry(parts(usualShape), in: rest).size
      return Size(width: max(clock.width, box.width), height: clock.height + nameHeight(of: box.height))
    }
    let size = ClockGeometry(parts(usualShape), in: box).size
    // Tenths are shown in one line, even where minutes and seconds are stacked.
    return source.hasTenths ? Size(width: max(size.width, box.width), height: size.height) : size
  }

  /// While tenths are shown, the cards keep the size that they have without tenths.
  private func geometry(in box: Size) -> ClockGeometry {
    guard shape.hasTenths else { return ClockGeometry(parts(shape), in: box) }
    let card = Double(ClockGeometry(parts(usualShape), in: box).metrics.height)
    return ClockGeometry(parts(shape), in: Size(width: box.width, height: card))
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    rebuild(model)
  }

  private func rebuild(_ model: StageModel) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    let appearance = source.appearance(model)
    shape = Self.shape(appearance, source.form)
    let theme = shape.look.applied(to: context.theme)
    var clock = rect
    clock.y += nameHeight
    clock.height -= nameHeight
    let geometry = geometry(in: clock.size)
    let origin = geometry.origin(in: clock)
    let images = images(geometry.metrics, theme)
    let dots =
      shape.isPaused
      ? geometry.pauseBars(at: origin, theme.onGround) : geometry.dots(at: origin, theme.onGround)
    for dot in dots { layer.addSublayer(dot) }
    addCaptions(geometry, at: origin)
    var motion = context.motion.applying(settings.motion)
    if shape.hasTenths {
      // Flips beside tenths are fast. During a slow flip of the seconds, people would read the old second
      // with the new tenths.
      motion.duration = min(motion.duration, Self.durationBesideTenths)
      motion.flapRate = nil
    }
    var still = motion
    still.isStill = true
    let board = FlipBoard(motion: motion, scene: context.scene)
    let tenths = FlipBoard(motion: still, scene: context.scene)
    let symbols = symbols(appearance)
    for (index, frame) in geometry.cards.enumerated() where index < symbols.count {
      let isTenth = shape.hasTenths && index == symbols.count - 1
      (isTenth ? tenths : board).addCard(
        symbols[index], frame: frame.offset(x: origin.x, y: origin.y), images: images, drum: .digits)
    }
    layer.addSublayer(board.layer)
    layer.addSublayer(tenths.layer)
    if let name { layer.addSublayer(name.layer) }
    self.board = board
    self.tenths = tenths
    update(model, at: context.scene.time, animated: false)
  }

  /// The pictures of cards of this size in the current look. Returns the existing ones if they still match.
  private func images(_ metrics: CardMetrics, _ theme: Theme) -> CardImages {
    if let images, images.look == shape.look, images.cards.metrics == metrics { return images.cards }
    let cards = CardImages(metrics: metrics, theme: theme, digits: context.language)
    images = (shape.look, cards)
    return cards
  }

  private func addCaptions(_ geometry: ClockGeometry, at origin: Point) {
    let all: [Word] = [.days, .hours, .minutes, .seconds]
    let words = (source.form == .days ? all[...] : all.dropLast()).suffix(geometry.captions.count)
    for (word, box) in zip(words, geometry.captions) {
      let caption = Label()
      caption.show(
        context.language.words[word], style: context.theme.labelStyle(cap: geometry.captionCap),
        in: Rect(
          x: origin.x + box.x, y: origin.y + box.y + 0.12 * box.height, width: box.width,
          height: 0.88 * box.height))
      layer.addSublayer(caption.layer)
    }
  }

  private var nameHeight: Double { name == nil ? 0 : nameHeight(of: rect.height) }

  private func nameHeight(of height: Double) -> Double {
    let legible = 1.9 * Self.legibleNameCap * min(context.page.width, context.page.height)
    return max(Self.nameShare * height, min(legible, Self.mostNameShare * height)).rounded(.down)
  }

  /// `TIME-OUT LIONS`; the short name of a team whose name does not fit. The label of a countdown.
  private func nameLines(_ model: StageModel) -> [TextLines.Line] {
    let cap = nameHeight / 1.9
    guard cap >= Self.leastNameCap else { return [] }
    let texts =
      settings.source == .breakClock
      ? model.scoreboard.breakTexts(in: context.language) : source.label(model).map { [$0] } ?? []
    guard let shortest = texts.last else { return [] }
    // If no text fits, the last one has smaller letters.
    let caps = sequence(first: cap) { $0 > Self.leastNameCap ? max(0.8 * $0, Self.leastNameCap) : nil }
    let lines = texts.map { line($0, cap) } + caps.dropFirst().map { line(shortest, $0) }
    let cut = line(shortest, max(0.5 * cap, Self.leastNameCap))
    return [lines.first { $0.isWhole(context.theme) } ?? cut]
  }

  private func line(_ text: String, _ cap: Double) -> TextLines.Line {
    let box = Rect(x: rect.x, y: rect.y, width: rect.width, height: nameHeight)
    return TextLines.Line(text: text, look: .accent, box: box, cap: cap)
  }

  private func symbols(_ appearance: TimerSource.Appearance) -> [CardSymbol] {
    appearance.text?.groups.flatMap(\.symbols) ?? Array(repeating: "", count: shape.cards.reduce(0, +))
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let appearance = source.appearance(model)
    guard let board else { return }
    name?.show(nameLines(model))
    if Self.shape(appearance, source.form) != shape {
      rebuild(model)
      return
    }
    var symbols = symbols(appearance)
    if shape.hasTenths, let tenth = symbols.popLast() { tenths?.show([tenth], at: time, animated: false) }
    board.show(symbols, at: time, animated: animated)
  }

  func prepare(after model: StageModel) -> Bool { images?.cards.prepareDigit() ?? false }

  func nextChange(after instant: Instant) -> Instant? {
    model.flatMap { source.nextChange(of: $0, after: instant) }
  }
}
