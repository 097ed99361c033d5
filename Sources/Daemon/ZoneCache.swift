// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import LinuxSystem

/// Time zones by their names in the config. Each is read once, and again after `renew`. If a zone can no longer be
/// read, its last data is used; if it never could be read, UTC. Either is logged once and reported by `warnings`.
final class ZoneCache {
  private var zones: [String: TimeZone] = [:]
  /// The last zones that were read without an error.
  private var good: [String: TimeZone] = [:]
  private var problems: [String: String] = [:]
  private let log: Log
  private let read: (String) throws(TimeZoneError) -> TimeZone

  /// - Parameter read: reads the zone of a name.
  init(
    log: Log,
    read: @escaping (String) throws(TimeZoneError) -> TimeZone = { (name) throws(TimeZoneError) in
      try TimeZone(named: name)
    }
  ) {
    self.log = log
    self.read = read
  }

  /// The problems of the zones that could not be read when they were last used, one sentence each.
  var warnings: [String] { problems.sorted { $0.key < $1.key }.map(\.value) }

  /// Makes each zone be read again at its next use.
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
      let instead = good[name].map { "the last known data of \($0.name) is used" } ?? "UTC is shown instead"
      zone = good[name] ?? .utc
      let problem = "\(what) cannot be read: \(error); \(instead)"
      if problems.updateValue(problem, forKey: name) != problem { log.warning(problem) }
    }
    zones[name] = zone
    return zone
  }
}

/// Watches /etc/localtime, which is usually a symbolic link, and calls a handler when the machine's time zone may have
/// changed.
final class LocalTimeWatch {
  private let path: String
  private let name: String
  private let settle: LoopTimer
  private var watch: DirectoryWatch?

  /// How long the file must be unchanged, because programs replace it in several steps.
  private static let quiet: Int64 = 100_000_000
  /// How long the file must be missing before the zone becomes UTC: it is also missing between `rm` and `ln`.
  private static let missing: Int64 = 1_000_000_000

  init(
    _ path: String = "/etc/localtime", on loop: EventLoop, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.path = path
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    name = String(path[slash...].dropFirst())
    settle = try LoopTimer(.monotonic, on: loop) { _ in changed() }
    watch = try DirectoryWatch(on: loop, reporting: .attributes) { [weak self] in self?.received($0) }
    // If the directory does not exist, no change can be noticed.
    _ = watch?.watch(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  private func received(_ event: DirectoryWatch.Event) {
    guard event.name == name || event.mask.contains(.overflow) else { return }
    var status = stat()
    settle.arm(inNanoseconds: lstat(path, &status) == 0 ? Self.quiet : Self.missing)
  }
}
