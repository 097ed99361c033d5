// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

/// A display on a connector of a card, driven with dumb buffers and page flips.
///
/// `KMSDisplays` finds it and assigns its pipe. Decisions that need no hardware are made by values
/// (`Absence`, `FrameFlight`, `RecoveryLadder`, `SwapChain`); this object carries them out. It still exists
/// when the display is unplugged or the card is removed, and is used again when they are back.
package final class KMSOutput: Output {
  package let name: String
  package internal(set) var description: OutputDescription?
  package internal(set) var statistics = OutputStatistics()

  package var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  let context: KMSContext
  let report: (KMSOutput, Report) -> Void
  let timers: Timers
  /// Whether the display was last driven through the firmware's framebuffer, which a native driver replaces.
  private(set) var isOfFirmware = false
  /// The card of the connector, which owns this output; nil if it was removed or closed.
  private(set) weak var card: KMSCard?
  var screen: Screen?
  var flight: FrameFlight
  /// Buffers of former screens, freed when they are no longer on the display.
  var retired: [ScanoutBuffer] = []
  var absence: Absence
  var memory = Memory()
  var recovery = Recovery()

  init(_ name: String, _ context: KMSContext, report: @escaping (KMSOutput, Report) -> Void)
    throws(SystemError)
  {
    self.name = name
    self.context = context
    self.report = report
    timers = try Timers(on: context.loop)
    absence = Absence(slowProbe: context.timings.slowProbe)
    flight = FrameFlight(now: context.now)
    timers.frame.handler = { [weak self] _ in self?.frameTimerFired() }
    timers.watchdog.handler = { [weak self] _ in self?.flipOverdue() }
  }

  package var isFrameInFlight: Bool { !flight.isIdle }

  package var canPresent: Bool {
    guard let screen else { return false }
    return screen.isAnnounced && !isBlank && flight.isIdle
  }

  package var nextPresentationTime: Int64 { flight.gridTime(after: now) }

  package var trouble: OutputTrouble? {
    if let problem = absence.problem {
      return OutputTrouble(reason: problem.description, since: absence.since, attempts: recovery.attempts)
    }
    return recovery.lowered
  }

  var device: (DRMDevice)? { card?.device }
  var log: Log { context.log }
  var now: Int64 { context.now }
  var timings: KMSTimings { context.timings }

  /// Whether there is a display that shows frames, or would if it were not blanked.
  var isFound: Bool { absence.problem == nil && screen != nil }

  /// Whether the mode will be set with a frame that is still to come, probably in this turn of the loop.
  var isWaitingForFirstFrame: Bool {
    guard let screen else { return false }
    return screen.needsModeset && !screen.isLost && !isBlank && flight.isIdle
  }

  /// Whether the mode is to be set with a frame that is drawn already.
  var hasFirstFrame: Bool { screen?.needsModeset == true && flight.isDrawn }
}

extension KMSOutput {
  /// What an output reports to `KMSDisplays`.
  enum Report {
    /// An event for the handler of the displays. `.presented` is passed on at once, so that the next frame
    /// can still make the next vblank.
    case event(OutputEvent)
    case found
    case lost(DisplayProblem, Absence.Consequence)
    case frameWasShown
    /// Flips complete again after some that did not.
    case flipsRecovered
    /// The display is to be looked at sooner than before (`Memory.nextLook`).
    case nextLookChanged
  }

  struct Timers {
    /// The next grid point, or the next attempt with a busy card.
    let frame: LoopTimer
    /// Expires when the flip in flight is lost.
    let watchdog: LoopTimer

    init(on loop: EventLoop) throws(SystemError) {
      frame = try LoopTimer(.monotonic, on: loop)
      watchdog = try LoopTimer(.monotonic, on: loop)
    }

    var all: [LoopTimer] { [frame, watchdog] }
  }

  /// What is known about the display and the modes that it was driven in.
  struct Memory {
    struct Rejection: Hashable {
      var crtc: CRTCID
      var candidate: ScanoutCandidate
    }

    /// Modes and formats that are not tried, because the kernel refused them, or ones like them, repeatedly.
    var rejected: Set<Rejection> = []
    /// Modes and formats that the kernel refused at least once.
    var refused: Set<Rejection> = []
    /// The CRTCs that rejected every mode and format.
    var avoided: Set<CRTCID> = []
    var lastRefusal: SystemError?
    /// The last EDID that was read, of the display that the rejections refer to.
    var edid: [UInt8]?
    /// When the rejections are dropped (CLOCK_MONOTONIC, nanoseconds), so that the best mode is tried again.
    var forgiving = Int64.max
    /// Whether a better mode is tried while the display shows another one.
    var isTrial = false
    /// Whether the display may have been unplugged and plugged in since its mode was set. If it was, the
    /// encoder is off although the kernel's state is what was set.
    var mayHaveBeenUnplugged = false
    /// How often the display was looked at again because it had no EDID.
    var looks = 0
    /// When to look at the display again without an event (CLOCK_MONOTONIC, nanoseconds).
    var nextLook = Int64.max
    /// The notes about the choice of mode and format that were logged last.
    var notes: [String] = []
    /// The memory in bytes that the most demanding accepted candidate needs
    /// (`ScanoutCandidate.memoryNeeded`).
    var fitting: Int?
    /// The mode that the display had when its EDID was last read.
    var remembered: Timing?

