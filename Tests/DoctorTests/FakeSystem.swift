// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import JSON
import LinuxSystem
import Settings
import TestSupport
import Testing

@testable import Doctor

/// The root directory of a correctly set up machine, to which tests add faults.
final class FakeSystem {
  private let directory: TemporaryDirectory
  var root: String { directory.path }
  var userID: UInt32 = 1000
  var groupIDs: [UInt32] = [1000, 44]
  var environment: [String: String] = ["HOME": "/home/ann"]
  var forbidden: Set<String> = []
  var daemon = SystemView.Daemon.answers(
    path: "/run/flipclock/control.sock", version: Release.version, configPath: nil,
    outputs: ["HDMI-A-1 1920x1080@60"])
  var serviceState: String? = "active"
  var socketState: String? = "active"
  var freeBytes: UInt64 = 1 << 30
  var freeFiles: UInt64 = 1 << 20
  var clockIsSynchronized: Bool? = true
  var status: JSONValue?
  var stateDirectory: String?
  var timeIsConfirmed: Bool?
  var fontProblems: [String] = []
  var isBlanked = false
  var brightness = 100

  init() throws {
    directory = try TemporaryDirectory()
    try write("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n")
    try write("/dev/dri/card0", "")
    try write("/dev/tty0", "")
    try write("/sys/class/tty/tty0/active", "tty1\n")
    try link("/sys/class/drm/card0/device/driver", "../../../bus/pci/drivers/i915")
    try connector("card0-HDMI-A-1", "connected", "1920x1080\n1280x720\n")
    try write(
      "/etc/passwd",
      "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nflipclock:x:\(getuid()):9::/:/\n")
    try write("/etc/group", "root:x:0:\nvideo:x:44:ann,flipclock\ninput:x:104:flipclock\nflipclock:x:9:ann\n")
    try write("/etc/fonts/fonts.conf", "")
    try link("/etc/localtime", "/usr/share/zoneinfo/Europe/Zurich")
    try write("/run/systemd/system/x", "")
    try write("/usr/lib/systemd/system/flipclockd.service", "")
    try write("/usr/lib/systemd/system/flipclockd.socket", "")
    try write("/usr/lib/systemd/system/systemd-timesyncd.service", "")
    try link(
      "/etc/systemd/system/multi-user.target.wants/flipclockd.service",
      "/usr/lib/systemd/system/flipclockd.service")
    try write("/var/lib/flipclock/state.json", "")
    try write("/proc/mounts", "/dev/sda1 / ext4 rw,relatime 0 0\n")
    try process(300, "flipclockd", holds: "/dev/dri/card0")
    try memory(megabytes: 40, of: 1536, kills: 0)
    try write(
      "/proc/300/mounts",
      "/dev/sda1 / ext4 ro,relatime 0 0\n/dev/sda1 /var/lib/flipclock ext4 rw,relatime 0 0\n")
  }

  /// Writes what the kernel reports about the service's memory.
  func memory(megabytes used: Int, of limit: Int, kills: Int) throws {
    let group = "/sys/fs/cgroup/system.slice/flipclockd.service"
    try write("\(group)/memory.current", "\(used << 20)\n")
    try write("\(group)/memory.max", "\(limit << 20)\n")
    try write("\(group)/memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill \(kills)\n")
  }

  func connector(_ name: String, _ status: String, _ modes: String = "") throws {
    try write("/sys/class/drm/\(name)/status", status + "\n")
    try write("/sys/class/drm/\(name)/modes", modes)
  }

  /// Adds an event device. `keys` is the kernel's bitmap, in hexadecimal words, the highest first.
  func device(
    _ number: Int, _ name: String,
    keys: String = "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe"
  ) throws {
    try write("/dev/input/event\(number)", "")
    try write("/sys/class/input/event\(number)/device/name", name + "\n")
    try write("/sys/class/input/event\(number)/device/capabilities/key", keys + "\n")
  }

  func process(_ id: Int, _ name: String, holds path: String? = nil, command: String = "") throws {
    try write("/proc/\(id)/comm", name + "\n")
    try write("/proc/\(id)/cmdline", command)
    _ = directory.place("/proc/\(id)/fd/x")
    if let path { try link("/proc/\(id)/fd/5", path) }
  }

  func write(_ path: String, _ text: String) throws { directory.put(path, text) }

  func link(_ path: String, _ target: String) throws { directory.link(path, to: target) }

  func remove(file path: String) { directory.remove(path) }

  var view: SystemView {
    let environment = environment
    let forbidden = forbidden
    let complaints = fontProblems
    let (bytes, files) = (freeBytes, freeFiles)
    return SystemView(
      root: root, userID: userID, groupIDs: groupIDs, environment: { environment[$0] },
      isAllowed: { path, _ in !forbidden.contains(path) }, daemon: daemon, serviceState: serviceState,
      socketState: socketState, room: { _ in (bytes, files) },
      clockIsSynchronized: clockIsSynchronized, timeIsConfirmed: timeIsConfirmed,
      fontProblems: { _ in complaints },
      settings: SettingsLoader.load(.standard(root: root), mode: .running), isBlanked: isBlanked,
      brightness: brightness, status: status, stateDirectory: stateDirectory)
  }

  /// The findings with a level, each as `area: text → remedy`.
  func found(_ level: Finding.Level) -> [String] {
    Examination(view).areas.flatMap { area in
      area.findings.filter { $0.level == level }.map { "\(area.name): \($0.text) → \($0.remedy ?? "")" }
    }
  }
}

extension SystemError {
  static func connect(_ errno: Int32, _ path: String = "/run/flipclock/control.sock") -> SystemError {
    SystemError("connect", path, errno: Errno(rawValue: errno))
  }
}
