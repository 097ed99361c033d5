// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

extension Layer {
  /// Fills in the action's ends: starts at what is presented, takes the shorter direction for periodic values,
  /// and continues with the velocity of the action it replaces, if the values are scalars, points or rectangles and
  /// the motion is eased or a spring. From rest, motion starts as its timing function specifies; `ease`, for
  /// example, starts with a velocity.
  func prepared(_ action: Animation, for key: PropertyKey, to value: LayerValue, name: String) -> Animation {
    var animation = action
    let from = presentation[key]
    var to = value
    if let period = period(forKey: key), period > 0, case .scalar(let a)? = from, case .scalar(let b) = value
    {
      to = .scalar(a + remainder(b - a, period))
    }
    animation.from = from
    animation.to = to
    guard animation.timingFunction.keepsVelocity, animation.duration > 0, animation.beginTime == nil,
      let velocity = velocity(of: key, at: now, actionName: name), let from
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
