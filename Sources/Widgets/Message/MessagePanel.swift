// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A message on a card of its own, shown over the page for a while. It rises into its place and sinks when it
/// disappears; a new text replaces the previous one without a gap.
final class MessagePanel {
  let layer = Layer()
  private(set) var text: String?
  /// The current card, which may still be appearing.
  private(set) var card: Layer?
  /// The lines on the current card.
  private(set) var lines: [String] = []

  private let artist: MessageArtist
  private let isStill: Bool
  private let scene: Scene
  private let rise: Double
  private var leaving: [Layer] = []

  private enum Time {
    static let fadeIn = 0.32
    static let fadeOut = 0.24
    /// The time after which a replaced text begins to disappear; by then the new one is about 60 % opaque.
    static let overlap = 0.14
  }
  /// How many cards can be disappearing at the same time; older ones are removed at once.
  private static let leavingLimit = 2

  init(_ context: WidgetContext) {
    artist = MessageArtist(theme: context.theme, page: context.page)
    isStill = context.motion.isStill
    scene = context.scene
    layer.frame = Rect(x: 0, y: 0, width: context.page.width, height: context.page.height)
    rise = max((0.022 * min(context.page.width, context.page.height)).rounded(), 2)
  }

  /// Shows `text`, or hides the message if nil. The motion starts at `time` (scene seconds) if `animated`.
  func show(_ text: String?, at time: Double, animated: Bool) {
    guard text != self.text else { return }
    self.text = text
    let drawn = text.flatMap { artist.card($0) }
    lines = drawn?.lines ?? []
    let moves = animated && !isStill
    scene.transaction(disableActions: true) {
      let before = card
      card = drawn.map { drawn in
        let card = Layer()
        card.frame = drawn.frame
        card.contents = LayerImage(drawn.bitmap)
        layer.addSublayer(card)
        if moves { appear(card, at: time, from: before == nil ? rise : 0) }
        return card
      }
      guard let before else { return }
      if moves {
        disappear(before, at: card == nil ? time : time + Time.overlap, sinks: card == nil)
      } else {
        remove(before)
      }
    }
    if !moves { leaving.forEach(remove) }
  }

  private func appear(_ card: Layer, at time: Double, from distance: Double) {
    animate(card, .opacity, from: .scalar(0), to: .scalar(1), at: time, Time.fadeIn, .easeOut)
    guard distance != 0 else { return }
    let place = card.position
    animate(
      card, .position, from: .point(Point(x: place.x, y: place.y + distance)), to: .point(place), at: time,
      Time.fadeIn, .easeOut)
  }

  private func disappear(_ card: Layer, at time: Double, sinks: Bool) {
    leaving.append(card)
    while leaving.count > Self.leavingLimit, let oldest = leaving.first { remove(oldest) }
    let shown = card.presentation
    card.removeAllAnimations()
    if sinks {
      let place = Point(x: card.position.x, y: card.position.y + rise)
      animate(
        card, .position, from: .point(shown.position), to: .point(place), at: time, Time.fadeOut, .easeIn)
    }
    animate(
      card, .opacity, from: .scalar(shown.opacity), to: .scalar(0), at: time, Time.fadeOut, .easeIn
    ) { [weak self, weak card] in
      if let self, let card { self.remove(card) }
    }
  }

  private func remove(_ card: Layer) {
    leaving.removeAll { $0 === card }
    // The compositor keeps the layers of the last frame; release the picture now.
    card.contents = nil
    card.removeFromSuperlayer()
  }

  private func animate(
    _ card: Layer, _ key: PropertyKey, from: LayerValue, to: LayerValue, at time: Double, _ duration: Double,
    _ timing: TimingFunction, completion: (() -> Void)? = nil
  ) {
    var animation = Animation(key, from: from, to: to, at: time, duration: duration, timing: timing)
    animation.movesByWholePixels = true
    // A disappearing card stays transparent until it is removed; an appearing one ends at rest.
    animation.isRemovedOnCompletion = completion == nil
    animation.completion = completion.map { body in { finished, _ in if finished { body() } } }
    card.add(animation, forKey: key == .opacity ? "opacity" : "position")
  }
}
