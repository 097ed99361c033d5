// SPDX-License-Identifier: Apache-2.0

import Raster

/// The user's configuration of the display. Each output uses the parts that apply to it.
package struct OutputPreferences: Hashable, Sendable {
  /// `auto`; a path (`/dev/dri/card1`, `card1`, a by-path link); or a driver's name (`vc4`).
  package var card: String
  /// `auto`, or a connector's name (`HDMI-A-1`).
  package var connector: String
  package var mode: ModePreference
  /// The preferred format. If the plane does not support it, another is used and the log says so.
  package var format: FormatPreference
  /// Whether colours are dithered (ordered) for RGB565; otherwise the low bits are truncated.
  package var dithers: Bool
  /// How the picture is rotated on the display.
  package var rotation: Rotation

  package init(
    card: String = "auto", connector: String = "auto", mode: ModePreference = .auto,
    format: FormatPreference = .auto, dithers: Bool = true, rotation: Rotation = .none
  ) {
    self.card = card
    self.connector = connector
    self.mode = mode
    self.format = format
    self.dithers = dithers
    self.rotation = rotation
  }
}
