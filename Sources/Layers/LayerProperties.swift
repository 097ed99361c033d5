// SPDX-License-Identifier: Apache-2.0

import Raster

/// Which property of a layer a change or an animation is about.
public enum PropertyKey: Hashable, Sendable {
  case position
  case bounds
  case anchorPoint
  case zPosition
  case transform
  /// Turns about the anchor point, radians, applied after `transform` (`transform.rotation.x`, …).
  case rotationX
  case rotationY
  case rotationZ
  case sublayerTransform
  /// Of the sublayers as a whole (`sublayerTransform.rotation.y`, `sublayerTransform.translation.x`).
  case sublayerRotationY
  case sublayerTranslationX
  case opacity
  case shade
  case isHidden
  case contentsRect
  case backgroundColor
  case cornerRadius
  /// A property that a layer declares for itself.
  case custom(String)

  /// The name under which its action runs. Not by reflection, which an interpolated enumeration is told by.
  var actionName: String {
    switch self {
    case .position: "action.position"
    case .bounds: "action.bounds"
    case .anchorPoint: "action.anchorPoint"
    case .zPosition: "action.zPosition"
    case .transform: "action.transform"
    case .rotationX: "action.rotationX"
    case .rotationY: "action.rotationY"
    case .rotationZ: "action.rotationZ"
    case .sublayerTransform: "action.sublayerTransform"
    case .sublayerRotationY: "action.sublayerRotationY"
    case .sublayerTranslationX: "action.sublayerTranslationX"
    case .opacity: "action.opacity"
    case .shade: "action.shade"
    case .isHidden: "action.isHidden"
    case .contentsRect: "action.contentsRect"
    case .backgroundColor: "action.backgroundColor"
    case .cornerRadius: "action.cornerRadius"
    case .custom(let name): "action.custom." + name
    }
  }
}

/// All that decides how a layer looks: once as the model, once as what is presented.
public struct LayerProperties {
  /// Where the anchor point is, in the superlayer's space.
  public var position = Point.zero
  /// The layer's own space, pixels.
  public var bounds = Rect.zero
  /// What `position` and the transforms are about, in units of the bounds.
  public var anchorPoint = Point(x: 0.5, y: 0.5)
  /// Towards the eye; also the order among siblings.
  public var zPosition = 0.0
  public var transform = Transform3D.identity
  public var rotationX = 0.0
  public var rotationY = 0.0
  public var rotationZ = 0.0
  /// Applied to all sublayers about this layer's anchor point; carries the perspective.
  public var sublayerTransform = Transform3D.identity
  public var sublayerRotationY = 0.0
  public var sublayerTranslationX = 0.0
  /// 0 … 1, of the layer and its sublayers.
  public var opacity = 1.0
  /// Darkening of the contents, from their first row to their last.
  public var shade = Shade.none
  public var isHidden = false
  public var contents: LayerImage?
  /// The part of the contents that is shown, in units of them (`contentsRect` of the seeds). A
  /// negative height shows the part upside down.
  ///
  /// Edges between pixels of the contents: where the contents lie on the screen pixel for pixel, each pixel
  /// belongs to the part that has its middle, so that neighbouring parts leave no seam and share no pixel,
  /// at any number and width of them. Otherwise the part is shown exactly, its edges antialiased. A
  /// part that ends with whole pixels shows no others; one that does not takes those beyond its edges for
  /// neighbours of its own where it is filtered.
  public var contentsRect = Rect.unit
  public var backgroundColor = Color.clear
  /// How round the corners of background and contents are, in the layer's pixels; at most half of its
  /// shorter side. Sublayers are cut too where the layer masks.
  public var cornerRadius = 0.0
  /// Values of the custom properties.
  public var custom: [String: LayerValue] = [:]

  public init() {}

