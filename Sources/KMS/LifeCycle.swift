// SPDX-License-Identifier: Apache-2.0

/// Whether the displays may be used at the moment. A pure value: takes events, returns actions. `Absence`
/// says when to look for a display that is missing.
struct LifeCycle: Equatable {
  enum State: Equatable {
    case stopped
    case active
    /// Another virtual terminal is active.
    case away
  }

  enum Event: Equatable {
    case start
    /// The user is switching to another virtual terminal.
    case consoleLeft
    case consoleBack
    case stop
  }

  enum Action: Equatable {
    case search
    /// Stop using the cards and allow the switch to the other terminal.
    case leaveConsole
    /// Restore everything to its original state.
    case giveBack
  }

  private(set) var state = State.stopped

  mutating func handle(_ event: Event) -> Action? {
    switch (state, event) {
    case (.stopped, .start), (.away, .consoleBack):
      state = .active
      return .search
    case (.active, .consoleLeft):
      state = .away
      return .leaveConsole
    case (.active, .stop), (.away, .stop):
      state = .stopped
      return .giveBack
    case (.stopped, _), (.active, _), (.away, _): return nil
    }
  }
}
