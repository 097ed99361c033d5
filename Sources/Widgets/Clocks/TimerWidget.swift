// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings

/// A clock of the match, or the time until a moment, on split-flap cards. It has no time of its own: what it
/// shows follows from the model, and while that stands it wakes nobody.
final class TimerWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing
  private(set) var text = ""

  private let settings: TimerSettings
  private let context: WidgetContext
  private let source: TimerSource
  private var board: FlipBoard?
  /// Tenths come too fast to be seen falling.
  private var tenths: FlipBoard?
  private var images: (look: TimerLook, cards: CardImages)?
  private var rect = Rect.zero
  /// What the cards were laid out for.
  private var shape: Shape
  /// What was shown last.
  private var model: StageModel?

  /// How long the seconds' cards take beside tenths.
  private static let hurry = 0.18

  private struct Shape: Hashable {
    var cards: [Int]
    var hasTenths = false
    var look = TimerLook.plain
  }

  /// - Parameter zone: of the countdown's end.
  init(_ settings: TimerSettings, weight: Double, zone: TimeZone, context: WidgetContext) {
    self.settings = settings
    self.context = context
    source = TimerSource(settings, zone: zone)
    sizing = .flexible(weight: weight, limit: source.form == .days ? 0.8 : 0.62)
    shape = Shape(cards: TimerText.blank(source.form))
  }

  private static func shape(_ face: TimerSource.Face, _ form: TimerText.Form) -> Shape {
    guard let text = face.text else { return Shape(cards: TimerText.blank(form)) }
    return Shape(cards: text.groups.map(\.cards), hasTenths: text.hasTenths, look: face.look)
  }

  private func parts(_ shape: Shape) -> ClockGeometry.Parts {
    let least = max(0.02 * min(context.page.width, context.page.height), 6.5)
    return ClockGeometry.Parts(
      groups: shape.cards, aspect: CardMetrics.aspect, hasColon: true, hasPeriod: false,
      hasPoint: shape.hasTenths, captions: source.form == .days ? least : nil)
  }

  /// The shape that the page is laid out for, whatever is shown first.
  private var usual: Shape { Shape(cards: TimerText.blank(source.form)) }

  func fittingSize(in box: Size) -> Size {
    let size = ClockGeometry(parts(usual), in: box).size
    // Tenths stand in a line also where minutes and seconds stand in two.
    return source.hasTenths ? Size(width: max(size.width, box.width), height: size.height) : size
  }

  /// Tenths stand on cards as large as those that were there before.
  private func geometry(in box: Size) -> ClockGeometry {
    guard shape.hasTenths else { return ClockGeometry(parts(shape), in: box) }
    let card = Double(ClockGeometry(parts(usual), in: box).metrics.height)
    return ClockGeometry(parts(shape), in: Size(width: box.width, height: card))
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    rebuild(model)
  }

  private func rebuild(_ model: StageModel) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    let face = source.face(model)
    shape = Self.shape(face, source.form)
    let theme = shape.look.applied(to: context.theme)
    let geometry = geometry(in: rect.size)
    let origin = rect.offset(
      x: ((rect.width - geometry.size.width) / 2).rounded(),
      y: ((rect.height - geometry.size.height) / 2).rounded())
    let images = images(geometry.metrics, theme)
    addDots(geometry, at: origin, theme)
    addCaptions(geometry, at: origin)
    var motion = context.motion.applying(settings.motion)
    if shape.hasTenths {
      // Beside tenths a second that is still falling would be read as one too many.
      motion.duration = min(motion.duration, Self.hurry)
      motion.flapRate = nil
    }
    var still = motion
    still.isStill = true
    let board = FlipBoard(motion: motion, scene: context.scene)
    let tenths = FlipBoard(motion: still, scene: context.scene)
    let symbols = symbols(face)
    for (index, frame) in geometry.cards.enumerated() where index < symbols.count {
      let isTenth = shape.hasTenths && index == symbols.count - 1
      (isTenth ? tenths : board).addCard(
        symbols[index], frame: frame.offset(x: origin.x, y: origin.y), images: images, drum: .digits)
    }
    layer.addSublayer(board.layer)
    layer.addSublayer(tenths.layer)
    self.board = board
    self.tenths = tenths
    update(model, at: context.scene.time, animated: false)
  }

  /// Cards of that size and look, drawn anew only where these are others than before.
  private func images(_ metrics: CardMetrics, _ theme: Theme) -> CardImages {
    if let images, images.look == shape.look, images.cards.metrics == metrics { return images.cards }
    let cards = CardImages(metrics: metrics, theme: theme)
    images = (shape.look, cards)
    return cards
  }

  private func addDots(_ geometry: ClockGeometry, at origin: Rect, _ theme: Theme) {
    let image = LayerImage(Disc.image(diameter: geometry.dotDiameter, color: theme.onGround))
    let side = Double(geometry.dotDiameter)
    for center in geometry.dots {
      let dot = Layer()
      dot.frame = Rect(
        x: (origin.x + center.x - side / 2).rounded(), y: (origin.y + center.y - side / 2).rounded(),
        width: side, height: side)
      dot.contents = image
      layer.addSublayer(dot)
    }
  }

  private func addCaptions(_ geometry: ClockGeometry, at origin: Rect) {
    let words = ["DAYS", "HOURS", "MINUTES", "SECONDS"].suffix(geometry.captions.count)
    for (word, box) in zip(words, geometry.captions) {
      let caption = Label()
      caption.show(
        word,
        style: Label.Style(
          face: context.theme.labelFace, color: context.theme.label, capHeight: geometry.captionCap,
          tracking: context.theme.labelTracking),
        in: Rect(
          x: origin.x + box.x, y: origin.y + box.y + 0.12 * box.height, width: box.width,
          height: 0.88 * box.height))
      layer.addSublayer(caption.layer)
    }
  }

  private func symbols(_ face: TimerSource.Face) -> [String] {
    face.text?.groups.flatMap(\.symbols) ?? Array(repeating: "", count: shape.cards.reduce(0, +))
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let face = source.face(model)
    text = face.text?.text ?? ""
    guard let board else { return }
    if Self.shape(face, source.form) != shape {
      rebuild(model)
      return
    }
    var symbols = symbols(face)
    if shape.hasTenths, let tenth = symbols.popLast() { tenths?.show([tenth], at: time, animated: false) }
    board.show(symbols, at: time, animated: animated)
  }

  func prepare(after model: StageModel) -> Bool { images?.cards.prepareDigit() ?? false }

  func nextChange(after instant: Instant) -> Instant? {
    model.flatMap { source.nextChange(of: $0, after: instant) }
  }
}
