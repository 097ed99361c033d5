// SPDX-License-Identifier: Apache-2.0

import Commands

/// The horn: the interface's type `Horn`.
package struct HornState: Codable, Hashable, Sendable {
  /// What the config says.
  package var on: Bool
  /// In percent.
  package var volume: Int
  /// The name of an ALSA device.
  package var device: String
  package var sounds: [Sound]
  /// Whether flipclock-horn runs.
  package var connected: Bool
  /// Why the sound device could not be used last; nil: it could, or was not needed yet.
  package var problem: String?

  package init(
    on: Bool = false, volume: Int = 100, device: String = "default", sounds: [Sound] = Sound.allCases,
    _ report: HornReport? = nil
  ) {
    self.on = on
    self.volume = volume
    self.device = device
    self.sounds = sounds
    connected = report != nil
    problem = report?.problem
  }
}

/// What flipclock-horn reports about itself.
package struct HornReport: Hashable, Sendable {
  /// As in `HornState`.
  package var problem: String?

  package init(problem: String? = nil) { self.problem = problem }
}
