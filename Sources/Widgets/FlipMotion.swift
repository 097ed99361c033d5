// SPDX-License-Identifier: Apache-2.0

import Settings

/// How cards change from one symbol to the next.
struct FlipMotion: Hashable {
  /// From one symbol to the next, seconds.
  var duration: Double
  /// Between one card's start and that of its left neighbour, seconds.
  var stagger: Double
  /// The eye's distance, card heights.
  var perspective: Double
  var transition = DigitTransition.flip
  /// Nil: what suits the transition.
  var easing: Easing?
  var order = CardMotionSettings.Order.rightToLeft
  /// How much of the light and shadow is shown, 0 … 1.
  var shading = 1.0
  /// Symbols a second for cards that go through all symbols in between; nil: they go straight.
  var flapRate: Double?
  /// Nothing moves, whatever a widget says.
  var isStill = false

  var isOff: Bool { isStill || stepDuration <= 0 || transition == .none }

  /// Flaps cast shadows.
  var hasShadows: Bool { shading > 0 }

  /// The time from one symbol to the next.
  var stepDuration: Double { flapRate.map { 1 / $0 } ?? duration }

  /// The easing of a step; `isPassing` when the card is not to stay at its end.
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
  /// What the config says for all cards.
  init(_ flip: FlipSettings, _ motion: Motion) {
    self.init(duration: flip.duration, stagger: flip.stagger, perspective: flip.perspective)
    isStill = motion == .none
  }

  /// And what a widget says for its own.
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
