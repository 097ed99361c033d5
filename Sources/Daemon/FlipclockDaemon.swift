// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import Control
import Display
import Glibc
import LinuxSystem
import Raster
import Scoreboard
import Settings
import Typography
import Widgets

/// The daemon: one loop, one display, one scoreboard. Events from the wall clock, the control socket, the config
/// files and the display change the model, and the presenter shows it.
package final class FlipclockDaemon {
  let loop: EventLoop
  let options: DaemonOptions
  let log: Log
  let service: ServiceManager
  let watchdog: Watchdog?
  let config: ConfigStore
  let state: StateStore
  let fonts: FontStore
  let zones: ZoneCache
  /// Nil if inotify does not work.
  let zoneWatch: ZoneWatch?
  let presenter: Presenter
  let screenshots: Screenshots
  let message: ShownMessage
  let matchClock: MatchClock
  private let wallClock: WallClock
  private let pageTimer: LoopTimer
  /// Nil while the config assigns no keys.
  private var keyInput: KeyInput?

  var match: Match
  var cost: LiveCost
  /// The moment that the widgets show.
  private var shown = WallClock.now
  /// The page that was last requested or reached by rotation; nil for the first one.
  var page: String?
  /// Called after each change of the match, except for the passing of time.
  var matchObserver: () -> Void = {}

  /// Reads the config and the state, and chooses the display. Does not use the display or the socket yet.
  package init(_ options: DaemonOptions) throws(StartFailure) {
    let log = Log(program: "flipclockd")
    self.options = options
    self.log = log
    Process.prepare()
    // Unsets environment variables, so it must come before the first thread and the first child.
    service = ServiceManager()
    do {
      loop = try EventLoop()
      watchdog = try Watchdog(service, on: loop)
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
        on: loop, log: log)
      zones = ZoneCache(log: log)
      zoneWatch = try? ZoneWatch(on: loop, log: log)
      match = state.load()?.resumed(by: config.configuration) ?? config.configuration.newMatch
      let output = try OutputFactory.make(options, config.configuration.display, on: loop, log: log)
      let presenter = try Presenter(output: output, on: loop, log: log)
      self.presenter = presenter
      screenshots = Screenshots(of: presenter, on: loop)
      message = try ShownMessage(on: loop)
      matchClock = try MatchClock(on: loop)
      wallClock = try WallClock(on: loop) { presenter.stage?.nextChange(after: $0) }
      pageTimer = try LoopTimer(.monotonic, on: loop)
      cost = LiveCost(from: .now(loop, output.statistics))
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("\(error)")
    }
    connect()
  }

  /// Connects the parts that report events to what handles them.
  private func connect() {
    zones.willRead = { [weak zoneWatch] in zoneWatch?.add($0) }
    zoneWatch?.changed = { [weak self] in self?.zonesChanged() }
    config.filesChanged = { [weak self] in self?.reload() }
    presenter.stageNeeded = { [weak self] size in
      guard let self else { return }
      self.presenter.show(self.makeShownStage(size))
    }
    presenter.displayChanged = { [weak self] in self?.displayChanged() }
    presenter.rested = { [weak self] in self?.prepareNextChange() }
    message.changed = { [weak self] in self?.showModel() }
    matchClock.timerReached = { [weak self] in self?.matchChanged() }
    matchClock.saveDue = { [weak self] in self?.saveRunningMatch() }
    wallClock.tick = { [weak self] in self?.show($0, at: $1) }
    pageTimer.handler = { [weak self] _ in self?.turnPages() }
  }

  /// Shows the clock until a signal stops the daemon. Restores the display, even after an error.
  package func run() throws(StartFailure) {
    do {
      // Blocks the signals; the loop handles them.
      let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop)
      let endpoint = try ControlEndpoint(
        options, inherited: service.listenFileDescriptors(), on: loop, handler: self, log: log)
      let shutdown = try GracefulShutdown(of: endpoint, on: loop)
      signals.handler = { [weak self] in self?.receive($0.number, shutdown) }
      matchObserver = { [weak self] in
        guard let self else { return }
        endpoint.service.matchChanged { self.matchState() }
      }
      matchClock.follow(match.board)
      listenToKeys()
      let standardError = StandardErrorBuffer(for: presenter.output)
      defer { standardError?.flush() }
      try presenter.start()
      service.ready(status: serviceStatus)
      defer {
        service.stopping()
        presenter.stop()
        keyInput?.stop()
        endpoint.close()
        if matchClock.isRunning(match.board) { saveRunningMatch() }
        state.close()
      }
      try withExtendedLifetime(signals) { try loop.run() }
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func receive(_ signal: Int32, _ shutdown: GracefulShutdown) {
    // SIGHUP also means that the terminal was closed; then nobody sees the picture any more.
    if signal == SIGHUP, !presenter.output.traits.contains(.usesTerminal) {
      reload()
    } else {
      log.info("stopping: received \(signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM")")
      shutdown.begin()
    }
  }

  /// Opens the input devices of the current config, after releasing those of the previous one.
  func listenToKeys() {
    keyInput?.stop()
    keyInput = KeyInput(config.configuration.input, on: loop, handler: self, log: log) { [presenter] in
      presenter.output.hasKeyboard
    }
  }

  // MARK: The model

  /// Builds the stage for the display, and afterwards frees the memory that only building it needed.
  func makeShownStage(_ size: PixelSize) -> Stage {
    loop.whenIdle { [fonts] in
      fonts.saveMatches()
      Process.releaseFreeMemory()
      Process.releaseProgram()
      return false
    }
    let stage = makeStage(size)
    for widget in stage.leftOut { log.warning("the widget '\(widget.name)' is left out: \(widget.reason)") }
    return stage
  }

  private func makeStage(_ size: PixelSize) -> Stage {
    shown = WallClock.now
    let stage = Stage(
      config.configuration, size: size, fonts: fonts.library, zones: { [zones] in zones[$0] },
      model: model(at: shown), time: Presenter.now, page: page)
    stage.dimmer.setBrightness(Double(brightness) / 100, animated: false)
    return stage
  }

  /// What each widget shows, or would show if there were a display.
  var texts: [(name: String, type: String, text: String)] {
    if let stage = presenter.stage { return stage.texts }
    return config.configuration.texts(of: model(at: WallClock.now)) { zones[$0] }
  }

  private func show(_ instant: Instant, at time: Double) {
    watchdog?.loopIsAwake()
    if cost.isDue { cost.keep(.now(loop, presenter.output.statistics)) }
    guard let stage = presenter.stage else { return }
    shown = instant
    stage.scene.advance(to: time)
    stage.update(model(at: instant), at: time, animated: true)
    presenter.composeIfPossible()
  }

  private func model(at instant: Instant) -> StageModel {
    let now = MatchTime.now
    return StageModel(
      instant: instant, scoreboard: match.board.settled(at: now), clock: now, message: message.text)
  }

  /// Shows the current model, animated, and arms the timers for its next change.
  func showModel() {
    show(WallClock.now, at: Presenter.now)
    arm()
  }

  /// Draws the pictures for the next changes, one per turn of the loop, while nothing moves.
  private func prepareNextChange() {
    loop.whenIdle { [weak self] in
      if let stage = self?.presenter.stage, case .resting = stage.scene.activity, stage.prepare() {
        return true
      }
      // While drawing, the daemon needs about twice the memory of the finished pictures.
      Process.releaseFreeMemory()
      return false
    }
  }

  // MARK: Pages

  var shownPage: String {
    let pages = config.configuration.allPages.map(\.name)
    if let page, pages.contains(page) { return page }
    return pages.first ?? Configuration.onlyPage
  }

  /// Shows the page `name`, which must exist, with the configured transition.
  func turn(to name: String) {
    page = name
    if let stage = presenter.stage {
      stage.scene.advance(to: Presenter.now)
      shown = WallClock.now
      stage.show(page: name, model(at: shown)) { Presenter.now }
      presenter.composeIfPossible()
    }
    arm()
  }

  private func turnPages() {
    guard let next = presenter.stage?.nextTurn, next.time <= Presenter.now else { return arm() }
    turn(to: next.page)
  }

  /// Arms the timers for the next change of what is shown and for the next page.
  func arm() {
    wallClock.arm(after: shown)
    if let next = presenter.stage?.nextTurn {
      pageTimer.arm(at: ClockTime(totalNanoseconds: Int64((next.time * 1e9).rounded(.up))))
    } else {
      pageTimer.disarm()
    }
  }

  // MARK: The display

  /// Called when the display was connected, disconnected, blanked or unblanked.
  func displayChanged() {
    arm()
    if presenter.output.description == nil, presenter.output.traits.contains(.endsWithDisplay) { loop.stop() }
    if presenter.stage == nil {
      // Frees what was drawn for the display that is dark or gone.
      loop.whenIdle {
        Process.releaseFreeMemory()
        return false
      }
    }
    service.status(serviceStatus)
  }

  private var serviceStatus: String {
    ServiceStatus.line(
      output: presenter.output.description, isBlank: presenter.isBlank, problem: presenter.displayProblem,
      configErrors: config.lastReload.errors)
  }
}
