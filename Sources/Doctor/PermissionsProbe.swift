// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc

/// Checks whether the service, and the user who runs this program, may open the card.
enum PermissionsProbe: Probe {
  static let area = "Permissions"

  /// The groups that the service's user needs. The unit also requests them (SupplementaryGroups=).
  static let groups = ["video", "input"]

  static func findings(_ system: SystemView) -> [Finding] {
    service(system) + yours(system)
  }

  private static func service(_ system: SystemView) -> [Finding] {
    guard system.unitPath != nil else { return [] }
    guard system.hasUser("flipclock") else {
      return [
        .problem(
          "the service's user 'flipclock' does not exist", remedy: "'sudo systemd-sysusers' creates it")
      ]
    }
    let missing = groups.filter { !system.members(of: $0).contains("flipclock") }
    if missing.isEmpty { return [.ok("user flipclock is in the groups \(groups.joined(separator: ", "))")] }
    return [
      .note(
        "user flipclock is not in \(missing.joined(separator: ", ")); its unit requests them anyway",
        remedy: "'sudo systemd-sysusers' adds it")
    ]
  }

  private static func yours(_ system: SystemView) -> [Finding] {
    let cards = system.cards.filter { $0.drivesDisplays && system.exists($0.path) }
    if system.userID == 0 {
      return cards.isEmpty ? [] : [.ok("you are root: every card can be opened")]
    }
    return cards.map { card in
      if system.isAllowed(card.path, R_OK | W_OK) { return .ok("\(system.userName) may open \(card.path)") }
      let group = system.owner(card.path).flatMap { system.groupName($0.group) } ?? "video"
      let text = "\(system.userName) may not open \(card.path)"
      let remedy = system.remedy(joining: group)
      // The service opens the card as another user.
      if system.unitPath != nil || system.daemonIsShowing {
        return .note("\(text); only a flipclockd that you start by hand needs that", remedy: remedy)
      }
      return .problem(text, remedy: remedy)
    }
  }
}
