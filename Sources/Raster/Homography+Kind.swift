// SPDX-License-Identifier: Apache-2.0

extension Homography {
  /// What a map leaves alone, and so which kernel may draw it.
  public enum Kind: Hashable, Sendable {
    /// By whole pixels, to within 1/1024 of one.
    case translation(x: Int, y: Int)
    /// A scale (mirrored where negative) and a translation.
    case axisAligned
    /// As by a turn about x: depth and y′ do not depend on x, so every destination row is one affine
    /// resample of source rows. The flap.
    case rows
    /// As by a turn about y: depth and x′ do not depend on y. The roll.
    case columns
    /// Anything else.
    case general
  }

  /// The narrowest kind that holds to within 1/1024 of a pixel for a source of up to 8192 pixels.
  public var kind: Kind {
    guard isFinite, i > Homography.minimumDepth else { return .general }
    // A linear term may bend 8192 pixels by 1/1024; a perspective term does so in its square.
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