    /// Drops all rejections: the display or the card is another one, or the reason may be gone.
    mutating func forgive() {
      rejected.removeAll()
      refused.removeAll()
      avoided.removeAll()
      forgiving = .max
    }
  }

  struct Recovery {
    var ladder = RecoveryLadder()
    /// How many consecutive attempts to switch the display off failed because the card was busy.
    var blankTries = 0
    /// The connector's status is read again when the first flip after this time completes (CLOCK_MONOTONIC,
    /// nanoseconds).
    var nextCheck: Int64 = 0
    /// What was tried since the display last worked, for users. The last few are kept.
    var attempts: [String] = []
    /// The longest time that a frame has taken to reach the display, in nanoseconds.
    private(set) var slowestFrame: Int64 = 0
    /// The last frame that counted as lost, and when it was queued. It may still reach the display.
    var overdue: (token: UInt64, queued: Int64)?
    /// Why a worse mode is used than the display and the configuration ask for.
    var lowered: OutputTrouble?

    static let maximumAttempts = 8
    /// After ten seconds the kernel itself gives up a flip ("flip_done timed out").
    private static let kernelTimeout: Int64 = 10_000_000_000

    mutating func frameTook(_ duration: Int64) {
      if duration < Self.kernelTimeout { slowestFrame = max(slowestFrame, duration) }
    }

    func queueTime(of token: UInt64) -> Int64? { overdue.flatMap { $0.token == token ? $0.queued : nil } }

    mutating func note(_ attempt: String) {
      if attempts.last == attempt { return }
      attempts.append(attempt)
      if attempts.count > Self.maximumAttempts { attempts.removeFirst() }
    }
  }
}

// MARK: Found and lost

extension KMSOutput {
  /// Uses a pipe that was selected for this display. Keeps the current screen if it is right.
  ///
  /// - Parameter selectAgain: selects pipes again, with what was learned about the displays meanwhile.
  func use(_ choice: PipeChoice, on card: KMSCard, selectAgain: () -> PipeAssignment) {
    if self.card !== card {
      leaveCard()
      self.card = card
      card.add(self)
      isOfFirmware = card.isOfFirmware
    }
    let connector = choice.pipe.connector
    for note in choice.notes where !memory.notes.contains(note) { log.warning("\(name): \(note)") }
    memory.notes = choice.notes
    if !connector.edid.isEmpty, memory.edid != connector.edid {
      memory.forgive()
      // A new display gets no signal from an encoder that was enabled for the previous one.
      if memory.edid != nil { memory.mayHaveBeenUnplugged = true }
      memory.edid = connector.edid
    }
    if memory.mayHaveBeenUnplugged { takeApart() }
    memory.isTrial = now >= memory.forgiving
    if memory.isTrial { memory.forgive() }
    switch makeScreen(choice, on: card.device) {
    case .success(nil): lookAgainIfNeeded(connector)
    case .success(let screen?):
      retireScreen()
      self.screen = screen
      memory.looks = 0
      recovery.nextCheck = now + timings.slowProbe
      flight.begin(period: screen.period, now: now)
      absence.found()
      report(self, .found)
      lookAgainIfNeeded(connector)
      announceConnected(choice.rule)
    case .failure(.cardLost(_, let error)): card.wasLost(error)
    case .failure(.cardBusy): card.masterWasLost()
    case .failure(let problem): everyModeWasRefused(problem, choice, selectAgain: selectAgain)
    }
  }

  /// Looks at the display again in the next turn of the loop, to drive it in another way.
  func lookSoon() {
    memory.nextLook = now
    report(self, .nextLookChanged)
  }

  /// Records whether the display was unplugged, after a uevent for the cards `paths` (nil: any card). It may
  /// be plugged in again before the search that follows.
  func noteHotplug(_ paths: Set<String>?, isActive: Bool) {
    guard let card, let screen, paths?.contains(card.path) ?? true, !memory.mayHaveBeenUnplugged else {
      return
    }
    if isActive, !screen.isLost {
      let status = try? card.device.currentStatus(of: screen.pipe.connector.id)
      if status == .some(.some(screen.pipe.connector.status)) { return }
    }
    memory.mayHaveBeenUnplugged = true
    memory.forgive()
  }

