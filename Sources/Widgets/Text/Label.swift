// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Typography

/// A line of text as a layer, drawn again only when the text changes.
final class Label {
  struct Style {
    var face: FontFace
    var color: Color
    /// Pixels.
    var capHeight: Double
    /// Em.
    var tracking: Double
  }

  let layer = Layer()
  private(set) var text = ""

  /// The height of a line's box in cap heights: half a cap of air above and below.
  static let lineHeight = 2.0

  /// Draws `text` in the middle of `box` (of the superlayer), smaller where it is too wide and cut
  /// with an ellipsis where even that does not help. Returns where the letters stand.
  @discardableResult
  func show(_ text: String, style: Style, in box: Rect, alignment: Double = 0.5) -> Rect {
    self.text = text
    let (line, style, width) = Self.fit(text, style: style, width: box.width)
    // Room for what leans or hangs out of its advance.
    let margin = (style.capHeight * 0.7).rounded(.up)
    let left = (box.x + (box.width - width) * alignment - margin).rounded(.down)
    let baseline = (box.midY + style.capHeight / 2).rounded()
    let top = (baseline - style.capHeight - margin).rounded(.down)
    let right = (box.x + (box.width - width) * alignment + width + margin).rounded(.up)
    let bottom = (baseline + margin).rounded(.up)
    let frame = Rect(x: left, y: top, width: max(right - left, 1), height: max(bottom - top, 1))
    let mask = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .a8)
    let x = box.x + (box.width - width) * alignment - left
    style.face.draw(
      line, into: mask.buffer, x: x, baseline: baseline - top, capHeight: style.capHeight,
      tracking: style.tracking, stretch: 1)
    let image = Bitmap(width: mask.width, height: mask.height, format: .argb8888)
    image.buffer.fill(mask: mask.buffer, at: 0, 0, with: style.color, clip: image.buffer.bounds)
    layer.frame = frame
    layer.contents = LayerImage(image)
    return Rect(x: left + x, y: baseline - style.capHeight, width: width, height: style.capHeight)
  }

  /// The width of the letters and the tracking between them.
  static func width(of text: String, style: Style) -> Double {
    style.face.measure(text, capHeight: style.capHeight, tracking: style.tracking).width
  }

  /// Whether all of the text can be shown in this width, perhaps smaller.
  static func fits(_ text: String, style: Style, width: Double) -> Bool {
    fit(text, style: style, width: width).0 == text
  }

  /// Letters below this many pixels are not read from anywhere.
  private static let leastCapHeight = 7.0

  /// The text, style and width that fit: set closer, then smaller down to 55 % of the size, then cut.
  private static func fit(_ text: String, style: Style, width: Double) -> (String, Style, Double) {
    var style = style
    // A line that no display shows is not measured letter by letter.
    var line = String(text.prefix(400))
    var needed = Self.width(of: line, style: style)
    if needed <= width || line.isEmpty { return (line, style, needed) }
    style.tracking = min(style.tracking, max(style.tracking * width / needed, 0.04))
    needed = Self.width(of: line, style: style)
    if needed > width {
      let least = min(max(0.55 * style.capHeight, leastCapHeight), style.capHeight)
      style.capHeight = max(style.capHeight * width / needed, least)
      needed = Self.width(of: line, style: style)
    }
    // Scaled to the very width it may be off by what arithmetic leaves over.
    guard needed > width + 0.01 else { return (line, style, needed) }
    var low = 0
    var high = line.count
    while low < high {
      let middle = (low + high + 1) / 2
      let cut = String(line.prefix(middle)) + "…"
      if Self.width(of: cut, style: style) <= width { low = middle } else { high = middle - 1 }
    }
    line = low == 0 ? "" : String(line.prefix(low)) + "…"
    return (line, style, Self.width(of: line, style: style))
  }
}
