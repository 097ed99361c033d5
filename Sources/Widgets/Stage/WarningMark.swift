// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A small ring with a sign in it, in the lower right corner, which shows that something is wrong with the
/// match or with the time of day.
final class WarningMark {
  /// Each sign has its own place; the first is in the corner.
  enum Sign: Int, CaseIterable {
    /// The hands of a clock: nothing has confirmed the time of day.
    case unconfirmedTime
    /// A stroke: this wall is not connected with the others that show the match.
    case cutOff
    /// An exclamation mark: changes of the match could not be saved.
    case unsaved
  }

  let layer = Layer()

  let sign: Sign
  private let frame: Rect
  /// The colour in which the mark is drawn; nil: it is not shown.
  private var shown: Color?

  /// - Parameter page: the page's place on the display.
  init(_ sign: Sign, page: Rect) {
    self.sign = sign
    let reference = min(page.width, page.height)
    let size = max((0.03 * reference).rounded(), min(12, (0.22 * reference).rounded()))
    let inset = max((0.02 * reference).rounded(), 2)
    frame = Rect(
      x: page.maxX - (inset + size) * Double(sign.rawValue + 1), y: page.maxY - inset - size, width: size,
      height: size)
  }

  func show(_ isOn: Bool, _ theme: Theme) {
    let color = isOn ? theme.onGround : nil
    guard color != shown else { return }
    shown = color
    layer.frame = frame
    layer.contents = color.map { LayerImage(picture($0)) }
  }

  private func picture(_ color: Color) -> Bitmap {
    let side = Int(frame.width)
    let (middle, width) = (frame.width / 2, max(frame.width * 0.11, 1.5))
    let radius = middle - width / 2 - 0.5
    let mask = Bitmap(width: side, height: side, format: .a8)
    for y in 0..<side {
      for x in 0..<side {
        let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
        let distance = (dx * dx + dy * dy).squareRoot()
        let ring = width / 2 + 0.5 - abs(distance - radius)
        let stroke = width / 2 + 0.5 - (distance > radius ? distance : self.distance(dx, dy, radius))
        mask.buffer.row8(y)[x] = UInt8((min(max(ring, stroke, 0), 1) * 255).rounded())
      }
    }
    let picture = Bitmap(width: side, height: side, format: .argb8888)
    picture.buffer.fill(mask: mask.buffer, at: 0, 0, with: color, clip: picture.buffer.bounds)
    return picture
  }

  /// The distance of a point inside the ring from the lines of the sign.
  private func distance(_ dx: Double, _ dy: Double, _ radius: Double) -> Double {
    switch sign {
    // From the lower left to the upper right.
    case .cutOff: return abs(dx + dy) / 2.0.squareRoot()
    case .unsaved:
      let line = max(-0.55 * radius - dy, dy - 0.1 * radius, 0)
      let dot = dy - 0.5 * radius
      return (dx * dx + min(line * line, dot * dot)).squareRoot()
    // Four o'clock.
    case .unconfirmedTime:
      let minute = max(-0.6 * radius - dy, dy, 0)
      let (x, y) = (0.87 * dx + 0.5 * dy, 0.87 * dy - 0.5 * dx)
      let hour = max(-x, x - 0.45 * radius, 0)
      return min(dx * dx + minute * minute, y * y + hour * hour).squareRoot()
    }
  }
}
