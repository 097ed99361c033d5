// SPDX-License-Identifier: Apache-2.0

import Display
import FoundationEssentials
import Glibc
import LinuxSystem
import Testing

@testable import KMS

/// Each call of `atomicCalls` and `legacyCalls` fails with each of `errnos`: at its first use, at a later
/// use, for a while, and for good. Meanwhile a display is shown, unplugged, replaced by another one, and
/// blanked. docs/faults.md has the outcomes, a table for each pattern.
@Suite("Every call × every errno × every pattern")
struct FaultMatrixTests {
  static let errnos: [(name: String, code: Int32)] = [
    ("EINTR", EINTR), ("EAGAIN", EAGAIN), ("EBUSY", EBUSY), ("EACCES", EACCES), ("EINVAL", EINVAL),
    ("ENOSPC", ENOSPC), ("ENOMEM", ENOMEM), ("ENODEV", ENODEV), ("EIO", EIO), ("ENOENT", ENOENT),
    ("ETIMEDOUT", ETIMEDOUT),
  ]

  enum Pattern: String, CaseIterable {
    case first = "first use"
    case later = "third use"
    case while3s = "for 3 s"
    case forever = "for good"
  }

  /// The calls that the scenario makes, each with its name in the table.
  static let atomicCalls = [
    "open", "VERSION", "GET_CAP", "SET_CLIENT_CAP", "SET_MASTER", "MODE_GETRESOURCES", "MODE_GETCRTC",
    "MODE_GETENCODER", "MODE_GETCONNECTOR", "MODE_GETCONNECTOR current", "MODE_GETPLANERESOURCES",
    "MODE_GETPLANE",
    "MODE_OBJ_GETPROPERTIES", "MODE_GETPROPERTY", "MODE_GETPROPBLOB", "MODE_CREATEPROPBLOB",
    "MODE_CREATE_DUMB",
    "MODE_ADDFB2", "MODE_MAP_DUMB", "MODE_ATOMIC test", "MODE_ATOMIC modeset", "MODE_ATOMIC flip", "read",
  ]
  static let legacyCalls = [
    "MODE_SETCRTC", "MODE_PAGE_FLIP", "MODE_DIRTYFB", "MODE_CURSOR", "MODE_SETPLANE", "MODE_SETGAMMA",
    "MODE_SETPROPERTY",
  ]

  struct Outcome: Sendable {
    /// The longest time, in seconds, for which the connected display did not show the right picture. With
    /// `while3s` it is counted from the end of the fault.
    var dark: Double
    /// Whether the picture is right at the end.
    var isRight: Bool
    /// Whether the best mode was set before the display was unplugged.
    var isBest: Bool
    /// Why the display was last lost.
    var problem: String?
    /// What was not freed.
    var left: [String]
  }

  /// Runs the scenario with a fault. Throws if the output spins.
  static func run(_ call: String, _ code: Int32, _ pattern: Pattern, isAtomic: Bool) throws -> Outcome {
    let wall = try SimulatedDisplays(atomic: isAtomic)
    var fault = SimulatedCard.Fault(call: call, errno: code)
    switch pattern {
    case .first: fault.calls = 1...1
    case .later: fault.calls = 3...3
    case .while3s: fault.end = wall.time.now + 3_000_000_000
    case .forever: break
    }
    wall.card.fault = fault
    try wall.start()
    try wall.run(seconds: 3)
    if pattern == .while3s { wall.measure() }
    try wall.run(seconds: 10)
    let isBest = wall.descriptions.last?.mode.size == SimulatedDisplays.modes[0].size
    wall.card.unplug()
    wall.uevent()
    try wall.run(seconds: 2)
    // Another display.
    wall.card.plug(edid: 501)
    wall.uevent()
    try wall.run(seconds: 12)
    let dark = wall.longestDark
    wall.displays.isBlank = true
    try wall.run(seconds: 1)
    wall.displays.isBlank = false
    wall.measure()
    try wall.run(seconds: 12)
    var outcome = Outcome(
      dark: Double(max(dark, wall.longestDark)) / 1e9, isRight: wall.isRight, isBest: isBest,
      problem: wall.losses.last,
      left: [])
    wall.card.fault = nil
    outcome.left = wall.stop()
    return outcome
  }

