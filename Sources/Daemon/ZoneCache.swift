// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Time zones by their names in the config, read once each. One that can no longer be read stays as it was;
/// one that never could is UTC. Either is logged once and told by `warnings`.
final class ZoneCache {
  private var zones: [String: TimeZone] = [:]
  /// As they were last read without an error.
  private var good: [String: TimeZone] = [:]
  private var problems: [String: String] = [:]
  private let log: Log
  private let read: (String) throws(TimeZoneError) -> TimeZone

  /// - Parameter read: finds a zone by its name.
  init(
    log: Log,
    read: @escaping (String) throws(TimeZoneError) -> TimeZone = { (name) throws(TimeZoneError) in
      try TimeZone(named: name)
    }
  ) {
    self.log = log
    self.read = read
  }

  /// What is wrong with zones that were asked for, a sentence each.
  var warnings: [String] { problems.sorted { $0.key < $1.key }.map(\.value) }

  /// Reads each zone again when it is asked for.
  func renew() { zones = [:] }

  subscript(name: String) -> TimeZone {
    if let zone = zones[name] { return zone }
    let zone: TimeZone
    do throws(TimeZoneError) {
      zone = try read(name)
      good[name] = zone
      if problems.removeValue(forKey: name) != nil { log.info("the time zone '\(name)' is readable again") }
    } catch {
      let what = name == "local" ? "the machine's time zone" : "the time zone '\(name)'"
      let instead = good[name].map { "\($0.name), as it was, stays in use" } ?? "UTC is shown instead"
      zone = good[name] ?? .utc
      let problem = "\(what) cannot be read: \(error); \(instead)"
      if problems.updateValue(problem, forKey: name) != problem { log.warning(problem) }
    }
    zones[name] = zone
    return zone
  }
}
