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
import WallState
import Walls

/// What the control socket and keys use.
extension FlipclockDaemon: ControlHandler {
  package var matchTime: Int64 { MatchTime.now }

  package func saveCommands(completion: @escaping () -> Void) { saveState { _ in completion() } }

  package func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void) {
    guard state.unsaved != nil else { return completion(.success(())) }
    saveState { completion($0.mapError { .stateNotSaved(reason: "\($0)") }) }
  }

  package func perform(
    _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      switch change {
      case .match(let action): perform(action, on: terms) { completion($0.map { .match($0) }) }
      case .restore(let id):
        let aside = try state.aside.board(id, match.board.rules)
        perform(.restore(aside), on: terms) { completion($0.map { .match($0) }) }
      case .lead(let anyway): lead(anyway: anyway) { completion($0.map { .led(changed: $0) }) }
      case .invite(let role):
        let address = try RemoteAddress.find(config.configuration.remote)
        var generator = SystemRandomNumberGenerator()
        let invitation = Invitation(role: role, at: MatchTime.now, &generator)
        completion(.success(self.change { $0.invite(invitation, at: address, now: $1, &$2) }))
      default:
        let reply = try self.change { (wall, now, effects) throws(ControlError) in
          try wall.perform(change, at: now, &effects)
        }
        // It is saved even if nothing has changed, because the last change may not be durable yet.
        guard reply.isSaved else { return completion(.success(reply)) }
        saveState { completion($0.map { reply }.mapError { .stateNotSaved(reason: "\($0)") }) }
      }
    } catch {
      completion(.failure(error))
    }
  }

  private func perform(
    _ action: Scoreboard.Action, on terms: Terms,
    completion: @escaping (Result<MatchChange, ControlError>) -> Void
  ) {
    if forwardsChanges { return forward(action, on: terms, completion: completion) }
    let now = Moment.now
    var effects = Wall.Effects()
    let outcome: Match.Outcome
    do throws(ControlError) { outcome = try wall.perform(action, at: now, &effects) } catch {
      follow(effects)
      return completion(.failure(error))
    }
    if outcome != .unchanged { walls.member?.revise(&match) }
    let change = MatchChange(outcome, match, at: now.clock)
    gate.keep(CommandAnswer(change), to: terms.id)
    // The change is shown at once, and acknowledged when it is durable. The other walls are to know a command with an id
    // although it has changed nothing.
    let showAt = outcome != .unchanged || terms.id != nil ? publish() : nil
    if outcome != .unchanged, let showAt { walls.show(match.board, at: showAt) }
    follow(effects)
    if outcome != .unchanged { matchObserver() }
    let sent = SharedBoardLink.Unconfirmed.Sending(walls.member, at: now.clock)
    saveState { [weak self] result in
      switch result {
      case .success:
        guard let self else { return completion(.success(change)) }
        self.confirm(sent) { isKept in
          let lost = ControlError.leaderSilent(board: self.walls.member?.board ?? "")
          completion(isKept ? .success(change) : .failure(lost))
        }
      case .failure(let error): completion(.failure(.stateNotSaved(reason: "\(error)")))
      }
    }
  }

  /// Shows the match after it was changed otherwise than by a command, and sends it to watchers.
  ///
  /// - Parameter showAt: when all walls show it, in match time; nil: now.
  func matchChanged(showAt: Int64? = nil) {
    if let showAt { walls.show(match.board, at: showAt) }
    advance()
    matchObserver()
  }

  /// Saves the match if one of its timers runs: before the end.
  func saveRunningMatch() {
    if !walls.isFollowing, match.board.runningSince(at: MatchTime.now) != nil { saveState { _ in } }
  }

  package func matchState() -> MatchState {
    MatchState(match, at: MatchTime.now)
  }

  package func displayState() -> DisplayState {
    let remote = config.configuration.remote
    return DisplayState(
      name: remote.name ?? HostName.current, page: wall.shownPage, pages: wall.pages,
      message: wall.message?.text,
      blanked: wall.isDark, brightness: wall.brightness(of: nil),
      language: config.configuration.language.tag.description,
      messages: remote.messages, address: remote.address, ready: walls.isReady,
      aside: state.aside.list(match.board.rules, ofOtherGames: false), unsaved: unsaved)
  }

  package var asideMatches: [AsideMatch] { state.aside.list(match.board.rules) }

  package func asideMatch(_ id: String) throws(ControlError) -> Scoreboard {
    try state.aside.board(id, match.board.rules)
  }

  package func matchHistory() throws(ControlError) -> MatchHistory {
    let now = Moment.now
    func report(_ steps: [Match.Step]) -> [MatchStep] {
      steps.reversed().map { step in
        let seconds = historyTimes.seconds(of: step.time, now: now.clock, wall: now.realtime)
        return MatchStep(step, time: Instant(seconds: seconds).rfc3339UTC)
      }
    }
    return MatchHistory(past: report(match.past), future: report(match.future))
  }

  package func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    var generator = SystemRandomNumberGenerator()
    return try change { (wall, now, effects) throws(ControlError) in
      try wall.redeem(secret, now: now, &generator, &effects)
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
      let named = try wall.display(named: output)
      guard let chosen = outputs.first(where: { $0.name == named?.name }) ?? first else { throw .noDisplay }
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
      config: ConfigStatus(path: config.path, lastReload: config.lastReload), page: wall.shownPage,
      pages: wall.pages, cost: liveCost, message: wall.message?.text,
      blanked: wall.isDark, brightness: wall.brightness(of: nil),
      warnings: zones.warnings + state.aside.warnings(match.board.rules) + [gameWarning].compactMap { $0 },
      leftOut: leftOut,
      schedule: wall.scheduleStatus, language: config.configuration.language.tag.description,
      wall: walls.status,
      unsaved: unsaved)
  }

  private var unsaved: UnsavedStatus? {
    state.unsaved.map { UnsavedStatus(reason: "\($0.error)", since: moment($0.since)) }
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
      blanked: output.isBlank, brightness: wall.brightness(of: output.name),
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
