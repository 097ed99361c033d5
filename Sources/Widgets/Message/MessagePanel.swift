// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// What stands over the page for a while: a message on a card of its own. It rises into its place and sinks
/// back; another text takes the place of the one before without a gap.
final class MessagePanel {
  let layer = Layer()
  private(set) var text: String?
  /// The card that is shown or coming.
  private(set) var card: Layer?
  /// The lines on it.
  private(set) var lines: [String] = []

  private let artist: MessageArtist
  private let isStill: Bool
  private let scene: Scene
  private let rise: Double
  private var leaving: [Layer] = []

  private enum Time {
    static let coming = 0.32
    static let going = 0.24
    /// A text that takes another's place is nearly there before that one begins to go.
    static let overlap = 0.14
  }
  /// Of many in quick succession only the last ones are seen to go.
  private static let leavingLimit = 2

  init(_ context: WidgetContext) {
    artist = MessageArtist(theme: context.theme, page: context.page)
    isStill = context.motion.isStill
    scene = context.scene
    layer.frame = Rect(x: 0, y: 0, width: context.page.width, height: context.page.height)
    rise = max((0.022 * min(context.page.width, context.page.height)).rounded(), 2)
  }

  /// Shows `text`, or takes away what is shown; begins to move at `time` (scene seconds) when `animated`.
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
        if moves { come(card, at: time, from: before == nil ? rise : 0) }
        return card
      }
      guard let before else { return }
      if moves {
        go(before, at: card == nil ? time : time + Time.overlap, sinks: card == nil)
      } else {
        remove(before)
      }
    }
    if !moves { leaving.forEach(remove) }
  }

  private func come(_ card: Layer, at time: Double, from distance: Double) {
    animate(card, .opacity, from: .scalar(0), to: .scalar(1), at: time, Time.coming, .easeOut)
    guard distance != 0 else { return }
    let place = card.position
    animate(
      card, .position, from: .point(Point(x: place.x, y: place.y + distance)), to: .point(place), at: time,
      Time.coming, .easeOut)
  }

  private func go(_ card: Layer, at time: Double, sinks: Bool) {
    leaving.append(card)
    while leaving.count > Self.leavingLimit, let oldest = leaving.first { remove(oldest) }
    let shown = card.presentation
    card.removeAllAnimations()
    if sinks {
      let place = Point(x: card.position.x, y: card.position.y + rise)
      animate(card, .position, from: .point(shown.position), to: .point(place), at: time, Time.going, .easeIn)
    }
    animate(
      card, .opacity, from: .scalar(shown.opacity), to: .scalar(0), at: time, Time.going, .easeIn
    ) { [weak self, weak card] in
      if let self, let card { self.remove(card) }
    }
  }

  private func remove(_ card: Layer) {
    leaving.removeAll { $0 === card }
    // The compositor remembers the last frame's layers; their pictures are to go now.
    card.contents = nil
    card.removeFromSuperlayer()
  }

  private func animate(
    _ card: Layer, _ key: PropertyKey, from: LayerValue, to: LayerValue, at time: Double, _ duration: Double,
    _ timing: TimingFunction, completion: (() -> Void)? = nil
  ) {
    var animation = Animation(key, from: from, to: to, at: time, duration: duration, timing: timing)
    animation.movesByWholePixels = true
    // What goes stays gone until it is taken away; what comes then rests.
    animation.isRemovedOnCompletion = completion == nil
    animation.completion = completion.map { body in { finished, _ in if finished { body() } } }
    card.add(animation, forKey: key == .opacity ? "opacity" : "position")
  }
}
