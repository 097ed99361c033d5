// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Uevents

/// The displays of the machine's cards, driven by kernel mode setting (DRM/KMS).
///
/// Finds cards, connectors and modes, and keeps searching when there is none or when one disappears. Takes
/// over the console and restores it. Each display is a `KMSOutput`, each card in use a `KMSCard`. What to do
/// is decided by values (`LifeCycle`, `Absence`, `PipeSelection`); this object carries it out.
package final class KMSDisplays: Displays {
  /// The cards, connectors and modes to use.
  package private(set) var preferences: OutputPreferences

  package var isBlank = false {
    didSet { for output in all { output.isBlank = isBlank } }
  }

  let context: KMSContext
  let environment: KMSEnvironment
  var session: Session?
  private var lifeCycle = LifeCycle()
  /// Why there is no display at all.
  var absence: Absence
  /// The displays in the order in which they were found.
  private(set) var all: [KMSOutput] = []
  /// Bytes written by the outputs that were removed.
  private var removedBytes: UInt64 = 0
  /// The cards in use, by path.
  var cards: [String: KMSCard] = [:]
  /// Why cards cannot be used now, by path, while there is a display on another card. Without any display,
  /// `absence` is used instead.
  var missingCards: [String: Absence] = [:]
  /// The connectors' states at the last look, by the cards' paths.
  var seen: [String: [ConnectorID: ConnectorDescription.Status]] = [:]
  /// The original pictures of the cards that are to be opened again, by path.
  private var reopening: [String: OriginalPicture] = [:]

  /// - Parameter log: receives one line per distinct event or problem.
  package convenience init(preferences: OutputPreferences, on loop: EventLoop, log: Log) {
    self.init(
      preferences: preferences, on: loop, log: log,
      environment: KMSEnvironment(
        cards: CardDirectory(), hotplug: UeventMonitor(subsystem: "drm"),
        console: ConsoleSession(on: loop, log: log), prober: ConnectorProbe(on: loop, log: log)))
  }

  init(
    preferences: OutputPreferences, on loop: EventLoop, log: Log,
    environment: KMSEnvironment
  ) {
    self.preferences = preferences
    context = KMSContext(on: loop, log: log, environment)
    self.environment = environment
    absence = Absence(slowProbe: environment.timings.slowProbe)
  }

  /// Whether there is a card that this process may drive: it opens, has connectors, CRTCs, encoders and dumb
  /// buffers, and no other process is master. A display need not be connected.
  package static func anyCardUsable(_ preferences: OutputPreferences) -> Bool {
    !CardSearch(source: CardDirectory(), preferences: preferences, acceptsFirmware: true).run().found.isEmpty
  }

  package var traits: DisplayTraits { .logsDisplays }

  package var outputs: [any Output] { all }

  package var bytesCopied: UInt64 { all.reduce(removedBytes) { $0 &+ $1.statistics.bytesCopied } }

  package var hasKeyboard: Bool { environment.console.isInFront }

  var loop: EventLoop { context.loop }
  var log: Log { context.log }
  var now: Int64 { context.now }
  var timings: KMSTimings { context.timings }
  var isActive: Bool { lifeCycle.state == .active }

  // MARK: Life cycle

  /// Throws only if the loop cannot create its timers. Without hotplug events (in a container) the cards are
  /// polled at intervals.
  package func start(handler: @escaping (DisplayEvent) -> Void) throws(SystemError) {
    guard session == nil else { return }
    session = Session(
      probe: try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.probe() },
      settle: try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.hardwareChanged() },
      startTime: now, handler: handler)
    do throws(SystemError) {
      try environment.hotplug.start(on: loop) { [weak self] in self?.hardwareMayHaveChanged($0) }
    } catch {
      context.hasHotplugEvents = false
      absence.hasHotplugEvents = false
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
    for output in all { output.memory.forgive() }
    searchSoon()
  }

  /// Sets everything again. Most drivers restore their state themselves, but not all restore the card's
  /// memory, and a display may have been replaced in the meantime.
  package func resumed() {
    guard isActive else { return }
    log.info("the machine was suspended; setting the displays again")
    for output in all where output.screen != nil {
      output.drain()
      output.dropFlight()
      output.screen?.isLost = true
      output.memory.mayHaveBeenUnplugged = true
    }
    searchSoon()
  }

  private func handle(_ event: LifeCycle.Event) {
    switch lifeCycle.handle(event) {
    case nil: break
    case .search:
      absence.hardwareChanged()
      for output in all { output.absence.hardwareChanged() }
      search(nil)
    case .leaveConsole: leaveConsole()
    case .giveBack: giveBack()
    }
  }

  // MARK: The console

  func consoleEvent(_ event: ConsoleEvent) {
    switch event {
    case .leaving: handle(.consoleLeft)
    case .back: handle(.consoleBack)
    }
  }

  /// Releases the displays, then allows the switch to the other terminal, for which the kernel is waiting.
  private func leaveConsole() {
    session?.probe.disarm()
    let isNews = !absence.isAnnounced
    for output in all where output.absence.problem == nil { output.failed(.consoleAway) }
    report(.consoleAway, absence.failed(.consoleAway, now: now))
    for output in all { output.drain() }
    for card in cards.values { card.device.dropMaster() }
    dropMasterOfProbed()
    // If another program sent the signal, nothing is logged, because the picture is back at once.
    if environment.console.allowSwitch(), isNews {
      log.write(DisplayProblem.consoleAway.level, DisplayProblem.consoleAway.description)
    }
  }

  /// Gives up the master of the cards that are being probed. They stay open until the probe has ended.
  private func dropMasterOfProbed() {
    session?.probing?.devices.values.forEach { $0.dropMaster() }
  }

  private func giveBack() {
    environment.hotplug.stop()
    for output in all { output.drain() }
    for card in cards.values { card.close(.released) }
    dropMasterOfProbed()
    // The console is returned after the master is dropped, because only then may the kernel's own console set
    // its mode.
    environment.console.giveBack()
    session?.probe.cancel()
    session?.settle.cancel()
    session = nil
    for output in all {
      output.description = nil
      for timer in output.timers.all { timer.cancel() }
    }
    removedBytes = bytesCopied
    all.removeAll()
  }

  // MARK: Events

  private func handle(_ report: KMSOutput.Report, of output: KMSOutput) {
    switch report {
    case .event(.presented(let presentation)): session?.handler(.output(output, .presented(presentation)))
    case .event(let event):
      enqueue(.output(output, event)) {
        // A newer `.connected` replaces one that has not been delivered yet.
        if case .output(let other, .connected) = $0 { other === output } else { false }
      }
    case .found: absence.found()
    case .lost(let problem, let consequence): wasLost(output, problem, consequence)
    case .frameWasShown:
      absence.frameWasShown()
      if !isProbing { output.checkConnector() }
    case .flipsRecovered: absence.flipsRecovered()
    case .nextLookChanged: armProbe()
    }
  }

  /// Queues an event for the end of the loop's turn, so that the handler is never called from inside a call
  /// to the output.
  private func enqueue(_ event: DisplayEvent, replacing isOld: (DisplayEvent) -> Bool = { _ in false }) {
    guard let pending = session?.outbox else { return }
    session?.outbox = pending.filter { !isOld($0) } + [event]
    if pending.isEmpty { loop.defer { [weak self] in self?.deliverOutbox() } }
  }

  private func deliverOutbox() {
    let events = session?.outbox ?? []
    session?.outbox = []
    for event in events {
      if case .output(let output, .connected) = event, let screen = (output as? KMSOutput)?.screen {
        screen.isAnnounced = !screen.isLost
      }
      session?.handler(event)
    }
  }

  // MARK: Found and lost

  /// The output for a connector, which is created if there is none yet.
  func output(_ name: String) throws(SystemError) -> KMSOutput {
    if let output = all.first(where: { $0.name == name }) { return output }
    let output = try KMSOutput(name, context) { [weak self] in self?.handle($1, of: $0) }
    output.isBlank = isBlank
    all.append(output)
    return output
  }

  /// Forgets an output that will not be used again.
  func remove(_ output: KMSOutput) {
    output.leaveCard()
    for timer in output.timers.all { timer.cancel() }
    all.removeAll { $0 === output }
    removedBytes &+= output.statistics.bytesCopied
    if output.description != nil {
      output.description = nil
      handle(.event(.disconnected(reason: "the display is not used any more")), of: output)
    }
  }

  /// Reports the problem of an output. While other displays are found, the report names only this one.
  private func wasLost(_ output: KMSOutput, _ problem: DisplayProblem, _ consequence: Absence.Consequence) {
    guard isActive else { return }
    if all.contains(where: \.isFound) {
      if consequence.isReported, problem != .consoleAway {
        log.write(problem.level, "\(output.name): \(problem.description)")
      }
    } else {
      report(problem, absence.failed(problem, retryAfter: consequence.delay, now: now))
    }
    armProbe()
  }

  /// Reports why there is no display at all.
  func report(_ problem: DisplayProblem, _ consequence: Absence.Consequence) {
    if consequence.isReported, problem != .consoleAway { log.write(problem.level, problem.description) }
    if consequence.isLoss { enqueue(.none(reason: problem.description)) }
  }

  // MARK: Cards

  func open(_ found: CardSearch.Found) throws(SystemError) -> KMSCard {
    let path = found.device.path
    if let card = cards[path] { return card }
    let original = reopening[path] ?? OriginalPicture(of: found.card)
    let card = try KMSCard(found, original: original, context) { [weak self] in self?.wasClosed($0, $1) }
    cards[path] = card
    return card
  }

  private func wasClosed(_ card: KMSCard, _ reason: KMSCard.CloseReason) {
    session?.probing?.closed.insert(card.path)
    reopening[card.path] = reason == .reopening ? card.original : nil
    cards[card.path] = nil
  }
}

extension KMSDisplays {
  /// What exists between `start` and `stop`.
  struct Session {
    let probe: LoopTimer
    /// Delays the search after a uevent.
    let settle: LoopTimer
    /// CLOCK_MONOTONIC, nanoseconds.
    let startTime: Int64
    let handler: (DisplayEvent) -> Void
    /// Events to deliver at the end of the loop's turn. While there are any, a delivery is scheduled.
    var outbox: [DisplayEvent] = []
    /// The cards that a uevent named since `settle` was armed; nil for all.
    var changed: Set<String>? = []
    /// Nil while no connectors are probed.
    var probing: Probing?
  }
}
