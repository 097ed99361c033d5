// SPDX-License-Identifier: Apache-2.0

/// Bayer's 8 × 8 ordered dither.
public enum Dither {
  @inlinable public static var period: Int { 8 }

  /// The threshold at (x, y), −0.5 … 0.5.
  public static func threshold(_ x: Int, _ y: Int) -> Double { (Double(rank(x, y)) + 0.5) / 64 - 0.5 }

  /// The entry of the Bayer matrix for (x, y), 0 … 63. As a level rises, pixels with higher entries switch
  /// earlier.
  static func rank(_ x: Int, _ y: Int) -> UInt32 {
    let a = UInt32(truncatingIfNeeded: x ^ y)
    let b = UInt32(truncatingIfNeeded: y)
    return (a & 1) &<< 5 | (b & 1) &<< 4 | (a & 2) &<< 2 | (b & 2) &<< 1 | (a & 4) &>> 1 | (b & 4) &>> 2
  }

  /// The amounts to add to eight pixels, starting at (x, y), before three bits of red and blue and two of
  /// green are truncated.
  static func pattern565(_ x: Int, _ y: Int) -> SIMD8<UInt32> {
    var pattern = SIMD8<UInt32>(repeating: 0)
    for k in 0..<8 {
      let rank = rank(x &+ k, y)
      pattern[k] = (rank &>> 3) &* 0x01_0001 | (rank &>> 4) &<< 8
    }
    return pattern
  }
}
