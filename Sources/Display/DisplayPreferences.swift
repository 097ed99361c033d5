// SPDX-License-Identifier: Apache-2.0

import Raster

/// Which mode to set.
public enum ModePreference: Hashable, Sendable {
  /// The kernel command line's `video=` mode, otherwise the display's preferred mode, otherwise the active one.
  case auto
  /// A size, and a refresh rate in millihertz; nil chooses the rate that the display prefers.
  case size(PixelSize, refreshMillihertz: Int?)
}

/// Which pixel format of scanout memory to use.
public enum FormatPreference: String, CaseIterable, Hashable, Sendable {
  /// 32 bits per pixel, or 16 if the card supports no more.
  case auto
  case xrgb8888
  /// Half the memory and bandwidth.
  case rgb565
  case xrgb2101010
}
