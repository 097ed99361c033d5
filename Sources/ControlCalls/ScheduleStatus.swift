// SPDX-License-Identifier: Apache-2.0

/// What the schedule says, and what has precedence over it.
package struct ScheduleStatus: Encodable, Hashable, Sendable {
  /// The entries in effect, in the order of the config.
  package var entries: [String]
  package var held: [HeldStatus]
  /// When the schedule changes something next, RFC 3339.
  package var nextSwitch: String?
  /// True while entries wait because a game clock runs; otherwise nil.
  package var waits: Bool?
  /// The place of sunrise and sunset in degrees, if an entry needs it.
  package var latitude: Double?
  package var longitude: Double?

  package init(
    entries: [String], held: [HeldStatus] = [], nextSwitch: String? = nil, waits: Bool? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) {
    self.entries = entries
    self.held = held
    self.nextSwitch = nextSwitch
    self.waits = waits
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Something that was set by command.
package struct HeldStatus: Encodable, Hashable, Sendable {
  /// `brightness`, `page` or `display`.
  package var what: String
  /// The display's connector; nil: all others.
  package var output: String?
  /// When the schedule has precedence again, RFC 3339; nil: only after another command.
  package var until: String?

  package init(what: String, output: String? = nil, until: String? = nil) {
    self.what = what
    self.output = output
    self.until = until
  }
}
