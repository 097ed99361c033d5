// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// What happens when a property changes.
public enum LayerAction {
  case animation(Animation)
  /// The value changes at once, without an animation, and no other action is looked up.
  case immediate
}

/// An object that supplies a layer's actions (Core Animation's `actionForLayer:forKey:`).
public protocol LayerDelegate: AnyObject {
  /// Nil: use the layer's own action, or else the transaction's.
  func action(for layer: Layer, key: PropertyKey) -> LayerAction?
}

extension Layer {
  /// The action for a change: the delegate's, the layer's own, or, in a transaction with a duration, a plain
  /// animation to the new value. Nil if the transaction disables actions.
  func resolvedAction(for key: PropertyKey, in scene: Scene) -> Animation? {
    if scene.actionsAreDisabled { return nil }
    switch delegate?.action(for: self, key: key) {
    case .animation(let animation)?: return animation
    case .immediate?: return nil
    case nil: break
    }
    if let own = action(for: key) { return own }
    guard let group = scene.currentGroup, let duration = group.duration, duration > 0 else { return nil }
    var animation = Animation(key, duration: duration)
    animation.timingFunction = group.timingFunction ?? .easeInEaseOut
    return animation
  }

  /// Fills in the action's ends: starts at what is presented, takes the shorter direction for periodic values,
  /// and continues with the velocity of the action it replaces.
  func prepared(_ action: Animation, for key: PropertyKey, to value: LayerValue, name: String) -> Animation {
    var animation = action
    guard animation.members.isEmpty, animation.keyframes == nil, animation.key == key else {
      return animation
    }
    let isImplicit = animation.from == nil
    animation.from = animation.from ?? presentation[key]
    if animation.to == nil {
      animation.to = value
      if let period = period(forKey: key), period > 0, case .scalar(let a)? = animation.from,
        case .scalar(let b) = value
      {
        animation.to = .scalar(a + remainder(b - a, period))
      }
    }
    guard isImplicit, animation.keepsVelocity, animation.timingFunction.keepsVelocity, animation.duration > 0,
      animation.delay == 0, animation.beginTime == nil,
      let velocity = velocity(of: key, at: now, actionName: name), let from = animation.from,
      let to = animation.to
    else { return animation }
    // The curve's own initial velocity is not added twice.
    let slope =
      animation.timingFunction.initialSlope * animation.valueFunction.slope(at: 0) / animation.duration
    animation.velocity = velocity.adding(to.adding(from, times: -1), times: -slope)
    return animation
  }

  /// Requests `display` before the next frame.
  public func setNeedsDisplay() {
    guard !isDisplayQueued, let scene else { return }
    isDisplayQueued = true
    scene.queueDisplay(self)
  }
}
