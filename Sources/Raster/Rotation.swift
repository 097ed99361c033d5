// SPDX-License-Identifier: Apache-2.0

/// The rotation of a picture for a display that is mounted sideways or upside down.
public enum Rotation: Int, CaseIterable, Hashable, Sendable {
  case none = 0
  /// Rotates by 90° clockwise: the top edge moves to the right.
  case clockwise = 90
  case half = 180
  /// Rotates by 270° clockwise: the top edge moves to the left.
  case counterclockwise = 270

  /// The rotation that undoes this one.
  public var inverse: Rotation {
    switch self {
    case .none, .half: self
    case .clockwise: .counterclockwise
    case .counterclockwise: .clockwise
    }
  }

  /// The size of a picture of `size` after rotation.
  public func size(of size: PixelSize) -> PixelSize {
    switch self {
    case .none, .half: size
    case .clockwise, .counterclockwise: PixelSize(width: size.height, height: size.width)
    }
  }

  /// The position of `rect`, a part of a picture of `size`, after rotation.
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
