// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem

/// Checks whether the clock is synchronized, and which time zone is set.
enum TimeProbe: Probe {
  static let area = "Time"

  static func findings(_ system: SystemView) -> [Finding] {
    [zone(system)] + clock(system)
  }

  private static func zone(_ system: SystemView) -> Finding {
    if let zone = system.settings.configuration?.locale.zone, zone != "local" {
      return .ok("the zone is \(zone), from [locale] in the config")
    }
    if let zone = system.environment("TZ"), !zone.isEmpty {
      return .note("TZ=\(zone) here; the service uses /etc/localtime")
    }
    guard system.exists("/etc/localtime") else {
      return .note(
        "no time zone is set (/etc/localtime): the clock shows UTC",
        remedy: "'sudo timedatectl set-timezone Europe/Zurich', with your zone", .noZone)
    }
    guard let link = system.link("/etc/localtime"), let end = link.range(after: "/zoneinfo/") else {
      return .ok("/etc/localtime")
    }
    return .ok("the zone is \(link[end...])")
  }

  private static func clock(_ system: SystemView) -> [Finding] {
    let evidence = ClockEvidence(root: system.root, isSynchronized: system.clockIsSynchronized == true)
    if evidence.isSynchronized { return [.ok("the clock is synchronized over the network")] }
    guard system.timeIsConfirmed ?? evidence.isConfirmed else {
      return [
        .note(
          "nothing has confirmed the time since the machine started; a small clock in the corner says so",
          remedy: "a network with a time server, a clock chip, or 'sudo timedatectl set-time HH:MM'",
          .clockNotSynchronized)
      ]
    }
    // With systemd-timesyncd, the file above says it.
    if system.clockIsSynchronized == nil, system.path(ofUnit: clients[0] + ".service") == nil { return [] }
    if clients.contains(where: { isOn($0, system) }) {
      return [
        .note(
          "no time server was reached since the machine started",
          remedy: "a network with a time server, or a clock chip", .clockNotSynchronized)
      ]
    }
    let client = clients.contains { system.path(ofUnit: "\($0).service") != nil }
    return [
      .note(
        "nothing keeps the machine's clock right",
        remedy: client
          ? "'sudo timedatectl set-ntp true', or a clock chip"
          : "no NTP client is installed: 'sudo apt install systemd-timesyncd', or a clock chip",
        .clockNotSynchronized)
    ]
  }

  /// Whether a client runs, or is started with the machine.
  private static func isOn(_ client: String, _ system: SystemView) -> Bool {
    // The directory of systemd-timesyncd exists while it runs.
    if client == clients[0], system.exists("/run/systemd/timesync") { return true }
    return ["sysinit", "multi-user"].contains { target in
      let link = "/etc/systemd/system/\(target).target.wants/\(client).service"
      return system.link(link) != nil || system.exists(link)
    }
  }

  /// The units of services that set the clock from the network.
  private static let clients = [
    "systemd-timesyncd", "chrony", "chronyd", "ntp", "ntpd", "ntpsec", "openntpd", "ntpd-rs",
  ]
}

extension String {
  /// The index after `word`; nil if it does not occur.
  fileprivate func range(after word: String) -> String.Index? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(word) { return self.index(index, offsetBy: word.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
