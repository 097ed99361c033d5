// SPDX-License-Identifier: Apache-2.0

package struct ScreenshotImage: Hashable, Sendable {
  /// A whole PNG file.
  package var png: [UInt8]
  /// In pixels.
  package var width: Int
  package var height: Int

  package init(png: [UInt8], width: Int, height: Int) {
    self.png = png
    self.width = width
    self.height = height
  }
}
