// SPDX-License-Identifier: Apache-2.0

import Raster

/// A layer tree with its time, animations and damage: the contents of one picture.
///
/// It has no clock. The caller advances the time, asks whether anything moves, and renders frames; changes
/// made between two frames appear together in the next.
public final class Scene {
  public enum Activity: Hashable, Sendable {
    /// Nothing changes until the caller changes something.
    case resting
    /// Nothing moves before that time.
    case waiting(until: Double)
    case moving
  }

  public let root: Layer
  /// The time of the last `advance`, in seconds. During a completion, the time at which the animation ended.
  public private(set) var time: Double
  /// Whether something changed since the last frame was drawn.
  public private(set) var needsFrame = true

  /// The number of layers in the tree, visible or not.
  var layerCount = 0
  private var animated: [Layer] = []
  private var groups: [TransactionGroup] = []
  private var compositor = Compositor()
  /// Layers that wait for `display`; nil replaces a layer that has left the tree.
  private var displayQueue: [Layer?] = []
  private var isDisplaying = false

  public init(size: PixelSize, time: Double = 0) {
    self.time = time
    root = Layer()
    root.model.anchorPoint = .zero
    root.model.bounds = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    root.join(self)
  }

  public var size: PixelSize {
    PixelSize(width: Int(root.model.bounds.width), height: Int(root.model.bounds.height))
  }

  // MARK: Time

  /// Advances the time. Animations that end by then are ended in order, each at its own time, so that an
  /// animation that a completion starts begins exactly there. Time never goes back.
  public func advance(to target: Double) {
    // Limits completions that start animations without duration, which could loop forever.
    var remaining = 10_000
    while remaining > 0, let (layer, index, end) = nextEnd(notAfter: target) {
      time = max(time, end)
      layer.finishAnimation(at: index)
      if layer.animations.isEmpty { unregister(layer) }
      needsFrame = true
      remaining -= 1
    }
    time = max(time, target)
    for layer in animated { layer.evaluate(at: time) }
    if activity == .moving { needsFrame = true }
  }

  private func nextEnd(notAfter target: Double) -> (Layer, Int, Double)? {
    var (best, end) = (-1, Double.infinity)
    for index in animated.indices where animated[index].earliestEnd < end {
      (best, end) = (index, animated[index].earliestEnd)
    }
    guard best >= 0, end <= target else { return nil }
    let layer = animated[best]
    let index = layer.animations.firstIndex { !$0.hasEnded && $0.endTime == end }
    return index.map { (layer, $0, end) }
  }

  /// What the animations are doing now.
  public var activity: Activity {
    var earliest = Double.infinity
    for layer in animated {
      for active in layer.animations where !active.hasEnded {
        if active.begin <= time { return .moving }
        earliest = min(earliest, active.begin)
      }
    }
    return earliest == .infinity ? .resting : .waiting(until: earliest)
  }

  func register(_ layer: Layer) {
    guard !layer.isRegistered else { return }
    layer.isRegistered = true
    animated.append(layer)
  }

  func unregister(_ layer: Layer) {
    guard layer.isRegistered else { return }
    layer.isRegistered = false
    if let index = animated.firstIndex(where: { $0 === layer }) { animated.remove(at: index) }
  }

  func setNeedsFrame() { needsFrame = true }

  // MARK: Transactions

  /// Groups changes: they appear in one frame, with or without the properties' actions, and `completion` is
  /// called when every animation begun inside has ended. Transactions nest: actions stay disabled in inner
  /// ones, and the outer one waits for animations begun in inner ones.
  public func transaction(
    disableActions: Bool = false, completion: ((_ time: Double) -> Void)? = nil, _ body: () -> Void
  ) {
    let group = TransactionGroup(
      disablesActions: disableActions || actionsAreDisabled, parent: groups.last, completion: completion)
    groups.append(group)
    body()
    groups.removeLast()
    group.close(at: time)
  }

