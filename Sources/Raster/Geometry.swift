// SPDX-License-Identifier: Apache-2.0

/// A point in a layer's space, in pixels; y grows downwards.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public static let zero = Point(x: 0, y: 0)

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A size in a layer's space, in pixels.
public struct Size: Hashable, Sendable {
  public var width: Double
  public var height: Double
  public static let zero = Size(width: 0, height: 0)

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in a layer's space, or a normalised one (`contentsRect`).
public struct Rect: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)
  public static let unit = Rect(x: 0, y: 0, width: 1, height: 1)

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public init(_ pixels: PixelRect) {
    self.init(
      x: Double(pixels.x), y: Double(pixels.y), width: Double(pixels.width), height: Double(pixels.height))
  }

  public var maxX: Double { x + width }
  public var maxY: Double { y + height }
  public var midX: Double { x + width / 2 }
  public var midY: Double { y + height / 2 }
  public var size: Size { Size(width: width, height: height) }
}

/// A size in whole pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels, half open: it covers `x ..< maxX` and `y ..< maxY`. A rectangle with a width
/// or height of zero or less is empty. Arithmetic does not saturate: callers keep coordinates within ±2³⁰.
public struct PixelRect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  public static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

  @inlinable
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  public var size: PixelSize { PixelSize(width: width, height: height) }
  @inlinable public var maxX: Int { x + width }
  @inlinable public var maxY: Int { y + height }
  @inlinable public var isEmpty: Bool { width <= 0 || height <= 0 }
  public var area: Int { isEmpty ? 0 : width * height }

  @inlinable
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .empty }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether the rectangles have pixels in common.
  @inlinable
  public func intersects(_ other: PixelRect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY && !isEmpty && !other.isEmpty
  }

  @inlinable
  public func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY)
  }

  /// The smallest rectangle that covers both rectangles; empty ones are ignored.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  public func offset(x dx: Int, y dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}

extension PixelRect {
  /// The limit, positive and negative, of coordinates in this module, so that sums and areas cannot overflow.
  static let coordinateLimit = 1 << 30

  /// This rectangle with its edges clamped to ±2³⁰, for any values; an empty rectangle stays empty.
  public var saturated: PixelRect {
    guard width > 0, height > 0 else { return .empty }
    let (left, right) = PixelRect.saturatedSpan(x, width)
    let (top, bottom) = PixelRect.saturatedSpan(y, height)
    guard left < right, top < bottom else { return .empty }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func saturatedSpan(_ start: Int, _ length: Int) -> (start: Int, end: Int) {
    let (sum, overflow) = start.addingReportingOverflow(length)
    return (saturated(start), overflow ? coordinateLimit : saturated(sum))
  }

  static func saturated(_ coordinate: Int) -> Int {
    min(max(coordinate, -coordinateLimit), coordinateLimit)
  }

  /// Whether the two share a whole edge, so that their union is a rectangle. Both must be nonempty and
  /// disjoint.
  func isBeside(_ other: PixelRect) -> Bool {
    (x == other.x && width == other.width && (y == other.maxY || other.y == maxY))
      || (y == other.y && height == other.height && (x == other.maxX || other.x == maxX))
  }

  /// Calls `part` with each of the at most four disjoint rectangles of `self` outside `hole`. Those above and
  /// below `hole` have the full width; those to the left and right are only as high as the part of `hole` in
  /// `self`.
  @inline(__always)
  func subtracting(_ hole: PixelRect, _ part: (PixelRect) -> Void) {
    let common = intersection(hole)
    if common.isEmpty {
      if !isEmpty { part(self) }
      return
    }
    if y < common.y { part(PixelRect(x: x, y: y, width: width, height: common.y - y)) }
    if common.maxY < maxY {
      part(PixelRect(x: x, y: common.maxY, width: width, height: maxY - common.maxY))
    }
    if x < common.x {
      part(PixelRect(x: x, y: common.y, width: common.x - x, height: common.height))
    }
    if common.maxX < maxX {
      part(PixelRect(x: common.maxX, y: common.y, width: maxX - common.maxX, height: common.height))
    }
  }
}
