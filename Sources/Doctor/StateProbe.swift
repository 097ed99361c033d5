// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem

/// Checks whether scores can be saved.
enum StateProbe: Probe {
  static let area = "Saved scores"
  private static let system = "/var/lib/flipclock"

  static func findings(_ system: SystemView) -> [Finding] {
    if let directory = system.stateDirectory { return [ofDaemon(directory, system)] }
    return [system.unitPath != nil || system.exists(Self.system) ? service(system) : yours(system)]
  }

  /// The directory that the daemon itself uses.
  private static func ofDaemon(_ directory: String, _ system: SystemView) -> Finding {
    if let full = full(directory, system) { return full }
    if system.isAllowed(directory, W_OK | X_OK) { return .ok(directory) }
    return .problem(
      "\(directory) cannot be written to, so no score survives a restart",
      remedy: "is it mounted read-only? 'flipclockctl doctor' shows more", .stateNotWritable)
  }

  private static func service(_ system: SystemView) -> Finding {
    guard let owner = system.owner(Self.system) else {
      return .ok("\(Self.system) is created when the service starts")
    }
    if let mount = readOnlyMount(of: Self.system, system) {
      return .problem(
        "\(mount) is mounted read-only: no score survives a restart",
        remedy: "mount it for writing ('sudo mount -o remount,rw \(mount)'), or "
          + "mount a writable file system on \(Self.system)", .stateNotWritable)
    }
    if let full = full(Self.system, system) { return full }
    if let mount = daemonMount(system) {
      return .problem(
        "for the running flipclockd \(mount) is mounted read-only, though not for other programs: "
          + "no score survives a restart",
        remedy: "it still has the mounts from when it started: 'sudo systemctl restart flipclockd'",
        .stateNotWritable)
    }
    if let user = system.userIDs["flipclock"], owner.user != user, owner.user != 0 {
      return .problem(
        "\(Self.system) does not belong to user flipclock",
        remedy: "'sudo chown -R flipclock:flipclock \(Self.system)'")
    }
    if let refusal = refusal(Self.system, user: owner.user, system) { return refusal }
    guard system.mayWrite(Self.system, user: "flipclock") else {
      return .problem(
        "user flipclock, as whom the service runs, cannot write to \(Self.system): no score can be saved",
        remedy: "'sudo chown -R flipclock:flipclock \(Self.system)' and 'sudo chmod 750 \(Self.system)'",
        .stateNotWritable)
    }
    return .ok(Self.system)
  }

  /// The problem with a directory whose files another user could replace; nil if there is none. flipclockd
  /// does not start with such a directory.
  private static func refusal(_ directory: String, user: UInt32, _ system: SystemView) -> Finding? {
    guard let text = system.hazard(directory, user: user)?.text(directory) else { return nil }
    return .problem("\(text.problem): flipclockd does not start", remedy: text.remedy)
  }

  private static func yours(_ system: SystemView) -> Finding {
    guard
      let place = StateDirectory.path(
        of: "flipclock", user: system.userID, environment: system.environment)
    else {
      return .problem(
        "HOME is not set, so there is no directory for the scores: flipclockd does not start",
        remedy: "set HOME, or give flipclockd a directory: --state-dir DIR")
    }
    var existing = place
    while !existing.isEmpty, !system.exists(existing), let slash = existing.lastIndex(of: "/") {
      existing = String(existing[..<slash])
    }
    let directory = existing.isEmpty ? "/" : existing
    if let full = full(directory, system) { return full }
    if existing == place, let refusal = refusal(place, user: system.userID, system) { return refusal }
    if system.isAllowed(directory, W_OK | X_OK) { return .ok(place) }
    return .problem(
      "\(directory) cannot be written to, so no score survives a restart",
      remedy: "give flipclockd a directory that can be written to: --state-dir DIR", .stateNotWritable)
  }

  /// The free space, in bytes, below which the file system counts as full. Few saved states are larger.
  private static let leastBytes: UInt64 = 256 * 1024

  private static func full(_ path: String, _ system: SystemView) -> Finding? {
    guard let room = system.room(system.root + path), room.bytes < leastBytes || room.files < 2 else {
      return nil
    }
    let what = room.files < 2 ? "has no room for another file" : "is full"
    return .problem(
      "the file system of \(path) \(what): no score can be saved",
      remedy: "'df -h \(path); df -i \(path)' shows it; 'sudo journalctl --vacuum-size=50M' and "
        + "'sudo apt clean' make room", .diskFull)
  }

  /// The mount point that holds /var/lib/flipclock in the daemon's mount namespace, if it is mounted
  /// read-only there.
  private static func daemonMount(_ system: SystemView) -> String? {
    system.daemonProcess.flatMap { readOnlyMount(of: Self.system, system, table: "/proc/\($0)/mounts") }
  }

  /// The mount point that holds `path`, if it is mounted read-only (/proc/mounts, fstab(5)).
  private static func readOnlyMount(
    of path: String, _ system: SystemView, table: String = "/proc/mounts"
  ) -> String? {
    var best: (point: String, isReadOnly: Bool)?
    for line in system.lines(table) {
      let fields = line.split(separator: " ")
      guard fields.count > 3 else { continue }
      let point = String(fields[1])
      guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
      if let best, best.point.utf8.count > point.utf8.count { continue }
      best = (point, fields[3].split(separator: ",").contains("ro"))
    }
    return best.flatMap { $0.isReadOnly ? $0.point : nil }
  }
}
