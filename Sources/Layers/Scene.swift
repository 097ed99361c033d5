// SPDX-License-Identifier: Apache-2.0

import Raster

/// A layer tree with its time, its animations and its damage: what one output shows.
///
/// It owns no clock. The caller tells the time, asks what is moving, and has the frame drawn; changes
/// made between two frames appear together in the next.
public final class Scene {
  public enum Activity: Hashable, Sendable {
    /// Nothing will change by itself.
    case resting
    /// Nothing moves before that time.
    case waiting(until: Double)
    case moving
  }

  public let root: Layer
  /// Seconds; the time of the last `advance`, and during a completion the time of that end.
  public private(set) var time: Double
  /// Something changed since the last frame was drawn.
  public private(set) var needsFrame = true

  /// The layers of the tree, shown or not.
  var layerCount = 0
  private var animated: [Layer] = []
  private var groups: [TransactionGroup] = []
  private var compositor = Compositor()
  /// Layers that wait for `display`; nil in the place of one that has left.
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

  /// Moves the time on: animations that end by then are ended in order, each at its own time, so that
  /// what a completion starts begins exactly there. Time never goes back.
  public func advance(to target: Double) {
    // A completion that starts an animation without duration could go on for ever.
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
    var best: (Layer, Int, Double)?
    for layer in animated {
      for (index, active) in layer.animations.enumerated() where !active.hasEnded {
        let end = active.endTime
        if end <= target, end < best?.2 ?? .infinity { best = (layer, index, end) }
      }
    }
    return best
  }

  /// What the animations are at now.
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
    if !animated.contains(where: { $0 === layer }) { animated.append(layer) }
  }

  func unregister(_ layer: Layer) { animated.removeAll { $0 === layer } }

  func setNeedsFrame() { needsFrame = true }

  // MARK: Transactions

  /// Groups changes: they appear in one frame, with the properties' actions or without, and
  /// `completion` is called when every animation begun inside has ended. Transactions nest: actions stay
  /// disabled within, and what an inner one begins the outer one waits for.
  ///
  /// - Parameters:
  ///   - duration: seconds; changes for which neither delegate nor layer has an action go to their new
  ///     values in that time. Nil: the outer transaction's.
  ///   - timingFunction: how they go there; nil: the outer transaction's, else ease-in-ease-out.
  public func transaction(
    disableActions: Bool = false, duration: Double? = nil, timingFunction: TimingFunction? = nil,
    completion: ((_ time: Double) -> Void)? = nil, _ body: () -> Void
  ) {
    let group = TransactionGroup(
      disablesActions: disableActions || actionsAreDisabled, duration: duration ?? groups.last?.duration,
      timingFunction: timingFunction ?? groups.last?.timingFunction, parent: groups.last,
      completion: completion)
    groups.append(group)
    body()
    groups.removeLast()
    group.close(at: time)
  }

  var actionsAreDisabled: Bool { isDisplaying || groups.last?.disablesActions ?? false }
  var currentGroup: TransactionGroup? { groups.last }

  // MARK: Drawing

  /// Brings `buffer` (XRGB8888, of the scene's size) from the last frame to this one and returns what
  /// changed. Only the damage is drawn.
  public func render(into buffer: PixelBuffer) -> [PixelRect] {
    displayLayers()
    needsFrame = false
    compositor.reserve(layers: layerCount, size: size)
    return compositor.render(root, into: buffer)
  }

  /// Flattens a layer and all below it, as they are presented now, to one bitmap of the size of its
  /// bounds: in its own space, whatever its own place, transform, opacity and hiddenness. XRGB8888 where
  /// nothing shows through, else ARGB8888. The next frame knows nothing of it.
  public func snapshot(of layer: Layer) -> Bitmap {
    displayLayers()
    return Compositor.snapshot(of: layer)
  }

  func queueDisplay(_ layer: Layer) { displayQueue.append(layer) }

  /// The layer leaves the tree, perhaps for another scene's.
  func forget(_ layer: Layer) {
    compositor.forget(layer)
    guard layer.isDisplayQueued else { return }
    layer.isDisplayQueued = false
    if let index = displayQueue.firstIndex(where: { $0 === layer }) { displayQueue[index] = nil }
  }

  /// Has every layer that asked display itself; one that asks again meanwhile has its turn in this frame
  /// already.
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

  /// Forgets what is on the screen: the next frame draws all of it.
  public func invalidate() {
    compositor.invalidate()
    needsFrame = true
  }
}

/// A transaction while its animations run.
final class TransactionGroup {
  private enum State {
    /// Its body runs.
    case open
    /// What its body began runs.
    case closed
    case complete
  }

  let disablesActions: Bool
  let duration: Double?
  let timingFunction: TimingFunction?
  private let parent: TransactionGroup?
  private var completion: ((Double) -> Void)?
  /// Animations, and transactions within.
  private var running = 0
  private var state = State.open

  init(
    disablesActions: Bool, duration: Double?, timingFunction: TimingFunction?, parent: TransactionGroup?,
    completion: ((Double) -> Void)?
  ) {
    self.disablesActions = disablesActions
    self.duration = duration
    self.timingFunction = timingFunction
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
