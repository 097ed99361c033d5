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

/// The daemon: one loop, one scoreboard, any number of displays. Events from the wall clock, the control socket, the config
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
  private var suspension = Suspension()
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
      let displays = try DisplayFactory.make(options, config.configuration, on: loop, log: log)
      let presenter = Presenter(displays: displays, on: loop, log: log)
      self.presenter = presenter
      screenshots = Screenshots(of: presenter, on: loop)
      message = try ShownMessage(on: loop)
      matchClock = try MatchClock(on: loop)
      wallClock = try WallClock(on: loop) { instant in
        presenter.canvases.compactMap { $0.stage.nextChange(after: instant) }.min()
      }
      pageTimer = try LoopTimer(.monotonic, on: loop)
      cost = LiveCost(from: .now(loop, bytesCopied: 0))
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
    presenter.content = { [weak self] in
      self?.content(for: $0, $1) ?? Canvas.Content(size: $1)
    }
    presenter.makeStage = { [weak self] in self?.makeShownStage($0) }
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
      let standardError = StandardErrorBuffer(for: presenter.displays)
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
    if signal == SIGHUP, !presenter.displays.traits.contains(.usesTerminal) {
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
      presenter.displays.hasKeyboard
    }
  }

  // MARK: The model

  /// Builds the stage for a canvas, and afterwards frees the memory that only building it needed.
  private func makeShownStage(_ content: Canvas.Content) -> Stage {
    loop.whenIdle { [fonts] in
      fonts.saveMatches()
      Process.releaseFreeMemory()
      Process.releaseProgram()
      return false
    }
    let stage = makeStage(content)
    for widget in stage.leftOut { log.warning("the widget '\(widget.name)' is left out: \(widget.reason)") }
    return stage
  }

  private func makeStage(_ content: Canvas.Content) -> Stage {
    // Other canvases may show an earlier moment, after which the timer must be armed.
    if presenter.canvases.isEmpty { shown = WallClock.now }
    let stage = Stage(
      config.configuration, size: content.size, fonts: fonts.library, zones: { [zones] in zones[$0] },
      model: model(at: shown), time: Presenter.now, page: content.page ?? page)
    stage.dimmer.setBrightness(Double(brightness(ofDimmed: content.dimmed)) / 100, animated: false)
    return stage
  }

  /// What each widget shows, or would show if there were a display.
  var texts: [(name: String, type: String, text: String)] {
    if let stage = presenter.canvases.first?.stage { return stage.texts }
    return config.configuration.texts(of: model(at: WallClock.now)) { zones[$0] }
  }

  private func show(_ instant: Instant, at time: Double) {
    watchdog?.loopIsAwake()
    if suspension.hasGrown() { presenter.displays.resumed() }
    if cost.isDue { cost.keep(.now(loop, bytesCopied: bytesCopied)) }
    if presenter.canvases.isEmpty { return }
    shown = instant
    let model = model(at: instant)
    for canvas in presenter.canvases {
      canvas.stage.scene.advance(to: time)
      canvas.stage.update(model, at: time, animated: true)
    }
    for canvas in presenter.canvases { canvas.composeIfPossible() }
  }

  /// Bytes written to the scanout memory of all displays.
  var bytesCopied: UInt64 { presenter.displays.outputs.reduce(0) { $0 &+ $1.statistics.bytesCopied } }

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
      for canvas in self?.presenter.canvases ?? [] {
        if case .resting = canvas.stage.scene.activity, canvas.stage.prepare() { return true }
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
    if !presenter.canvases.isEmpty { shown = WallClock.now }
    for canvas in presenter.canvases {
      let stage = canvas.stage
      stage.scene.advance(to: Presenter.now)
      if canvas.content.page == nil {
        stage.show(page: name, model(at: shown)) { Presenter.now }
      } else {
        stage.update(model(at: shown), at: Presenter.now, animated: true)
      }
      canvas.composeIfPossible()
    }
    arm()
  }

  /// A stage that shows the common page, which rotation changes.
  private var commonStage: Stage? { presenter.canvases.first { $0.content.page == nil }?.stage }

  private func turnPages() {
    guard let next = commonStage?.nextTurn, next.time <= Presenter.now else { return arm() }
    turn(to: next.page)
  }

  /// Arms the timers for the next change of what is shown and for the next page.
  func arm() {
    wallClock.arm(after: shown)
    if let next = commonStage?.nextTurn {
      pageTimer.arm(at: ClockTime(totalNanoseconds: Int64((next.time * 1e9).rounded(.up))))
    } else {
      pageTimer.disarm()
    }
  }

  // MARK: The displays

  /// What a display is to show.
  private func content(for output: any Output, _ size: PixelSize) -> Canvas.Content {
    Canvas.Content(
      size: size, page: settings(of: output)?.page, dimmed: hasOwnBrightness(output) ? output.name : nil)
  }

  /// The table of the config that applies to a display.
  func settings(of output: any Output) -> OutputSettings? {
    let outputs = config.configuration.outputs
    let name = output.description?.rule ?? outputs.map(\.rule).rule(for: output.name)?.name
    return outputs.first { $0.name == name }
  }

  /// Called when a display was connected, disconnected, blanked or unblanked.
  func displayChanged() {
    arm()
    let displays = presenter.displays
    let isAnyConnected = displays.outputs.contains { $0.description != nil }
    if !isAnyConnected, displays.traits.contains(.endsWithDisplay) { loop.stop() }
    if presenter.canvases.isEmpty {
      // Frees what was drawn for displays that are dark or gone.
      loop.whenIdle {
        Process.releaseFreeMemory()
        return false
      }
    }
    service.status(serviceStatus)
  }

  private var serviceStatus: String {
    ServiceStatus.line(
      presenter.displays.outputs.map(ServiceStatus.Shown.init), isBlank: isBlank,
      problem: presenter.displayProblem, configErrors: config.lastReload.errors)
  }
}
