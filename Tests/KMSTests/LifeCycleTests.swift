// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KMS

@Suite("Life cycle")
struct LifeCycleTests {
  @Test("Nothing is searched for while another terminal is active; the search starts after the switch back")
  func console() {
    let script: [(LifeCycle.Event, LifeCycle.Action?)] = [
      (.consoleLeft, nil), (.stop, nil), (.start, .search), (.start, nil), (.consoleBack, nil),
      (.consoleLeft, .leaveConsole), (.consoleLeft, nil), (.start, nil), (.consoleBack, .search),
      (.stop, .giveBack), (.stop, nil), (.consoleBack, nil), (.start, .search),
      (.consoleLeft, .leaveConsole), (.stop, .giveBack), (.consoleBack, nil),
    ]
    var cycle = LifeCycle()
    for (index, (event, action)) in script.enumerated() {
      #expect(cycle.handle(event) == action, "step \(index), \(event)")
    }
  }
}
