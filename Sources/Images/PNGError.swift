// SPDX-License-Identifier: Apache-2.0

import Raster

/// Why a PNG could not be decoded or encoded.
public enum PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libpng's error message.
  case libpng(String)
  /// The image has more pixels than the caller allows.
  case tooLarge(PixelSize, maximumPixels: Int)
  /// The rows do not belong to the image: wrong size, format, order or number.
  case rows(String)

  public var description: String {
    switch self {
    case .libpng(let message): "PNG: \(message)"
    case .tooLarge(let size, let limit): "PNG: \(size) has more than \(limit) pixels"
    case .rows(let message): "PNG: \(message)"
    }
  }
}
