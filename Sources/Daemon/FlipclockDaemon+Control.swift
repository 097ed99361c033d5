// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import ControlServer
import Display
import LinuxSystem
import Raster
import Scoreboard
import Settings

/// What the control socket and keys use.
extension FlipclockDaemon: ControlHandler {
  package var matchTime: Int64 { MatchTime.now }

  package func saveCommands(completion: @escaping () -> Void) { saveState { _ in completion() } }

  package func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void) {
    guard state.unsaved != nil else { return completion(.success(())) }
    saveState { completion($0.mapError { .stateNotSaved("\($0)") }) }
  }

  package func perform(
    _ action: Scoreboard.Action, on terms: Terms,
    completion: @escaping (Result<MatchChange, ControlError>) -> Void
  ) {
    if forwardsChanges { return forward(action, on: terms, completion: completion) }
    let now = MatchTime.now
    let outcome: Match.Outcome
    do throws(Scoreboard.Refusal) {
      outcome = try match.apply(action, at: now)
    } catch {
      completion(.failure(ControlError(error, of: match.board)))
      return
    }
    if outcome != .unchanged { walls.member?.revise(&match) }
    let change = MatchChange(outcome, match, at: now)
    gate.keep(CommandAnswer(change), to: terms.id)
    // The change is shown at once, and acknowledged when it is durable.
    if outcome != .unchanged {
      matchChanged(showAt: publish())
    } else if terms.id != nil {
      // The other walls are to know the command.
      _ = publish()
    }
    let sent = SharedBoardLink.Unconfirmed.Sending(walls.member, at: now)
    saveState { [weak self] result in
      switch result {
      case .success:
        guard let self else { return completion(.success(change)) }
        self.confirm(sent) { isKept in
          let lost = ControlError.leaderSilent(board: self.walls.member?.board ?? "")
          completion(isKept ? .success(change) : .failure(lost))
        }
      case .failure(let error): completion(.failure(.stateNotSaved("\(error)")))
      }
    }
  }

  /// Shows the match, and sends it to watchers.
  ///
  /// - Parameter showAt: when all walls show it, in match time; nil: now.
  func matchChanged(showAt: Int64? = nil) {
    if let moment = showAt {
      walls.show(match.board, at: moment)
    } else {
      showModel()
    }
    matchClock.follow(match.board)
    gameClockChanged()
    matchObserver()
  }

  /// Saves the match. Called regularly while one of its timers runs.
  func saveRunningMatch() {
    // The leader saves the match that this wall follows.
    guard !walls.isFollowing, matchClock.isRunning(match.board) else { return matchClock.follow(match.board) }
    saveState { _ in }
    matchClock.follow(match.board)
  }

  package func matchState() -> MatchState {
    MatchState(match, at: MatchTime.now)
  }

  package func displayState() -> DisplayState {
    let remote = config.configuration.remote
    return DisplayState(
      name: remote.name ?? HostName.current, page: shownPage, pages: pages, message: message.text,
      blanked: isBlank, brightness: brightness, language: config.configuration.language.tag.description,
      messages: remote.messages, address: remote.address, ready: walls.isReady,
      aside: state.aside.list(match.board.rules, ofOtherGames: false))
  }

  package var asideMatches: [AsideMatch] { state.aside.list(match.board.rules) }

  package func asideMatch(_ id: String) throws(ControlError) -> Scoreboard {
    try state.aside.board(id, match.board.rules)
  }

  package func matchHistory() throws(ControlError) -> MatchHistory {
    let (now, wall) = (MatchTime.now, WallClock.now)
    func report(_ steps: [Match.Step]) -> [MatchStep] {
      steps.reversed().map { step in
        let age = now.subtractingReportingOverflow(step.time).partialValue / 1_000_000_000
        let time = Instant(seconds: wall.seconds.subtractingReportingOverflow(age).partialValue)
        return MatchStep(step, time: time.rfc3339UTC)
      }
    }
    return MatchHistory(past: report(match.past), future: report(match.future))
  }

  package var pages: [String] { config.configuration.allPages.map(\.name) }

  package func show(page: String) {
    if holdMilliseconds != nil || schedule.state.page != nil {
      let hold = schedule.hold(.page, milliseconds: holdMilliseconds, at: WallClock.now)
      manual.page = ManualSettings.Page(name: page, hold: hold)
      showPage()
    } else {
      manual.page = nil
      state.page = page
      turn(to: page)
    }
  }

  package func holding(for milliseconds: Int, _ change: () -> Void) {
    holdMilliseconds = milliseconds
    change()
    holdMilliseconds = nil
  }

  package func showMessage(_ text: String, milliseconds: Int?) {
    message.show(text, milliseconds: milliseconds)
  }

  package func clearMessage() -> String? { message.clear() }

  package func invite(_ role: RemoteRole) throws(ControlError) -> InvitationReply {
    invitation.invite(role, at: try RemoteAddress.find(config.configuration.remote))
  }

  package func endInvitation() -> Bool { invitation.close() }

  package func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    do throws(ControlError) {
      let role = try invitation.redeem(secret)
      log.info("a phone was paired as \(role.rawValue)")
      return role
    } catch {
      if let line = invitation.line(about: error) { log.notice(line) }
      throw error
    }
  }

  package func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void) {
    completion(reload(for: client))
  }

  package func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      let outputs = presenter.displays.outputs
      let first = outputs.first { $0.description != nil && !$0.isBlank } ?? outputs.first
      guard let chosen = try self.output(named: output) ?? first else { throw .noDisplay }
      screenshots.add(chosen, completion)
    } catch {
      completion(.failure(error))
    }
  }

  package func status() -> StatusReport {
    let widgets = texts.map { ($0.name, WidgetStatus(type: $0.type, text: $0.text)) }
    let board = match.board.settled(at: MatchTime.now)
    let isSets = board.rules.scoring == .sets
    let teams = board.teams.map { team in
      (
        team.id,
        TeamStatus(
          name: team.name, score: team.score, color: ColorText.hex(team.color ?? 0x8e8b84),
          points: board.rules.pointNames == .numbers ? nil : board.pointsText(of: team),
          won: isSets ? board.periodsWon(by: team) : nil)
      )
    }
    let hasPeriods = board.rules.periods > 1 || board.period > 1
    return StatusReport(
      version: Release.version, now: WallClock.now.rfc3339UTC,
      widgets: Dictionary(widgets, uniquingKeysWith: { first, _ in first }),
      widgetOrder: widgets.map(\.0),
      scoreboard: ScoreboardStatus(
        teams: Dictionary(teams, uniquingKeysWith: { first, _ in first }), teamOrder: teams.map(\.0),
        period: hasPeriods ? board.periodText : nil, result: board.isMatchOver ? board.resultText : nil),
      outputs: outputs, wakeups: Int(clamping: loop.wakeups),
      uptimeSeconds: cost.uptimeSeconds,
      config: ConfigStatus(path: config.path, lastReload: config.lastReload), page: shownPage,
      pages: pages, cost: liveCost, message: message.text,
      blanked: isBlank, brightness: brightness,
      warnings: zones.warnings + state.aside.warnings(match.board.rules), leftOut: leftOut,
      schedule: scheduleStatus, language: config.configuration.language.tag.description, wall: walls.status,
      unsaved: state.unsaved.map { UnsavedStatus(reason: "\($0.error)", since: moment($0.since)) })
  }

  /// The widgets that do not fit on one of the displays.
  private var leftOut: [LeftOutStatus] {
    var result: [LeftOutStatus] = []
    for widget in presenter.canvases.flatMap(\.stage.leftOut) {
      let status = LeftOutStatus(page: widget.page, name: widget.name, reason: widget.reason)
      if !result.contains(status) { result.append(status) }
    }
    return result
  }

  private var liveCost: CostStatus {
    var status = cost.perMinute(until: .now(loop, bytesCopied: bytesCopied))
    status.residentBytes = ThisProcess.residentBytes ?? 0
    return status
  }

  private var outputs: [OutputStatus] {
    presenter.displays.outputs.filter { $0.description != nil || $0.trouble != nil }.map { status(of: $0) }
  }

  private func status(of output: any Output) -> OutputStatus {
    let (description, statistics) = (output.description, output.statistics)
    let times = presenter.canvas(of: output)?.member(output)?.frameTimes
    let settings = settings(of: output)
    return OutputStatus(
      driver: description?.driver ?? "", connector: description?.connector ?? output.name,
      mode: description?.mode.description ?? "",
      format: description?.format,
      dithered: description?.format.map { _ in description?.isDithered ?? false },
      rotation: description?.rotation.rawValue,
      framesPresented: Int(clamping: statistics.framesPresented),
      flipsMissed: Int(clamping: statistics.flipsMissed),
      bytesCopied: Int(clamping: statistics.bytesCopied),
      frameTimeMicroseconds: FrameTime(
        p50: Int(clamping: times?.p50 ?? 0), p99: Int(clamping: times?.p99 ?? 0)),
      blanked: output.isBlank, brightness: brightness(of: output),
      backlight: backlights.name(for: output.name), page: settings?.page,
      settings: settings?.name, display: description?.identity, problem: output.trouble?.reason,
      since: output.trouble.map { moment($0.since) }, tried: output.trouble?.attempts ?? [])
  }

  /// `time`, in nanoseconds of CLOCK_MONOTONIC, as wall time in RFC 3339.
  private func moment(_ time: Int64) -> String {
    let age = (SystemClock.monotonic.now.totalNanoseconds - time) / 1_000_000_000
    return Instant(seconds: WallClock.now.seconds - age).rfc3339UTC
  }
}
