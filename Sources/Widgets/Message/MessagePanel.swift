// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster

/// A message, or a notice for people with a phone, on a panel below the page or over all of it. It rises into
/// its place and sinks when it disappears; a new one replaces the previous one without a gap.
final class MessagePanel {
  /// What a panel shows, and the part of the display that it fills. A notice has precedence over a message.
  private enum Content: Hashable {
    case message(String, in: Rect)
    case notice(Notice, isBrief: Bool, in: Rect)
  }

  let layer = Layer()
  private var content: Content?
  /// The current panel, which may still be appearing.
  private(set) var box: Layer?
  /// The lines on the current panel.
  private(set) var lines: [String] = []

  /// The last notice, and the height of its panel.
  private var measured: (notice: Notice, isBrief: Bool, height: Double)?

  private let artist: MessageArtist
  private let words: Words
  private let isMirrored: Bool
  /// The time that is left of a notice, on its panel.
  private var countdown: (label: Label, style: Label.Style, box: Rect, alignment: Double)?
  /// The time of the model that was shown last, and the nanoseconds that its notice has left.
  private var shown: (instant: Instant, left: Int64)?
  private let isStill: Bool
  private let scene: Scene
  private let rise: Double
  private var leaving: [Layer] = []

  enum Time {
    static let fadeIn = 0.32
    static let fadeOut = 0.24
    /// The time after which a replaced text begins to disappear; by then the new one is about 60 % opaque.
    static let overlap = 0.14
  }
  /// The maximum number of panels that disappear at the same time; older ones are removed immediately.
  private static let leavingLimit = 2

  init(_ context: WidgetContext) {
    artist = MessageArtist(theme: context.theme, page: context.page)
    words = context.language.words
    isMirrored = context.language.isRightToLeft
    isStill = context.motion.isStill
    scene = context.scene
    layer.frame = Rect(x: 0, y: 0, width: context.page.width, height: context.page.height)
    rise = max((0.022 * min(context.page.width, context.page.height)).rounded(), 2)
  }

  /// The height of the band below the page for the model's message or notice, in whole pixels; 0 without a
  /// band.
  func bandHeight(for model: StageModel) -> Double {
    guard let notice = model.notice else {
      let side = min(layer.bounds.width, layer.bounds.height)
      return model.message == nil || model.isMessageFull ? 0 : (0.2 * side).rounded()
    }
    let isBrief = model.hasBriefNotice
    if let measured, measured.notice == notice, measured.isBrief == isBrief { return measured.height }
    let height = artist.height(of: notice, words, isBrief: isBrief)
    measured = (notice, isBrief, height)
    return height
  }

  /// Shows the model's notice or message, or hides the panel if it has neither. The motion starts at `time`
  /// (scene seconds) if `animated`.
  ///
  /// - Parameter band: the height of the part of the display below the page.
  func show(_ model: StageModel, band: Double, at time: Double, animated: Bool) {
    let area = layer.bounds
    let foot = Rect(x: 0, y: area.height - band, width: area.width, height: band)
    let next =
      model.notice.map { .notice($0, isBrief: model.hasBriefNotice, in: foot) }
      ?? model.message.map { Content.message($0, in: model.isMessageFull ? area : foot) }
    if next != content { replace(with: next, at: time, animated: animated) }
    guard let ends = model.notice?.ends else { return shown = nil }
    let left = max(ends - model.clock, 0)
    shown = (model.instant, left)
    guard let countdown else { return }
    let text = Self.text(ofLeft: left)
    guard text != countdown.label.text else { return }
    scene.transaction(disableActions: true) {
      countdown.label.show(
        text, style: countdown.style, in: countdown.box, alignment: countdown.alignment)
    }
  }

  /// The seconds that a notice has left, rounded up, so that 0 is its end.
  private static func seconds(ofLeft nanoseconds: Int64) -> Int64 {
    (nanoseconds - slack + 999_999_999) / 1_000_000_000
  }
  /// A wakeup may be this many nanoseconds early.
  private static let slack: Int64 = 2_000_000

  private static func text(ofLeft nanoseconds: Int64) -> String {
    TimerText(seconds: max(seconds(ofLeft: nanoseconds), 0), .minutes).text
  }

  /// When the time that is left changes next; nil: no such time is shown.
  func nextChange(after instant: Instant) -> Instant? {
    guard let shown, countdown != nil, shown.left > 0 else { return nil }
    let next = shown.left - (Self.seconds(ofLeft: shown.left) - 1) * 1_000_000_000
    let time = shown.instant.advanced(nanoseconds: next)
    return time > instant ? time : Instant(seconds: instant.seconds + 1, nanoseconds: instant.nanoseconds)
  }

  private func replace(with next: Content?, at time: Double, animated: Bool) {
    content = next
    countdown = nil
    let drawn: MessageArtist.Panel? =
      switch next {
      case .message(let text, let area)?: artist.panel(text, in: area)
      case .notice(let notice, let isBrief, let area)?:
        artist.panel(notice, words, in: area, isBrief: isBrief, isMirrored: isMirrored)
      case nil: nil
      }
    lines = drawn?.lines ?? []
    let moves = animated && !isStill
    scene.transaction(disableActions: true) {
      let before = box
      box = drawn.map { drawn in
        let box = Layer()
        box.frame = drawn.frame
        box.contents = LayerImage(drawn.ground, extent: .repeatSideways)
        layer.addSublayer(box)
        let letters = Layer()
        letters.frame = drawn.letters.frame
        letters.contents = LayerImage(drawn.letters.bitmap)
        box.addSublayer(letters)
        if let place = drawn.countdown {
          let label = Label()
          box.addSublayer(label.layer)
          countdown = (label, artist.countdownStyle(place.capHeight), place.box, place.alignment)
        }
        if moves { appear(box, at: time, from: before == nil ? rise : 0) }
        return box
      }
      guard let before else { return }
      if moves {
        disappear(before, at: box == nil ? time : time + Time.overlap, sinks: box == nil)
      } else {
        remove(before)
      }
    }
    if !moves { leaving.forEach(remove) }
  }

  private func appear(_ box: Layer, at time: Double, from distance: Double) {
    let motion = Stretch(
      begin: time, duration: Time.fadeIn, timing: .easeOut, movesByWholePixels: true)
    motion.fade(box, from: 0, to: 1)
    guard distance != 0 else { return }
    let place = box.position
    motion.animate(
      box, .position, from: .point(Point(x: place.x, y: place.y + distance)), to: .point(place))
  }

  private func disappear(_ box: Layer, at time: Double, sinks: Bool) {
    leaving.append(box)
    while leaving.count > Self.leavingLimit, let oldest = leaving.first { remove(oldest) }
    let shown = box.presentation
    box.removeAllAnimations()
    // The panel stays transparent until it is removed.
    let motion = Stretch(
      begin: time, duration: Time.fadeOut, timing: .easeIn, movesByWholePixels: true, holdsEnd: true)
    if sinks {
      let place = Point(x: box.position.x, y: box.position.y + rise)
      motion.animate(box, .position, from: .point(shown.position), to: .point(place))
    }
    motion.animate(box, .opacity, from: .scalar(shown.opacity), to: .scalar(0)) {
      [weak self, weak box] finished, _ in
      if finished, let self, let box { self.remove(box) }
    }
  }

  private func remove(_ box: Layer) {
    leaving.removeAll { $0 === box }
    box.discard()
  }
}
