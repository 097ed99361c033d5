// SPDX-License-Identifier: Apache-2.0

/// Whether there is a display, and what to do if there is none. A pure value: takes events, returns actions.
/// `FrameFlight` handles the flips while there is a display.
struct LifeCycle: Equatable {
  enum State: Equatable {
    case stopped
    /// Searching for a display; the value is the problem of the last search.
    case searching(DisplayProblem?)
    case showing
    /// Another virtual terminal is active.
    case away
  }

  enum Event: Equatable {
    case start
    /// The hardware or the preferences may have changed.
    case changed
    case probeDue
    /// The search found a pipe, which is ready for frames.
    case found
    /// The search failed. `retryAfter` (nanoseconds) overrides the problem's own delay.
    case failed(DisplayProblem, retryAfter: Int64? = nil)
    /// The user is switching to another virtual terminal.
    case consoleLeft
    case consoleBack
    case stop
  }

  enum Action: Equatable {
    case search
    /// Search again after this many nanoseconds.
    case probe(after: Int64)
    case stopProbing
    case report(DisplayProblem)
    case announceConnected
    case announceDisconnected(DisplayProblem)
    /// Stop using the card and allow the switch to the other terminal.
    case leaveConsole
    /// Restore everything to its original state.
    case giveBack
  }

  private(set) var state = State.stopped
  /// Problems that were reported since the last time there was a display.
  private var reported: Set<DisplayProblem> = []
  private var isAnnouncedLost = false
  private var failures = 0
  /// The number of consecutive searches that failed because the process lacks the permission to open a node.
  private var denials = 0
  /// The interval between searches, in nanoseconds.
  let slowProbe: Int64
  /// Whether hotplug events work. Polling can then be slow, although the few changes that cause no event are
  /// found later.
  var hasHotplugEvents = true

  /// The number of unsuccessful searches after which the interval becomes longer.
  static let maximumSlowProbes = 6
  /// The number of searches that retry a busy card quickly.
  static let maximumBusyProbes = 80
  /// The number of permission failures that are not reported. A new card belongs to root until udev has set its
  /// group; the first two seconds of failures are therefore ignored.
  static let maximumQuietDenials = 8
  static let denialProbe: Int64 = 250_000_000
  /// The interval in nanoseconds, and the number, of searches after a failure that may be temporary.
  static let quickProbe: Int64 = 1_000_000_000
  static let maximumQuickProbes = 30

  init(slowProbe: Int64 = 10_000_000_000) { self.slowProbe = slowProbe }

  mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.stopped, .start), (.away, .consoleBack):
      state = .searching(nil)
      failures = 0
      return [.search]
    case (.stopped, _): return []
    case (_, .stop):
      state = .stopped
      return [.stopProbing, .giveBack]
    case (.away, _): return []
    case (_, .consoleLeft):
      state = .away
      let loss = announceLoss(.consoleAway)
      return [.stopProbing] + (loss.isEmpty ? [] : [.report(.consoleAway)]) + loss + [.leaveConsole]
    case (.searching, .changed):
      // The hardware is changing, so more changes may follow soon, with or without events.
      failures = 0
      return [.search]
    case (.searching, .probeDue), (.showing, .changed), (.showing, .probeDue): return [.search]
    case (_, .found):
      state = .showing
      reported = []
      isAnnouncedLost = false
      denials = 0
      return [.stopProbing, .announceConnected]
    case (_, .failed(let problem, let retryAfter)): return fail(problem, retryAfter)
    case (_, .start), (_, .consoleBack): return []
    }
  }

  /// Records that a frame is on the display: from now on a failure is a new one. A display that is found again and
  /// again but never shows a frame is searched for less and less often.
  mutating func frameWasShown() { failures = 0 }

  private mutating func fail(_ problem: DisplayProblem, _ retryAfter: Int64?) -> [Action] {
    state = .searching(problem)
    failures += 1
    if case .permissionDenied = problem { denials += 1 } else { denials = 0 }
    var actions: [Action] = []
    if !isQuiet, reported.insert(problem).inserted { actions.append(.report(problem)) }
    actions += announceLoss(problem)
    actions.append(.probe(after: retryAfter ?? delay(problem)))
    return actions
  }

  private var isQuiet: Bool { (1...Self.maximumQuietDenials).contains(denials) }

  private mutating func announceLoss(_ problem: DisplayProblem) -> [Action] {
    if isAnnouncedLost { return [] }
    isAnnouncedLost = true
    return [.announceDisconnected(problem)]
  }

  private func delay(_ problem: DisplayProblem) -> Int64 {
    switch problem {
    case .permissionDenied where isQuiet: min(Self.denialProbe, slowProbe)
    // There is no event when the other program releases the card, which may be in milliseconds.
    case .cardBusy where failures <= Self.maximumBusyProbes:
      min(250_000_000 << Int64(min(failures - 1, 4)), slowProbe, 1_500_000_000)
    case .cardBusy: slowProbe
    case .onlyFirmwareFramebuffer: min(Self.quickProbe, slowProbe)
    // The card may already be back under another number.
    case .cardLost where failures == 1: 0
    // With hotplug events, a display that stays off is searched for only once a minute.
    default:
      problem.mayBeTemporary && failures <= Self.maximumQuickProbes
        ? min(Self.quickProbe, slowProbe)
        : hasHotplugEvents && failures > Self.maximumSlowProbes ? 6 * slowProbe : slowProbe
    }
  }
}

extension DisplayProblem {
  /// Whether the problem may be one of the kernel's, and temporary, rather than that there is no display.
  fileprivate var mayBeTemporary: Bool {
    switch self {
    case .cardLost, .refused, .noPipe, .noModes, .noScanout, .permissionDenied: true
    default: false
    }
  }
}
