// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ConfigChecks
import ControlCalls
import ControlServer
import Display
import Glibc
import LinuxSystem
import Remotes
import Schedule
import Scoreboard
import Settings
import TOMLConfig
import WallState
import Walls
import Widgets

/// The daemon: one loop, one wall, any number of displays. Events from the clocks, the control socket, the
/// keys, the config files and the displays change the wall, and `WallDisplays` shows it.
package final class FlipclockDaemon {
  let loop: EventLoop
  let options: DaemonOptions
  let log: Log
  let service: ServiceManager
  let config: ConfigStore
  let state: StateStore
  let owner: SettingsStore<DisplaySelection>
  let zones: ZoneCache
  let displays: WallDisplays
  let walls = WallLink()
  private let host: ServiceLink
  private let alarms: Alarms
  private let setUpOffers: SetUpOffers
  let examiner: Examiner
  private var time: TimeConfirmation
  /// Nil before `run`.
  private(set) var sources: CommandSources?

  /// The value that decides what is shown.
  var wall: Wall
  package let gate = CommandGate()
  /// The revision of the settings when the config was last read; nil: it is computed when it is needed.
  var knownRevision: Int?
  /// The state of flipclock-horn; nil: it is not connected.
  var hornReport: HornReport?
  /// The completions of the commands that the wall has not answered yet.
  private var callers: [Wall.Ticket: (Result<ChangeReply, ControlError>) -> Void] = [:]

  /// Reads the config and the state, and chooses the display. Does not use the display or the socket yet.
  package init(
    _ options: DaemonOptions, service: ServiceManager = ServiceManager()
  ) throws(StartFailure) {
    let log = Log(program: "flipclockd")
    self.options = options
    self.log = log
    ThisProcess.prepare()
    self.service = service
    do {
      loop = try EventLoop()
      let directory = try options.stateDirectory(environment: environmentVariable)
      state = try StateStore(directory: directory, on: loop, log: log)
      owner = try SettingsStore<DisplaySelection>(directory: directory, mode: 0o640, on: loop, log: log)
      let fonts = FontStore(directory: directory, log: log)
      let pictures = PictureLibrary(
        warn: { log.warning($0.printable) }, load: PictureLoader(on: loop, log: log).load)
      config = try ConfigStore(
        options.config.map(SettingsSources.explicit) ?? .standard(), owner: (owner.path, owner.load()),
        checks: {
          // Finds fonts that were installed, and pictures that were changed, since the config was last read.
          fonts.renew()
          pictures.renew()
          return .daemon({ fonts.library }, pictures: pictures.problem)
        },
        environment: environmentVariable, on: loop, log: log)
      let zoneWatch = try? ZoneWatch(on: loop, log: log)
      let configuration = config.configuration
      zones = ZoneCache(zoneWatch, local: configuration.locale.zone, log: log)
      var saved = state.load()?.resumed(by: configuration) ?? SavedWall(configuration.newMatch)
      saved.finished = state.loadFinished()
      var generator = SystemRandomNumberGenerator()
      var effects = Wall.Effects()
      wall = Wall(
        configuration, schedule: Schedule(configuration, zone: zones["local"]), saved, at: .now, &generator,
        keep: { [state] in state.aside.keep($0, log: log) }, &effects)
      time = TimeConfirmation(directory: environmentVariable("RUNTIME_DIRECTORY"))
      wall.isTimeConfirmed = time.isConfirmed
      displays = WallDisplays(
        try DisplayFactory.make(options, configuration, on: loop, log: log), wall, fonts: fonts,
        pictures: pictures,
        zones: zones, on: loop, log: log)
      alarms = try Alarms(service, on: loop)
      setUpOffers = try SetUpOffers(on: loop) { [config] in try? .find(config.configuration.remote) }
      examiner = Examiner(on: loop)
      host = ServiceLink(
        candidates: HostInterface.candidates(environment: environmentVariable),
        busy: HostInterface.error("Busy"), on: loop)
      if !wall.isTimeConfirmed {
        log.notice("nothing has confirmed the time since the machine started")
      }
      zoneWatch?.changed = { [weak self] in self?.zonesChanged() }
      connect()
      follow(effects)
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("\(error)")
    }
  }

  /// Connects the parts that report events to what handles them.
  private func connect() {
    state.retry.saveAgain = { [weak self] in self?.saveState() }
    for retry in [state.retry, owner.retry] { retry.changed = { [weak self] in self?.savingChanged() } }
    config.filesChanged = { [weak self] in self?.reload() }
    displays.changed = { [weak self] in self?.displaysChanged() }
    alarms.due = { [weak self] in self?.advance() }
    alarms.resumed = { [displays] in displays.presenter.displays.resumed() }
    setUpOffers.changed = { [weak self] offer in self?.change { $0.offer(offer, now: $1, &$2) } }
    alarms.tick = { [weak self] in self?.advance($0, at: $1) }
  }

  /// Shows the clock until a signal, or the loss of its terminal, stops the daemon. Restores the display,
  /// even after an error.
  package func run() throws(StartFailure) {
    do {
      // Blocks the signals; the loop handles them.
      let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop)
      let endpoint = try ControlEndpoint(
        options, inherited: service.listenFileDescriptors(), on: loop, handler: self, log: log)
      let sources = try CommandSources(endpoint, on: loop) { [weak self] in self?.makeKeys($0) }
      self.sources = sources
      signals.handler = { [weak self] in self?.receive($0.number) }
      sources.listenToKeys(config.configuration.input)
      let standardError = StandardErrorBuffer(for: displays.presenter.displays)
      defer { standardError?.flush() }
      try displays.presenter.start()
      service.ready(status: serviceStatus)
      defer {
        service.stopping()
        displays.stop()
        sources.close()
        host.close()
        if wall.hasUnsaved { saveState() }
        // Its answers are kept in the state.
        owner.close()
        state.close()
      }
      try withExtendedLifetime(signals) { try loop.run() }
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func receive(_ signal: Int32) {
    // SIGHUP asks for a reload. If a terminal shows the picture, it means that the terminal was closed.
    if signal == SIGHUP, !displays.presenter.displays.traits.contains(.usesTerminal) {
      reloadAll()
    } else {
      log.info("stopping: received \(signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM")")
      sources?.beginShutdown()
    }
  }

  private func makeKeys(_ settings: InputSettings) -> KeyInput? {
    KeyInput(
      settings, on: loop, handler: self, host: host, log: log,
      askAgain: { [weak self] in
        // After the invitation has been closed, it would be too late to ask.
        guard let self, wall.invitation == nil else { return }
        let words = config.configuration.language.words[.leadAgain]
        perform(.message(words, milliseconds: Int(KeyInput.confirmation / 1_000_000))) { _ in }
      }, hasKeyboard: { [displays] in displays.presenter.displays.hasKeyboard })
  }

  // MARK: Changes

  /// Changes the wall now, and carries out the effects.
  func change<Result, Failure>(
    _ body: (inout Wall, Moment, inout Wall.Effects) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var effects = Wall.Effects()
    defer { follow(effects) }
    return try body(&wall, .now, &effects)
  }

  /// Changes the wall by a command, which it answers at once or later.
  func ask(
    completion: @escaping (Result<ChangeReply, ControlError>) -> Void,
    _ body: (inout Wall, Wall.Ticket, Moment, inout Wall.Effects) -> Void
  ) {
    let ticket = (callers.keys.max() ?? 0) + 1
    callers[ticket] = completion
    change { body(&$0, ticket, $1, &$2) }
  }

  /// Advances the wall to the present.
  func advance() { change { $0.advance(to: $1, &$2) } }

  private func advance(_ instant: Instant, at time: Double) {
    var effects = Wall.Effects()
    wall.advance(to: .now, &effects)
    follow(effects, at: (instant, time))
  }

  /// Carries out the effects of a change: shows, sends, saves, answers and logs.
  ///
  /// - Parameter present: an instant that is shown even if nothing else has changed, and its scene time.
  private func follow(_ effects: Wall.Effects, at present: (Instant, Double)? = nil) {
    for note in effects.notes { log.info(note) }
    for notice in effects.notices { log.notice(notice) }
    for aside in effects.asides { state.aside.keep(aside, log: log) }
    for history in effects.contained { state.aside.forget(history) }
    confirmTime()
    displays.show(wall, after: effects, at: present, isUnsaved: lost != nil)
    arm()
    if effects.matchChanged { sources?.watchers.matchChanged { matchState() } }
    walls.identity = wall.identity
    let sending = walls.send(effects.messages, waits: effects.messagesWait)
    if effects.saves { save(effects, sending) }
    for request in effects.requests { perform(request) }
    for answer in effects.answers { callers.removeValue(forKey: answer.ticket)?(answer.result) }
  }

  /// Notices that the time was confirmed.
  private func confirmTime() {
    guard !wall.isTimeConfirmed, time.look() else { return }
    log.notice("the time is confirmed")
    wall.isTimeConfirmed = true
  }

  /// - Parameter sending: what `WallLink.send` returned for the messages that wait for this save; nil: none
  ///   wait.
  private func save(_ effects: Wall.Effects, _ sending: Int?) {
    saveState(isUrgent: effects.isUrgent) { [weak self] result in
      guard let self else { return }
      if let sending { walls.saved(sending) }
      if case .success = result { for id in effects.resumed { state.aside.forget(id) } }
      guard !effects.pending.isEmpty else { return }
      let result = result.mapError { ControlError.stateNotSaved(reason: "\($0)") }
      change { $0.saved(effects.pending, result, at: $1, &$2) }
    }
  }

  func saveState(
    isUrgent: Bool = false, completion: @escaping (Result<Void, SystemError>) -> Void = { _ in }
  ) {
    state.save(wall.saved, isUrgent: isUrgent, completion: completion)
  }

  /// Arms the timers for the next change of what is shown, and notifies the watchers of the display.
  private func arm() {
    sources?.watchers.displayChanged { displayState() }
    setUpOffers.update(wall)
    alarms.arm(
      after: displays.instant, next: { [displays] in displays.nextChange(after: $0) },
      matchTime: wall.nextClock)
  }

  /// Called when a display was connected, disconnected, blanked or unblanked, and after a reload.
  func displaysChanged() {
    change { [all = displays.all(in: config.configuration)] in $0.adopt(all, at: $1, &$2) }
    displays.adoptConnected()
    service.status(serviceStatus)
  }

  /// Why the last changes of the match or of the settings are not on the disk; nil: they are.
  var lost: SaveRetry.Unsaved? { state.retry.unsaved ?? owner.retry.unsaved }

  private func savingChanged() {
    follow(Wall.Effects(), at: (WallClock.now, Presenter.now))
    service.status(serviceStatus)
  }

  private var serviceStatus: String {
    ServiceStatus.line(
      displays.presenter.displays.outputs.map(ServiceStatus.Shown.init), isBlank: wall.isDark,
      problem: displays.presenter.displayProblem, configErrors: config.lastReload.errors,
      unsaved: lost?.error)
  }
}
