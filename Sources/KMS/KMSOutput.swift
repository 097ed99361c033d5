// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

/// A display driven by the kernel's mode setting (DRM/KMS): dumb buffers and page flips, nothing else.
///
/// Looks for a card, a connector and a mode by itself and goes on looking when there is none or when
/// it goes away; takes the console and gives it back. What can be decided without hardware is decided
/// by values (`PipeSelection`, `LifeCycle`, `FlipPacer`, `RecoveryLadder`, `SwapChain`); this object
/// does what they say.
public final class KMSOutput: Output {
  public internal(set) var description: OutputDescription?
  public internal(set) var statistics = OutputStatistics()

  /// What card, connector and mode to use. A change takes effect at once; if it changes the picture,
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
  /// Events wait here until the loop's turn ends: the handler is never called from inside a call.
  var outbox: [OutputEvent] = []
  /// A delivery of the outbox is due.
  var isDelivering = false
  /// `.connected` has been delivered.
  var isReady = false

  var lifeCycle: LifeCycle
  var startTime: Int64 = 0
  var device: (any KMSDevice)?
  var deviceWatch: EventLoop.Watch?
  var screen: Screen?
  /// The screen's state in the kernel is no longer what we set; it must be made anew.
  var isScreenLost = false
  /// Buffers of screens that were; freed when they are no longer on the display.
  var retired: [ScanoutBuffer] = []
  /// What the kernel refused on this card.
  var rejected: Set<Rejection> = []
  var lastRefusal: SystemError?
  /// What a person was told about the choice of mode and format.
  var notes: [String] = []
  /// By connector, the mode of a display that had told its modes.
  var remembered: [String: Timing] = [:]
  var saved: [SavedCRTC] = []
  var savedPath: String?
  var hasSetMode = false

  var pacer = FlipPacer(period: 16_666_667, now: 0)
  var ledger = FlipLedger()
  var ladder = RecoveryLadder()
  var lastToken: UInt64 = 0
  /// An event for `lastToken` is to come.
  var isAtKernel = false
  /// Tries in a row to switch the display off that met a card at work.
  var blankTries = 0
  /// The handler is running for `.presented`: a frame presented now follows back to back.
  var isInPresented = false

  var frameTimer: LoopTimer?
  var watchdog: LoopTimer?
  var probeTimer: LoopTimer?
  var settleTimer: LoopTimer?

  struct Rejection: Hashable {
    var connector: ConnectorID
    var candidate: ScanoutCandidate
  }

  /// - Parameter log: gets one line per distinct event or problem, on the loop's thread.
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

  /// Whether there is a card that this process may drive: it opens, has connectors, CRTCs, encoders
  /// and dumb buffers, and nobody else is master. A display need not be connected.
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

  /// Throws only if the loop has no room for the timers. Without hotplug events (a container) it looks
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
      lifeCycle.isTold = false
      log(.warning, "\(error); no hotplug events, looking every few seconds instead")
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

  /// Gives `event` to the life cycle and does what it says.
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
    // A display that has changed again before anybody heard of it is not news.
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
