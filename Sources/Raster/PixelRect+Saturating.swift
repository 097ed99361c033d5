// SPDX-License-Identifier: Apache-2.0

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

  /// Whether the two share a whole edge, so that their union is a rectangle. Both must be nonempty and disjoint.
  func isBeside(_ other: PixelRect) -> Bool {
    (x == other.x && width == other.width && (y == other.maxY || other.y == maxY))
      || (y == other.y && height == other.height && (x == other.maxX || other.x == maxX))
  }

  /// Calls `part` with each of the at most four disjoint rectangles of `self` outside `hole`. The bands above and
  /// below `hole` have the full width, the pieces to the left and right its height.
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
