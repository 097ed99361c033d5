// SPDX-License-Identifier: Apache-2.0

import CDRM
import Raster

/// The layouts of scanout memory that the output can fill, best first.
enum ScanoutFormat: String, CaseIterable, Sendable {
  case xrgb8888 = "XRGB8888"
  /// The same bytes; for a plane that lists no XRGB8888. The shadow's top byte is 0xff: opaque.
  case argb8888 = "ARGB8888"
  /// Half the memory and the bandwidth, for small boards and old cards.
  case rgb565 = "RGB565"

  var fourCC: UInt32 {
    switch self {
    case .xrgb8888: cdrm_format_xrgb8888
    case .argb8888: cdrm_format_argb8888
    case .rgb565: cdrm_format_rgb565
    }
  }

  var pixelFormat: PixelFormat {
    switch self {
    case .xrgb8888: .xrgb8888
    case .argb8888: .argb8888
    case .rgb565: .rgb565
    }
  }

  /// The formats to try for a plane, best first. `listed` is empty where the kernel tells no plane
  /// formats (pre-universal-plane drivers): then 32 bits first and 16 bits as the way out.
  static func usable(listed: [UInt32]) -> [ScanoutFormat] {
    guard !listed.isEmpty else { return [.xrgb8888, .rgb565] }
    let usable = allCases.filter { listed.contains($0.fourCC) }
    return usable.contains(.xrgb8888) ? usable.filter { $0 != .argb8888 } : usable
  }
}
