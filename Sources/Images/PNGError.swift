// SPDX-License-Identifier: Apache-2.0

import Raster

/// Why a PNG could not be read or written.
public enum PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libpng refused the bytes or the image; its own message.
  case libpng(String)
  /// The image has more pixels than the caller allows.
  case tooLarge(PixelSize, maximumPixels: Int)
  /// The rows handed over do not belong to the image: wrong size, format, order or number.
  case rows(String)

  public var description: String {
    switch self {
    case .libpng(let message): "PNG: \(message)"
    case .tooLarge(let size, let limit): "PNG: \(size) is more than \(limit) pixels"
    case .rows(let message): "PNG: \(message)"
    }
  }
}