  /// Sets the time of the next look at the display, if it may have to be driven in another way without an
  /// event.
  private func lookAgainIfNeeded(_ connector: ConnectorDescription) {
    var delay = Int64.max
    if connector.mayGetEDIDLater {
      // A TV that is waking up has no EDID for some seconds. A TV that never has one costs one wakeup a
      // minute.
      delay = memory.looks < 12 ? timings.quickLook : 6 * timings.slowProbe
      memory.looks += 1
    }
    if !context.hasHotplugEvents { delay = min(delay, timings.slowProbe) }
    if memory.mayHaveBeenUnplugged { delay = min(delay, Absence.quickProbe) }
    if memory.forgiving != .max { delay = min(delay, max(memory.forgiving - now, 0)) }
    memory.nextLook = delay == .max ? .max : now + delay
  }

  private func announceConnected(_ rule: String?) {
    guard let device, let screen else { return }
    dropFlight()
    let connector = screen.pipe.connector
    let description = OutputDescription(
      driver: device.driver, connector: name, mode: screen.candidate.timing.displayMode,
      rotation: screen.rotation, format: screen.candidate.format.rawValue,
      isDithered: screen.dithering != .none, rule: rule, identity: connector.identity?.summary.description)
    self.description = description
    let commits = device.isAtomic && screen.pipe.plane != nil ? "atomic" : "legacy"
    let rotated = screen.rotation == .none ? "" : "rotated by \(screen.rotation.rawValue)°, "
    let dithered = screen.dithering == .none ? "" : ", dithered"
    // After the recovery ladder has given up, each attempt would add the same line to the log.
    let level = recovery.ladder.hasGivenUp ? Log.Level.debug : .info
    log.write(
      level,
      "\(name) on \(device.driver) (\(device.path)): \(description.mode), \(rotated)"
        + "\(screen.candidate.format.rawValue)\(dithered), \(commits) commits")
    if let (orientation, upright) = connector.panelOrientation, upright != screen.rotation {
      log.info(
        "\(name): the panel is mounted \(orientation); "
          + "rotation = \(upright.rawValue) in [display] makes the picture upright")
    }
    report(self, .event(.connected(description)))
    // `turnOff` is called last, because it may find that the card was removed or that another program is
    // master.
    if isBlank { turnOff() }
  }

  /// Records that the display cannot be used now.
  func failed(_ problem: DisplayProblem, retryAfter: Int64? = nil) {
    screen?.isLost = true
    dropFlight()
    memory.nextLook = .max
    absence.hasHotplugEvents = context.hasHotplugEvents
    let consequence = absence.failed(problem, retryAfter: retryAfter, now: now)
    if description != nil {
      description = nil
      report(self, .event(.disconnected(reason: problem.description)))
    }
    report(self, .lost(problem, consequence))
  }

  /// Takes the display's pipe apart and frees its buffers. Otherwise the kernel would see an unchanged mode
  /// when the display is plugged in again, and would not enable the encoder. If this fails, it is tried again
  /// when the display is used.
  func takeApart() {
    memory.mayHaveBeenUnplugged = screen != nil
    guard let device, let screen, device.isMaster, let card else { return }
    drain()
    do throws(SystemError) {
      do throws(SystemError) { try device.disable(screen.pipe) } catch {
        // The connector of a DisplayPort hub may no longer exist, and a commit that names it fails.
        try device.turnOff(screen.pipe, turningOff: nil)
      }
      memory.mayHaveBeenUnplugged = false
      card.original.isReplaced = true
      retireScreen()
      freeRetired()
    } catch {
      log.debug("\(name): \(error)")
    }
  }

  /// Frees the buffers, and forgets the card.
  func leaveCard() {
    guard let card else { return }
    dropFlight()
    retireScreen()
    freeRetired()
    memory.forgive()
    flight.cardWasOpened()
    card.remove(self)
    self.card = nil
  }

  /// Drops the frame in flight; the handler gets no `.presented` event for it.
  func dropFlight() {
    timers.watchdog.disarm()
    timers.frame.disarm()
    flight.drop()
    screen?.isAnnounced = false
  }

  /// Waits briefly for the flip in flight: a buffer that the kernel uses must not be freed, and the next
  /// master's first commit would fail with EBUSY.
  func drain() {
    guard let card, flight.isAtKernel else { return }
    if card.waitForFlip(flight.token, until: now + timings.drain) { flight.wasDrained() }
  }

  func retireScreen() {
    guard let screen else { return }
    retired += screen.chain.buffers
    self.screen = nil
  }

  func freeRetired() {
    guard let device else { return }
    for buffer in retired { device.destroyBuffer(buffer) }
    retired.removeAll()
  }
}

extension ConnectorDescription {
  /// How a built-in panel is mounted, if not upright (the kernel's `panel orientation` property), and the
  /// rotation that makes the picture upright.
  var panelOrientation: (name: String, upright: Rotation)? {
    switch properties["panel orientation"]?.value {
    case 1: ("upside down", .half)
    case 2: ("left side up", .counterclockwise)
    case 3: ("right side up", .clockwise)
    default: nil
    }
  }
}
