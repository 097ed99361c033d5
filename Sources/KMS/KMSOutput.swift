// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

/// A display driven by kernel mode setting (DRM/KMS), with dumb buffers and page flips.
///
/// Finds a card, a connector and a mode, and keeps searching when there is none or when it disappears. Takes
/// over the console and restores it. Decisions that need no hardware are made by values (`PipeSelection`,
/// `LifeCycle`, `FrameFlight`, `RecoveryLadder`, `SwapChain`); this object carries them out.
package final class KMSOutput: Output {
  package internal(set) var description: OutputDescription?
  package internal(set) var statistics = OutputStatistics()
  /// The card, connector and mode to use.
  package private(set) var preferences: OutputPreferences

  package var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  let loop: EventLoop
  let log: Log
  let environment: KMSEnvironment
  var session: Session?
  var lifeCycle: LifeCycle
  var searches = SearchMemory()
  var card: OpenCard?
  var original: OriginalPicture?
  var screen: Screen?
  var flight: FrameFlight
  var recovery = Recovery()

  /// - Parameter log: receives one line per distinct event or problem.
  package convenience init(preferences: OutputPreferences, on loop: EventLoop, log: Log) {
    self.init(
      preferences: preferences, on: loop, log: log,
      environment: KMSEnvironment(
        cards: CardDirectory(), hotplug: HotplugMonitor(), console: ConsoleSession(on: loop, log: log)))
  }

  init(
    preferences: OutputPreferences, on loop: EventLoop, log: Log,
    environment: KMSEnvironment
  ) {
    self.preferences = preferences
    self.loop = loop
    self.log = log
    self.environment = environment
    lifeCycle = LifeCycle(slowProbe: environment.timings.slowProbe)
    flight = FrameFlight(now: loop.now)
  }

  /// Whether there is a card that this process may drive: it opens, has connectors, CRTCs, encoders and dumb
  /// buffers, and no other process is master. A display need not be connected.
  package static func anyCardUsable(_ preferences: OutputPreferences) -> Bool {
    CardSearch(source: CardDirectory(), preferences: preferences, acceptsFirmware: true).isAnyUsable()
  }

  package var traits: OutputTraits { .logsDisplays }

  package var isFrameInFlight: Bool { !flight.isIdle }

  package var canPresent: Bool {
    guard let screen else { return false }
    return screen.isAnnounced && !isBlank && flight.isIdle
  }

  package var nextPresentationTime: Int64 { flight.gridTime(after: now) }

  var device: (any KMSDevice)? { card?.device }

  var now: Int64 { loop.now }

  /// Throws only if the loop cannot create its timers. Without hotplug events (in a container) the output polls
  /// at intervals.
  package func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard session == nil else { return }
    session = Session(timers: try Timers(of: self), startTime: now, handler: handler)
    do throws(SystemError) {
      try environment.hotplug.start(on: loop) { [weak self] in self?.hardwareMayHaveChanged() }
    } catch {
      lifeCycle.hasHotplugEvents = false
      log.warning("\(error); no hotplug events; checking every few seconds instead")
    }
    _ = environment.console.takeAssigned { [weak self] in self?.consoleEvent($0) }
    if environment.console.isInFront {
      handle(.start)
    } else {
      _ = lifeCycle.handle(.start)
      handle(.consoleLeft)
    }
  }

  package func stop() { handle(.stop) }

  package func apply(_ preferences: OutputPreferences) {
    guard preferences != self.preferences else { return }
    self.preferences = preferences
    searches.forgive()
    loop.defer { [weak self] in self?.handle(.changed) }
  }

  /// Passes `event` to the life cycle and performs the actions that it returns.
  func handle(_ event: LifeCycle.Event) {
    for action in lifeCycle.handle(event) { perform(action) }
  }

  private func perform(_ action: LifeCycle.Action) {
    switch action {
    case .search: search()
    case .probe(let delay): session?.timers.probe.arm(inNanoseconds: delay)
    case .stopProbing: session?.timers.probe.disarm()
    case .report(let problem): log.write(problem.level, problem.description)
    case .announceConnected: announceConnected()
    case .announceDisconnected(let problem): announceDisconnected(problem)
    case .leaveConsole: leaveConsole()
    case .giveBack: giveBack()
    }
  }

  /// Queues an event for the end of the loop's turn, so that the handler is never called from inside a call to
  /// the output.
  func post(_ event: OutputEvent) {
    guard let pending = session?.outbox else { return }
    // A newer `.connected` replaces one that has not been delivered yet.
    session?.outbox = pending.filter { if case .connected = $0 { false } else { true } } + [event]
    if pending.isEmpty { loop.defer { [weak self] in self?.deliver() } }
  }

  private func deliver() {
    let events = session?.outbox ?? []
    session?.outbox = []
    for event in events {
      if case .connected = event, let screen { screen.isAnnounced = !screen.isLost }
      session?.handler(event)
    }
  }
}

