// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// Checks whether the systemd service is installed, enabled and running.
enum ServiceProbe: Probe {
  static let area = "Service"

  static func findings(_ system: SystemView) -> [Finding] {
    guard system.exists("/run/systemd/system") else {
      return [.note("systemd does not run here; flipclockd has to be started by hand")]
    }
    guard let path = system.unitPath else {
      if system.daemonAnswers { return [.note("flipclockd runs, but not as a systemd service")] }
      return [
        .problem(
          "flipclockd.service is not installed",
          remedy: "'make build && sudo make install PREFIX=/usr', or run 'flipclockd' by hand")
      ]
    }
    if system.link(path) == "/dev/null" {
      return [.problem("\(path) is masked", remedy: "'sudo systemctl unmask flipclockd'")]
    }
    return [enabled(system)] + running(system) + socket(system) + memory(system)
  }

  private static func enabled(_ system: SystemView) -> Finding {
    let wants = "/etc/systemd/system/multi-user.target.wants/flipclockd.service"
    if system.link(wants) != nil || system.exists(wants) {
      return .ok("flipclockd.service starts with the machine")
    }
    return .note(
      "flipclockd.service does not start with the machine",
      remedy: "'sudo systemctl enable --now flipclockd'", .notEnabled)
  }

  /// The unit that keeps the control socket while the service restarts.
  private static func socket(_ system: SystemView) -> [Finding] {
    let unit = "flipclockd.socket"
    guard let path = system.path(ofUnit: unit) else { return [] }
    let remedy = "'sudo systemctl restart \(unit) flipclockd'"
    if system.link(path) == "/dev/null" {
      return [
        .note("\(unit) is masked: calls during a restart are lost", remedy: "'sudo systemctl unmask \(unit)'")
      ]
    }
    switch system.socketState {
    case nil: return []
    case "active"?: return [.ok("\(unit) is active")]
    case "failed"?: return [.problem("\(unit) has failed: the service cannot be called", remedy: remedy)]
    case let state?:
      // The socket is not needed if the service does not run.
      guard system.serviceState == "active" else { return [] }
      return [.note("\(unit) is \(state): calls during a restart are lost", remedy: remedy)]
    }
  }

  /// The memory that the service uses, compared with the limit of its unit.
  private static func memory(_ system: SystemView) -> [Finding] {
    let group = "/sys/fs/cgroup/system.slice/flipclockd.service"
    guard let limit = system.text("\(group)/memory.max").flatMap({ Int($0) }), limit > 0,
      let used = system.text("\(group)/memory.current").flatMap({ Int($0) })
    else { return [] }
    let text = "\(used >> 20) MiB of \(limit >> 20) MiB of memory"
    let remedy =
      "'sudo systemctl edit flipclockd' with MemoryMax= in [Service] raises the limit; a smaller 'mode', or "
      + "format = \"rgb565\" in [display], needs less"
    let kills = system.text("\(group)/memory.events")?.split(separator: "\n")
      .first { $0.hasPrefix("oom_kill ") }.flatMap { Int($0.dropFirst(9)) }
    if let kills, kills > 0 {
      return [
        .problem("it was killed \(kills) times because it exceeded its memory limit", remedy: remedy, .memory)
      ]
    }
    return [
      used > limit / 10 * 9 ? .note("it uses \(text)", remedy: remedy, .memory) : .ok("it uses \(text)")
    ]
  }

  private static func running(_ system: SystemView) -> [Finding] {
    switch system.serviceState {
    case nil: []
    case "active", "activating", "reloading": [.ok("it is \(system.serviceState ?? "")")]
    case "failed":
      [
        .problem(
          "it has failed",
          remedy: "'journalctl -b -u flipclockd' shows why, 'sudo systemctl restart flipclockd' tries again")
      ]
    case let state?:
      system.daemonAnswers
        ? [.note("it is \(state), but a flipclockd that was started by hand answers")]
        : [.problem("it is \(state)", remedy: "'sudo systemctl start flipclockd'")]
    }
  }
}
