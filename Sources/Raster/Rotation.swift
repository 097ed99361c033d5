// SPDX-License-Identifier: Apache-2.0

/// How a picture is turned on its way to a display that hangs on its side or upside down.
public enum Rotation: Int, CaseIterable, Hashable, Sendable {
  case none = 0
  /// By 90°: its upper edge comes to the right.
  case clockwise = 90
  case half = 180
  /// By 270° clockwise: its upper edge comes to the left.
  case counterclockwise = 270

  /// That which turns back.
  public var inverse: Rotation {
    switch self {
    case .none, .half: self
    case .clockwise: .counterclockwise
    case .counterclockwise: .clockwise
    }
  }

  /// The size of a picture of `size` when it is turned.
  public func size(of size: PixelSize) -> PixelSize {
    switch self {
    case .none, .half: size
    case .clockwise, .counterclockwise: PixelSize(width: size.height, height: size.width)
    }
  }

  /// Where `rect` of a picture of `size` comes to lie.
  public func place(_ rect: PixelRect, in size: PixelSize) -> PixelRect {
    switch self {
    case .none: rect
    case .clockwise:
      PixelRect(x: size.height - rect.maxY, y: rect.x, width: rect.height, height: rect.width)
    case .half:
      PixelRect(
        x: size.width - rect.maxX, y: size.height - rect.maxY, width: rect.width, height: rect.height)
    case .counterclockwise:
      PixelRect(x: rect.y, y: size.width - rect.maxX, width: rect.height, height: rect.width)
    }
  }
}
