// SPDX-License-Identifier: Apache-2.0

import Raster

extension PixelRect {
  /// The part of this rectangle in `bounds`; for any coordinates, those too whose sum overflows.
  func clipped(to bounds: PixelRect) -> PixelRect {
    guard !isEmpty else { return .empty }
    let (right, rightOverflow) = x.addingReportingOverflow(width)
    let (bottom, bottomOverflow) = y.addingReportingOverflow(height)
    let left = max(x, bounds.x)
    let top = max(y, bounds.y)
    let endX = min(rightOverflow ? bounds.maxX : right, bounds.maxX)
    let endY = min(bottomOverflow ? bounds.maxY : bottom, bounds.maxY)
    guard left < endX, top < endY else { return .empty }
    return PixelRect(x: left, y: top, width: endX - left, height: endY - top)
  }
}
