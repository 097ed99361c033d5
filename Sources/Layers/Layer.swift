// SPDX-License-Identifier: Apache-2.0

import Raster

/// A node of the layer tree, modelled on Core Animation's: the program sets the model, and the presentation
/// follows it through animations. Must be used from one thread.
open class Layer {
  /// The values that the program set last.
  public internal(set) var model = LayerProperties()
  /// What is shown at the scene's time: the model with the layer's animations applied.
  public var presentation: LayerProperties { animations.isEmpty ? model : presented }

  /// The z position that is presented.
  var depth: Double { animations.isEmpty ? model.zPosition : presented.zPosition }

  public private(set) weak var superlayer: Layer?
  public private(set) var sublayers: [Layer] = []
  /// Whether the sublayers share one 3D space (the sides of a tube, for example) instead of being flattened
  /// into this layer's plane. The space includes the sublayers of nested transform layers. The layers in it
  /// are drawn back to front by the depth of each layer's middle after all transforms, and in tree order for
  /// equal depths. Intersecting layers are not split. The transform layer itself has no plane: it shows no
  /// contents and has no mask.
  public var isTransformLayer = false {
    didSet {
      trace.orderChanged = true
      setNeedsFrame()
    }
  }
  /// Clips sublayers and contents to the bounds, with exact pixel coverage under any transform. Bounds on
  /// whole pixels cost nothing; otherwise the masked contents are first drawn into an offscreen buffer.
  /// Ignored for transform layers and for layers without sublayers.
  public var masksToBounds = false { didSet { setNeedsFrame() } }
  /// The animation that a change of a property starts; without one the change is immediate. The animation's
  /// `from` and `to` are filled in.
  public var actions: [PropertyKey: Animation] = [:]

  var presented = LayerProperties()
  var animations: [ActiveAnimation] = [] {
    didSet {
      earliestEnd = animations.reduce(.infinity) { $1.hasEnded ? $0 : min($0, $1.endTime) }
    }
  }
  /// When the first of the running animations ends, in the scene's time; infinity: none runs. Kept here,
  /// because the scene compares all layers for each end.
  private(set) var earliestEnd = Double.infinity
  /// Whether the scene has the layer among those with animations.
  var isRegistered = false
  weak var scene: Scene?
  var trace = LayerTrace()
  /// Whether the layer is in the scene's queue for `display`.
  var isDisplayQueued = false
  var solid: LayerImage?

  public init() {}

  // MARK: The tree

  public func addSublayer(_ layer: Layer) { insertSublayer(layer, at: sublayers.count) }

  /// Of sublayers with equal `zPosition`, the one at index 0 is the farthest from the eye. An index out of
  /// range is clamped.
  public func insertSublayer(_ layer: Layer, at index: Int) {
    layer.removeFromSuperlayer()
    let index = min(max(index, 0), sublayers.count)
    sublayers.insert(layer, at: index)
    layer.superlayer = self
    layer.join(scene)
    layer.trace.orderChanged = true
    sortSublayer(index)
    setNeedsFrame()
  }

  public func removeFromSuperlayer() {
    guard let parent = superlayer else { return }
    parent.setNeedsFrame()
    parent.sublayers.removeAll { $0 === self }
    superlayer = nil
    leaveScene()
  }

  func join(_ scene: Scene?) {
    let isNew = self.scene == nil
    self.scene = scene
    if let scene, !animations.isEmpty {
      if isNew { beginAnimations(at: scene.time) }
      scene.register(self)
    }
    if isNew {
      // What a previous scene recorded is invalid in this one.
      trace = LayerTrace()
      isDisplayQueued = false
      scene?.layerCount += 1
      setNeedsDisplay()
    }
    for layer in sublayers { layer.join(scene) }
  }

  private func leaveScene() {
    let animations = takeAnimations()
    let now = scene?.time ?? 0
    scene?.unregister(self)
    scene?.forget(self)
    scene?.layerCount -= 1
    scene = nil
    for layer in sublayers { layer.leaveScene() }
    sortSublayers()
    for active in animations where !active.hasEnded { active.end(finished: false, at: now) }
  }

  /// Sorts the sublayers by z position; those with equal positions keep their order. An insertion sort,
  /// because it is stable, in place, and linear if nothing moved.
  func sortSublayers() {
    guard sublayers.count > 1 else { return }
    for index in 1..<sublayers.count {
      var position = index
      while position > 0, sublayers[position - 1].depth > sublayers[position].depth {
        sublayers.swapAt(position - 1, position)
        sublayers[position].trace.orderChanged = true
        position -= 1
      }
    }
  }

