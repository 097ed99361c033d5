// SPDX-License-Identifier: Apache-2.0

import Raster

/// The user's configuration of the displays. Each output uses the parts that apply to it.
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
  /// What differs for single displays.
  package var rules: [OutputRule]

  package init(
    card: String = "auto", connector: String = "auto", mode: ModePreference = .auto,
    format: FormatPreference = .auto, dithers: Bool = true, rotation: Rotation = .none,
    rules: [OutputRule] = []
  ) {
    self.card = card
    self.connector = connector
    self.mode = mode
    self.format = format
    self.dithers = dithers
    self.rotation = rotation
    self.rules = rules
  }

  /// The preferences for a display to which `rule` applies.
  package func applying(_ rule: OutputRule?) -> OutputPreferences {
    guard let rule else { return self }
    var result = self
    if let mode = rule.mode { result.mode = mode }
    if let format = rule.format { result.format = format }
    if let dithers = rule.dithers { result.dithers = dithers }
    if let rotation = rule.rotation { result.rotation = rotation }
    return result
  }
}

/// The configuration of one display. For a nil property, the common preference applies.
package struct OutputRule: Hashable, Sendable {
  /// The connector to which the rule applies, unless it has a `match`.
  package var name: String
  /// Make, model or serial number of the display to which the rule applies.
  package var match: String?
  /// Whether the display is used.
  package var isEnabled: Bool
  package var mode: ModePreference?
  package var format: FormatPreference?
  package var dithers: Bool?
  package var rotation: Rotation?

  package init(
    name: String, match: String? = nil, isEnabled: Bool = true, mode: ModePreference? = nil,
    format: FormatPreference? = nil, dithers: Bool? = nil, rotation: Rotation? = nil
  ) {
    self.name = name
    self.match = match
    self.isEnabled = isEnabled
    self.mode = mode
    self.format = format
    self.dithers = dithers
    self.rotation = rotation
  }
}

extension [OutputRule] {
  /// The rule for the display on `connector`; nil if there is none. A rule that matches the display itself
  /// has precedence over one that names the connector.
  package func rule(for connector: String, matches: (String) -> Bool = { _ in false }) -> OutputRule? {
    first { $0.match.map(matches) ?? false } ?? first { $0.match == nil && $0.name == connector }
  }
}
