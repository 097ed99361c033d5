// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display
import Raster

/// The pixel formats of scanout memory that the output can fill, best first.
enum ScanoutFormat: String, CaseIterable, Sendable {
  case xrgb8888 = "XRGB8888"
  /// Used for a plane that does not list XRGB8888; the bytes are the same. The shadow buffer's top byte is
  /// 0xff, which means opaque.
  case argb8888 = "ARGB8888"
  /// Needs half the memory and bandwidth; for small boards and old cards.
  case rgb565 = "RGB565"
  /// Ten bits per channel, used only if configured: the picture has eight bits and does not improve.
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

  /// Returns the formats to try for a plane, best first: the configured one, then the defaults. `listed` is
  /// empty if the kernel does not list plane formats (drivers without universal planes); then 32 bits come
  /// first, with 16 bits as the fallback.
  static func usable(listed: [UInt32], wanted: FormatPreference = .auto) -> [ScanoutFormat] {
    let isListed = { (format: ScanoutFormat) in listed.isEmpty || listed.contains(format.fourCC) }
    var usable: [ScanoutFormat] = [.xrgb8888, .rgb565].filter(isListed)
    if !isListed(.xrgb8888), isListed(.argb8888) { usable.insert(.argb8888, at: 0) }
    guard let first = wanted.format, first != .xrgb8888, isListed(first) else { return usable }
    return [first] + usable.filter { $0 != first }
  }
}

extension FormatPreference {
  /// Nil for `auto`.
  var format: ScanoutFormat? { ScanoutFormat(rawValue: rawValue.uppercased()) }
}
