// SPDX-License-Identifier: Apache-2.0

import Raster

/// A node of the layer tree, after Core Animation's: a model that is set, and a presentation that
/// follows it by animations. Belongs to one thread.
open class Layer {
  /// What the program last asked for.
  public internal(set) var model = LayerProperties()
  /// What is shown at the scene's time: the model where nothing animates.
  public var presentation: LayerProperties { animations.isEmpty ? model : presented }

  public private(set) weak var superlayer: Layer?
  public private(set) var sublayers: [Layer] = []
  /// The sublayers are not flattened into this layer's plane: they share one space (a tube's sides), and
  /// that of any transform layers among them. They are drawn from far to near by the depth of the middle of
  /// each after all transforms, those of the same depth in the order of the tree; what passes through
  /// another is not cut. The layer has no plane of its own: it neither masks nor has a back.
  public var isTransformLayer = false {
    didSet {
      trace.orderChanged = true
      setNeedsFrame()
    }
  }
  /// Whether the layer, and what is flattened into it, is seen from behind too: where its plane is turned
  /// away from the eye on the screen.
  public var isDoubleSided = true { didSet { setNeedsFrame() } }
  /// Sublayers, and contents with them, are cut at the bounds with their round corners: by the area that
  /// these cover of each pixel, under any transform. Bounds on whole pixels without round corners cost
  /// nothing; all others draw what they mask into a buffer of its own first. Not of a transform layer.
  public var masksToBounds = false { didSet { setNeedsFrame() } }
  /// What a change of a property does by itself: nil leaves the change immediate. The animation's
  /// `from` and `to` are filled in.
  public var actions: [PropertyKey: Animation] = [:]
  /// Asked for the action of a change before the layer itself is.
  public weak var delegate: (any LayerDelegate)?

  var presented = LayerProperties()
  var animations: [ActiveAnimation] = []
  weak var scene: Scene?
  var trace = LayerTrace()
  /// Waits in the scene for `display`.
  var isDisplayQueued = false
  var solid: LayerImage?

  public init() {}

  // MARK: The tree

  public func addSublayer(_ layer: Layer) { insertSublayer(layer, at: sublayers.count) }

  /// Index 0 is the farthest from the eye; positions out of range are the nearest end.
  public func insertSublayer(_ layer: Layer, at index: Int) {
    layer.removeFromSuperlayer()
    sublayers.insert(layer, at: min(max(index, 0), sublayers.count))
    layer.superlayer = self
    layer.join(scene)
    layer.trace.orderChanged = true
    sortSublayers()
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
      // What a scene that is no more noted is nothing to this one.
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

  /// Siblings stand in the order of their z positions, those of the same in the order they were added.
  /// An insertion sort: stable, in place, and linear when nothing moved.
  func sortSublayers() {
    guard sublayers.count > 1 else { return }
    for index in 1..<sublayers.count {
      var position = index
      while position > 0,
        sublayers[position - 1].presentation.zPosition > sublayers[position].presentation.zPosition
      {
        sublayers.swapAt(position - 1, position)
        sublayers[position].trace.orderChanged = true
        position -= 1
      }
    }
  }

  /// What is shown of the layer differs from the last frame, or the layers in it do.
  func setNeedsFrame() {
    trace.isChanged = true
    scene?.setNeedsFrame()
  }

  // MARK: Properties

  /// Sets a property of the model; runs the property's action unless the transaction disables it.
  public func set(_ key: PropertyKey, to value: LayerValue) {
    guard model[key] != value else { return }
    if let scene, let action = resolvedAction(for: key, in: scene) {
      // In a completion what is presented is still the last frame's.
      evaluate(at: now)
      let name = key.actionName
      let animation = prepared(action, for: key, to: value, name: name)
      model[key] = value
      add(animation, forKey: name)
    } else {
      model[key] = value
      presentModel(key)
    }
    if needsDisplay(forKey: key) { setNeedsDisplay() }
    if key == .zPosition { superlayer?.sortSublayers() }
    setNeedsFrame()
  }

  /// The animation that a change of `key` runs by itself.
  open func action(for key: PropertyKey) -> Animation? { actions[key] }

  /// Whether a change of `key`, set or animated, asks for `display` (Core Animation's `needsDisplayForKey:`).
  open func needsDisplay(forKey key: PropertyKey) -> Bool { false }

  /// Brings up to date what depends on the values that `needsDisplay(forKey:)` names: contents that are
  /// drawn, other properties that follow. Called once before a frame is drawn, without actions.
  open func display(_ presentation: LayerProperties) {}

  /// The length after which a scalar comes round, 2π for an angle: a change then takes the short way.
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
  public var cornerRadius: Double {
    get { model.cornerRadius }
    set { set(.cornerRadius, to: .scalar(newValue)) }
  }
  public var backgroundColor: Color {
    get { model.backgroundColor }
    set { set(.backgroundColor, to: .color(newValue)) }
  }

  /// Where the layer stands in its superlayer, without its transform; sets bounds and position.
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
