// SPDX-License-Identifier: Apache-2.0

import CKernels

/// A darkening from 0 (none) to 1 (black) that goes linearly from the first to the last row of what
/// is drawn. It multiplies premultiplied colour by 1 − s; alpha stays.
public struct Shade: Hashable, Sendable {
  public var top: Double
  public var bottom: Double

  public static let none = Shade(top: 0, bottom: 0)

  public init(top: Double, bottom: Double) {
    self.top = top
    self.bottom = bottom
  }

  /// The same on every row.
  public init(_ amount: Double) {
    self.init(top: amount, bottom: amount)
  }

  /// What multiplies the colour on row `row` of `count`, 0 … 1. A row may lie between two, and outside
  /// the first and last the shade stays as on those. What is not a number shades nothing.
  @inline(__always)
  func light(row: Double, of count: Int) -> Double {
    let position = count > 1 ? min(max(row / Double(count - 1), 0), 1) : 0
    let amount = top + (bottom - top) * position
    return amount > 0 ? max(1 - amount, 0) : 1
  }

  /// `light` in 1/256, as the kernels take it.
  @inline(__always)
  func light256(row: Double, of count: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: ckernels_whole(light(row: row, of: count) * 256 + 0.5))
  }
}

extension Double {
  /// An opacity as the kernels take it: 0 … 255. What is not a number shows nothing.
  @inline(__always)
  var opacity255: UInt8 {
    guard self > 0 else { return 0 }
    return UInt8(truncatingIfNeeded: ckernels_whole(min(self, 1) * 255 + 0.5))
  }
}
