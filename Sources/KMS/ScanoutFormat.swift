// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display
import Raster

/// The layouts of scanout memory that the output can fill, best first.
enum ScanoutFormat: String, CaseIterable, Sendable {
  case xrgb8888 = "XRGB8888"
  /// The same bytes; for a plane that lists no XRGB8888. The shadow's top byte is 0xff: opaque.
  case argb8888 = "ARGB8888"
  /// Half the memory and the bandwidth, for small boards and old cards.
  case rgb565 = "RGB565"
  /// Ten bits a channel, for who asks for it: the picture has eight, and gains nothing by itself.
  case xrgb2101010 = "XRGB2101010"

  var fourCC: UInt32 {
    switch self {
    case .xrgb8888: cdrm_format_xrgb8888
    case .argb8888: cdrm_format_argb8888
    case .rgb565: cdrm_format_rgb565
    case .xrgb2101010: cdrm_format_xrgb2101010
    }
  }

  var pixelFormat: PixelFormat {
    switch self {
    case .xrgb8888: .xrgb8888
    case .argb8888: .argb8888
    case .rgb565: .rgb565
    case .xrgb2101010: .xrgb2101010
    }
  }

  /// The formats to try for a plane, best first: the one that is wanted, then those of the same use to any
  /// display. `listed` is empty where the kernel tells no plane formats (pre-universal-plane drivers): then
  /// 32 bits first and 16 bits as the way out.
  static func usable(listed: [UInt32], wanted: FormatPreference = .auto) -> [ScanoutFormat] {
    let isListed = { (format: ScanoutFormat) in listed.isEmpty || listed.contains(format.fourCC) }
    var usable: [ScanoutFormat] = [.xrgb8888, .rgb565].filter(isListed)
    // What the kernel does not tell is not the place for a second name of the first.
    if !isListed(.xrgb8888), isListed(.argb8888) { usable.insert(.argb8888, at: 0) }
    guard let first = wanted.format, first != .xrgb8888, isListed(first) else { return usable }
    return [first] + usable.filter { $0 != first }
  }
}
