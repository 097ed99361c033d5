// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import KMS

@Suite("Life cycle")
struct LifeCycleTests {
  private let noDisplay = DisplayProblem.noDisplay(connectors: ["HDMI-A-1"])
  private let busy = DisplayProblem.cardBusy(path: "/dev/dri/card0")

  /// Handles events in order, each with the expected actions; returns the steps with different actions.
  private func failures(_ script: [(LifeCycle.Event, [LifeCycle.Action])]) -> [String] {
    var cycle = LifeCycle(slowProbe: 100)
    return script.enumerated().compactMap { index, step in
      let actions = cycle.handle(step.0)
      return actions == step.1 ? nil : "step \(index), \(step.0): \(actions)"
    }
  }

  @Test("Start, display, unplug, plug, stop")
  func ordinary() {
    let wrong = failures([
      (.changed, []), (.start, [.search]), (.start, []), (.found, [.stopProbing, .announceConnected]),
      (.changed, [.search]), (.probeDue, [.search]),
      (.failed(noDisplay), [.report(noDisplay), .announceDisconnected(noDisplay), .probe(after: 100)]),
      (.probeDue, [.search]), (.failed(noDisplay), [.probe(after: 100)]), (.changed, [.search]),
      (.found, [.stopProbing, .announceConnected]), (.stop, [.stopProbing, .giveBack]), (.stop, []),
      (.changed, []), (.found, []),
    ])
    #expect(wrong == [])
  }

  @Test("Each distinct problem is reported once until there is a display")
  func distinctProblems() {
    let wrong = failures([
      (.start, [.search]),
      (.failed(noDisplay), [.report(noDisplay), .announceDisconnected(noDisplay), .probe(after: 100)]),
      (.failed(.noModes(connector: "X")), [.report(.noModes(connector: "X")), .probe(after: 100)]),
      (.failed(noDisplay), [.probe(after: 100)]), (.found, [.stopProbing, .announceConnected]),
      (.failed(noDisplay), [.report(noDisplay), .announceDisconnected(noDisplay), .probe(after: 100)]),
    ])
    #expect(wrong == [])
  }

  @Test("A busy card is retried soon, then less often")
  func busyCard() {
    var cycle = LifeCycle()
    _ = cycle.handle(.start)
    var delays: [Int64] = []
    for _ in 0..<7 {
      for case .probe(let delay) in cycle.handle(.failed(busy)) { delays.append(delay / 1_000_000) }
    }
    #expect(delays == [250, 500, 1000, 1500, 1500, 1500, 1500])
  }

  @Test("After the first loss of a card the search starts at once")
  func lostCard() {
    let lost = DisplayProblem.cardLost(path: "p", SystemError("x", errno: Errno(rawValue: 19)))
    let wrong = failures([
      (.start, [.search]), (.found, [.stopProbing, .announceConnected]),
      (.failed(lost), [.report(lost), .announceDisconnected(lost), .probe(after: 0)]),
      (.failed(lost), [.probe(after: 100)]),
    ])
    #expect(wrong == [])
  }

  /// The delays between consecutive unsuccessful searches.
  private func delays(_ problem: DisplayProblem, _ cycle: inout LifeCycle, count: Int) -> [Int64] {
    (0..<count).compactMap { _ in
      let actions = cycle.handle(.failed(problem)) + cycle.handle(.probeDue)
      return actions.compactMap { if case .probe(let delay) = $0 { delay } else { nil } }.first
    }
  }

  @Test("A display that stays away is searched for once a minute, and more often again after a change")
  func patience() {
    var cycle = LifeCycle()
    let second: Int64 = 1_000_000_000
    _ = cycle.handle(.start)
    let first = Array(repeating: 10 * second, count: 6)
    #expect(delays(noDisplay, &cycle, count: 9) == first + Array(repeating: 60 * second, count: 3))
    #expect(cycle.handle(.changed) == [.search])
    #expect(delays(noDisplay, &cycle, count: 8) == first + Array(repeating: 60 * second, count: 2))
    cycle.hasHotplugEvents = false
    #expect(delays(noDisplay, &cycle, count: 2) == [10 * second, 10 * second], "there are no events")
  }

  @Test("A busy card is retried quickly for two minutes, and then at the usual interval")
  func busyForLong() {
    var cycle = LifeCycle()
    _ = cycle.handle(.start)
    let waits = delays(busy, &cycle, count: 83).map { $0 / 1_000_000 }
    #expect(waits.prefix(6) == [250, 500, 1000, 1500, 1500, 1500])
    #expect(waits[5..<80].allSatisfy { $0 == 1500 })
    #expect(waits[80...] == [10_000, 10_000, 10_000])
  }

