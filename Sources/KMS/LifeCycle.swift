// SPDX-License-Identifier: Apache-2.0

/// The output's life, coarsely: is there a display, and what is done about it if not. Pure: events in,
/// actions out; the flips of a display that is there are `FlipPacer`'s.
struct LifeCycle: Equatable {
  enum State: Equatable {
    case stopped
    /// Looking for a display; the problem that the last look met.
    case searching(DisplayProblem?)
    case showing
    /// Another virtual terminal is in front.
    case away
  }

  enum Event: Equatable {
    case start
    /// The hardware or the wishes may have changed.
    case changed
    case probeDue
    /// The search has a pipe that is ready for frames.
    case found
    /// There is none, and why; `retryAfter` nanoseconds instead of the problem's own delay.
    case failed(DisplayProblem, retryAfter: Int64? = nil)
    /// The console is to be left to another virtual terminal.
    case consoleLeft
    case consoleBack
    case stop
  }

  enum Action: Equatable {
    case search
    /// Look again after so many nanoseconds.
    case probe(after: Int64)
    case stopProbing
    case report(DisplayProblem)
    case announceConnected
    case announceDisconnected(DisplayProblem)
    /// Stop using the card and let the other terminal have it.
    case leaveConsole
    /// Give everything back as it was found.
    case giveBack
  }

  private(set) var state = State.stopped
  /// Problems that were told since there was last a display.
  private var reported: Set<DisplayProblem> = []
  private var isAnnouncedLost = false
  private var failures = 0
  /// Looks in a row that ended at a node which may not be opened.
  private var denials = 0
  /// How soon to look again while there is none.
  let slowProbe: Int64
  /// Uevents tell of changes. The few that come without one may be found late then.
  var isTold = true

  /// After so many looks in vain there is less haste.
  static let mostSlowProbes = 6
  static let mostBusyProbes = 40
  /// A new card belongs to root until udev has set its group: for two seconds that is not worth a line.
  static let mostQuietDenials = 8
  static let denialProbe: Int64 = 250_000_000

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
      // Something is going on: more may come of it soon, told or not.
      failures = 0
      return [.search]
    case (.searching, .probeDue), (.showing, .changed): return [.search]
    case (_, .found):
      state = .showing
      reported = []
      isAnnouncedLost = false
      failures = 0
      denials = 0
      return [.stopProbing, .announceConnected]
    case (_, .failed(let problem, let retryAfter)): return fail(problem, retryAfter)
    case (_, .start), (.showing, .probeDue), (_, .consoleBack): return []
    }
  }

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

  private var isQuiet: Bool { (1...Self.mostQuietDenials).contains(denials) }

  private mutating func announceLoss(_ problem: DisplayProblem) -> [Action] {
    if isAnnouncedLost { return [] }
    isAnnouncedLost = true
    return [.announceDisconnected(problem)]
  }

  private func delay(_ problem: DisplayProblem) -> Int64 {
    switch problem {
    case .permissionDenied where isQuiet: min(Self.denialProbe, slowProbe)
    // The other program sends no event when it lets go; it may be a matter of milliseconds.
    case .cardBusy where failures <= Self.mostBusyProbes:
      min(250_000_000 << Int64(min(failures - 1, 4)), slowProbe, 3_000_000_000)
    case .cardBusy: slowProbe
    case .onlyFirmwareFramebuffer: min(1_000_000_000, slowProbe)
    // The node may have a new number already.
    case .cardLost where failures == 1: 0
    // A display that is off for the night costs a look a minute.
    default: isTold && failures > Self.mostSlowProbes ? 6 * slowProbe : slowProbe
    }
  }
}
