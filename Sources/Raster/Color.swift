// SPDX-License-Identifier: Apache-2.0

/// An sRGB colour, 8 bits per channel, not premultiplied.
public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  public var alpha: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// An opaque colour from `0xRRGGBB`.
  public init(rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }

  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  public static let black = Color(rgb: 0)
  public static let white = Color(rgb: 0xffffff)

  /// The pixel value for the 32-bit formats: `0xAARRGGBB`, premultiplied, rounded to nearest.
  public var premultiplied: UInt32 {
    func scaled(_ channel: UInt8) -> UInt32 {
      let t = UInt32(channel) * UInt32(alpha) + 128
      return (t + (t >> 8)) >> 8
    }
    return UInt32(alpha) << 24 | scaled(red) << 16 | scaled(green) << 8 | scaled(blue)
  }

  /// Interpolates each channel towards `other` by `fraction` (0 … 1).
  public func mixed(with other: Color, _ fraction: Double) -> Color {
    let f = min(max(fraction, 0), 1)
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) + (Double(b) - Double(a)) * f).rounded())
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }
}
