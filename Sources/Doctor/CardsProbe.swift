// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// Checks whether there is a card that can drive a display, with its native driver.
enum CardsProbe: Probe {
  static let area = "Graphics cards"

  static func findings(_ system: SystemView) -> [Finding] {
    var findings: [Finding] = []
    let cards = system.cards
    if let word = modesetOff(system) {
      findings.append(
        .problem(
          "'\(word)' on the kernel's command line turns the graphics drivers off",
          remedy: "remove it from \(commandLineFile(system)) and restart the machine"))
    }
    if cards.isEmpty {
      findings.append(none(system))
      return findings
    }
    for card in cards {
      let driver = card.driver ?? "unknown driver"
      if !card.drivesDisplays {
        findings.append(.ok("\(card.path) (\(driver)) has no connector, so it cannot drive a display"))
      } else if !system.exists(card.path) {
        findings.append(missingNode(card, system))
      } else if card.isFirmwareFramebuffer {
        findings.append(
          .note(
            "\(card.path) (\(driver)) is only the firmware's framebuffer: it has one mode and does not detect cables",
            remedy: "if the machine has been up for a while, the card's own driver is missing or was "
              + "blacklisted: 'sudo dmesg | grep -i drm' shows more (a firmware-… package?)"))
      } else {
        findings.append(.ok("\(card.path) (\(driver)), \(connectors(card.connectors.count))"))
      }
    }
    if !cards.contains(where: \.drivesDisplays) {
      findings.append(
        .problem(
          "no card has a connector for a display",
          remedy: system.isRaspberryPi
            ? piRemedy
            : "is the driver of the display's card loaded? 'lspci -k' shows it", .noCard))
    }
    return findings
  }

  private static func connectors(_ count: Int) -> String { "\(count) connector\(count == 1 ? "" : "s")" }

  private static func modesetOff(_ system: SystemView) -> String? {
    let words = (system.text("/proc/cmdline") ?? "").split(separator: " ").map(String.init)
    return words.first {
      $0 == "nomodeset" || $0.hasSuffix(".modeset=0")
    }
  }

  private static func commandLineFile(_ system: SystemView) -> String {
    for path in ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"] where system.exists(path) { return path }
    return "/etc/default/grub, run 'sudo update-grub'"
  }

  private static let piRemedy =
    "add the line 'dtoverlay=vc4-kms-v3d' to /boot/firmware/config.txt and restart the machine"

  private static func none(_ system: SystemView) -> Finding {
    let remedy: String
    if system.isContainer {
      remedy = "this is a container: pass the host's /dev/dri to it, or run flipclockd on the host"
    } else if system.isRaspberryPi {
      remedy = piRemedy
    } else {
      remedy =
        "is a graphics driver loaded? 'lspci -k' and 'sudo dmesg | grep -i drm' show it; without a card, "
        + "'flipclockd --display terminal' shows the clock in a terminal"
    }
    return .problem("the kernel has found no graphics card (/sys/class/drm)", remedy: remedy, .noCard)
  }

  private static func missingNode(_ card: Card, _ system: SystemView) -> Finding {
    .problem(
      "the kernel has \(card.name) (\(card.driver ?? "unknown driver")), but there is no \(card.path)",
      remedy: system.isContainer
        ? "this is a container: pass the host's /dev/dri to it" : "is udev running? 'sudo udevadm trigger'")
  }
}