  public subscript(key: PropertyKey) -> LayerValue? {
    get {
      switch key {
      case .position: .point(position)
      case .bounds: .rect(bounds)
      case .anchorPoint: .point(anchorPoint)
      case .zPosition: .scalar(zPosition)
      case .transform: .transform(transform)
      case .rotationX: .scalar(rotationX)
      case .rotationY: .scalar(rotationY)
      case .rotationZ: .scalar(rotationZ)
      case .sublayerTransform: .transform(sublayerTransform)
      case .sublayerRotationY: .scalar(sublayerRotationY)
      case .sublayerTranslationX: .scalar(sublayerTranslationX)
      case .opacity: .scalar(opacity)
      case .shade: .shade(shade)
      case .isHidden: .flag(isHidden)
      case .contentsRect: .rect(contentsRect)
      case .backgroundColor: .color(backgroundColor)
      case .cornerRadius: .scalar(cornerRadius)
      case .custom(let name): custom[name]
      }
    }
    set {
      // A value of the wrong kind is a mistake of the program, not of its input; it changes nothing.
      switch (key, newValue) {
      case (.position, .point(let value)?): position = value
      case (.bounds, .rect(let value)?): bounds = value
      case (.anchorPoint, .point(let value)?): anchorPoint = value
      case (.zPosition, .scalar(let value)?): zPosition = value
      case (.transform, .transform(let value)?): transform = value
      case (.rotationX, .scalar(let value)?): rotationX = value
      case (.rotationY, .scalar(let value)?): rotationY = value
      case (.rotationZ, .scalar(let value)?): rotationZ = value
      case (.sublayerTransform, .transform(let value)?): sublayerTransform = value
      case (.sublayerRotationY, .scalar(let value)?): sublayerRotationY = value
      case (.sublayerTranslationX, .scalar(let value)?): sublayerTranslationX = value
      case (.opacity, .scalar(let value)?): opacity = value
      case (.shade, .shade(let value)?): shade = value
      case (.isHidden, .flag(let value)?): isHidden = value
      case (.contentsRect, .rect(let value)?): contentsRect = value
      case (.backgroundColor, .color(let value)?): backgroundColor = value
      case (.cornerRadius, .scalar(let value)?): cornerRadius = value
      case (.custom(let name), let value): custom[name] = value
      default: assertionFailure("\(key) does not take \(String(describing: newValue))")
      }
    }
  }

  /// The corner radius that the bounds have room for; 0 for what is not a number.
  var roundedRadius: Double {
    guard cornerRadius > 0, bounds.width > 0, bounds.height > 0 else { return 0 }
    return min(cornerRadius, min(bounds.width, bounds.height) / 2)
  }

  /// From the layer's space to the superlayer's, before the superlayer's `sublayerTransform`.
  var placement: Transform3D {
    let anchorX = bounds.x + anchorPoint.x * bounds.width
    let anchorY = bounds.y + anchorPoint.y * bounds.height
    if rotationX == 0, rotationY == 0, rotationZ == 0, transform == .identity {
      return .translation(x: position.x - anchorX, y: position.y - anchorY, z: zPosition)
    }
    var matrix = Transform3D.translation(x: -anchorX, y: -anchorY, z: 0).concatenating(transform)
    if rotationX != 0 { matrix = matrix.concatenating(.rotation(rotationX, x: 1, y: 0, z: 0)) }
    if rotationY != 0 { matrix = matrix.concatenating(.rotation(rotationY, x: 0, y: 1, z: 0)) }
    if rotationZ != 0 { matrix = matrix.concatenating(.rotation(rotationZ, x: 0, y: 0, z: 1)) }
    return matrix.concatenating(.translation(x: position.x, y: position.y, z: zPosition))
  }

  /// What all sublayers pass through, about this layer's anchor point; nil when it is the identity.
  var sublayerPlacement: Transform3D? {
    guard sublayerTransform != .identity || sublayerRotationY != 0 || sublayerTranslationX != 0 else {
      return nil
    }
    let anchorX = bounds.x + anchorPoint.x * bounds.width
    let anchorY = bounds.y + anchorPoint.y * bounds.height
    return Transform3D.translation(x: -anchorX, y: -anchorY, z: 0)
      .concatenating(.rotation(sublayerRotationY, x: 0, y: 1, z: 0))
      .concatenating(.translation(x: sublayerTranslationX, y: 0, z: 0))
      .concatenating(sublayerTransform)
      .concatenating(.translation(x: anchorX, y: anchorY, z: 0))
  }
}