  static let rows =
    atomicCalls.map { (call: $0, isAtomic: true) } + legacyCalls.map { (call: $0, isAtomic: false) }

  @Test(
    "No crash, spin or leak; the right picture within 2 s of a fault's end; docs/faults.md is current"
  )
  func everyFault() async throws {
    var cells: [Pattern: [[String]]] = [:]
    for pattern in Pattern.allCases {
      cells[pattern] = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
        for (index, row) in Self.rows.enumerated() {
          group.addTask {
            (index, try Self.errnos.map { try Self.cell(row.call, $0, pattern, isAtomic: row.isAtomic) })
          }
        }
        var lines = Array(repeating: [String](), count: Self.rows.count)
        for try await (index, line) in group { lines[index] = line }
        return lines
      }
    }
    let document = Self.document(cells)
    let path = Self.path
    if getenv("FLIPCLOCK_RECORD_GOLDENS") != nil {
      try document.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded \(path)")
    } else {
      let committed = try? String(contentsOfFile: path, encoding: .utf8)
      #expect(
        committed == document,
        "docs/faults.md is stale; run: FLIPCLOCK_RECORD_GOLDENS=1 swift test --filter FaultMatrixTests")
    }
  }

  /// Runs one case, checks it, and returns its cell of the table.
  private static func cell(
    _ call: String, _ errno: (name: String, code: Int32), _ pattern: Pattern, isAtomic: Bool
  ) throws -> String {
    let name = "\(call) \(errno.name) \(pattern.rawValue)"
    let outcome = try run(call, errno.code, pattern, isAtomic: isAtomic)
    #expect(outcome.left == [], "\(name)")
    guard pattern != .forever else { return outcome.isRight ? "right" : "dark" }
    #expect(outcome.isRight, "\(name): \(outcome.problem ?? "")")
    #expect(outcome.dark <= 2, "\(name): \(outcome.problem ?? "")")
    #expect(outcome.isBest || pattern == .while3s, "\(name): a lower mode is used")
    // In simulated time the first picture takes no time and no frame is late, so 0 means that the fault is
    // not visible.
    return outcome.dark == 0 ? "0" : "\((outcome.dark * 10).rounded(.up) / 10)"
  }

  private static var path: String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/docs/faults.md"
  }

  private static func document(_ cells: [Pattern: [[String]]]) -> String {
    var text = """
      # What happens when a call to the kernel fails

      A test runs the display output on a model of the kernel (`Tests/KMSTests/SimulatedCard.swift`) in simulated time.
      In each case one call fails with one errno. Meanwhile a clock is shown, the display is unplugged and replaced by
      another one, and it is blanked and unblanked. The test checks that nothing crashes, spins or leaks, and it writes
      these tables (`FLIPCLOCK_RECORD_GOLDENS=1 swift test --filter FaultMatrixTests`).

      A number is the longest time, in seconds, for which a connected display did not show the right picture; 0 means
      that nobody sees the fault. The calls from MODE_SETCRTC on are those of drivers without atomic commits.
      An error at SET_MASTER does not matter, because the first program that opens a card is its master.

      """
    let introductions: [Pattern: String] = [
      .first: "The first call fails.", .later: "The third call fails.",
      .while3s: "Every call fails for three seconds from the start. The time is counted from their end.",
      .forever:
        "Every call fails. `right`: there is a picture all the same; `dark`: there is none, and the log, "
        + "`flipclockctl status` and systemd's status line say why.",
    ]
    for pattern in Pattern.allCases {
      text += "\n## \(pattern.rawValue.prefix(1).uppercased())\(pattern.rawValue.dropFirst())\n\n"
      text += "\(introductions[pattern] ?? "")\n\n"
      text += "| call | " + errnos.map(\.name).joined(separator: " | ") + " |\n"
      text += "|---|" + errnos.map { _ in "---|" }.joined() + "\n"
      for (row, line) in zip(rows, cells[pattern] ?? []) {
        text += "| \(row.call) | " + line.joined(separator: " | ") + " |\n"
      }
    }
    return text
  }
}
