// SPDX-License-Identifier: Apache-2.0

import Raster

/// Identifies the property that a change or an animation affects.
public enum PropertyKey: Hashable, Sendable {
  case position
  case bounds
  case anchorPoint
  case zPosition
  case transform
  /// A rotation in radians about the x axis through the anchor point, applied after `transform` (Core
  /// Animation's `transform.rotation.x`).
  case rotationX
  case sublayerTransform
  /// Transforms of all sublayers together (Core Animation's `sublayerTransform.rotation.y` and
  /// `sublayerTransform.translation.x`).
  case sublayerRotationY
  case sublayerTranslationX
  case opacity
  case shade
  case isHidden
  case contentsRect
  case backgroundColor
  /// A property that a layer declares itself.
  case custom(String)
}

/// A layer's contents and all its properties that can be animated; used for the model and for the
/// presentation.
public struct LayerProperties {
  /// The position of the anchor point in the superlayer's space.
  public var position = Point.zero
  /// The layer's own coordinate space, in pixels.
  public var bounds = Rect.zero
  /// The origin of `position` and the transforms, in units of the bounds.
  public var anchorPoint = Point(x: 0.5, y: 0.5)
  /// The position towards the eye, which also determines the order among siblings.
  public var zPosition = 0.0
  public var transform = Transform3D.identity
  public var rotationX = 0.0
  /// The transform that is applied to all sublayers about this layer's anchor point. It includes the
  /// perspective.
  public var sublayerTransform = Transform3D.identity
  public var sublayerRotationY = 0.0
  public var sublayerTranslationX = 0.0
  /// The opacity of the layer and its sublayers, 0 … 1.
  public var opacity = 1.0
  /// Darkens the contents, by an amount that changes linearly from their first row to their last.
  public var shade = Shade.none
  public var isHidden = false
  public var contents: LayerImage?
  /// The visible part of the contents, in units of their size. A negative height shows the part upside down.
  ///
  /// If its edges lie inside pixels and the contents are shown pixel for pixel, a pixel belongs to the part
  /// that contains the pixel's centre. So adjacent parts of any number and width leave no seam and share no
  /// pixel. Otherwise the part is shown exactly, with antialiased edges. A part that ends on whole pixels
  /// shows no other pixels; otherwise filtering uses the pixels beyond its edges as neighbours.
  public var contentsRect = Rect.unit
  public var backgroundColor = Color.clear
  /// The values of custom properties.
  public var custom: [String: LayerValue] = [:]

  public subscript(key: PropertyKey) -> LayerValue? {
    get {
      switch key {
      case .position: .point(position)
      case .bounds: .rect(bounds)
      case .anchorPoint: .point(anchorPoint)
      case .zPosition: .scalar(zPosition)
      case .transform: .transform(transform)
      case .rotationX: .scalar(rotationX)
      case .sublayerTransform: .transform(sublayerTransform)
      case .sublayerRotationY: .scalar(sublayerRotationY)
      case .sublayerTranslationX: .scalar(sublayerTranslationX)
      case .opacity: .scalar(opacity)
      case .shade: .shade(shade)
      case .isHidden: .flag(isHidden)
      case .contentsRect: .rect(contentsRect)
      case .backgroundColor: .color(backgroundColor)
      case .custom(let name): custom[name]
      }
    }
    set {
      // A value of the wrong kind is a programming error, not bad input; it changes nothing.
      switch (key, newValue) {
      case (.position, .point(let value)?): position = value
      case (.bounds, .rect(let value)?): bounds = value
      case (.anchorPoint, .point(let value)?): anchorPoint = value
      case (.zPosition, .scalar(let value)?): zPosition = value
      case (.transform, .transform(let value)?): transform = value
      case (.rotationX, .scalar(let value)?): rotationX = value
      case (.sublayerTransform, .transform(let value)?): sublayerTransform = value
      case (.sublayerRotationY, .scalar(let value)?): sublayerRotationY = value
      case (.sublayerTranslationX, .scalar(let value)?): sublayerTranslationX = value
      case (.opacity, .scalar(let value)?): opacity = value
      case (.shade, .shade(let value)?): shade = value
      case (.isHidden, .flag(let value)?): isHidden = value
      case (.contentsRect, .rect(let value)?): contentsRect = value
      case (.backgroundColor, .color(let value)?): backgroundColor = value
      case (.custom(let name), let value): custom[name] = value
      default: assertionFailure("\(key) does not take \(String(describing: newValue))")
      }
    }
  }

  /// Maps the layer's space to the superlayer's, before the superlayer's `sublayerTransform`.
  var placement: Transform3D {
    let anchorX = bounds.x + anchorPoint.x * bounds.width
    let anchorY = bounds.y + anchorPoint.y * bounds.height
    if rotationX == 0, transform == .identity {
      return .translation(x: position.x - anchorX, y: position.y - anchorY, z: zPosition)
    }
    var matrix = Transform3D.translation(x: -anchorX, y: -anchorY, z: 0).concatenating(transform)
    if rotationX != 0 { matrix = matrix.concatenating(.rotation(rotationX, x: 1, y: 0, z: 0)) }
    return matrix.concatenating(.translation(x: position.x, y: position.y, z: zPosition))
  }

  /// The transform applied to all sublayers, about this layer's anchor point; nil if it is the identity.
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
