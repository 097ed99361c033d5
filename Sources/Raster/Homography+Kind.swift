// SPDX-License-Identifier: Apache-2.0

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
    /// Maps like a rotation about y: depth and x′ do not depend on y. Used by the roll.
    case columns
    /// Anything else.
    case general
  }

  /// The most specific kind that is accurate to 1/1024 px for a source of up to 8192 pixels.
  public var kind: Kind {
    guard isFinite, i > Homography.minimumDepth else { return .general }
    // A linear term may be off by 1/1024 over 8192 pixels; a perspective term acts on the square of the distance.
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
