// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import KMS

@Suite("Why a display is missing, and when to look again")
struct AbsenceTests {
  private let noDisplay = DisplayProblem.noDisplay(connectors: ["HDMI-A-1"])
  private let busy = DisplayProblem.cardBusy(path: "/dev/dri/card0")
  private let lost = DisplayProblem.cardLost(
    path: "/dev/dri/card0", SystemError("x", errno: Errno(rawValue: 19)))
  private let second: Int64 = 1_000_000_000

  private func consequence(reported: Bool, loss: Bool, _ delay: Int64) -> Absence.Consequence {
    Absence.Consequence(isReported: reported, isLoss: loss, delay: delay)
  }

  @Test("Each distinct problem is reported once until there is a display, and a loss is announced once")
  func distinctProblems() {
    var absence = Absence(slowProbe: 100)
    #expect(absence.failed(noDisplay, now: 5) == consequence(reported: true, loss: true, 100))
    #expect(absence.problem == noDisplay)
    #expect(absence.retryTime == 105)
    #expect(
      absence.failed(.noModes(connector: "X"), now: 7) == consequence(reported: true, loss: false, 100))
    #expect(absence.failed(noDisplay, now: 9) == consequence(reported: false, loss: false, 100))
    #expect(absence.since == 5, "since the first failure")
    absence.found()
    #expect(absence.problem == nil)
    #expect(absence.retryTime == .max)
    #expect(absence.failed(noDisplay, now: 20) == consequence(reported: true, loss: true, 100))
    #expect(absence.since == 20)
  }

  private func delays(_ problem: DisplayProblem, _ absence: inout Absence, count: Int) -> [Int64] {
    (0..<count).map { _ in absence.failed(problem, now: 0).delay }
  }

  @Test("A busy card is retried soon, then less often, and after two minutes at the usual interval")
  func busyForLong() {
    var absence = Absence()
    let waits = delays(busy, &absence, count: 83).map { $0 / 1_000_000 }
    #expect(waits.prefix(7) == [250, 500, 1000, 1500, 1500, 1500, 1500])
    #expect(waits[5..<80].allSatisfy { $0 == 1500 })
    #expect(waits[80...] == [10_000, 10_000, 10_000])
  }

  @Test("After the first loss of a card the search starts at once")
  func lostCard() {
    var absence = Absence(slowProbe: 100)
    #expect(delays(lost, &absence, count: 2) == [0, 100])
  }

  @Test("A display that stays away is looked for once a minute, and more often again after a change")
  func patience() {
    var absence = Absence()
    let first = Array(repeating: 10 * second, count: 6)
    #expect(delays(noDisplay, &absence, count: 9) == first + Array(repeating: 60 * second, count: 3))
    absence.hardwareChanged()
    #expect(delays(noDisplay, &absence, count: 8) == first + Array(repeating: 60 * second, count: 2))
    absence.hasHotplugEvents = false
    #expect(delays(noDisplay, &absence, count: 2) == [10 * second, 10 * second], "there are no events")
  }

  @Test("A display that is found again and again but never shows a frame is looked for less often")
  func foundInVain() {
    var absence = Absence()
    var waits: [Int64] = []
    for _ in 0..<34 {
      absence.found()
      // An event in between does not make the attempts more frequent.
      absence.hardwareChanged()
      waits.append(absence.failed(lost, now: 0).delay / 1_000_000)
    }
    #expect(waits.prefix(3) == [0, 1000, 1000])
    #expect(waits[30...].allSatisfy { $0 == 60_000 })
    absence.found()
    absence.frameWasShown()
    #expect(absence.failed(lost, now: 0).delay == 0)
  }

  @Test(
    "A card that may not be opened is reported only after two seconds, because udev may still set its group"
  )
  func deniedCard() {
    let denied = DisplayProblem.permissionDenied(path: "/dev/dri/card0")
    var absence = Absence()
    /// Tries until the problem is reported, at most 100 times; returns the number of attempts and the sum of
    /// the delays.
    func denials() -> (looks: Int, nanoseconds: Int64) {
      var waited: Int64 = 0
      for look in 1...100 {
        let consequence = absence.failed(denied, now: 0)
        if consequence.isReported { return (look, waited) }
        waited += consequence.delay
        // A uevent does not reset the count of attempts without permission.
        if look == 3 { absence.hardwareChanged() }
      }
      return (101, waited)
    }
    let (looks, nanoseconds) = denials()
    #expect(looks == 9)
    #expect(nanoseconds == 2 * second)
    // The problem is reported once, and the search is repeated every second for a while.
    #expect(absence.failed(denied, now: 0) == consequence(reported: false, loss: false, second))
    // After a card was found, failures to open the next card are again not reported for two seconds.
    absence.found()
    absence.frameWasShown()
    #expect(absence.failed(lost, now: 0) == consequence(reported: true, loss: true, 0))
    #expect(absence.failed(denied, now: 0) == consequence(reported: false, loss: false, 250_000_000))
  }

  @Test("A delay given by the caller overrides the default")
  func retryAfter() {
    var absence = Absence(slowProbe: 100)
    #expect(absence.failed(.flipsLost(connector: "X"), retryAfter: 7, now: 1).delay == 7)
    #expect(absence.retryTime == 8)
  }

  @Test("Each problem has its own line, with a remedy if there is one")
  func lines() {
    let error = SystemError("x", errno: Errno(rawValue: 22))
    let problems: [DisplayProblem] = [
      .noCard(directory: "/dev/dri"), .cardMissing("c", found: ["d"]), .driverMissing("d", found: []),
      .permissionDenied(path: "/dev/dri/card1"), busy, .noScanout(["v3d"]),
      .onlyFirmwareFramebuffer(path: "p"), .connectorMissing("DP-9", found: ["DP-1"]), noDisplay,
      .notConfigured(connector: "DP-1"), .noModes(connector: "DP-1"), .noPipe(connector: "DP-1"),
      .refused(connector: "DP-1", error), .cardLost(path: "p", error), .flipsLost(connector: "DP-1"),
      .consoleAway,
    ]
    #expect(Set(problems.map(\.description)).count == problems.count)
    #expect(problems.allSatisfy { !$0.description.contains("\n") })
    #expect(problems[3].description.contains("group 'video'"))
    #expect(problems[3].description.contains("/dev/dri/card1"))
    #expect(busy.description.hasPrefix("another program (e.g. a desktop session) is using /dev/dri"))
  }
}
