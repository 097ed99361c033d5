// SPDX-License-Identifier: Apache-2.0

import Raster

/// An animation on a layer, with its beginning and its first value settled.
struct ActiveAnimation {
  let animation: Animation
  let name: String?
  let begin: Double
  let from: LayerValue?
  let transaction: TransactionGroup?
  /// Ended, and kept for what its fill mode holds.
  var hasEnded = false

  var endTime: Double { begin + animation.activeDuration }

  func end(finished: Bool, at time: Double) {
    animation.completion?(finished, time)
    transaction?.animationEnded(at: time)
  }
}

extension Layer {
  /// Starts an animation; one of the same name is removed first (not finished).
  public func add(_ animation: Animation, forKey name: String? = nil) {
    if let name { removeAnimation(forKey: name) }
    let now = scene?.time ?? 0
    let active = ActiveAnimation(
      animation: animation, name: name, begin: (animation.beginTime ?? now) + animation.delay,
      from: animation.from ?? presentation[animation.key], transaction: scene?.currentGroup)
    active.transaction?.animationAdded()
    animations.append(active)
    evaluate(at: now)
    scene?.register(self)
    setNeedsFrame()
  }

  /// Removes the animation of that name before its end; its completion hears `finished: false`.
  public func removeAnimation(forKey name: String) {
    guard let index = animations.firstIndex(where: { $0.name == name }) else { return }
    remove(at: index)
  }

  public func removeAllAnimations() {
    while !animations.isEmpty { remove(at: 0) }
  }

  public var hasAnimations: Bool { animations.contains { !$0.hasEnded } }

  private func remove(at index: Int) {
    let active = animations.remove(at: index)
    let now = scene?.time ?? 0
    evaluate(at: now)
    setNeedsFrame()
    if !active.hasEnded { active.end(finished: false, at: now) }
  }

  func takeAnimations() -> [ActiveAnimation] {
    defer { animations = [] }
    return animations
  }

  /// Ends the animation at `index` by itself at its exact end.
  func finishAnimation(at index: Int) {
    let active = animations[index]
    if active.animation.isRemovedOnCompletion {
      animations.remove(at: index)
    } else {
      animations[index].hasEnded = true
    }
    evaluate(at: active.endTime)
    active.end(finished: true, at: active.endTime)
  }

  /// Computes what is presented at `time`: the model, and over it the animations in the order they
  /// were added.
  func evaluate(at time: Double) {
    guard !animations.isEmpty else { return }
    let zBefore = presented.zPosition
    presented = model
    for active in animations {
      let elapsed = active.hasEnded ? active.animation.activeDuration : time - active.begin
      guard let progress = active.animation.progress(elapsed: elapsed), let from = active.from,
        let to = active.animation.to ?? model[active.animation.key]
      else { continue }
      presented[active.animation.key] = from.interpolated(to: to, progress)
    }
    if presented.zPosition != zBefore { superlayer?.sortSublayers() }
  }
}
