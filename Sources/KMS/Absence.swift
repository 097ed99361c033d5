// SPDX-License-Identifier: Apache-2.0

/// Why there is no picture, on one display or on all of them, and when to look again. A pure value.
struct Absence: Equatable {
  /// What follows from a failure.
  struct Consequence: Equatable {
    /// Whether the problem is to be logged.
    var isReported: Bool
    /// Whether this is the first failure since the start or since a display was found.
    var isLoss: Bool
    /// Nanoseconds until the next attempt.
    var delay: Int64
  }

  /// The problem of the last attempt; nil if there is a display or nothing was tried yet.
  private(set) var problem: DisplayProblem?
  /// Since when there has been no display (CLOCK_MONOTONIC, nanoseconds).
  private(set) var since: Int64 = 0
  /// When to try again (CLOCK_MONOTONIC, nanoseconds).
  private(set) var retryTime = Int64.max
  /// Problems that were reported since the last time there was a display, or for `flipsLost` since flips
  /// recovered.
  private var reported: Set<DisplayProblem> = []
  /// Whether an attempt has failed since the start, or since a display was found.
  private(set) var isAnnounced = false
  /// The number of attempts that failed so far.
  private(set) var attempts = 0
  /// The number of attempts that failed since a frame was shown or the hardware changed.
  private var failures = 0
  /// The number of consecutive attempts that failed because the process lacks the permission to open a node.
  private var denials = 0
  /// The normal interval between attempts, in nanoseconds.
  let slowProbe: Int64
  /// Whether hotplug events work. If they do, polling is slow, because it only finds the few changes that
  /// cause no event.
  var hasHotplugEvents = true

  /// With hotplug events: the number of unsuccessful attempts after which the slow interval becomes longer.
  static let maximumSlowProbes = 6
  /// The number of attempts that retry a busy card quickly.
  static let maximumBusyProbes = 80
  /// The number of permission failures that are not reported. A new card belongs to root until udev has set
  /// its group; the first two seconds of failures are therefore ignored.
  static let maximumQuietDenials = 8
  static let denialProbe: Int64 = 250_000_000
  /// After a failure that may be temporary: the interval in nanoseconds, and the number of attempts at this
  /// interval.
  static let quickProbe: Int64 = 1_000_000_000
  static let maximumQuickProbes = 30

  init(slowProbe: Int64 = 10_000_000_000) { self.slowProbe = slowProbe }

  /// Records that an attempt failed. `retryAfter` (nanoseconds) overrides the problem's own delay.
  mutating func failed(_ problem: DisplayProblem, retryAfter: Int64? = nil, now: Int64) -> Consequence {
    if self.problem == nil { since = now }
    self.problem = problem
    failures += 1
    attempts += 1
    if case .permissionDenied = problem { denials += 1 } else { denials = 0 }
    let isReported = !isQuiet && reported.insert(problem).inserted
    let isLoss = !isAnnounced
    isAnnounced = true
    let delay = retryAfter ?? delay(problem)
    retryTime = now + delay
    return Consequence(isReported: isReported, isLoss: isLoss, delay: delay)
  }

  /// Records that there is a display, which is ready for frames.
  mutating func found() {
    problem = nil
    retryTime = .max
    // A mode can be set although flips are still lost.
    reported = reported.filter(\.isAboutFlips)
    isAnnounced = false
    denials = 0
  }

  /// Records that a frame is on the display: from now on a failure is a new one. A display that is found
  /// again and again but never shows a frame is tried less and less often.
  mutating func frameWasShown() { failures = 0 }

  /// Records that page flips complete again: from now on `flipsLost` is a new problem.
  mutating func flipsRecovered() { reported = reported.filter { !$0.isAboutFlips } }

  /// Records that the hardware is changing: more changes may follow soon, with or without events.
  mutating func hardwareChanged() { if problem != nil { failures = 0 } }

  private var isQuiet: Bool { (1...Self.maximumQuietDenials).contains(denials) }

  private func delay(_ problem: DisplayProblem) -> Int64 {
    switch problem {
    case .permissionDenied where isQuiet: min(Self.denialProbe, slowProbe)
    // No event reports that the other program has released the card, and it may do so within milliseconds.
    case .cardBusy where failures <= Self.maximumBusyProbes:
      min(250_000_000 << Int64(min(failures - 1, 4)), slowProbe, 1_500_000_000)
    case .cardBusy: slowProbe
    case .onlyFirmwareFramebuffer: min(Self.quickProbe, slowProbe)
    // The card may already be back under another number.
    case .cardLost where failures == 1: 0
    // With hotplug events, a display that stays off is looked for only once a minute.
    default:
      problem.mayBeTemporary && failures <= Self.maximumQuickProbes
        ? min(Self.quickProbe, slowProbe)
        : hasHotplugEvents && failures > Self.maximumSlowProbes ? 6 * slowProbe : slowProbe
    }
  }
}

extension DisplayProblem {
  /// Whether the display is found, but its page flips never complete.
  fileprivate var isAboutFlips: Bool { if case .flipsLost = self { true } else { false } }

  /// Whether the problem may be temporary, so that quick attempts are worthwhile.
  fileprivate var mayBeTemporary: Bool {
    switch self {
    case .cardLost, .refused, .noPipe, .noModes, .noScanout, .permissionDenied: true
    default: false
    }
  }
}
