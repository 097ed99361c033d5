// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A small ring with a stroke through it, in the lower right corner: this wall is not connected with the others that show
/// the match.
final class CutOffMark {
  let layer = Layer()

  private let frame: Rect
  /// The colour in which the mark is drawn; nil: it is not shown.
  private var shown: Color?

  init(page: Size) {
    let reference = min(page.width, page.height)
    let size = max((0.03 * reference).rounded(), min(12, (0.22 * reference).rounded()))
    let inset = max((0.02 * reference).rounded(), 2)
    frame = Rect(x: page.width - inset - size, y: page.height - inset - size, width: size, height: size)
  }

  func show(_ isCutOff: Bool, _ theme: Theme) {
    let color = isCutOff ? theme.onGround : nil
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
        // The stroke runs from the lower left to the upper right.
        let stroke = distance > radius ? 0 : width / 2 + 0.5 - abs(dx + dy) / 2.0.squareRoot()
        mask.buffer.row8(y)[x] = UInt8((min(max(ring, stroke, 0), 1) * 255).rounded())
      }
    }
    let picture = Bitmap(width: side, height: side, format: .argb8888)
    picture.buffer.fill(mask: mask.buffer, at: 0, 0, with: color, clip: picture.buffer.bounds)
    return picture
  }
}
