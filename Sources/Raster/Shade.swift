// SPDX-License-Identifier: Apache-2.0

import CKernels

/// A darkening from 0 (none) to 1 (black) that changes linearly from the first to the last row of the drawn
/// rectangle. Premultiplied colour is multiplied by one minus the darkening; alpha is unchanged.
public struct Shade: Hashable, Sendable {
  public var top: Double
  public var bottom: Double

  public static let none = Shade(top: 0, bottom: 0)

  public init(top: Double, bottom: Double) {
    self.top = top
    self.bottom = bottom
  }

  /// Darkens every row by the same amount.
  public init(_ amount: Double) {
    self.init(top: amount, bottom: amount)
  }

  /// The factor for the colour on row `row` of `count`, 0 … 1. `row` may be fractional; it is clamped to the
  /// first and last row. A NaN amount does not shade.
  @inline(__always)
  func light(row: Double, of count: Int) -> Double {
    let position = count > 1 ? min(max(row / Double(count - 1), 0), 1) : 0
    let amount = top + (bottom - top) * position
    return amount > 0 ? max(1 - amount, 0) : 1
  }

  /// `light` in 1/256, for the kernels.
  @inline(__always)
  func light256(row: Double, of count: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: ckernels_whole(light(row: row, of: count) * 256 + 0.5))
  }
}

extension Double {
  /// An opacity for the kernels, 0 … 255; NaN is 0.
  @inline(__always)
  var opacity255: UInt8 {
    guard self > 0 else { return 0 }
    return UInt8(truncatingIfNeeded: ckernels_whole(min(self, 1) * 255 + 0.5))
  }
}