  @Test("A display that is found again and again but never shows a frame is searched for less often")
  func foundInVain() {
    var cycle = LifeCycle()
    _ = cycle.handle(.start)
    let lost = DisplayProblem.cardLost(path: "/dev/dri/card0", SystemError("x", errno: Errno(rawValue: 19)))
    var waits: [Int64] = []
    for _ in 0..<34 {
      _ = cycle.handle(.found)
      for case .probe(let delay) in cycle.handle(.failed(lost)) { waits.append(delay / 1_000_000) }
    }
    #expect(waits.prefix(3) == [0, 1000, 1000])
    #expect(waits[30...].allSatisfy { $0 == 60_000 })
    _ = cycle.handle(.found)
    cycle.frameWasShown()
    #expect(cycle.handle(.failed(lost)).last == .probe(after: 0))
  }

  @Test("Nothing is searched for while another terminal is active; the search starts after the switch back")
  func console() {
    let wrong = failures([
      (.start, [.search]), (.found, [.stopProbing, .announceConnected]),
      (
        .consoleLeft,
        [.stopProbing, .report(.consoleAway), .announceDisconnected(.consoleAway), .leaveConsole]
      ), (.changed, []),
      (.probeDue, []), (.failed(busy), []), (.consoleLeft, []), (.consoleBack, [.search]),
      (.failed(busy), [.report(busy), .probe(after: 100)]), (.found, [.stopProbing, .announceConnected]),
      (.consoleBack, []),
      (
        .consoleLeft,
        [.stopProbing, .report(.consoleAway), .announceDisconnected(.consoleAway), .leaveConsole]
      ),
      (.stop, [.stopProbing, .giveBack]),
    ])
    #expect(wrong == [])
  }

  @Test("A card that udev gives its group within two seconds is not reported; one that stays denied is")
  func deniedCard() {
    let denied = DisplayProblem.permissionDenied(path: "/dev/dri/card0")
    var cycle = LifeCycle()
    _ = cycle.handle(.start)
    /// Searches until the problem is reported, at most 100 times; returns the number of searches and the sum of
    /// the delays.
    func denials() -> (looks: Int, nanoseconds: Int64) {
      var waited: Int64 = 0
      for look in 1...100 {
        let actions = cycle.handle(.failed(denied))
        if actions.contains(.report(denied)) { return (look, waited) }
        for case .probe(let delay) in actions { waited += delay }
        // A uevent starts a search at once, but the failures before it still count.
        if look == 3 { #expect(cycle.handle(.changed) == [.search]) }
      }
      return (101, waited)
    }
    let (looks, nanoseconds) = denials()
    #expect(looks == 9)
    #expect(nanoseconds == 2_000_000_000)
    // The problem is reported once, and the search is repeated every second for a while.
    #expect(cycle.handle(.failed(denied)) == [.probe(after: 1_000_000_000)])
    // The card was found in between, so the next card that is plugged in has its own two seconds.
    #expect(cycle.handle(.found) == [.stopProbing, .announceConnected])
    cycle.frameWasShown()
    let lost = DisplayProblem.cardLost(path: "/dev/dri/card0", SystemError("x", errno: Errno(rawValue: 19)))
    #expect(cycle.handle(.failed(lost)) == [.report(lost), .announceDisconnected(lost), .probe(after: 0)])
    #expect(cycle.handle(.failed(denied)) == [.probe(after: 250_000_000)])
    #expect(cycle.handle(.found) == [.stopProbing, .announceConnected])
  }

  @Test("A delay given by the caller overrides the default")
  func retryAfter() {
    let lost = DisplayProblem.flipsLost(connector: "X")
    let wrong = failures([
      (.start, [.search]), (.found, [.stopProbing, .announceConnected]),
      (.failed(lost, retryAfter: 7), [.report(lost), .announceDisconnected(lost), .probe(after: 7)]),
    ])
    #expect(wrong == [])
  }

  @Test("Each problem has its own line, with a remedy if there is one")
  func lines() {
    let error = SystemError("x", errno: Errno(rawValue: 22))
    let problems: [DisplayProblem] = [
      .noCard(directory: "/dev/dri"), .cardMissing("c"), .driverMissing("d", found: []),
      .permissionDenied(path: "/dev/dri/card1"), busy, .noScanout(["v3d"]),
      .onlyFirmwareFramebuffer(path: "p"), .connectorMissing("DP-9", found: ["DP-1"]), noDisplay,
      .noModes(connector: "DP-1"), .noPipe(connector: "DP-1"), .refused(connector: "DP-1", error),
      .cardLost(path: "p", error), .flipsLost(connector: "DP-1"), .consoleAway,
    ]
    #expect(Set(problems.map(\.description)).count == problems.count)
    #expect(problems.allSatisfy { !$0.description.contains("\n") })
    #expect(problems[3].description.contains("group 'video'"))
    #expect(problems[3].description.contains("/dev/dri/card1"))
    #expect(busy.description.hasPrefix("another program (e.g. a desktop session) is using /dev/dri"))
  }
}
