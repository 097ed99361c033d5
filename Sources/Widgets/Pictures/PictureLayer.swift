// SPDX-License-Identifier: Apache-2.0

import Images
import Layers
import Raster

/// Shows the picture of a file in the middle of a rectangle. Until the picture has been read, shows the last
/// one.
final class PictureLayer {
  let layer = Layer()
  private let box: Rect
  private let fills: Bool
  private let pictures: PictureLibrary
  /// The path of the picture that is shown.
  private var shown: String?

  /// - Parameters:
  ///   - box: in whole pixels.
  ///   - fills: whether the picture fills the box; otherwise it is as large as fits.
  init(in box: Rect, fills: Bool = false, _ pictures: PictureLibrary) {
    (self.box, self.fills, self.pictures) = (box, fills, pictures)
  }

  private func state(of path: String) -> PictureLibrary.State {
    let size = PixelSize(width: Int(box.width), height: Int(box.height))
    return pictures.state(of: Picture(path: path, box: size, fills: fills))
  }

  /// - Parameter path: nil: nothing.
  func show(_ path: String?) {
    guard path == nil || path != shown else { return }
    switch path.map(state) {
    case .loading: break
    case .shown(let image):
      layer.frame = box.wholeMiddle(
        Size(width: Double(image.bitmap.width), height: Double(image.bitmap.height)))
      (layer.contents, shown) = (image, path)
    case .failed, nil: (layer.contents, shown) = (nil, nil)
    }
  }

  /// Has a picture read that will be shown.
  func prepare(_ path: String) { _ = state(of: path) }
}
