// SPDX-License-Identifier: Apache-2.0

/// A projective map of the plane: (x, y) → ((a·x + b·y + c)/w, (d·x + e·y + f)/w) with w = g·x + h·y + i. A
/// point whose w is at most `minimumDepth` counts as behind the eye and has no image.
public struct Homography: Hashable, Sendable {
  public var a: Double
  public var b: Double
  public var c: Double
  public var d: Double
  public var e: Double
  public var f: Double
  public var g: Double
  public var h: Double
  public var i: Double

  /// Points in front of the eye have a larger w.
  static let minimumDepth = 1e-6
  /// The limit, positive and negative, of the coordinates of `bounds(of:)`.
  static let boundsLimit = 16_777_216.0
  /// Distances of at most this many pixels count as zero.
  static let tolerance = 1.0 / 1024

  public init(
    a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, g: Double, h: Double, i: Double
  ) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
  }

  public static let identity = Homography(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: 1)

  public static func translation(x: Double, y: Double) -> Homography {
    Homography(a: 1, b: 0, c: x, d: 0, e: 1, f: y, g: 0, h: 0, i: 1)
  }

  public static func scale(x: Double, y: Double) -> Homography {
    Homography(a: x, b: 0, c: 0, d: 0, e: y, f: 0, g: 0, h: 0, i: 1)
  }

  /// The map that applies `self` first, then `other`.
  public func concatenating(_ other: Homography) -> Homography {
    let o = other
    return Homography(
      a: o.a * a + o.b * d + o.c * g, b: o.a * b + o.b * e + o.c * h, c: o.a * c + o.b * f + o.c * i,
      d: o.d * a + o.e * d + o.f * g, e: o.d * b + o.e * e + o.f * h, f: o.d * c + o.e * f + o.f * i,
      g: o.g * a + o.h * d + o.i * g, h: o.g * b + o.h * e + o.i * h, i: o.g * c + o.h * f + o.i * i)
  }

  /// The inverse map; nil if the plane is seen edge-on or an element is not finite.
  public var inverse: Homography? {
    let ca = e * i - f * h
    let cb = f * g - d * i
    let cc = d * h - e * g
    let determinant = a * ca + b * cb + c * cc
    guard determinant.isFinite, determinant != 0 else { return nil }
    let k = 1 / determinant
    guard k.isFinite else { return nil }
    let result = Homography(
      a: ca * k, b: (c * h - b * i) * k, c: (b * f - c * e) * k,
      d: cb * k, e: (a * i - c * g) * k, f: (c * d - a * f) * k,
      g: cc * k, h: (b * g - a * h) * k, i: (a * e - b * d) * k)
    return result.isFinite ? result : nil
  }

  var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
      && g.isFinite && h.isFinite && i.isFinite
  }

  /// The image of `point`; nil if the point is behind the eye.
  public func callAsFunction(_ point: Point) -> Point? {
    let w = g * point.x + h * point.y + i
    guard w > Homography.minimumDepth, w.isFinite else { return nil }
    return Point(x: (a * point.x + b * point.y + c) / w, y: (d * point.x + e * point.y + f) / w)
  }

  /// The whole pixels that the image of `rect` overlaps by more than 1/1024 px, clamped to ±2²⁴. Nil if a
  /// corner is behind the eye or not a number.
  public func bounds(of rect: Rect) -> PixelRect? {
    guard let p = self(Point(x: rect.x, y: rect.y)),
      let q = self(Point(x: rect.maxX, y: rect.y)),
      let r = self(Point(x: rect.x, y: rect.maxY)),
      let s = self(Point(x: rect.maxX, y: rect.maxY))
    else { return nil }
    guard let (left, right) = Homography.cover(p.x, q.x, r.x, s.x),
      let (top, bottom) = Homography.cover(p.y, q.y, r.y, s.y)
    else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func cover(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> (Int, Int)? {
    let least = min(min(p, q), min(r, s))
    let most = max(max(p, q), max(r, s))
    // min and max can drop a NaN but the sum cannot; the sum of opposite infinities is a NaN too.
    guard !(p + q + r + s).isNaN else { return nil }
    let low = max(min((least + tolerance).rounded(.down), boundsLimit), -boundsLimit)
    let high = max(min((most - tolerance).rounded(.up), boundsLimit), -boundsLimit)
    return (Int(low), Int(max(low, high)))
  }
}

extension Homography {
  /// The class of a map, which decides which kernel can draw it.
  public enum Kind: Hashable, Sendable {
    /// A translation by whole pixels, to within 1/1024 px.
    case translation(x: Int, y: Int)
    /// A scale (negative to mirror) and a translation.
    case axisAligned
    /// Maps like a rotation about x: depth and y′ do not depend on x. So every destination row is one affine
    /// resample of source rows. Used by the flap.
    case rows
    /// Maps like a rotation about y: depth and x′ do not depend on y. Used by the page transition `roll`.
    case columns
    /// Anything else.
    case general
  }

  /// The most specific kind that is accurate to 1/1024 px for a source of up to 8192 pixels.
  public var kind: Kind {
    guard isFinite, i > Homography.minimumDepth else { return .general }
    // A linear term may be off by 1/1024 over 8192 pixels; a perspective term acts on the square of the
    // distance.
    let linear = 1e-7 * i
    let projective = 1e-11 * i
    let depthVariesInX = abs(g) > projective
    let depthVariesInY = abs(h) > projective
    let mixesXIntoY = abs(d) > linear
    let mixesYIntoX = abs(b) > linear
    if !depthVariesInX && !depthVariesInY && !mixesXIntoY && !mixesYIntoX {
      let x = c / i
      let y = f / i
      guard abs(a - i) <= linear, abs(e - i) <= linear,
        abs(x) < Homography.boundsLimit, abs(y) < Homography.boundsLimit,
        abs(x - x.rounded()) <= Homography.tolerance, abs(y - y.rounded()) <= Homography.tolerance
      else { return .axisAligned }
      return .translation(x: Int(x.rounded()), y: Int(y.rounded()))
    }
    if !depthVariesInX && !mixesXIntoY { return .rows }
    if !depthVariesInY && !mixesYIntoX { return .columns }
    return .general
  }
}
