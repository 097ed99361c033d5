// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Can scores be saved?
enum StateProbe: Probe {
  static let area = "Saved scores"
  private static let system = "/var/lib/flipclock"

  static func findings(_ system: SystemView) -> [Finding] {
    if system.unitPath != nil || system.exists(Self.system) { return service(system) }
    return yours(system)
  }

  private static func service(_ system: SystemView) -> [Finding] {
    guard let owner = system.owner(Self.system) else {
      return [.ok("\(Self.system) is made when the service starts")]
    }
    if let mount = readOnlyMount(of: Self.system, system) {
      return [
        .problem(
          "\(mount) is mounted read-only: no score survives a restart",
          remedy: "mount it for writing ('sudo mount -o remount,rw \(mount)'), or "
            + "put something that can be written on \(Self.system)")
      ]
    }
    if let user = system.userIDs["flipclock"], owner.user != user, owner.user != 0 {
      return [
        .problem(
          "\(Self.system) does not belong to user flipclock",
          remedy: "'sudo chown -R flipclock:flipclock \(Self.system)'")
      ]
    }
    return [.ok(Self.system)]
  }

  private static func yours(_ system: SystemView) -> [Finding] {
    let home = system.environment("HOME") ?? "/tmp"
    let base = system.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let place = system.userID == 0 ? Self.system : (base ?? home + "/.local/state") + "/flipclock"
    var existing = place
    while !existing.isEmpty, !system.exists(existing), let slash = existing.lastIndex(of: "/") {
      existing = String(existing[..<slash])
    }
    let directory = existing.isEmpty ? "/" : existing
    if system.isAllowed(directory, W_OK | X_OK) { return [.ok(place)] }
    return [
      .problem(
        "\(directory) cannot be written, so no score survives a restart",
        remedy: "give flipclockd a directory that can be: --state-dir DIR")
    ]
  }

  /// The mount point that holds `path`, if it is mounted read-only (/proc/mounts, fstab(5)).
  private static func readOnlyMount(of path: String, _ system: SystemView) -> String? {
    var best: (point: String, isReadOnly: Bool)?
    for line in system.lines("/proc/mounts") {
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
