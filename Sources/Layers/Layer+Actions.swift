// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// What the change of a property does by itself.
public enum LayerAction {
  case animation(Animation)
  /// Nothing: the new value is there at once, and nobody else is asked.
  case immediate
}

/// Somebody else than the layer who says how its changes move (Core Animation's `actionForLayer:forKey:`).
public protocol LayerDelegate: AnyObject {
  /// Nil: the layer's own action, and after it the transaction's.
  func action(for layer: Layer, key: PropertyKey) -> LayerAction?
}

extension Layer {
  /// The action of a change: the delegate's, the layer's own, or, in a transaction with a duration, the
  /// plain way to the new value. None where the transaction disables actions.
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

  /// The action with its ends: from what is presented, the short way round where there is one, and with
  /// the velocity of what it takes the place of.
  func prepared(_ action: Animation, for key: PropertyKey, to value: LayerValue, name: String) -> Animation {
    var animation = action
    guard animation.members.isEmpty, animation.keyframes == nil, animation.key == key else {
      return animation
    }
    let isOwnWay = animation.from == nil
    animation.from = animation.from ?? presentation[key]
    if animation.to == nil {
      animation.to = value
      if let period = period(forKey: key), period > 0, case .scalar(let a)? = animation.from,
        case .scalar(let b) = value
      {
        animation.to = .scalar(a + remainder(b - a, period))
      }
    }
    guard isOwnWay, animation.keepsVelocity, animation.timingFunction.keepsVelocity, animation.duration > 0,
      animation.delay == 0, animation.beginTime == nil,
      let velocity = velocity(of: key, at: now, actionName: name), let from = animation.from,
      let to = animation.to
    else { return animation }
    // What the curve starts with by itself is not added again.
    let slope =
      animation.timingFunction.initialSlope * animation.valueFunction.slope(at: 0) / animation.duration
    animation.velocity = velocity.adding(to.adding(from, times: -1), times: -slope)
    return animation
  }

  /// Asks for `display` before the next frame.
  public func setNeedsDisplay() {
    guard !isDisplayQueued, let scene else { return }
    isDisplayQueued = true
    scene.queueDisplay(self)
  }
}
