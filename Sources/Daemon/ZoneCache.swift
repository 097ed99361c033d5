// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Time zones by their names in the config. Each is read at its first use, and again after `renew` or by
/// `reread`. If a zone can no longer be read, its last data is used; if it never could be read, UTC. Either
/// is logged once and reported by `warnings`.
final class ZoneCache {
  private var zones: [String: TimeZone] = [:]
  /// Each zone as it was last read without an error.
  private var good: [String: TimeZone] = [:]
  private var problems: [String: String] = [:]
  /// Watches each zone from before it is first read, or read again after `renew`; nil if inotify does not
  /// work.
  private let watch: ZoneWatch?
  private let log: Log
  /// The zone that `local` means in the config; `local` itself is the machine's.
  private var local: String
  private let read: (String) throws(TimeZoneError) -> TimeZone

  /// - Parameters:
  ///   - local: the zone that `local` means in the config; `local` itself is the machine's.
  ///   - read: reads the zone of a name.
  init(
    _ watch: ZoneWatch? = nil, local: String = "local", log: Log,
    read: @escaping (String) throws(TimeZoneError) -> TimeZone = { (name) throws(TimeZoneError) in
      try TimeZone(named: name)
    }
  ) {
    self.watch = watch
    self.local = local
    self.log = log
    self.read = read
  }

  /// The problems of the zones that are in use and could not be read the last time, one sentence each.
  var warnings: [String] {
    problems.filter { zones[$0.key] != nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Makes each zone be read again at its next use.
  ///
  /// - Parameter local: as in `init`.
  func renew(local: String) {
    self.local = local
    zones = [:]
    watch?.forget()
  }

  /// The result of `reread`.
  enum Change: Comparable {
    case none
    /// A zone has other data.
    case data
    /// A zone was read for the first time. Before, it could not be read and was shown as UTC.
    case found
  }

  /// Reads the zones that were used since `renew` again. Returns the most important of their changes.
  func reread() -> Change {
    var change = Change.none
    for (name, before) in zones.sorted(by: { $0.key < $1.key }) {
      let wasUnknown = good[name] == nil
      guard load(name) != before else { continue }
      change = max(change, wasUnknown ? .found : .data)
      log.info("\(Self.title(name)) has changed")
    }
    return change
  }

  subscript(name: String) -> TimeZone {
    let name = name == "local" ? local : name
    if let zone = zones[name] { return zone }
    watch?.add(name)
    return load(name)
  }

  private static func title(_ name: String) -> String {
    name == "local" ? "the machine's time zone" : "the time zone '\(name)'"
  }

  private func load(_ name: String) -> TimeZone {
    let zone: TimeZone
    do throws(TimeZoneError) {
      zone = try read(name)
      good[name] = zone
      if problems.removeValue(forKey: name) != nil { log.info("\(Self.title(name)) is readable again") }
    } catch {
      let instead = good[name].map { "the last known data of \($0.name) is used" } ?? "UTC is shown instead"
      zone = good[name] ?? .utc
      let problem = "\(Self.title(name)) cannot be read: \(error); \(instead)"
      if problems.updateValue(problem, forKey: name) != problem { log.warning(problem) }
    }
    zones[name] = zone
    return zone
  }
}
