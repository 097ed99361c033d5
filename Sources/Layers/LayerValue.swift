// SPDX-License-Identifier: Apache-2.0

import Raster

/// The value of an animatable property, stored inline without boxing.
public enum LayerValue: Hashable, Sendable {
  case scalar(Double)
  case point(Point)
  case rect(Rect)
  case shade(Shade)
  case color(Color)
  case transform(Transform3D)
  case flag(Bool)

  /// Interpolates from `self` (progress 0) to `other` (1); `progress` may overshoot. The ends are exact. Values
  /// that cannot be interpolated (flags, different kinds) change at the end.
  public func interpolated(to other: LayerValue, _ progress: Double) -> LayerValue {
    if progress == 0 { return self }
    if progress == 1 { return other }
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * progress }
    switch (self, other) {
    case (.scalar(let a), .scalar(let b)):
      return .scalar(mix(a, b))
    case (.point(let a), .point(let b)):
      return .point(Point(x: mix(a.x, b.x), y: mix(a.y, b.y)))
    case (.rect(let a), .rect(let b)):
      return .rect(
        Rect(
          x: mix(a.x, b.x), y: mix(a.y, b.y), width: mix(a.width, b.width),
          height: mix(a.height, b.height)))
    case (.shade(let a), .shade(let b)):
      return .shade(Shade(top: mix(a.top, b.top), bottom: mix(a.bottom, b.bottom)))
    case (.color(let a), .color(let b)):
      return .color(a.mixed(with: b, progress))
    case (.transform(let a), .transform(let b)):
      return .transform(a.mixed(with: b, progress))
    default:
      return progress < 1 ? self : other
    }
  }
}

extension LayerValue {
  /// This value plus `times` times another; kinds without a velocity are returned unchanged.
  func adding(_ other: LayerValue, times: Double) -> LayerValue {
    switch (self, other) {
    case (.scalar(let a), .scalar(let b)): .scalar(a + b * times)
    case (.point(let a), .point(let b)): .point(Point(x: a.x + b.x * times, y: a.y + b.y * times))
    case (.rect(let a), .rect(let b)):
      .rect(
        Rect(
          x: a.x + b.x * times, y: a.y + b.y * times, width: a.width + b.width * times,
          height: a.height + b.height * times))
    default: self
    }
  }

  /// The difference from this value to `other`; nil for kinds without a velocity.
  func difference(to other: LayerValue) -> LayerValue? {
    switch (self, other) {
    case (.scalar, .scalar), (.point, .point), (.rect, .rect): other.adding(self, times: -1)
    default: nil
    }
  }

  func scaled(_ k: Double) -> LayerValue {
    switch self {
    case .scalar(let a): .scalar(a * k)
    case .point(let a): .point(Point(x: a.x * k, y: a.y * k))
    case .rect(let a): .rect(Rect(x: a.x * k, y: a.y * k, width: a.width * k, height: a.height * k))
    default: self
    }
  }
}

extension LayerValue {
  /// Rounds points and rectangles to the nearest value that differs from `origin` by whole units.
  func rounded(from origin: LayerValue) -> LayerValue {
    func whole(_ a: Double, _ b: Double) -> Double { b + (a - b).rounded() }
    return switch (self, origin) {
    case (.point(let a), .point(let b)): .point(Point(x: whole(a.x, b.x), y: whole(a.y, b.y)))
    case (.rect(let a), .rect(let b)):
      .rect(
        Rect(
          x: whole(a.x, b.x), y: whole(a.y, b.y), width: whole(a.width, b.width),
          height: whole(a.height, b.height)))
    default: self
    }
  }
}

extension Transform3D {
  /// Interpolates element by element, which is correct for translation, scale and perspective. Rotations are
  /// animated by the rotation properties, which interpolate angles.
  func mixed(with other: Transform3D, _ progress: Double) -> Transform3D {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * progress }
    var result = self
    result.m11 = mix(m11, other.m11)
    result.m12 = mix(m12, other.m12)
    result.m13 = mix(m13, other.m13)
    result.m14 = mix(m14, other.m14)
    result.m21 = mix(m21, other.m21)
    result.m22 = mix(m22, other.m22)
    result.m23 = mix(m23, other.m23)
    result.m24 = mix(m24, other.m24)
    result.m31 = mix(m31, other.m31)
    result.m32 = mix(m32, other.m32)
    result.m33 = mix(m33, other.m33)
    result.m34 = mix(m34, other.m34)
    result.m41 = mix(m41, other.m41)
    result.m42 = mix(m42, other.m42)
    result.m43 = mix(m43, other.m43)
    result.m44 = mix(m44, other.m44)
    return result
  }
}
