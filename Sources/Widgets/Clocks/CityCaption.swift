// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The name of a city, followed by a mark if the date differs.
final class CityCaption {
  let layer = Layer()

  private let name: String
  private let box: Rect
  private let cap: Double
  private let theme: Theme
  private let label = Label()
  private let markLabel = Label()
  private var mark: String?

  init(_ name: String, in box: Rect, cap: Double, theme: Theme) {
    self.name = name
    self.cap = cap
    self.theme = theme
    // Slightly below the middle, for clearance from the cards above.
    self.box = Rect(x: box.x, y: box.y + 0.1 * box.height, width: box.width, height: 0.9 * box.height)
    layer.addSublayer(label.layer)
    layer.addSublayer(markLabel.layer)
  }

  func show(mark: String) {
    guard mark != self.mark else { return }
    self.mark = mark
    let style = theme.labelStyle(for: name, cap: cap)
    var markStyle = style
    markStyle.face = theme.nameFace
    markStyle.color = theme.onGround
    markStyle.tracking = 0.04
    let air = 0.85 * cap
    let markWidth = mark.isEmpty ? 0 : Label.width(of: mark, style: markStyle) + air
    let free = max(box.width - markWidth, 0)
    let width = min(Label.width(of: name, style: style), free)
    let left = box.midX - (width + markWidth) / 2
    let letters = label.show(
      name, style: style, in: Rect(x: left, y: box.y, width: free, height: box.height), alignment: 0)
    markLabel.layer.isHidden = mark.isEmpty
    guard !mark.isEmpty else { return }
    markLabel.show(
      mark, style: markStyle,
      in: Rect(x: letters.maxX + air, y: box.y, width: markWidth, height: box.height), alignment: 0)
  }
}
