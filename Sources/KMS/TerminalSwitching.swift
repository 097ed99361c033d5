// SPDX-License-Identifier: Apache-2.0

/// Decides when to release the virtual terminal and when to draw on it again. A pure value: takes signals and
/// what the kernel reports, returns actions.
///
/// The kernel's signals alone do not say what happened: signals of the same number are merged while they are
/// pending, the order of two numbers is lost, and other processes can send them. Therefore a signal is only a
/// reason to check two things: whether our terminal is active (VT_GETSTATE), and whether a switch is pending.
/// Only an attempt to release the terminal shows the second one (VT_RELDISP).
struct TerminalSwitching: Equatable {
  enum Event: Equatable, CaseIterable {
    /// The signal with which the kernel requests the terminal.
    case releaseSignal
    /// The signal with which the kernel reports that our terminal is active.
    case acquireSignal
    /// The state is checked without a signal.
    case check
  }

  enum Action: Equatable {
    /// Stop drawing, then release the terminal and call `released()`.
    case leave
    /// Our terminal is active, but a switch to another one may already be pending: release it, and call
    /// `triedToRelease(_:)`. Nothing is drawn, so this is harmless.
    case release
    /// Draw again.
    case resume
  }

  /// Whether the process may draw on the terminal.
  private(set) var isInFront: Bool

  init(isInFront: Bool) { self.isInFront = isInFront }

  /// - Parameter isActive: whether our terminal is the active one now; nil if the kernel does not report it.
  mutating func handle(_ event: Event, isActive: Bool?) -> Action? {
    switch (isInFront, isActive ?? expectation(event)) {
    // The signal may come from another process. If no switch is pending, the kernel refuses the release, and
    // the next check resumes.
    case (true, true): event == .releaseSignal ? .leave : nil
    // The terminal was switched without asking.
    case (true, false): .leave
    case (false, true): .release
    case (false, false): nil
    }
  }

  /// Records that the terminal was released, or was not active anyway.
  mutating func released() { isInFront = false }

  /// - Parameter succeeded: whether the kernel accepted the release; false if no switch was pending.
  mutating func triedToRelease(_ succeeded: Bool) -> Action? {
    isInFront = !succeeded
    return succeeded ? nil : .resume
  }

  /// Whether our terminal is probably active, according to the signal.
  private func expectation(_ event: Event) -> Bool {
    switch event {
    case .releaseSignal, .check: isInFront
    case .acquireSignal: true
    }
  }
}
