// SPDX-License-Identifier: Apache-2.0

import Raster

/// An animation on a layer, with its beginning and its first value settled.
struct ActiveAnimation {
  let animation: Animation
  let name: String?
  /// Seconds of the scene; of no scene until the layer joins one.
  fileprivate(set) var begin: Double
  let transaction: TransactionGroup?
  /// Ended, and kept for what its fill mode holds.
  var hasEnded = false

  var endTime: Double { begin + animation.activeDuration }

  /// Seconds since its beginning; one that has ended stays at its end.
  func elapsed(at time: Double) -> Double { hasEnded ? animation.activeDuration : time - begin }

  func end(finished: Bool, at time: Double) {
    animation.completion?(finished, time)
    transaction?.animationEnded(at: time)
  }
}

extension Layer {
  /// Starts an animation; one of the same name is removed first (not finished).
  public func add(_ animation: Animation, forKey name: String? = nil) {
    let now = self.now
    // What is presented counts before the one of that name is gone: it goes on from there.
    evaluate(at: now)
    var animation = animation
    animation.settle(from: presentation)
    if let name { removeAnimation(forKey: name) }
    let active = ActiveAnimation(
      animation: animation, name: name, begin: (animation.beginTime ?? now) + animation.delay,
      transaction: scene?.currentGroup)
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
    let removed = takeAnimations()
    guard !removed.isEmpty else { return }
    for active in removed { displayIfNeeded(active.animation) }
    scene?.unregister(self)
    superlayer?.sortSublayers()
    setNeedsFrame()
    // What these begin stays.
    for active in removed where !active.hasEnded { active.end(finished: false, at: now) }
  }

  public var hasAnimations: Bool { animations.contains { !$0.hasEnded } }

  private func remove(at index: Int) {
    let active = animations.remove(at: index)
    let now = self.now
    if animations.isEmpty { scene?.unregister(self) }
    evaluate(at: now)
    resort(after: active)
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
    resort(after: active)
    active.end(finished: true, at: active.endTime)
  }

  private func resort(after active: ActiveAnimation) {
    if active.animation.concerns(.zPosition) { superlayer?.sortSublayers() }
    displayIfNeeded(active.animation)
  }

  /// Asks for `display` when what is animated needs it.
  private func displayIfNeeded(_ animation: Animation) {
    animation.forEachKey { if needsDisplay(forKey: $0) { setNeedsDisplay() } }
  }

  var now: Double { scene?.time ?? 0 }

  /// How fast what is presented of `key` moves at `time`, while the action of that name is under way; nil:
  /// it is not, or the value is of a kind without a velocity.
  func velocity(of key: PropertyKey, at time: Double, actionName: String) -> LayerValue? {
    guard animations.contains(where: { $0.name == actionName && !$0.hasEnded && $0.begin <= time })
    else { return nil }
    // What is presented is the last one's that has a say.
    for active in animations.reversed() where active.animation.concerns(key) {
      let elapsed = active.elapsed(at: time)
      if let velocity = active.animation.velocity(of: key, elapsed: elapsed, model: model) { return velocity }
    }
    return nil
  }

  /// The model's value of `key` changed: brings what is presented of it up to date. Of the other values
  /// nothing changes with it, and in the middle of `display` they are held by whoever displays.
  func presentModel(_ key: PropertyKey) {
    guard !animations.isEmpty else { return }
    if model[key] != presented[key] { presented[key] = model[key] }
    let time = now
    for active in animations where active.animation.concerns(key) {
      active.animation.apply(elapsed: active.elapsed(at: time), to: &presented, model: model, only: key)
    }
  }

  /// The layer came into a scene: what was added before begins now.
  func beginAnimations(at time: Double) {
    for index in animations.indices where animations[index].animation.beginTime == nil {
      animations[index].begin += time
    }
    evaluate(at: time)
  }

  /// Computes what is presented at `time`: the model, and over it the animations in the order they
  /// were added.
  func evaluate(at time: Double) {
    // Also where the last one is gone just now.
    trace.isChanged = true
    guard !animations.isEmpty else { return }
    presentModelValues()
    var movesInDepth = false
    for active in animations {
      if active.animation.concerns(.zPosition) { movesInDepth = true }
      displayIfNeeded(active.animation)
      active.animation.apply(elapsed: active.elapsed(at: time), to: &presented, model: model)
    }
    if movesInDepth { superlayer?.sortSublayers() }
  }

  /// The model's values into what is presented; the table of custom ones is kept and written over, since
  /// a shared one would be copied in every frame.
  private func presentModelValues() {
    var custom: [String: LayerValue] = [:]
    swap(&custom, &presented.custom)
    presented = model
    if custom.isEmpty { return }
    // With room for those that are animated and not in the model.
    custom.removeAll(keepingCapacity: true)
    for (name, value) in model.custom { custom[name] = value }
    swap(&custom, &presented.custom)
  }
}
