// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ControlCalls

@Suite struct CountdownStateTests {
  private func display(_ countdowns: CountdownState..., page: String = "main") -> DisplayState {
    DisplayState(name: "hall", page: page, pages: ["main"], countdowns: countdowns)
  }

  private func running(_ left: Int, label: String? = nil, ended: Bool = false) -> CountdownState {
    CountdownState(name: "doors", label: label, milliseconds: left, running: true, ended: ended)
  }

  @Test("A state is sent again if a client could not compute it, and not because time has passed")
  func covered() {
    let sent = display(running(60_000))
    #expect(sent.covers(sent, after: 0))
    #expect(sent.covers(display(running(50_000)), after: 10_000))
    #expect(sent.covers(display(running(50_090)), after: 10_000))
    // The wall clock was set.
    #expect(!sent.covers(display(running(40_000)), after: 10_000))
    #expect(!sent.covers(sent, after: 10_000))
    #expect(!sent.covers(display(running(50_000, label: "A")), after: 10_000))
    #expect(!sent.covers(display(running(0, ended: true)), after: 60_000))
    #expect(!sent.covers(display(running(50_000), page: "match"), after: 10_000))
    #expect(!sent.covers(display(), after: 10_000) && !display().covers(sent, after: 0))
    let paused = CountdownState(name: "doors", milliseconds: 60_000)
    #expect(display(paused).covers(display(paused), after: 10_000))
    #expect(!display(paused).covers(display(running(60_000)), after: 0))
    #expect(!sent.covers(display(paused), after: 0))
    #expect(!display(CountdownState(name: "doors")).covers(display(paused), after: 0))
    #expect(display(running(-5, ended: true)).covers(display(running(-1_005, ended: true)), after: 1_000))
  }
}
