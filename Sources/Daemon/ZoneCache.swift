// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Time zones by their names in the config, read once each; one that is not known is UTC, with a line
/// in the log.
final class ZoneCache {
  private var zones: [String: TimeZone] = [:]
  private let log: Log

  init(log: Log) { self.log = log }

  subscript(name: String) -> TimeZone {
    if let zone = zones[name] { return zone }
    let zone: TimeZone
    do {
      zone = try TimeZone(named: name)
    } catch {
      log.warning("time zone '\(name)': \(error); UTC is shown instead")
      zone = .utc
    }
    zones[name] = zone
    return zone
  }
}
