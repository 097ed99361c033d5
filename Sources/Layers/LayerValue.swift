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

  /// Interpolates from `self` (progress 0) to `other` (1); `progress` may overshoot. The ends are exact.
  /// Values that cannot be interpolated (flags, different kinds) change at the end.
  public func interpolated(to other: LayerValue, _ progress: Double) -> LayerValue {
    if progress == 0 { return self }
    if progress == 1 { return other }
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * progress }
    if let mixed = combined(with: other, mix) { return mixed }
    switch (self, other) {
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
  /// Combines the numbers of two scalars, points or rectangles, which are the kinds with a velocity; nil for
  /// other kinds.
  private func combined(with other: LayerValue, _ combine: (Double, Double) -> Double) -> LayerValue? {
    switch (self, other) {
    case (.scalar(let a), .scalar(let b)): .scalar(combine(a, b))
    case (.point(let a), .point(let b)): .point(Point(x: combine(a.x, b.x), y: combine(a.y, b.y)))
    case (.rect(let a), .rect(let b)):
      .rect(
        Rect(
          x: combine(a.x, b.x), y: combine(a.y, b.y), width: combine(a.width, b.width),
          height: combine(a.height, b.height)))
    default: nil
    }
  }

  /// This value plus `times` times another; kinds without a velocity are returned unchanged.
  func adding(_ other: LayerValue, times: Double) -> LayerValue {
    combined(with: other) { $0 + $1 * times } ?? self
  }

  /// The difference from this value to `other`; nil for kinds without a velocity.
  func difference(to other: LayerValue) -> LayerValue? { combined(with: other) { $1 - $0 } }

  func scaled(_ k: Double) -> LayerValue { combined(with: self) { a, _ in a * k } ?? self }

  /// Rounds points and rectangles to the nearest value that differs from `origin` by whole units.
  func rounded(from origin: LayerValue) -> LayerValue {
    if case .scalar = self { return self }
    return combined(with: origin) { $1 + ($0 - $1).rounded() } ?? self
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
