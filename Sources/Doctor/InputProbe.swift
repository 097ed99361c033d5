// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import Input
import Settings

/// Checks whether the devices with the keys of the config's [input] are plugged in, and may be read.
enum InputProbe: Probe {
  static let area = "Input"

  private struct Device {
    var path: String
    var name: String
    /// Whether the device has the key with this code.
    var hasKey: (UInt16) -> Bool
  }

  static func findings(_ system: SystemView) -> [Finding] {
    guard let input = system.settings.configuration?.input else { return [] }
    guard input.isEnabled else {
      if input.keys.isEmpty { return [] }
      return [
        .note("[input.keys] has keys, but they do nothing", remedy: "'enabled = true' in [input]")
      ]
    }
    guard !input.keys.isEmpty else {
      return [
        .note("[input] is enabled, but no key has a command", remedy: "add some to [input.keys]")
      ]
    }
    let devices = devices(system)
    guard !devices.isEmpty else {
      return [
        .note(
          system.isContainer ? "there is no input device in this container" : "no input device is plugged in",
          remedy: "plug one in; it is detected at once")
      ]
    }
    var findings: [Finding] = []
    var wanted: [Device] = []
    for pattern in input.devices {
      let found = devices.filter { Glob(pattern).matches($0.name) }
      if found.isEmpty {
        findings.append(
          .note(
            "no device is called '\(pattern)' now",
            remedy: "plug it in, or set 'devices' to one of: \(names(devices))"))
      }
      wanted += found.filter { one in !wanted.contains { $0.path == one.path } }
    }
    let useful = wanted.filter { device in input.keys.contains { device.hasKey($0.code) } }
    if useful.isEmpty, !wanted.isEmpty {
      findings.append(
        .note(
          "none of the keys in [input.keys] is on \(names(wanted))",
          remedy: "'sudo evtest' prints the names of keys"))
    }
    return findings + useful.map { readable($0, system) }
  }

  private static func readable(_ device: Device, _ system: SystemView) -> Finding {
    let text = "\(device.name) (\(device.path))"
    let group = system.owner(device.path).flatMap { system.groupName($0.group) }
    guard system.unitPath == nil else {
      // The service's user has access to input devices only through the group `input`.
      if group == "input" { return .ok(text) }
      return .problem(
        "the service may not read \(text): it belongs to group '\(group ?? "?")', not to 'input'",
        remedy: "'sudo udevadm trigger --subsystem-match=input' sets it, unless a udev rule sets another")
    }
    if system.isAllowed(device.path, R_OK) { return .ok(text) }
    return .problem(
      "\(system.userName) may not read \(text)", remedy: system.remedy(joining: group ?? "input"))
  }

  private static func names(_ devices: [Device]) -> String {
    var names: [String] = []
    for device in devices where !names.contains("'\(device.name)'") { names.append("'\(device.name)'") }
    return names.joined(separator: ", ")
  }

  /// The devices with keys, sorted by the number of their nodes.
  private static func devices(_ system: SystemView) -> [Device] {
    let numbers = (system.names("/sys/class/input") ?? []).compactMap { name in
      name.hasPrefix("event") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().compactMap { number in
      let place = "/sys/class/input/event\(number)/device"
      guard system.exists("/dev/input/event\(number)"), let name = system.text("\(place)/name") else {
        return nil
      }
      let keys = bits(system.text("\(place)/capabilities/key") ?? "")
      guard keys.contains(where: { $0 != 0 }) else { return nil }
      return Device(path: "/dev/input/event\(number)", name: name) { code in
        let word = Int(code) / UInt.bitWidth
        return word < keys.count && keys[word] >> UInt(Int(code) % UInt.bitWidth) & 1 == 1
      }
    }
  }

  /// The words of a bitmap, the lowest first; the kernel prints the highest first (`input_print_bitmap`).
  private static func bits(_ text: String) -> [UInt] {
    text.split(separator: " ").reversed().map { UInt($0, radix: 16) ?? 0 }
  }
}
