// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A thin bar that fills from the left: setting its `progress` (0 … 1) moves its end there.
final class ProgressBar: Layer {
  static let progress = PropertyKey.custom("progress")

  private let fill = Layer()

  init(frame: Rect, track: Color, color: Color) {
    super.init()
    self.frame = frame
    backgroundColor = track
    fill.anchorPoint = .zero
    fill.backgroundColor = color
    addSublayer(fill)
    set(Self.progress, to: .scalar(0))
  }

  override func needsDisplay(forKey key: PropertyKey) -> Bool { key == Self.progress }

  override func display(_ presentation: LayerProperties) {
    guard case .scalar(let progress)? = presentation.custom["progress"] else { return }
    let width = presentation.bounds.width * min(max(progress, 0), 1)
    fill.bounds = Rect(x: 0, y: 0, width: width, height: presentation.bounds.height)
  }
}
