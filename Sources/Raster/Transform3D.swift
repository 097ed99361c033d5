// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A 4×4 transform in Core Animation's convention: a point is a row vector, p′ = p · M, so the fourth row is
/// the translation and the fourth column the perspective.
public struct Transform3D: Hashable, Sendable {
  public var m11 = 1.0
  public var m12 = 0.0
  public var m13 = 0.0
  public var m14 = 0.0
  public var m21 = 0.0
  public var m22 = 1.0
  public var m23 = 0.0
  public var m24 = 0.0
  public var m31 = 0.0
  public var m32 = 0.0
  public var m33 = 1.0
  public var m34 = 0.0
  public var m41 = 0.0
  public var m42 = 0.0
  public var m43 = 0.0
  public var m44 = 1.0

  /// The identity.
  public static let identity = Transform3D()

  public static func translation(x: Double, y: Double, z: Double = 0) -> Transform3D {
    var result = Transform3D()
    result.m41 = x
    result.m42 = y
    result.m43 = z
    return result
  }

  public static func scale(x: Double, y: Double, z: Double = 1) -> Transform3D {
    var result = Transform3D()
    result.m11 = x
    result.m22 = y
    result.m33 = z
    return result
  }

  /// A rotation by `angle` radians about the axis (x, y, z), which need not have unit length.
  ///
  /// Exact at multiples of π/2 about a coordinate axis. A zero axis, or an angle or axis that is not finite,
  /// gives the identity.
  public static func rotation(_ angle: Double, x: Double, y: Double, z: Double) -> Transform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard angle.isFinite, length.isFinite, length > 0 else { return identity }
    let (x, y, z) = (x / length, y / length, z / length)
    let (s, c) = sineAndCosine(angle)
    let rest = 1 - c
    var result = Transform3D()
    // x² + (1 − x²)·c instead of c + x²·(1 − c): exactly 1 when the axis is x.
    result.m11 = x * x + (1 - x * x) * c
    result.m12 = x * y * rest + z * s
    result.m13 = x * z * rest - y * s
    result.m21 = x * y * rest - z * s
    result.m22 = y * y + (1 - y * y) * c
    result.m23 = y * z * rest + x * s
    result.m31 = x * z * rest + y * s
    result.m32 = y * z * rest - x * s
    result.m33 = z * z + (1 - z * z) * c
    return result
  }

  /// The perspective of an eye at `distance` in front of the plane z = 0: m34 = −1/distance. Zero or a
  /// non-finite distance gives the identity.
  public static func perspective(distance: Double) -> Transform3D {
    guard distance.isFinite, distance != 0 else { return identity }
    var result = Transform3D()
    result.m34 = -1 / distance
    return result
  }

  /// The transform that applies `self` first, then `other`.
  public func concatenating(_ other: Transform3D) -> Transform3D {
    let b = other
    var r = Transform3D()
    r.m11 = m11 * b.m11 + m12 * b.m21 + m13 * b.m31 + m14 * b.m41
    r.m12 = m11 * b.m12 + m12 * b.m22 + m13 * b.m32 + m14 * b.m42
    r.m13 = m11 * b.m13 + m12 * b.m23 + m13 * b.m33 + m14 * b.m43
    r.m14 = m11 * b.m14 + m12 * b.m24 + m13 * b.m34 + m14 * b.m44
    r.m21 = m21 * b.m11 + m22 * b.m21 + m23 * b.m31 + m24 * b.m41
    r.m22 = m21 * b.m12 + m22 * b.m22 + m23 * b.m32 + m24 * b.m42
    r.m23 = m21 * b.m13 + m22 * b.m23 + m23 * b.m33 + m24 * b.m43
    r.m24 = m21 * b.m14 + m22 * b.m24 + m23 * b.m34 + m24 * b.m44
    r.m31 = m31 * b.m11 + m32 * b.m21 + m33 * b.m31 + m34 * b.m41
    r.m32 = m31 * b.m12 + m32 * b.m22 + m33 * b.m32 + m34 * b.m42
    r.m33 = m31 * b.m13 + m32 * b.m23 + m33 * b.m33 + m34 * b.m43
    r.m34 = m31 * b.m14 + m32 * b.m24 + m33 * b.m34 + m34 * b.m44
    r.m41 = m41 * b.m11 + m42 * b.m21 + m43 * b.m31 + m44 * b.m41
    r.m42 = m41 * b.m12 + m42 * b.m22 + m43 * b.m32 + m44 * b.m42
    r.m43 = m41 * b.m13 + m42 * b.m23 + m43 * b.m33 + m44 * b.m43
    r.m44 = m41 * b.m14 + m42 * b.m24 + m43 * b.m34 + m44 * b.m44
    return r
  }

  /// The map of the plane z = 0 to the screen.
  public var homography: Homography {
    Homography(a: m11, b: m21, c: m41, d: m12, e: m22, f: m42, g: m14, h: m24, i: m44)
  }

  /// Sine and cosine, exactly 0 and ±1 if `angle` is the nearest double to a multiple of π/2.
  private static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    let quarter = Double.pi / 2
    let turns = (angle / quarter).rounded()
    guard abs(turns) < 0x1p40, abs(angle - turns * quarter) <= angle.ulp * 2, angle == 0 || turns != 0 else {
      return (sin(angle), cos(angle))
    }
    switch Int(turns) & 3 {
    case 0: return (0, 1)
    case 1: return (1, 0)
    case 2: return (0, -1)
    default: return (-1, 0)
    }
  }
}