  var actionsAreDisabled: Bool { isDisplaying || groups.last?.disablesActions ?? false }
  var currentGroup: TransactionGroup? { groups.last }

  // MARK: Drawing

  /// Updates `buffer` (XRGB8888, of the scene's size) from the last frame to this one and returns the changed
  /// rectangles. Draws only the damage.
  public func render(into buffer: PixelBuffer) -> [PixelRect] {
    displayLayers()
    needsFrame = false
    compositor.reserve(layers: layerCount, size: size)
    return compositor.render(root, into: buffer)
  }

  /// Flattens a layer and its sublayers, as presented now, into one bitmap of the size of the layer's bounds.
  /// The layer's own position, transform, opacity and visibility are ignored. XRGB8888 if every pixel is
  /// known to be opaque, else ARGB8888. Does not affect the next frame.
  public func snapshot(of layer: Layer) -> Bitmap {
    displayLayers()
    return Compositor.snapshot(of: layer)
  }

  func queueDisplay(_ layer: Layer) { displayQueue.append(layer) }

  /// Called when the layer leaves the tree, possibly for another scene.
  func forget(_ layer: Layer) {
    compositor.forget(layer)
    guard layer.isDisplayQueued else { return }
    layer.isDisplayQueued = false
    if let index = displayQueue.firstIndex(where: { $0 === layer }) { displayQueue[index] = nil }
  }

  /// Calls `display` once on every queued layer. A request by a layer that is already in the queue is
  /// ignored.
  private func displayLayers() {
    isDisplaying = true
    var index = 0
    while index < displayQueue.count {
      if let layer = displayQueue[index] { layer.display(layer.presentation) }
      index += 1
    }
    for layer in displayQueue { layer?.isDisplayQueued = false }
    displayQueue.removeAll(keepingCapacity: true)
    isDisplaying = false
  }

  /// Discards what is on the screen: the next frame draws everything.
  public func invalidate() {
    compositor.invalidate()
    needsFrame = true
  }
}

/// The state of a transaction from its start until its animations and nested transactions have ended.
final class TransactionGroup {
  private enum State {
    /// The body is running.
    case open
    /// The body has returned; animations or transactions begun in it have not ended.
    case closed
    case complete
  }

  let disablesActions: Bool
  private let parent: TransactionGroup?
  private var completion: ((Double) -> Void)?
  /// The number of animations and nested transactions that have not ended.
  private var running = 0
  private var state = State.open

  init(disablesActions: Bool, parent: TransactionGroup?, completion: ((Double) -> Void)?) {
    self.disablesActions = disablesActions
    self.parent = parent
    self.completion = completion
    parent?.running += 1
  }

  func animationAdded() { running += 1 }

  func animationEnded(at time: Double) {
    running -= 1
    completeIfDone(at: time)
  }

  func close(at time: Double) {
    state = .closed
    completeIfDone(at: time)
  }

  private func completeIfDone(at time: Double) {
    guard state == .closed, running == 0 else { return }
    state = .complete
    completion?(time)
    completion = nil
    parent?.animationEnded(at: time)
  }
}

// MARK: Measurement

extension Scene {
  /// A number that is equal in two frames unless an animation began, ended, or was added or removed in
  /// between. Measurements use it to distinguish the first frame of an animation from later ones.
  package var animationDigest: Int {
    var hasher = Hasher()
    root.digestAnimations(at: time, into: &hasher)
    return hasher.finalize()
  }
}

extension Layer {
  fileprivate func digestAnimations(at time: Double, into hasher: inout Hasher) {
    for active in animations {
      hasher.combine(ObjectIdentifier(self))
      hasher.combine(active.name)
      hasher.combine(active.begin)
      hasher.combine(active.begin <= time)
      hasher.combine(active.hasEnded)
    }
    for layer in sublayers { layer.digestAnimations(at: time, into: &hasher) }
  }
}
