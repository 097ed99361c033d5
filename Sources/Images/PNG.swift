// SPDX-License-Identifier: Apache-2.0

import Raster

/// Portable Network Graphics in memory.
public enum PNG {
  /// Encodes the whole of `buffer` as a PNG; see `PNGEncoder` for the formats.
  public static func encode(_ buffer: PixelBuffer) throws(PNGError) -> [UInt8] {
    let encoder = PNGEncoder(size: buffer.size)
    try encoder.encodeRows(of: buffer, from: 0, count: buffer.height)
    return try encoder.finish()
  }
}

/// Why a PNG could not be encoded.
public enum PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libpng's error message.
  case libpng(String)
  /// The rows do not belong to the image: wrong size, format, order or number.
  case rows(String)

  public var description: String {
    switch self {
    case .libpng(let message), .rows(let message): "PNG: \(message)"
    }
  }
}
