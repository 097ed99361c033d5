// SPDX-License-Identifier: Apache-2.0

import Raster
import Widgets

/// What the widgets would show, while there is no display or a dark one. A small stage is built for the first who
/// asks, and only follows the model after that: whoever asks every second does not pay for a page each time.
final class UnseenStage {
  private static let size = PixelSize(width: 320, height: 240)

  private let build: (PixelSize) -> Stage
  private var stage: Stage?

  init(build: @escaping (PixelSize) -> Stage) { self.build = build }

  /// - Parameter time: the scene's time, seconds.
  func texts(_ model: StageModel, at time: Double) -> [(name: String, type: String, text: String)] {
    guard let stage else {
      let stage = build(Self.size)
      self.stage = stage
      return stage.texts
    }
    stage.scene.advance(to: time)
    stage.update(model, at: time, animated: false)
    return stage.texts
  }

  /// There is another page, another config, or a display.
  func forget() { stage = nil }
}
