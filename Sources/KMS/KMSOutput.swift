// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

/// A display driven by kernel mode setting (DRM/KMS), with dumb buffers and page flips.
///
/// Finds a card, a connector and a mode, and keeps searching when there is none or when it disappears. Takes
/// over the console and restores it. Decisions that need no hardware are made by values (`PipeSelection`,
/// `LifeCycle`, `FlipPacer`, `RecoveryLadder`, `SwapChain`); this object carries them out.
public final class KMSOutput: Output {
  public internal(set) var description: OutputDescription?
  public internal(set) var statistics = OutputStatistics()

  /// The card, connector and mode to use. A change takes effect at once; if it changes the picture,
  /// `.connected` follows.
  public var preferences: KMSPreferences {
    didSet {
      guard preferences != oldValue else { return }
      rejected.removeAll()
      loop.defer { [weak self] in self?.handle(.changed) }
    }
  }

  public var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  let loop: EventLoop
  let log: KMSLog
  let environment: KMSEnvironment
  var handler: ((OutputEvent) -> Void)?
  /// Events to deliver at the end of the loop's turn, so that the handler is never called from inside a call to
  /// the output.
  var outbox: [OutputEvent] = []
  /// Whether a delivery of the outbox is scheduled.
  var isDelivering = false
  /// Whether `.connected` has been delivered.
  var isReady = false

  var lifeCycle: LifeCycle
  var startTime: Int64 = 0
  var device: (any KMSDevice)?
  var deviceWatch: EventLoop.Watch?
  var screen: Screen?
  /// Whether the kernel's state may differ from what was set; the screen must then be created again.
  var isScreenLost = false
  /// Buffers of former screens, freed when they are no longer on the display.
  var retired: [ScanoutBuffer] = []
  /// Modes and formats that the kernel rejected on this card.
  var rejected: Set<Rejection> = []
  var lastRefusal: SystemError?
  /// The notes about the choice of mode and format that were logged last.
  var notes: [String] = []
  /// By connector name, the mode that a display had when its EDID was last read.
  var remembered: [String: Timing] = [:]
  var saved: [SavedCRTC] = []
  var savedPath: String?
  var hasSetMode = false

  var pacer = FlipPacer(period: 16_666_667, now: 0)
  var ledger = FlipLedger()
  var ladder = RecoveryLadder()
  var lastToken: UInt64 = 0
  /// Whether a flip event for `lastToken` is outstanding.
  var isAtKernel = false
  /// How many consecutive attempts to switch the display off failed because the card was busy.
  var blankTries = 0
  /// Whether the handler is running for `.presented`; a frame presented now directly follows the last one.
  var isInPresented = false

  var frameTimer: LoopTimer?
  var watchdog: LoopTimer?
  var probeTimer: LoopTimer?
  var settleTimer: LoopTimer?

  struct Rejection: Hashable {
    var connector: ConnectorID
    var candidate: ScanoutCandidate
  }

  /// - Parameter log: receives one line per distinct event or problem, on the loop's thread.
  public convenience init(preferences: KMSPreferences, on loop: EventLoop, log: @escaping KMSLog) {
    self.init(
      preferences: preferences, on: loop, log: log,
      environment: KMSEnvironment(
        cards: CardDirectory(), hotplug: HotplugMonitor(), console: ConsoleSession(on: loop, log: log)))
  }

  init(
    preferences: KMSPreferences, on loop: EventLoop, log: @escaping KMSLog, environment: KMSEnvironment
  ) {
    self.preferences = preferences
    self.loop = loop
    self.log = log
    self.environment = environment
    lifeCycle = LifeCycle(slowProbe: environment.timings.slowProbe)
  }

  /// Whether there is a card that this process may drive: it opens, has connectors, CRTCs, encoders and dumb
  /// buffers, and no other process is master. A display need not be connected.
  public static func anyCardUsable(_ preferences: KMSPreferences) -> Bool {
    CardSearch(source: CardDirectory(), preferences: preferences, acceptsFirmware: true).isAnyUsable()
  }

  public var logsDisplays: Bool { true }

  public var canPresent: Bool {
    guard isReady, !isBlank, let screen else { return false }
    return pacer.isIdle && screen.chain.pending == nil && screen.chain.queued == nil
  }

  public var nextPresentationTime: Int64 { pacer.gridTime(after: now) }

  var now: Int64 { SystemClock.monotonic.now.totalNanoseconds }

  /// Throws only if the loop cannot create its timers. Without hotplug events (in a container) the output polls
  /// at intervals.
  public func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard lifeCycle.state == .stopped else { return }
    frameTimer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.frameTimerFired() }
    watchdog = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.flipOverdue() }
    probeTimer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.handle(.probeDue) }
    settleTimer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.handle(.changed) }
    self.handler = handler
    startTime = now
    do throws(SystemError) {
      try environment.hotplug.start(on: loop) { [weak self] in self?.hardwareMayHaveChanged() }
    } catch {
      lifeCycle.hasHotplugEvents = false
      log(.warning, "\(error); no hotplug events; checking every few seconds instead")
    }
    _ = environment.console.takeAssigned { [weak self] in self?.consoleEvent($0) }
    if environment.console.isInFront {
      handle(.start)
    } else {
      _ = lifeCycle.handle(.start)
      handle(.consoleLeft)
    }
  }

  public func stop() { handle(.stop) }

  /// Passes `event` to the life cycle and performs the actions that it returns.
  func handle(_ event: LifeCycle.Event) {
    for action in lifeCycle.handle(event) { perform(action) }
  }

  private func perform(_ action: LifeCycle.Action) {
    switch action {
    case .search: search()
    case .probe(let delay): arm(probeTimer, in: delay)
    case .stopProbing: probeTimer?.disarm()
    case .report(let problem): log(problem.level, problem.description)
    case .announceConnected: announceConnected()
    case .announceDisconnected(let problem): announceDisconnected(problem)
    case .leaveConsole: leaveConsole()
    case .giveBack: giveBack()
    }
  }

  func arm(_ timer: LoopTimer?, in delay: Int64) {
    timer?.arm(at: ClockTime(totalNanoseconds: now + max(delay, 0)))
  }

  /// Queues an event for the end of the loop's turn.
  func post(_ event: OutputEvent) {
    // A newer `.connected` replaces one that has not been delivered yet.
    outbox.removeAll { if case .connected = $0 { true } else { false } }
    outbox.append(event)
    if !isDelivering { loop.defer { [weak self] in self?.deliver() } }
    isDelivering = true
  }

  private func deliver() {
    let events = outbox
    outbox.removeAll()
    isDelivering = false
    for event in events {
      if case .connected = event { isReady = screen != nil && !isScreenLost }
      handler?(event)
    }
  }
}