  /// Moves the sublayer at `index` to its place by z position; all others are already sorted. Usually it is
  /// already there, so adding a layer takes no longer if there are many others.
  private func sortSublayer(_ index: Int) {
    let depth = sublayers[index].depth
    var position = index
    while position > 0, sublayers[position - 1].depth > depth {
      sublayers.swapAt(position - 1, position)
      sublayers[position].trace.orderChanged = true
      position -= 1
    }
    while position + 1 < sublayers.count, sublayers[position + 1].depth < depth {
      sublayers.swapAt(position, position + 1)
      position += 1
    }
  }

  /// Marks that the layer's appearance, or that of its sublayers, differs from the last frame.
  func setNeedsFrame() {
    trace.isChanged = true
    scene?.setNeedsFrame()
  }

  // MARK: Properties

  /// Sets a property of the model and runs the property's action unless the transaction disables it.
  public func set(_ key: PropertyKey, to value: LayerValue) {
    guard model[key] != value else { return }
    if let scene, !scene.actionsAreDisabled, let action = actions[key] {
      // During a completion, the presented values are still those of the last frame.
      evaluate(at: now)
      let animation = prepared(action, for: key, to: value)
      model[key] = value
      add(animation, .action(key))
    } else {
      model[key] = value
      presentModel(key)
    }
    if needsDisplay(forKey: key) { setNeedsDisplay() }
    if key == .zPosition { superlayer?.sortSublayers() }
    setNeedsFrame()
  }

  /// Whether a change of `key`, set or animated, requires `display` (Core Animation's `needsDisplayForKey:`).
  open func needsDisplay(forKey key: PropertyKey) -> Bool { false }

  /// Updates what depends on the properties for which `needsDisplay(forKey:)` returns true: drawn contents,
  /// or other properties. Called once before a frame or a snapshot is drawn, with actions disabled.
  open func display(_ presentation: LayerProperties) {}

  /// The period of a scalar, for example 2π for an angle: a change then takes the shorter direction.
  open func period(forKey key: PropertyKey) -> Double? { nil }

  public var contents: LayerImage? {
    get { model.contents }
    set {
      guard model.contents !== newValue else { return }
      model.contents = newValue
      presented.contents = newValue
      setNeedsFrame()
    }
  }

  public var position: Point {
    get { model.position }
    set { set(.position, to: .point(newValue)) }
  }
  public var bounds: Rect {
    get { model.bounds }
    set { set(.bounds, to: .rect(newValue)) }
  }
  public var anchorPoint: Point {
    get { model.anchorPoint }
    set { set(.anchorPoint, to: .point(newValue)) }
  }
  public var zPosition: Double {
    get { model.zPosition }
    set { set(.zPosition, to: .scalar(newValue)) }
  }
  public var transform: Transform3D {
    get { model.transform }
    set { set(.transform, to: .transform(newValue)) }
  }
  public var rotationX: Double {
    get { model.rotationX }
    set { set(.rotationX, to: .scalar(newValue)) }
  }
  public var sublayerTransform: Transform3D {
    get { model.sublayerTransform }
    set { set(.sublayerTransform, to: .transform(newValue)) }
  }
  public var opacity: Double {
    get { model.opacity }
    set { set(.opacity, to: .scalar(newValue)) }
  }
  public var shade: Shade {
    get { model.shade }
    set { set(.shade, to: .shade(newValue)) }
  }
  public var isHidden: Bool {
    get { model.isHidden }
    set { set(.isHidden, to: .flag(newValue)) }
  }
  public var contentsRect: Rect {
    get { model.contentsRect }
    set { set(.contentsRect, to: .rect(newValue)) }
  }
  public var backgroundColor: Color {
    get { model.backgroundColor }
    set { set(.backgroundColor, to: .color(newValue)) }
  }

  /// The layer's rectangle in its superlayer, without its transform; setting it sets bounds and position.
  public var frame: Rect {
    get {
      Rect(
        x: model.position.x - model.anchorPoint.x * model.bounds.width,
        y: model.position.y - model.anchorPoint.y * model.bounds.height,
        width: model.bounds.width, height: model.bounds.height)
    }
    set {
      bounds = Rect(x: model.bounds.x, y: model.bounds.y, width: newValue.width, height: newValue.height)
      position = Point(
        x: newValue.x + model.anchorPoint.x * newValue.width,
        y: newValue.y + model.anchorPoint.y * newValue.height)
    }
  }
}
