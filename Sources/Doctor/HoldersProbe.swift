// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// Checks whether another program uses the display. Only one program can be master of a card.
enum HoldersProbe: Probe {
  static let area = "Who has the display"

  /// Programs that need exclusive use of the display, by their names in /proc (at most 15 bytes).
  private static let servers: Set<String> = [
    "Xorg", "X", "gnome-shell", "kwin_wayland", "sway", "weston", "labwc", "wayfire", "cage", "cosmic-comp",
    "Hyprland", "river", "niri", "mutter", "gamescope", "kodi.bin", "kodi-gbm", "mpv", "kmscon", "plymouthd",
    "phoc", "miriway",
  ]

  static func findings(_ system: SystemView) -> [Finding] {
    let cards = system.cards.filter(\.drivesDisplays)
    guard !cards.isEmpty else { return [] }
    var findings: [Finding] = []
    var unreadable = false
    for id in system.processes {
      let folder = "/proc/\(id)/fd"
      let name = system.processName(id)
      if name == "Xwayland" { continue }
      guard let descriptors = system.names(folder) else {
        unreadable = true
        if servers.contains(name) { findings.append(holder(name, id, nil, system)) }
        continue
      }
      let held = Set(descriptors.compactMap { system.link("\(folder)/\($0)") })
      guard let card = cards.first(where: { held.contains($0.path) }) else { continue }
      if name == "flipclockd" {
        findings.append(.ok("flipclockd (process \(id)) has \(card.path) open"))
      } else if servers.contains(name) || isMaster(id, of: card, system) {
        findings.append(holder(name, id, card.path, system))
      } else {
        findings.append(
          .note("\(name) (process \(id)) has \(card.path) open; that alone does not disturb the display"))
      }
    }
    if findings.isEmpty { findings.append(.ok("no other program is known to use it")) }
    if unreadable, !system.daemonIsShowing {
      findings.append(
        .note(
          "this user cannot examine all processes",
          remedy: "'sudo flipclockctl doctor' examines all of them"))
    }
    return findings + displayManager(system)
  }

  private static func holder(_ name: String, _ id: Int, _ path: String?, _ system: SystemView) -> Finding {
    let has = path.map { "has \($0) open" } ?? "is running"
    let text = "\(name) (process \(id)) \(has)"
    // The other program may belong to another virtual terminal, and be inactive while flipclockd shows its
    // picture.
    if system.daemonIsShowing { return .note("\(text), but flipclockd shows a picture") }
    let remedy: String
    switch name {
    case "plymouthd": remedy = "it is the boot splash and should have ended by now: 'sudo plymouth quit'"
    case "flipclockd":
      remedy = "another flipclockd has it; 'systemctl status flipclockd' shows the service"
    default:
      remedy =
        "end it; a desktop: 'sudo systemctl isolate multi-user.target', and permanently "
        + "'sudo systemctl set-default multi-user.target'"
    }
    return .problem("\(text) and takes the display", remedy: remedy, .otherProgram)
  }

  /// Whether the process is the card's DRM master, from the kernel's list of clients, which only root can
  /// read. Its columns begin with `command tgid dev master a uid magic`.
  private static func isMaster(_ id: Int, of card: Card, _ system: SystemView) -> Bool {
    system.lines("/sys/kernel/debug/dri/\(card.name.dropFirst(4))/clients").contains { line in
      let words = line.split(separator: " ")
      // The command may contain spaces. The column `a` is "y" for any authenticated client.
      return words.indices.dropLast(2).contains { words[$0] == "\(id)" && words[$0 + 2] == "y" }
    }
  }

  private static func displayManager(_ system: SystemView) -> [Finding] {
    guard let unit = system.link("/etc/systemd/system/display-manager.service"), unit != "/dev/null",
      let name = unit.split(separator: "/").last,
      system.link("/etc/systemd/system/default.target")?.hasSuffix("multi-user.target") != true
    else { return [] }
    return [
      .note(
        "\(name) is set up to start a desktop, which takes the display when the machine starts",
        remedy: "for a clock on the wall: 'sudo systemctl set-default multi-user.target'")
    ]
  }
}
