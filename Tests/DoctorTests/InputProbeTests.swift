// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import Testing

@testable import Doctor

@Suite struct InputProbeTests {
  private static let number = "[input]\nenabled = true\n[input.keys]\nKP1 = \"add-score home +1\"\n"

  /// A machine with a config. Its device nodes belong to the group `input`, or to `others` if `input` is
  /// false.
  private func system(_ config: String, input: Bool = true) throws -> FakeSystem {
    let system = try FakeSystem()
    try system.write("/etc/flipclock/config.toml", config)
    try system.write(
      "/etc/group",
      "root:x:99:\nvideo:x:44:ann,flipclock\n\(input ? "input" : "others"):x:\(getgid()):flipclock\nflipclock:x:9:ann\n"
        + (input ? "" : "input:x:104:flipclock\n"))
    return system
  }

  private func input(_ system: FakeSystem, _ level: Finding.Level) -> [String] {
    system.found(level).filter { $0.hasPrefix("Input: ") }
  }

  @Test("Without [input] there are no findings; keys without effect are a note")
  func disabled() throws {
    let system = try system("")
    #expect(!Examination(system.view).areas.contains { $0.name == "Input" })
    try system.write("/etc/flipclock/config.toml", "[input.keys]\nKP1 = \"undo\"\n")
    #expect(input(system, .note).first?.contains("enabled = true") == true)
    try system.write("/etc/flipclock/config.toml", "[input]\nenabled = true\n")
    #expect(input(system, .note).first?.contains("[input.keys]") == true)
  }

  @Test("A keyboard that has the keys and that the service can read is ok")
  func well() throws {
    let system = try system(Self.number)
    try system.device(3, "Usb Number Pad")
    try system.device(4, "Lid Switch", keys: "0")
    #expect(input(system, .problem) == [])
    #expect(input(system, .note) == [])
    #expect(input(system, .ok) == ["Input: Usb Number Pad (/dev/input/event3) → "])
  }

  @Test("A missing device, name or key is a note, because a device may be plugged in later")
  func missing() throws {
    let system = try system(Self.number + "[input.x]\n")
    #expect(input(system, .note).first?.contains("no input device is plugged in") == true)
    try system.device(3, "Usb Number Pad", keys: "1")
    let keys = try #require(input(system, .note).first)
    #expect(keys.contains("none of the keys") && keys.contains("'Usb Number Pad'") && keys.contains("evtest"))
    try system.write(
      "/etc/flipclock/config.toml",
      "[input]\nenabled = true\ndevices = [\"*Presenter*\", \"usb*\"]\n[input.keys]\nKP1 = \"undo\"\n")
    try system.device(3, "Usb Number Pad")
    let name = try #require(input(system, .note).first)
    #expect(name.contains("'*Presenter*'") && name.contains("'Usb Number Pad'"))
    #expect(input(system, .ok).count == 1)
  }

  @Test("A device node of another group is a problem for the service, with udev as the remedy")
  func group() throws {
    let system = try system(Self.number, input: false)
    try system.device(3, "Usb Number Pad")
    let found = try #require(input(system, .problem).first)
    #expect(found.contains("'others'") && found.contains("udevadm trigger"))
  }

  @Test("A user who starts the daemon by hand must be in the device node's group")
  func byHand() throws {
    let system = try system(Self.number)
    system.remove(file: "/usr/lib/systemd/system/flipclockd.service")
    try system.device(3, "Usb Number Pad")
    #expect(input(system, .ok).count == 1)
    system.forbidden = ["/dev/input/event3"]
    let found = try #require(input(system, .problem).first)
    #expect(found.contains("ann may not read") && found.contains("usermod -aG input ann"))
  }

  @Test("A dark or dimmed display is reported with the command that reverts it")
  func light() throws {
    let system = try FakeSystem()
    system.brightness = 5
    #expect(system.found(.note).contains { $0.contains("5%") && $0.contains("brightness 100%") })
    #expect(Examination(system.view).isWell)
    system.isBlanked = true
    #expect(system.found(.problem).contains { $0.contains("flipclockctl unblank") })
  }
}
