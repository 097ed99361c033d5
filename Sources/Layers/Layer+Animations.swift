// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

enum AnimationName: Hashable {
  case name(String)
  /// A layer has one action per property at a time.
  case action(PropertyKey)
}

/// An animation on a layer, with its beginning and its first value resolved.
struct ActiveAnimation {
  let animation: Animation
  let name: AnimationName?
  /// In seconds of the scene's time. While the layer is in no scene, the begin of an animation without a
  /// `beginTime` is relative to the time at which the layer will join one.
  fileprivate(set) var begin: Double
  let transaction: TransactionGroup?
  /// Whether the animation has ended but is kept for its fill mode.
  var hasEnded = false

  var endTime: Double { begin + animation.activeDuration }

  /// Seconds since the beginning; an animation that has ended stays at its end.
  func elapsed(at time: Double) -> Double { hasEnded ? animation.activeDuration : time - begin }

  func end(finished: Bool, at time: Double) {
    animation.completion?(finished, time)
    transaction?.animationEnded(at: time)
  }
}

extension Layer {
  /// Starts an animation. A running one of the same name is removed first; its completion is called with
  /// `finished` false.
  public func add(_ animation: Animation, forKey name: String? = nil) {
    add(animation, name.map { .name($0) })
  }

  func add(_ animation: Animation, _ name: AnimationName?) {
    let now = self.now
    // The presented value is evaluated before the animation of that name is removed, because the new one
    // starts from it.
    evaluate(at: now)
    var animation = animation
    if animation.from == nil { animation.from = presentation[animation.key] }
    if let name { remove(name) }
    let active = ActiveAnimation(
      animation: animation, name: name, begin: animation.beginTime ?? now, transaction: scene?.currentGroup)
    active.transaction?.animationAdded()
    animations.append(active)
    evaluate(at: now)
    scene?.register(self)
    setNeedsFrame()
  }

  /// Removes the animation of that name. If it has not ended, its completion is called with `finished` false.
  public func removeAnimation(forKey name: String) { remove(.name(name)) }

  private func remove(_ name: AnimationName) {
    guard let index = animations.firstIndex(where: { $0.name == name }) else { return }
    remove(at: index)
  }

  public func removeAllAnimations() {
    let depth = self.depth
    let removed = takeAnimations()
    guard !removed.isEmpty else { return }
    for active in removed { displayIfNeeded(active.animation) }
    scene?.unregister(self)
    // Most animations do not change the depth, and sorting looks at all sublayers.
    if depth != model.zPosition { superlayer?.sortSublayers() }
    setNeedsFrame()
    // Animations that these completions start are kept.
    for active in removed where !active.hasEnded { active.end(finished: false, at: now) }
  }

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

  /// Ends the animation at `index` normally, at its exact end.
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
    if active.animation.key == .zPosition { superlayer?.sortSublayers() }
    displayIfNeeded(active.animation)
  }

  /// Requests `display` if an animated property needs it.
  private func displayIfNeeded(_ animation: Animation) {
    if needsDisplay(forKey: animation.key) { setNeedsDisplay() }
  }

  var now: Double { scene?.time ?? 0 }

  /// The velocity of the presented value of `key` at `time`, while its action is running; nil if it is not
  /// running, or if the value's kind has no velocity.
  func velocity(of key: PropertyKey, at time: Double) -> LayerValue? {
    guard animations.contains(where: { $0.name == .action(key) && !$0.hasEnded && $0.begin <= time })
    else { return nil }
    // The last animation that affects the key determines what is presented.
    for active in animations.reversed() where active.animation.key == key {
      let elapsed = active.elapsed(at: time)
      if let velocity = active.animation.velocity(elapsed: elapsed, model: model) { return velocity }
    }
    return nil
  }

  /// Updates the presented value of `key` after a change of the model. Leaves the other values alone: they do
  /// not depend on it, and during `display` the caller still holds a copy of them.
  func presentModel(_ key: PropertyKey) {
    guard !animations.isEmpty else { return }
    if model[key] != presented[key] { presented[key] = model[key] }
    let time = now
    for active in animations where active.animation.key == key {
      active.animation.apply(elapsed: active.elapsed(at: time), to: &presented, model: model)
    }
  }

  /// Called when the layer joins a scene. Animations that were added earlier and have no `beginTime` begin at
  /// `time`.
  func beginAnimations(at time: Double) {
    for index in animations.indices where animations[index].animation.beginTime == nil {
      animations[index].begin += time
    }
    evaluate(at: time)
  }

  /// Computes what is presented at `time`: the model, with the animations applied in the order they were
  /// added.
  func evaluate(at time: Double) {
    // Set even if no animation is left, because the last one may just have been removed.
    trace.isChanged = true
    guard !animations.isEmpty else { return }
    presentModelValues()
    var movesInDepth = false
    for active in animations {
      if active.animation.key == .zPosition { movesInDepth = true }
      displayIfNeeded(active.animation)
      active.animation.apply(elapsed: active.elapsed(at: time), to: &presented, model: model)
    }
    if movesInDepth { superlayer?.sortSublayers() }
  }

  /// Copies the model's values to what is presented. Keeps and overwrites the table of custom values, because
  /// a shared table would be copied in every frame.
  private func presentModelValues() {
    var custom: [String: LayerValue] = [:]
    swap(&custom, &presented.custom)
    presented = model
    if custom.isEmpty { return }
    // The capacity covers animated values that are not in the model.
    custom.removeAll(keepingCapacity: true)
    for (name, value) in model.custom { custom[name] = value }
    swap(&custom, &presented.custom)
  }
}

extension Layer {
  /// Sets the ends and the initial velocity of an action. The action starts at the presented value and takes
  /// the shorter direction for periodic values.
  ///
  /// If it replaces a running action, it continues with the velocity of that one. This requires scalars,
  /// points or rectangles, and a timing function that keeps velocity (`keepsVelocity`). From rest, motion
  /// starts as its timing function specifies; `ease`, for example, starts with a velocity.
  func prepared(_ action: Animation, for key: PropertyKey, to value: LayerValue) -> Animation {
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
      let velocity = velocity(of: key, at: now), let from
    else { return animation }
    // Subtract the curve's own initial velocity, which would otherwise count twice.
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
