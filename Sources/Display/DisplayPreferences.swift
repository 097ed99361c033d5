// SPDX-License-Identifier: Apache-2.0

import Raster

/// The mode to which a display is set.
package enum ModePreference: Hashable, Sendable {
  /// The kernel command line's `video=` mode, else the display's preferred one, else the active one, else the
  /// first.
  case auto
  /// A size, and a rate in thousandths of a hertz; without a rate, the one that the display prefers for this
  /// size, else the one nearest to 60 Hz.
  case size(PixelSize, refreshMillihertz: Int?)

  /// Reads `auto`, `WxH` or `WxH@HZ`: whole pixels from 1 to 16,384, and a rate from 1 to 1000 Hz, which may
  /// have a fraction.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
      return
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let size = PixelSize(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self = .size(size, refreshMillihertz: nil)
      return
    }
    let digits = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count <= 2, digits.allSatisfy({ isNumber($0) }), parts[1].utf8.count <= 32,
      let hertz = Double(String(parts[1])), (1...1_000).contains(hertz)
    else { return nil }
    self = .size(size, refreshMillihertz: Int((hertz * 1_000).rounded()))
  }
}

/// The layout of scanout memory to use.
package enum FormatPreference: String, CaseIterable, Hashable, Sendable {
  /// 32 bits per pixel, or 16 if the graphics card does not support 32.
  case auto
  case xrgb8888
  /// Needs half the memory and bandwidth of the others.
  case rgb565
  case xrgb2101010
}

extension PixelSize {
  /// Reads `WxH` in whole pixels, each from 1 to 16,384.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ isNumber($0) }), let width = Int(parts[0]),
      let height = Int(parts[1]), (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// Whether a text consists only of decimal digits.
private func isNumber(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
