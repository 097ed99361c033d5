// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An explicit animation of one property. Times and durations are in seconds of the scene's time, which the
/// caller passes in; no clock is read.
public struct Animation {
  public enum FillMode: Sendable {
    /// The property has the model's value before the beginning and after the end.
    case removed
    /// `from` applies before the beginning.
    case backwards
    /// `to` applies after the end, as long as the animation stays on the layer.
    case forwards
    case both
  }

  /// A mapping from progress to the interpolation fraction. For example, the shade of a flap depends on the sine of
  /// the flap's angle, and the angle changes linearly.
  public enum ValueFunction: Sendable {
    case identity
    /// sin(p · π/2): the sine of an angle that grows linearly from 0° to 90°.
    case sine
    /// 1 − cos(p · π/2): one minus the cosine of an angle that grows linearly from 0° to 90°.
    case versine

    func callAsFunction(_ progress: Double) -> Double {
      if progress == 0 || progress == 1 { return progress }
      return switch self {
      case .identity: progress
      case .sine: sin(progress * .pi / 2)
      case .versine: 1 - cos(progress * .pi / 2)
      }
    }

    /// The derivative.
    func slope(at progress: Double) -> Double {
      switch self {
      case .identity: 1
      case .sine: cos(progress * .pi / 2) * .pi / 2
      case .versine: sin(progress * .pi / 2) * .pi / 2
      }
    }
  }

  public var key: PropertyKey
  /// Nil: the presented value when the animation is added.
  public var from: LayerValue?
  /// Nil: the model's value at each moment.
  public var to: LayerValue?
  /// Nil: the scene's time when the animation is added.
  public var beginTime: Double?
  public var delay = 0.0
  public var duration: Double
  public var timingFunction = TimingFunction.linear
  public var valueFunction = ValueFunction.identity
  public var fillMode = FillMode.removed
  /// The number of runs; an infinite animation never ends.
  public var repeatCount = 1.0
  /// Whether every repetition is followed by the same motion backwards.
  public var autoreverses = false
  public var isRemovedOnCompletion = true
  /// Called once, when the animation ended (`finished`) or was removed before its end. `time` is the exact end,
  /// so that a subsequent animation can begin there and not at the next frame.
  public var completion: ((_ finished: Bool, _ time: Double) -> Void)?
  /// If this action replaces a running one, it starts with that one's velocity, so that the motion is smooth. This
  /// applies to scalars, points and rectangles, and to eased motion and springs. From rest, motion starts as its
  /// timing function specifies; `ease`, for example, starts with a velocity.
  public var keepsVelocity = true

  /// Points and rectangles change by whole units from `from`. Contents as large as the display then move without
  /// resampling, and the difference is not visible.
  public var movesByWholePixels = false

  /// Intermediate values, used instead of `from` and `to`.
  public var keyframes: Keyframes?
  /// The animations of a group.
  var members: [Animation] = []
  /// The velocity at the beginning in excess of the animation's own, in units of the value per second.
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

  /// A spring's motion, as long as it takes to settle.
  public init(_ key: PropertyKey, from: LayerValue? = nil, to: LayerValue? = nil, spring: Spring) {
    self.init(key, from: from, to: to, duration: spring.settlingDuration)
    timingFunction = .spring(spring)
  }

  /// A group of animations of one layer with a common beginning and completion. They run in the group's time (its
  /// timing, repeats and reversal), begin at their own `beginTime` and `delay` within it, and are cut off at
  /// `duration`. Their completions are not called.
  public init(group members: [Animation], duration: Double) {
    self.init(.custom("group"), duration: duration)
    self.members = members
  }

  /// The total duration in seconds; 0 if the duration or the repeat count is NaN or not positive.
  var activeDuration: Double {
    guard duration > 0, repeatCount > 0 else { return 0 }
    return duration * (autoreverses ? 2 : 1) * repeatCount
  }

  /// Progress (0 … 1, or beyond if the timing overshoots) `elapsed` seconds after the beginning; nil if the
  /// animation does not apply.
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

  /// The progress after the end. If the last run is complete, this is its end, not the beginning of another run.
  private var endProgress: Double {
    let runs = repeatCount > 0 ? repeatCount * (autoreverses ? 2 : 1) : 0
    guard runs.isFinite else { return value(runs: 0, isOver: !autoreverses) }
    return value(runs: runs, isOver: !autoreverses && runs > 0 && runs == runs.rounded())
  }

  /// Progress after `runs` runs; `isOver` selects the end of a run instead of the beginning of the next.
  private func value(runs: Double, isOver: Bool = false) -> Double {
    let cycle = isOver ? 1 : runs.truncatingRemainder(dividingBy: autoreverses ? 2 : 1)
    return valueFunction(timingFunction(cycle > 1 ? 2 - cycle : cycle))
  }
}

extension Animation {
  /// Calls `body` with every key that it animates.
  func forEachKey(_ body: (PropertyKey) -> Void) {
    if members.isEmpty { body(key) }
    for member in members { member.forEachKey(body) }
  }

  func concerns(_ key: PropertyKey) -> Bool {
    members.isEmpty ? self.key == key : members.contains { $0.concerns(key) }
  }

  /// Sets unspecified `from` values, also those of the members, to what is presented now.
  mutating func settle(from presentation: LayerProperties) {
    if members.isEmpty, from == nil { from = presentation[key] }
    for index in members.indices { members[index].settle(from: presentation) }
  }

  /// Applies the value of `key` (nil: of all keys) `elapsed` seconds after the beginning.
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
