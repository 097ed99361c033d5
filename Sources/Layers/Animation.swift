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
    /// The last value applies after the end, as long as the animation stays on the layer.
    case forwards
    case both
  }

  /// A mapping from progress to the interpolation fraction. For example, the shade of a flap depends on the
  /// sine of the flap's angle, and the angle changes linearly.
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

  public typealias Completion = (_ finished: Bool, _ time: Double) -> Void

  public var key: PropertyKey
  /// Nil: the presented value when the animation is added.
  public var from: LayerValue?
  /// Nil: the model's value at each moment.
  public var to: LayerValue?
  /// Nil: the scene's time when the animation is added or, if the layer is in no scene then, when it joins
  /// one.
  public var beginTime: Double?
  public var duration: Double
  public var timingFunction = TimingFunction.linear
  public var valueFunction = ValueFunction.identity
  public var fillMode = FillMode.removed
  public var isRemovedOnCompletion = true
  /// Called once, when the animation ends (`finished` is true) or is removed before its end. `time` is the
  /// time of the removal or the exact end, so that a subsequent animation can begin there instead of at the
  /// next frame.
  public var completion: Completion?
  /// Whether points and rectangles change by whole units from `from`. Contents as large as the display then
  /// move without resampling, and the difference is not visible.
  public var movesByWholePixels = false

  /// The initial velocity minus that of the animation's own curve, in units of the value per second. Nil
  /// unless the animation is an action that replaces a running one and continues with its velocity.
  var velocity: LayerValue?

  public init(_ key: PropertyKey, from: LayerValue? = nil, to: LayerValue? = nil, duration: Double) {
    self.key = key
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// The motion of a spring; the duration is the time until it settles.
  public init(_ key: PropertyKey, from: LayerValue? = nil, to: LayerValue? = nil, spring: Spring) {
    self.init(key, from: from, to: to, duration: spring.settlingDuration)
    timingFunction = .spring(spring)
  }

  /// The duration in seconds; 0 if it is NaN or not positive.
  var activeDuration: Double { duration > 0 ? duration : 0 }

  /// Progress (0 … 1, or beyond if the timing overshoots) `elapsed` seconds after the beginning; nil if the
  /// animation does not apply.
  func progress(elapsed: Double) -> Double? {
    if elapsed < 0 { return fillMode == .backwards || fillMode == .both ? 0 : nil }
    if elapsed < activeDuration { return valueFunction(timingFunction(elapsed / duration)) }
    return fillMode == .forwards || fillMode == .both ? valueFunction(timingFunction(1)) : nil
  }

  /// Progress per second, `elapsed` seconds after the beginning; 0 before it and from the end on.
  private func progressRate(elapsed: Double) -> Double {
    guard elapsed >= 0, elapsed < activeDuration else { return 0 }
    let time = elapsed / duration
    return timingFunction.slope(at: time) * valueFunction.slope(at: timingFunction(time)) / duration
  }

  /// Applies the value `elapsed` seconds after the beginning.
  func apply(elapsed: Double, to presented: inout LayerProperties, model: LayerProperties) {
    guard let progress = progress(elapsed: elapsed), let from, let to = to ?? model[key] else { return }
    var value = from.interpolated(to: to, progress)
    if let velocity, duration > 0, elapsed < duration {
      value = value.adding(velocity, times: timingFunction.carried(elapsed / duration, duration: duration))
    }
    presented[key] = movesByWholePixels && progress != 1 ? value.rounded(from: from) : value
  }

  /// The velocity in the value's unit per second. Computed from the derivative, because a difference of two
  /// values may straddle a step or the end. Nil if the animation does not apply, or its values have no
  /// velocity.
  func velocity(elapsed: Double, model: LayerProperties) -> LayerValue? {
    guard progress(elapsed: elapsed) != nil, let from, let to = to ?? model[key],
      let delta = from.difference(to: to)
    else { return nil }
    let own = delta.scaled(progressRate(elapsed: elapsed))
    guard let velocity, elapsed < duration else { return own }
    return own.adding(velocity, times: timingFunction.carriedSlope(elapsed / duration))
  }
}
