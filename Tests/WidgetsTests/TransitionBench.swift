// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings

@testable import Layers
@testable import Widgets

/// A board of cards in its own scene, with any motion.
struct TransitionBench {
  let size: PixelSize
  let scene: Scene
  let board: FlipBoard
  let images: CardImages
  private let motion: FlipMotion

  /// The number of cards per line; nil: all in one line.
  let columns: Int?

  init(
    _ symbols: [CardSymbol], motion: FlipMotion, cardHeight: Double = 44, drum: SymbolDrum? = nil,
    columns: Int? = nil
  ) {
    self.columns = columns
    self.motion = motion
    let metrics = CardMetrics(height: cardHeight, aspect: CardMetrics.aspect)
    let step = metrics.width + 4
    let count = columns ?? symbols.count
    let rows = (symbols.count + count - 1) / max(count, 1)
    size = PixelSize(width: 20 + step * count, height: (metrics.height + 4) * rows + 16)
    scene = Scene(size: size)
    images = CardImages(metrics: metrics, theme: Fixture.theme)
    board = FlipBoard(motion: motion, columns: columns, scene: scene)
    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    ground.backgroundColor = Color(rgb: 0x161617)
    scene.root.addSublayer(ground)
    scene.root.addSublayer(board.layer)
    for (index, symbol) in symbols.enumerated() {
      board.addCard(
        symbol,
        frame: Rect(
          x: Double(10 + index % count * step), y: Double(10 + index / count * (metrics.height + 4)),
          width: Double(metrics.width), height: Double(metrics.height)),
        images: images, drum: drum)
    }
  }

  /// The picture of a new board.
  func resting(_ symbols: [CardSymbol]) -> Bitmap {
    TransitionBench(
      symbols, motion: motion, cardHeight: Double(images.metrics.height), columns: columns
    )
    .scene.picture(at: 0)
  }

  static func motion(_ transition: DigitTransition) -> FlipMotion {
    var motion = Fixture.motion
    motion.transition = transition
    return motion
  }
}
