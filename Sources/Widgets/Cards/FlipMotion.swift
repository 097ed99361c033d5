// SPDX-License-Identifier: Apache-2.0

import Settings

/// How cards change from one symbol to the next.
struct FlipMotion: Hashable {
  /// The duration of a change, in seconds.
  var duration: Double
  /// The delay between the starts of neighbouring cards, in seconds.
  var stagger: Double
  /// The distance of the viewer, in card heights.
  var perspective: Double
  var transition = DigitTransition.flip
  /// Nil: the transition's own easing.
  var easing: Easing?
  var order = CardMotionSettings.Order.rightToLeft
  /// The strength of light and shadow, 0 … 1.
  var shading = 1.0
  /// Symbols per second for cards that pass through all symbols in between; nil: they change directly.
  var flapRate: Double?
  /// Whether all motion is disabled, whatever the widgets' settings say.
  var isStill = false

  var isOff: Bool { isStill || stepDuration <= 0 || transition == .none }

  /// Whether flaps cast shadows.
  var hasShadows: Bool { shading > 0 }

  /// The duration from one symbol to the next, in seconds.
  var stepDuration: Double { flapRate.map { 1 / $0 } ?? duration }

  /// The easing of one step. `isPassing`: the card continues to another symbol afterwards.
  func easing(isPassing: Bool) -> Easing {
    if let easing { return easing }
    switch transition {
    case .flip: return .gravity
    case .fade: return .linear
    case .roll, .shutter, .slide, .none: return isPassing ? .linear : .easeInOut
    }
  }
}

extension FlipMotion {
  /// The config's settings for all cards.
  init(_ flip: FlipSettings, _ motion: Motion) {
    self.init(duration: flip.duration, stagger: flip.stagger, perspective: flip.perspective)
    isStill = motion == .none
  }

  /// This motion, overridden by a widget's settings.
  func applying(_ settings: CardMotionSettings) -> FlipMotion {
    var motion = self
    motion.duration = settings.duration ?? duration
    motion.perspective = settings.perspective ?? perspective
    motion.transition = settings.transition
    motion.easing = settings.easing.map { Easing($0) }
    motion.order = settings.order
    motion.shading = settings.shading
    motion.flapRate = settings.symbols == .through ? settings.flapRate : nil
    return motion
  }
}
