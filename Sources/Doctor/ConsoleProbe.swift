// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// Checks whether there is a virtual terminal to show on, and which other programs use it.
enum ConsoleProbe: Probe {
  static let area = "Console"

  static func findings(_ system: SystemView) -> [Finding] {
    guard system.exists("/dev/tty0") else {
      let text = "there are no virtual terminals (/dev/tty0)"
      if system.unitPath != nil, !system.daemonAnswers {
        return [
          .problem(
            "\(text), and without them systemd does not start flipclockd",
            remedy: system.isContainer
              ? "this is a container: run flipclockd on the host"
              : "the kernel needs CONFIG_VT; or run 'flipclockd --display kms' by hand")
        ]
      }
      return [.note("\(text); a flipclockd that is started by hand does not need them")]
    }
    var findings: [Finding] = []
    if let front = system.text("/sys/class/tty/tty0/active") { findings.append(inFront(front, system)) }
    if let login = loginOnFirst(system) {
      findings.append(
        system.daemonIsShowing
          ? .note(
            "\(login) is on tty1 together with flipclockd",
            remedy: "'sudo systemctl disable --now getty@tty1'")
          : .ok("\(login) uses tty1; the service takes it over when it starts"))
    }
    return findings
  }

  /// The terminal that the service's unit uses.
  private static let own = "tty1"

  private static func inFront(_ front: String, _ system: SystemView) -> Finding {
    let text = "\(front) is in front"
    guard front != own, !system.daemonIsShowing,
      ["active", "activating", "reloading"].contains(system.serviceState)
    else { return .ok(text) }
    return .problem(
      "\(text), but the service shows only on \(own)",
      remedy: "Ctrl+Alt+F1 on the keyboard, or 'sudo chvt 1'")
  }

  private static func loginOnFirst(_ system: SystemView) -> String? {
    for id in system.processes {
      let name = system.processName(id)
      guard name == "agetty" || name == "getty" || name == "login" else { continue }
      if system.commandLine(id).contains(where: { $0 == "tty1" || $0 == "/dev/tty1" }) {
        return "\(name) (process \(id))"
      }
    }
    return nil
  }
}
