// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc

/// Checks whether the daemon answers, and whether this user may connect to it.
enum SocketProbe: Probe {
  static let area = "Control socket"

  static func findings(_ system: SystemView) -> [Finding] {
    switch system.daemon {
    case .answers(let path, let version, _, let outputs, let troubles):
      var findings = [Finding.ok("flipclockd \(version) answers at \(path)")]
      if version != Release.version {
        findings.append(
          .note(
            "it is release \(version), this program \(Release.version): they may not understand each other",
            remedy: "'sudo systemctl restart flipclockd' runs the release that is installed"))
      }
      findings.append(
        outputs.isEmpty
          ? .problem(
            "it has no display to show on",
            remedy:
              "'journalctl -u flipclockd' shows what it waits for; the problems above may be the reason",
            .noDisplay)
          : .ok("\(system.isBlanked ? "its display is" : "it shows on") \(outputs.joined(separator: ", "))"))
      findings += troubles.map {
        .note(
          "\($0.connector): \($0.reason)",
          remedy: "'flipclockctl status' shows since when, and what was tried", .displayTrouble,
          of: $0.connector)
      }
      return findings + light(system)
    case .failed(let text):
      return [.problem(text, remedy: "'systemctl status flipclockd' shows more")]
    case .silent(let errors):
      let isGone = errors.allSatisfy { $0.errno.rawValue == ENOENT }
      // An error other than ENOENT says more, because it comes from a socket that exists.
      return errors.filter { isGone || $0.errno.rawValue != ENOENT }.prefix(1).map {
        silent($0.subject ?? "", $0.errno.rawValue, "\($0.errno)", errors.compactMap(\.subject), system)
      }
    }
  }

  private static func light(_ system: SystemView) -> [Finding] {
    if system.isBlanked {
      return [
        .problem(
          "its display was switched off", remedy: "'flipclockctl unblank' switches it on", .switchedOff)
      ]
    }
    guard system.brightness < 20 else { return [] }
    return [
      .note(
        "the picture is dimmed to \(system.brightness)%", remedy: "'flipclockctl brightness 100%'", .dimmed,
        of: "\(system.brightness) %")
    ]
  }

  private static func silent(
    _ path: String, _ errno: Int32, _ reason: String, _ paths: [String], _ system: SystemView
  ) -> Finding {
    switch errno {
    case ENOENT:
      .problem(
        "flipclockd is not running: there is no \(paths.joined(separator: " and no "))",
        remedy: system.unitPath == nil
          ? "start it: 'flipclockd'" : "start it: 'sudo systemctl enable --now flipclockd'")
    case ECONNREFUSED:
      .problem(
        "\(path) is stale: nobody listens there",
        remedy:
          "'sudo systemctl restart flipclockd.socket flipclockd', or remove the file and start flipclockd")
    case EACCES, EPERM:
      .problem(
        "you may not connect to \(path)",
        remedy: system.remedy(
          joining: system.owner(path).flatMap { system.groupName($0.group) } ?? "flipclock"))
    default:
      .problem(
        "cannot connect to \(path): \(reason)", remedy: "is that flipclockd's socket? --socket names another")
    }
  }
}
