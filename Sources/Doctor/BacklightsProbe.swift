// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Display
import Glibc

/// Checks whether the service may dim the backlights of built-in panels.
enum BacklightsProbe: Probe {
  static let area = "Backlights"

  /// The group to which the udev rule gives the files.
  private static let group = "video"

  static func findings(_ system: SystemView) -> [Finding] {
    Backlight.all(in: system.root + Backlight.directory).map { backlight in
      let range = "\(backlight.name), up to \(backlight.maximum)"
      let path = "\(Backlight.directory)/\(backlight.name)/brightness"
      let isSettable = system.unitPath == nil ? system.isAllowed(path, W_OK) : isWritable(path, system)
      if isSettable { return .ok(range) }
      let user = system.unitPath == nil ? system.userName : "the service"
      return .note(
        "\(range): \(user) may not set it, so the picture is darkened instead",
        remedy: "the installed udev rule gives the file to group '\(group)':\n"
          + "'sudo udevadm trigger --subsystem-match=backlight' applies it")
    }
  }

  /// Whether the service may write a file that belongs to root.
  private static func isWritable(_ path: String, _ system: SystemView) -> Bool {
    guard let mode = system.mode(path), let owner = system.owner(path) else { return false }
    let groups = ["flipclock"] + PermissionsProbe.groups
    return mode & S_IWOTH != 0
      || mode & S_IWGRP != 0 && groups.contains { system.groupID($0) == owner.group }
  }
}
