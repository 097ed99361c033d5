// SPDX-License-Identifier: Apache-2.0

/// A signed Q16.16 fixed-point number, used for the steps and positions of the row kernels.
///
/// All arithmetic saturates at ±32768 and never traps.
public struct Fixed: Hashable, Sendable {
  /// The value times 65536.
  public var rawValue: Int32

  public static let zero = Fixed(rawValue: 0)
  public static let one = Fixed(rawValue: 1 << 16)
  public static let max = Fixed(rawValue: .max)
  public static let min = Fixed(rawValue: .min)

  @inlinable @inline(__always)
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Converts an integer; saturates outside −32768 … 32767.
  @inlinable
  public init(_ value: Int) {
    let clamped = Swift.min(Swift.max(value, -32769), 32768)
    rawValue = Int32(clamping: clamped &<< 16)
  }

  /// Converts a number to the nearest multiple of 1/65536, ties away from zero. Saturates; NaN becomes 0.
  @inlinable
  public init(_ value: Double) {
    guard value == value else {
      rawValue = 0
      return
    }
    let scaled = (value * 65536).rounded()
    if scaled >= 2_147_483_647 {
      rawValue = .max
    } else if scaled <= -2_147_483_648 {
      rawValue = .min
    } else {
      rawValue = Int32(scaled)
    }
  }

  /// The largest integer that is not greater.
  @inlinable @inline(__always)
  public var floor: Int { Int(rawValue) &>> 16 }

  /// The remainder above `floor`: 0 ≤ fraction < 1, for negative values too.
  @inlinable @inline(__always)
  public var fraction: Fixed { Fixed(rawValue: rawValue & 0xffff) }

  @inlinable
  public var doubleValue: Double { Double(rawValue) / 65536 }
}

extension Fixed: Comparable {
  @inlinable
  public static func < (a: Fixed, b: Fixed) -> Bool { a.rawValue < b.rawValue }
}

extension Fixed {
  @inlinable
  public static func + (a: Fixed, b: Fixed) -> Fixed {
    Fixed(rawValue: Int32(clamping: Int64(a.rawValue) &+ Int64(b.rawValue)))
  }

  @inlinable
  public static func - (a: Fixed, b: Fixed) -> Fixed {
    Fixed(rawValue: Int32(clamping: Int64(a.rawValue) &- Int64(b.rawValue)))
  }

  /// The product rounded to nearest, ties upwards.
  @inlinable
  public static func * (a: Fixed, b: Fixed) -> Fixed {
    let product = Int64(a.rawValue) &* Int64(b.rawValue)
    return Fixed(rawValue: Int32(clamping: (product &+ 0x8000) &>> 16))
  }

  @inlinable
  public static prefix func - (a: Fixed) -> Fixed { zero - a }

  @inlinable
  public static func += (a: inout Fixed, b: Fixed) { a = a + b }

  @inlinable
  public static func -= (a: inout Fixed, b: Fixed) { a = a - b }
}

extension Fixed: CustomStringConvertible {
  public var description: String { "\(doubleValue)" }
}
