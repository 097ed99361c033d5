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

/// The daemon: one loop, one display, one scoreboard. Events come in from the wall clock, the socket,
/// the config's directories and the display; the model changes; the presenter shows it.
public final class FlipclockDaemon {
  let loop: EventLoop
  let options: DaemonOptions
  let log: Log
  let service: ServiceManager
  let config: ConfigStore
  let presenter: Presenter
  let state: StateStore
  let screenshots: Screenshots
  let startSeconds = SystemClock.monotonic.now.seconds
  var match: Match
  var cost: LiveCost

  private(set) lazy var unseen = UnseenStage { [unowned self] in self.makeStage($0) }
  /// The moment that the widgets show.
  private var shown = WallClock.now
  let fonts: FontStore
  let zones: ZoneCache
  private var wallClock: WallClock?
  private var turns: LoopTimer?
  /// The page that was last asked for, or came by rotation; nil: the first.
  var page: String?
  private var watchdog: Watchdog?
  private var signals: SignalWatch?
  /// Looks whether the last calls are answered; nil until the daemon is to leave.
  var leaving: LoopTimer?
  var localTime: LocalTimeWatch?
  var endpoint: ControlEndpoint?
  var matchClock: MatchClock?
  var keyInput: KeyInput?
  var message: ShownMessage?

  /// Reads the config and the state, and chooses the display; touches neither display nor socket yet.
  public init(_ options: DaemonOptions) throws(StartFailure) {
    let log = Log(program: "flipclockd")
    self.options = options
    self.log = log
    Process.prepare()
    // First of all, while there is one thread and no child.
    service = ServiceManager()
    do {
      loop = try EventLoop()
      let directory = options.stateDirectory(environment: environmentVariable)
      state = try StateStore(directory: directory, on: loop, log: log)
      let fonts = FontStore(directory: directory, log: log)
      self.fonts = fonts
      config = try ConfigStore(
        options.config.map(SettingsSources.explicit) ?? .standard(),
        checks: {
          // A font that was installed since is found.
          fonts.renew()
          return .daemon { fonts.library }
        },
        on: loop, log: log)
      zones = ZoneCache(log: log)
      match = state.load()?.resumed(by: config.configuration) ?? config.configuration.newMatch
      let output = try OutputFactory.make(options, config.configuration.display, on: loop, log: log)
      presenter = try Presenter(output: output, on: loop, log: log)
      screenshots = Screenshots(of: presenter, on: loop)
      cost = LiveCost(from: .now(loop, output.statistics))
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("\(error)")
    }
  }

  /// Shows the clock until a signal ends it; gives the display back on every way out.
  public func run() throws(StartFailure) {
    do {
      try CrashGuard.install()
      signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { [weak self] in self?.receive($0.number)
      }
      endpoint = try ControlEndpoint(
        options, inherited: service.listenFileDescriptors(), on: loop, handler: self, log: log)
      wallClock = try WallClock(
        on: loop, next: { [weak self] in self?.presenter.stage?.nextChange(after: $0) },
        tick: { [weak self] in self?.show($0, at: $1) })
      turns = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.turnPages() }
      watchdog = try Watchdog(service, on: loop)
      matchClock = try MatchClock(of: self, on: loop)
      message = try ShownMessage(on: loop) { [weak self] in self?.showModel() }
      watchLocalTime()
      listenToKeys()
      config.filesChanged = { [weak self] in self?.reload() }
      presenter.makeStage = { [weak self] in self?.makeShownStage($0.frameSize) }
      presenter.displayChanged = { [weak self] in self?.displayChanged() }
      presenter.rested = { [weak self] in self?.prepareNextChange() }
      let held = HeldLog(for: presenter.output)
      defer { held?.release() }
      try presenter.start()
      service.ready(status: serviceStatus)
      defer {
        service.stopping()
        presenter.stop()
        keyInput?.stop()
        endpoint?.close()
        matchClock?.close()
        message?.close()
        state.close()
      }
      try loop.run()
    } catch {
      throw StartFailure("\(error)")
    }
  }

  private func receive(_ signal: Int32) {
    // A terminal that was closed sends SIGHUP too: then there is nobody left to show anything to.
    if signal == SIGHUP, !(presenter.output is TerminalOutput) {
      reload()
    } else {
      log.info("leaving: \(signal == SIGINT ? "interrupted" : "told to")")
      leave()
    }
  }

  // MARK: The model

  /// Builds what the display is to show, and gives back what building it has taken and left.
  private func makeShownStage(_ size: PixelSize) -> Stage {
    unseen.forget()
    loop.whenIdle { [fonts] in
      fonts.keepAnswers()
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

  /// What the widgets show, or would if there were a display.
  var texts: [(name: String, type: String, text: String)] {
    if let stage = presenter.stage { return stage.texts }
    return unseen.texts(model(at: WallClock.now), at: Presenter.now)
  }

  private func show(_ instant: Instant, at time: Double) {
    watchdog?.loopGoesRound()
    if cost.isDue(at: Self.now) { cost.keep(.now(loop, presenter.output.statistics)) }
    guard let stage = presenter.stage else { return }
    shown = instant
    stage.scene.advance(to: time)
    stage.update(model(at: instant), at: time, animated: true)
    presenter.composeIfPossible()
  }

  /// The clock of the match's instants.
  static var now: Int64 { SystemClock.monotonic.now.totalNanoseconds }

  private func model(at instant: Instant) -> StageModel {
    let now = Self.now
    return StageModel(
      instant: instant, scoreboard: match.board.settled(at: now), clock: now, message: message?.text)
  }

  /// Shows the model as it is now, in motion, and wakes when its clocks say so.
  func showModel() {
    show(WallClock.now, at: Presenter.now)
    arm()
  }

  /// While nothing moves and nobody waits: what the next changes need is drawn now, picture by picture.
  private func prepareNextChange() {
    loop.whenIdle { [weak self] in
      if let stage = self?.presenter.stage, case .resting = stage.scene.activity, stage.prepare() {
        return true
      }
      // Drawing takes as much again as is kept.
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

  /// Shows a page that there is; the one that was shown goes as the config says.
  func turn(to name: String) {
    page = name
    unseen.forget()
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

  /// Wakes at what comes next: a change of what is shown, and the next page's turn.
  func arm() {
    wallClock?.arm(after: shown)
    if let next = presenter.stage?.nextTurn {
      turns?.arm(at: ClockTime(totalNanoseconds: Int64((next.time * 1e9).rounded(.up))))
    } else {
      turns?.disarm()
    }
  }

  func displayChanged() {
    arm()
    // A terminal that is gone does not come again, dark or not.
    if presenter.output.description == nil, presenter.output is TerminalOutput { loop.stop() }
    if presenter.stage == nil {
      // What was drawn for the display that is dark or gone.
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