extension KMSOutput {
  /// What exists between `start` and `stop`.
  struct Session {
    let timers: Timers
    /// CLOCK_MONOTONIC, nanoseconds.
    let startTime: Int64
    let handler: (OutputEvent) -> Void
    /// Events to deliver at the end of the loop's turn. While there are any, a delivery is scheduled.
    var outbox: [OutputEvent] = []
  }

  struct Timers {
    /// The next grid point, or the next attempt with a busy card.
    let frame: LoopTimer
    /// Expires when the flip in flight is lost.
    let watchdog: LoopTimer
    let probe: LoopTimer
    /// Delays the search after a uevent.
    let settle: LoopTimer

    init(of output: KMSOutput) throws(SystemError) {
      let loop = output.loop
      frame = try LoopTimer(.monotonic, on: loop) { [weak output] _ in output?.frameTimerFired() }
      watchdog = try LoopTimer(.monotonic, on: loop) { [weak output] _ in output?.flipOverdue() }
      probe = try LoopTimer(.monotonic, on: loop) { [weak output] _ in output?.handle(.probeDue) }
      settle = try LoopTimer(.monotonic, on: loop) { [weak output] _ in output?.handle(.changed) }
    }

    var all: [LoopTimer] { [frame, watchdog, probe, settle] }
  }

  /// What former searches found out.
  struct SearchMemory {
    struct Rejection: Hashable {
      var connector: ConnectorID
      var crtc: CRTCID
      var candidate: ScanoutCandidate
    }

    /// Modes and formats that the kernel rejected on this card.
    var rejected: Set<Rejection> = []
    /// Modes and formats that the kernel refused at least once.
    var refused: Set<Rejection> = []
    /// The CRTCs that rejected every mode and format for the display.
    var avoided: Set<CRTCID> = []
    var lastRefusal: SystemError?
    /// The EDIDs of the displays that the rejections refer to.
    var edids: [ConnectorID: [UInt8]] = [:]
    /// When the rejections are dropped (CLOCK_MONOTONIC, nanoseconds), so that the best mode is tried again.
    var forgiving = Int64.max
    /// Whether a better mode is tried while the display shows another one.
    var isTrial = false
    /// How often the display in use was searched again because it had no EDID.
    var looks = 0
    /// The notes about the choice of mode and format that were logged last.
    var notes: [String] = []
    /// The mode that each display had when its EDID was last read, by card and connector name.
    var remembered: [String: [String: Timing]] = [:]

    /// Drops all rejections: the display or the card is another one, or the reason may be gone.
    mutating func forgive() {
      rejected.removeAll()
      refused.removeAll()
      avoided.removeAll()
      forgiving = .max
    }
  }

  /// The card in use.
  struct OpenCard {
    let device: any KMSDevice
    let watch: EventLoop.Watch
    /// Buffers of former screens, freed when they are no longer on the display.
    var retired: [ScanoutBuffer] = []
  }

  /// What a card showed when it was first opened.
  struct OriginalPicture {
    let path: String
    let crtcs: [SavedCRTC]
    /// Whether the output has set or switched off a mode since, so that the picture must be restored.
    var isReplaced = false
  }

  struct Recovery {
    var ladder = RecoveryLadder()
    /// How many consecutive attempts to switch the display off failed because the card was busy.
    var blankTries = 0
    /// The connector's status is read again when the first flip after this time completes (CLOCK_MONOTONIC,
    /// nanoseconds).
    var nextCheck: Int64 = 0
  }
}
