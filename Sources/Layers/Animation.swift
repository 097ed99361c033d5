// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An explicit animation of one property. Times and durations are seconds of the scene's time, which
/// is always handed in and never read from a clock.
public struct Animation {
  public enum FillMode: Sendable {
    /// The property has the model's value before the beginning and after the end.
    case removed
    /// `from` holds before the beginning.
    case backwards
    /// `to` holds after the end, while the animation stays on the layer.
    case forwards
    case both
  }

  /// What lies between progress and the value: a shade that is to follow an angle goes by the
  /// angle's sine while the angle itself goes evenly.
  public enum ValueFunction: Sendable {
    case identity
    /// sin(p · π/2): what grows with the sine of a quarter turn.
    case sine
    /// 1 − cos(p · π/2): what shrinks with the sine of the second quarter.
    case versine

    func callAsFunction(_ progress: Double) -> Double {
      if progress == 0 || progress == 1 { return progress }
      return switch self {
      case .identity: progress
      case .sine: sin(progress * .pi / 2)
      case .versine: 1 - cos(progress * .pi / 2)
      }
    }

    /// What comes out per unit of what goes in.
    func slope(at progress: Double) -> Double {
      switch self {
      case .identity: 1
      case .sine: cos(progress * .pi / 2) * .pi / 2
      case .versine: sin(progress * .pi / 2) * .pi / 2
      }
    }
  }

  public var key: PropertyKey
  /// Nil: what is presented when the animation is added.
  public var from: LayerValue?
  /// Nil: the model's value at any moment.
  public var to: LayerValue?
  /// Nil: the scene's time when the animation is added.
  public var beginTime: Double?
  public var delay = 0.0
  public var duration: Double
  public var timingFunction = TimingFunction.linear
  public var valueFunction = ValueFunction.identity
  public var fillMode = FillMode.removed
  /// How often it runs; infinity never ends.
  public var repeatCount = 1.0
  /// Every run goes there and back.
  public var autoreverses = false
  public var isRemovedOnCompletion = true
  /// Called once, when it ended by itself (`finished`) or was removed before; `time` is the exact
  /// end, so that what follows begins there and not at the next frame.
  public var completion: ((_ finished: Bool, _ time: Double) -> Void)?
  /// As an action, in the place of motion that is not over: goes on with its velocity, so that nothing
  /// is seen to jerk (scalars, points and rectangles; eased motion and springs). What rests starts as its
  /// timing function says: `ease` with a velocity.
  public var keepsVelocity = true

  /// Points and rectangles go by whole units from `from`: what is as large as the display then moves
  /// without being resampled, and nobody sees the difference.
  public var movesByWholePixels = false

  /// Values on the way, in the place of `from` and `to`.
  public var keyframes: Keyframes?
  /// Animations that run within this one.
  var members: [Animation] = []
  /// The velocity that it begins with, in units of the value a second, but for its own.
  var velocity: LayerValue?

  public init(_ key: PropertyKey, from: LayerValue? = nil, to: LayerValue? = nil, duration: Double) {
    self.key = key
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// An animation through `keyframes`.
  public init(_ key: PropertyKey, keyframes: Keyframes, duration: Double) {
    self.init(key, duration: duration)
    self.keyframes = keyframes
  }

  /// A spring's motion, for as long as it takes to settle.
  public init(_ key: PropertyKey, from: LayerValue? = nil, to: LayerValue? = nil, spring: Spring) {
    self.init(key, from: from, to: to, duration: spring.settlingDuration)
    timingFunction = .spring(spring)
  }

  /// Several animations of a layer with one beginning and one completion. They run in the group's time
  /// (its timing, its repeats and its way back), begin at their own `beginTime` and `delay` within it, and are
  /// cut off at `duration`; their completions are not called.
  public init(group members: [Animation], duration: Double) {
    self.init(.custom("group"), duration: duration)
    self.members = members
  }

  /// How long it runs in all, seconds. What has no length, or is no number, has none for ever either.
  var activeDuration: Double {
    guard duration > 0, repeatCount > 0 else { return 0 }
    return duration * (autoreverses ? 2 : 1) * repeatCount
  }

  /// Progress (0 … 1, or beyond where the timing overshoots) `elapsed` seconds after the beginning;
  /// nil where the animation does not apply.
  func progress(elapsed: Double) -> Double? {
    if elapsed < 0 {
      return fillMode == .backwards || fillMode == .both ? 0 : nil
    }
    let total = activeDuration
    if elapsed >= total {
      guard fillMode == .forwards || fillMode == .both else { return nil }
      return endProgress
    }
    return value(runs: elapsed / duration)
  }

  /// Where it stops: a run that is just complete has not begun anew.
  private var endProgress: Double {
    let runs = repeatCount > 0 ? repeatCount * (autoreverses ? 2 : 1) : 0
    guard runs.isFinite else { return value(runs: 0, isOver: !autoreverses) }
    return value(runs: runs, isOver: !autoreverses && runs > 0 && runs == runs.rounded())
  }

  /// After so many runs; `isOver` at the end of one rather than the beginning of the next.
  private func value(runs: Double, isOver: Bool = false) -> Double {
    let cycle = isOver ? 1 : runs.truncatingRemainder(dividingBy: autoreverses ? 2 : 1)
    return valueFunction(timingFunction(cycle > 1 ? 2 - cycle : cycle))
  }
}

extension Animation {
  /// Calls `body` with every key it is about.
  func forEachKey(_ body: (PropertyKey) -> Void) {
    if members.isEmpty { body(key) }
    for member in members { member.forEachKey(body) }
  }

  func concerns(_ key: PropertyKey) -> Bool {
    members.isEmpty ? self.key == key : members.contains { $0.concerns(key) }
  }

  /// `from` where it is not told: what is presented now, for the members too.
  mutating func settle(from presentation: LayerProperties) {
    if members.isEmpty, from == nil { from = presentation[key] }
    for index in members.indices { members[index].settle(from: presentation) }
  }

  /// Sets what it makes of `key` (nil: of all its keys) `elapsed` seconds after the beginning.
  func apply(
    elapsed: Double, to presented: inout LayerProperties, model: LayerProperties, only: PropertyKey? = nil
  ) {
    guard let progress = progress(elapsed: elapsed) else { return }
    if !members.isEmpty {
      for member in members {
        member.apply(
          elapsed: progress * duration - (member.beginTime ?? 0) - member.delay, to: &presented,
          model: model, only: only)
      }
      return
    }
    if let only, only != key { return }
    if let keyframes {
      if let value = keyframes.value(at: progress) { presented[key] = value }
      return
    }
    guard let from, let to = to ?? model[key] else { return }
    var value = from.interpolated(to: to, progress)
    if let velocity, duration > 0, elapsed < duration {
      value = value.adding(velocity, times: timingFunction.carried(elapsed / duration, duration: duration))
    }
    presented[key] = movesByWholePixels && progress != 1 ? value.rounded(from: from) : value
  }
}
