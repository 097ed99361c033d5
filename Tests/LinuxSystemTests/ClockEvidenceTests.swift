// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("What confirms the time of a machine") struct ClockEvidenceTests {
  /// 2026-11-26.
  private static let now: Int64 = 1_795_651_200

  /// A machine, and whether it knows the time when it starts.
  struct Machine: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var isConfirmed: Bool
    var files: [String: String]

    init(_ name: String, _ isConfirmed: Bool, _ files: [String: String]) {
      (testDescription, self.isConfirmed, self.files) = (name, isConfirmed, files)
    }
  }

  private static let board = ["/sys/firmware/devicetree/base/model": "Raspberry Pi 4 Model B\0"]

  private static func clock(_ seconds: Int64?, setsTime: Bool, number: Int = 0) -> [String: String] {
    let directory = "/sys/class/rtc/rtc\(number)"
    return [
      "\(directory)/since_epoch": seconds.map { "\($0)\n" } ?? "",
      "\(directory)/hctosys": setsTime ? "1\n" : "0\n",
    ]
  }

  static let machines = [
    Machine("a PC", true, clock(now, setsTime: true)),
    Machine("a PC whose clock has the local time", true, clock(now + 14 * 3_600, setsTime: true)),
    Machine("a PC whose battery is empty", false, clock(946_684_800 + 30, setsTime: true)),
    Machine("a virtual machine without a clock", true, [:]),
    Machine("an ARM server without a clock", true, ["/sys/firmware/acpi/tables/DSDT": ""]),
    Machine("a Raspberry Pi", false, board),
    Machine(
      "a Raspberry Pi whose kernel has set the time from a clock module", true,
      board.merging(clock(now, setsTime: true)) { $1 }),
    Machine(
      "a Raspberry Pi whose clock module was read by a program", true,
      board.merging(clock(now - 20, setsTime: false)) { $1 }),
    Machine(
      "a Raspberry Pi that has not used its clock module yet", false,
      board.merging(clock(now + 40_000, setsTime: false)) { $1 }),
    Machine(
      "a Raspberry Pi whose clock module cannot be read", false,
      board.merging(clock(nil, setsTime: false)) { $1 }),
    Machine(
      "a Raspberry Pi 5 without a battery", false,
      board.merging(clock(12, setsTime: true)) { $1 }),
    Machine(
      "a Raspberry Pi 5 without a battery, with a clock module", true,
      board.merging(clock(12, setsTime: true)) { $1 }.merging(clock(now, setsTime: false, number: 1)) { $1 }),
    Machine(
      "a Raspberry Pi that has found a time server", true,
      board.merging(["/run/systemd/timesync/synchronized": ""]) { $1 }),
  ]

  @Test("A machine knows the time when it starts, or does not", arguments: machines)
  func machine(_ machine: Machine) throws {
    let directory = try TemporaryDirectory()
    for (path, text) in machine.files { directory.put(String(path.dropFirst()), text) }
    var evidence = ClockEvidence(root: directory.path, isSynchronized: false, now: Self.now)
    #expect(evidence.isConfirmed == machine.isConfirmed)
    evidence.isSynchronized = true
    #expect(evidence.isConfirmed)
  }
}
