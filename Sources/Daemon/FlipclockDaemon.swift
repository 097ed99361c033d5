// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ConfigChecks
import ControlCalls
import ControlServer
import Display
import Glibc
import LinuxSystem
import Raster
import Schedule
import Scoreboard
import Settings
import Typography
import WallState
import Walls
import Widgets

/// The daemon: one loop, one scoreboard, any number of displays. Events from the wall clock, the control socket, the config
/// files and the display change the model, and the presenter shows it.
package final class FlipclockDaemon {
  let loop: EventLoop
  let options: DaemonOptions
  let log: Log
  let service: ServiceManager
  let config: ConfigStore
  let state: StateStore
  let fonts: FontStore
  let zones: ZoneCache
  let presenter: Presenter
  let backlights: Backlights
  let screenshots: Screenshots
  let walls = WallLink()
  private let alarms: Alarms
  /// Nil before `run`.
  private(set) var sources: CommandSources?

  /// What is shown, and why.
  var wall: Wall
  package let gate = CommandGate()
  /// Those who wait for an answer of the value.
  private var callers: [Wall.Ticket: (Result<ChangeReply, ControlError>) -> Void] = [:]
  var cost: LiveCost
  /// The moment that the widgets show.
  var shown = WallClock.now
  /// What the displays show beside the model.
  private var presented: Wall.Shown

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
      let fonts = FontStore(directory: directory, log: log)
      self.fonts = fonts
      config = try ConfigStore(
        options.config.map(SettingsSources.explicit) ?? .standard(),
        checks: {
          // Finds fonts that were installed since the config was last read.
          fonts.renew()
          return .daemon { fonts.library }
        },
        environment: environmentVariable, on: loop, log: log)
      let zoneWatch = try? ZoneWatch(on: loop, log: log)
      zones = ZoneCache(zoneWatch, log: log)
      let configuration = config.configuration
      let saved = state.load()?.resumed(by: configuration) ?? SavedWall(configuration.newMatch)
      var generator = SystemRandomNumberGenerator()
      var effects = Wall.Effects()
      wall = Wall(
        configuration, schedule: Schedule(configuration, zone: zones["local"]), saved, at: .now, &generator,
        keep: { [state] in state.aside.keep($0, log: log) }, &effects)
      presented = wall.shown
      let displays = try DisplayFactory.make(options, configuration, on: loop, log: log)
      let presenter = Presenter(displays: displays, on: loop, log: log)
      self.presenter = presenter
      backlights = Backlights(log: log)
      screenshots = Screenshots(of: presenter, on: loop)
      alarms = try Alarms(service, on: loop)
      cost = LiveCost(from: .now(loop, bytesCopied: 0))
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
    state.saveAgain = { [weak self] in self?.saveState() }
    state.savingChanged = { [weak self] in self?.savingChanged() }
    config.filesChanged = { [weak self] in self?.reload() }
    presenter.content = { [weak self] in
      self?.content(for: $0, $1) ?? Canvas.Content(size: $1)
    }
    presenter.makeStage = { [weak self] in self?.makeShownStage($0) }
    presenter.displayChanged = { [weak self] in self?.displayChanged() }
    presenter.rested = { [weak self] in self?.prepareNextChange() }
    alarms.due = { [weak self] in self?.advance() }
    alarms.resumed = { [presenter] in presenter.displays.resumed() }
    alarms.tick = { [weak self] in self?.advance($0, at: $1) }
  }

  /// Shows the clock until a signal, or the loss of its terminal, stops the daemon. Restores the display, even after an
  /// error.
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
      let standardError = StandardErrorBuffer(for: presenter.displays)
      defer { standardError?.flush() }
      try presenter.start()
      service.ready(status: serviceStatus)
      defer {
        service.stopping()
        presenter.stop()
        backlights.restore()
        sources.close()
        if wall.isRunning { saveState() }
        state.close()
      }
      try withExtendedLifetime(signals) { try loop.run() }
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func receive(_ signal: Int32) {
    // SIGHUP asks for a reload. If a terminal shows the picture, it means that the terminal was closed.
    if signal == SIGHUP, !presenter.displays.traits.contains(.usesTerminal) {
      reload()
    } else {
      log.info("stopping: received \(signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM")")
      sources?.beginShutdown()
    }
  }

  private func makeKeys(_ settings: InputSettings) -> KeyInput? {
    KeyInput(
      settings, on: loop, handler: self, log: log,
      askAgain: { [weak self] in
        guard let self else { return }
        let words = config.configuration.language.words[.leadAgain]
        perform(.message(words, milliseconds: Int(KeyInput.confirmation / 1_000_000))) { _ in }
      }, hasKeyboard: { [presenter] in presenter.displays.hasKeyboard })
  }

  // MARK: The model

  /// Builds the stage for a canvas, and afterwards frees the memory that only building it needed.
  private func makeShownStage(_ content: Canvas.Content) -> Stage {
    loop.whenIdle { [fonts] in
      fonts.saveMatches()
      ThisProcess.releaseFreeMemory()
      ThisProcess.releaseProgram()
      return false
    }
    let stage = makeStage(content)
    for widget in stage.leftOut { log.warning("the widget '\(widget.name)' is left out: \(widget.reason)") }
    return stage
  }

  private func makeStage(_ content: Canvas.Content) -> Stage {
    // Existing canvases show the moment `shown`, which may be earlier than now. Then `shown` must not change, because
    // `arm` looks for the next change after it.
    if presenter.canvases.isEmpty { shown = WallClock.now }
    let stage = Stage(
      wall.shownConfiguration, size: content.size, fonts: fonts.library, zones: { [zones] in zones[$0] },
      model: model(at: shown), time: Presenter.now, page: content.page ?? wall.shownPage, theme: wall.theme)
    stage.dimmer.setBrightness(pictureBrightness(ofDimmed: content.dimmed), animated: false)
    return stage
  }

  /// What each widget shows, or would show if there were a display.
  var texts: [(name: String, type: String, text: String)] {
    if let stage = presenter.canvases.first?.stage { return stage.texts }
    return wall.shownConfiguration.texts(of: model(at: WallClock.now)) { zones[$0] }
  }

  // MARK: Showing

  /// Lets the value change now, and does what follows.
  func change<Result, Failure>(
    _ body: (inout Wall, Moment, inout Wall.Effects) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var effects = Wall.Effects()
    defer { follow(effects) }
    return try body(&wall, .now, &effects)
  }

  /// Has the value do something that is answered, at once or later.
  func ask(
    completion: @escaping (Result<ChangeReply, ControlError>) -> Void,
    _ body: (inout Wall, Wall.Ticket, Moment, inout Wall.Effects) -> Void
  ) {
    let ticket = (callers.keys.max() ?? 0) + 1
    callers[ticket] = completion
    change { body(&$0, ticket, $1, &$2) }
  }

  /// Goes on to the present.
  func advance() { change { $0.advance(to: $1, &$2) } }

  private func advance(_ instant: Instant, at time: Double) {
    advance()
    present(instant, at: time)
  }

  /// Does what follows from a change of the value.
  private func follow(_ effects: Wall.Effects) {
    for note in effects.notes { log.info(note) }
    for notice in effects.notices { log.notice(notice) }
    for aside in effects.asides { state.aside.keep(aside, log: log) }
    for history in effects.contained { state.aside.forget(history) }
    if effects.rebuilds { presenter.rebuild() }
    if effects != Wall.Effects() || wall.shown != presented {
      present(since: effects.motionStart)
    } else {
      arm()
    }
    if effects.matchChanged { sources?.watchers.matchChanged { matchState() } }
    walls.identity = wall.identity
    let sending = walls.send(effects.messages, waits: effects.messagesWait)
    if effects.saves { save(effects, sending) }
    for request in effects.requests { perform(request) }
    for answer in effects.answers { callers.removeValue(forKey: answer.ticket)?(answer.result) }
  }

  /// - Parameter sending: the messages that wait for it.
  private func save(_ effects: Wall.Effects, _ sending: Int?) {
    saveState(isUrgent: effects.isUrgent) { [weak self] result in
      guard let self else { return }
      if let sending { walls.saved(sending) }
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

  /// Shows what the value says now, animated, and arms the timers for its next change.
  ///
  /// - Parameter start: the match time at which the motion begins, if that was before now: a frame that is late shows
  ///   the motion as far as it should be.
  private func present(since start: Int64?) {
    let now = Presenter.now
    let late = start.map { Double(min(max(MatchTime.now - $0, 0), 1_000_000_000)) / 1e9 } ?? 0
    present(WallClock.now, at: now, since: now - late)
  }

  /// - Parameter start: when what has changed begins to move, if that was before `time`.
  func present(
    _ instant: Instant = WallClock.now, at time: Double = Presenter.now, since start: Double? = nil
  ) {
    let before = presented
    presented = wall.shown
    if presented.lights != before.lights {
      showLights(isSwitched: presented.lights.areSwitched(from: before.lights))
    }
    if cost.isDue { cost.keep(.now(loop, bytesCopied: bytesCopied)) }
    if !presenter.canvases.isEmpty {
      shown = instant
      let model = model(at: instant)
      for canvas in presenter.canvases {
        canvas.stage.scene.advance(to: time)
        canvas.stage.update(model, at: start ?? time, animated: true)
        if presented.page != before.page, canvas.content.page == nil {
          canvas.stage.show(page: presented.page, model) { Presenter.now }
        }
        if presented.theme != before.theme {
          canvas.stage.show(theme: presented.theme, model) { Presenter.now }
        }
      }
      for canvas in presenter.canvases { canvas.composeIfPossible() }
    }
    arm()
  }

  /// Bytes written to the scanout memory of all displays.
  var bytesCopied: UInt64 { presenter.displays.outputs.reduce(0) { $0 &+ $1.statistics.bytesCopied } }

  func model(at instant: Instant) -> StageModel {
    wall.model(at: instant, isUnsaved: state.unsaved != nil)
  }

  /// Draws the pictures for the next changes, one per turn of the loop, while nothing moves.
  private func prepareNextChange() {
    loop.whenIdle { [weak self] in
      for canvas in self?.presenter.canvases ?? [] {
        if case .resting = canvas.stage.scene.activity, canvas.stage.prepare() { return true }
      }
      // While drawing, the daemon needs about twice the memory of the finished pictures.
      ThisProcess.releaseFreeMemory()
      return false
    }
  }

  /// Arms the timers for the next change of what is shown, and tells those who watch.
  private func arm() {
    sources?.watchers.displayChanged { displayState() }
    alarms.arm(after: shown, next: { [weak self] in self?.nextChange(after: $0) }, matchTime: wall.nextClock)
  }

  private func nextChange(after instant: Instant) -> Instant? {
    (presenter.canvases.map { $0.stage.nextChange(after: instant) } + [wall.nextInstant]).compactMap { $0 }
      .min()
  }

  // MARK: The displays

  /// What a display is to show.
  private func content(for output: any Output, _ size: PixelSize) -> Canvas.Content {
    // A backlight and the darkening of the picture differ from those of other displays.
    let isDimmedAlone = findBacklight(of: output) || wall.hasOwnLevel(output.name)
    return Canvas.Content(
      size: size, page: settings(of: output)?.page, dimmed: isDimmedAlone ? output.name : nil)
  }

  /// The table of the config that applies to a display.
  func settings(of output: any Output) -> OutputSettings? {
    let outputs = config.configuration.outputs
    let name = output.description?.rule ?? outputs.map(\.rule).rule(for: output.name)?.name
    return outputs.first { $0.name == name }
  }

  /// The displays as the value sees them.
  var wallDisplays: [Wall.Display] {
    presenter.displays.outputs.map { Wall.Display(name: $0.name, settings: settings(of: $0)) }
  }

  /// Called when a display was connected, disconnected, blanked or unblanked.
  func displayChanged() {
    change { [displays = wallDisplays] in $0.adopt(displays, at: $1, &$2) }
    let displays = presenter.displays
    backlights.keep(only: connectedDisplays)
    if !setBacklights() { showLevels(animated: false) }
    let isAnyConnected = displays.outputs.contains { $0.description != nil }
    if !isAnyConnected, displays.traits.contains(.endsWithDisplay) { loop.stop() }
    if presenter.canvases.isEmpty {
      // Frees what was drawn for displays that are dark or gone.
      loop.whenIdle {
        ThisProcess.releaseFreeMemory()
        return false
      }
    }
    service.status(serviceStatus)
  }

  private func savingChanged() {
    present()
    service.status(serviceStatus)
  }

  private var serviceStatus: String {
    ServiceStatus.line(
      presenter.displays.outputs.map(ServiceStatus.Shown.init), isBlank: wall.isDark,
      problem: presenter.displayProblem, configErrors: config.lastReload.errors,
      unsaved: state.unsaved?.error)
  }
}
