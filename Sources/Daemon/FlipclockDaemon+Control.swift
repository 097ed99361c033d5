// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import ControlServer
import Display
import JSON
import LinuxSystem
import Scoreboard
import Settings
import WallState
import Walls

/// What the control socket and the keys ask the daemon to do.
extension FlipclockDaemon: ControlHandler {
  package var matchTime: Int64 { MatchTime.now }

  package var performed: PerformedCommands {
    get { wall.performed }
    set { wall.performed = newValue }
  }

  package var forwardsChanges: Bool { wall.forwardsChanges(at: MatchTime.now) }

  package func saveCommands(completion: @escaping () -> Void) { saveState { _ in completion() } }

  package func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void) {
    guard state.retry.unsaved != nil else { return completion(.success(())) }
    saveState { completion($0.mapError { .stateNotSaved(reason: "\($0)") }) }
  }

  package func saveRefusal(completion: @escaping () -> Void) {
    change { $0.publishRefusal(at: $1, &$2) }
    saveCommands(completion: completion)
  }

  package func perform(
    _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      var change = change
      if case .restore(let id) = change {
        change = .match(.restore(try state.aside.scoreboard(id, wall.match.scoreboard.rules)))
      }
      if let (role, milliseconds) = change.invitation {
        try change.check(pages: [])
        let address = try RemoteAddress.find(config.configuration.remote)
        var generator = SystemRandomNumberGenerator()
        let invitation = Invitation(
          role: role, at: MatchTime.now, for: milliseconds, PairingCodes(&generator))
        return completion(.success(self.change { $0.invite(invitation, at: address, now: $1, &$2) }))
      }
      ask(completion: completion) { $0.perform(change, on: terms, for: $1, at: $2, &$3) }
    } catch {
      completion(.failure(error))
    }
  }

  /// Performs a command of another wall, and answers it.
  func perform(_ request: Wall.Request) {
    let answer = { [weak self] (result: Result<Void, ControlError>?) in
      self?.change { $0.answer(request, result, at: $1, &$2) } ?? ()
    }
    guard let change = request.change else { return answer(nil) }
    perform(change, on: request.terms) { (result: Result<[String: JSONValue], ControlError>) in
      answer(result.map { _ in })
    }
  }

  // MARK: Walls that share a match

  package func joinWalls(send: @escaping (WallEvent) -> Void) { walls.join(send) }

  package func leaveWalls() {
    walls.leave()
    reportWalls(isReachable: false)
  }

  package func reportWalls(isReachable: Bool) { change { $0.connect(isReachable, at: $1, &$2) } }

  package func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError) {
    try change { (wall, now, effects) throws(ControlError) in
      try wall.receive(text, isLive: isLive, at: now, &effects)
    }
  }

  // MARK: Phones and the network

  package func reportOwners(_ count: Int) { change { $0.reportOwners(count, now: $1, &$2) } }

  package func reportNetwork(_ notice: NetworkNotice?) {
    change { $0.reportNetwork(notice, now: $1, &$2) }
  }

  package func reportHorn(_ report: HornReport?) {
    guard hornReport != report else { return }
    hornReport = report
    sources?.watchers.displayChanged { displayState() }
  }

  // MARK: States

  package func matchState() -> MatchState {
    MatchState(wall.match, at: MatchTime.now)
  }

  package func displayState() -> DisplayState {
    let (remote, language) = (config.configuration.remote, config.configuration.language)
    let horn = config.configuration.horn
    return DisplayState(
      name: remote.name ?? HostName.current, page: wall.shownPage, pages: wall.pages,
      message: wall.message?.text, boards: wall.boardStates,
      countdowns: countdownStates, pairing: wall.invitation == nil ? nil : true, blanked: wall.isDark,
      brightness: wall.brightness(of: nil), language: language.tag.description,
      finalText: language.words[.final],
      pointsName: language.words[.points], tieBreakName: language.words[.tieBreak],
      messages: remote.messages, address: remote.address, ready: wall.isReady,
      aside: state.aside.list(wall.match, ofOtherGames: false), unsaved: unsaved,
      settings: settingsRevision, timeUnconfirmed: wall.isTimeConfirmed ? nil : true,
      horn: HornState(
        on: horn.isOn, volume: horn.volume, device: horn.device, sounds: horn.sounds, hornReport))
  }

  package var boardStates: [BoardState] { wall.boardStates }

  package var countdownStates: [CountdownState] { wall.countdownStates(at: .now) }

  package var asideMatches: [AsideMatch] { state.aside.list(wall.match) }

  package var finishedMatches: [FinishedMatch] { wall.finished.matches }

  package func matchHistory() -> MatchHistory { wall.history(at: .now) }

  package func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    try change { (wall, now, effects) throws(ControlError) in
      try wall.redeem(secret, now: now, &effects)
    }
  }

  package func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void) {
    completion(reloadAll(for: client))
  }

  package func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      let outputs = displays.presenter.displays.outputs
      let first = outputs.first { $0.description != nil && !$0.isBlank } ?? outputs.first
      let named = try wall.display(named: output)
      guard let chosen = outputs.first(where: { $0.name == named?.name }) ?? first else { throw .noDisplay }
      displays.screenshots.add(chosen, completion)
    } catch {
      completion(.failure(error))
    }
  }

  package func status() -> StatusReport {
    let widgets = displays.texts.map { ($0.name, WidgetStatus(type: $0.type, text: $0.text)) }
    let now = MatchTime.now
    let scoreboard = wall.match.scoreboard.settled(at: now)
    let isSets = scoreboard.rules.scoring == .sets
    let teams = scoreboard.teams.map { team in
      (
        team.id,
        TeamStatus(
          name: team.name, score: team.score, color: ColorText.hex(team.color ?? 0x8e8b84),
          points: scoreboard.rules.pointNames == .numbers ? nil : scoreboard.pointsText(of: team),
          won: isSets ? scoreboard.periodsWon(by: team) : nil,
          winningPoint: scoreboard.winningPoint(of: team))
      )
    }
    let hasPeriods = scoreboard.rules.periods > 1 || scoreboard.period > 1
    return StatusReport(
      version: Release.version, now: WallClock.now.rfc3339(in: zones["local"]),
      widgets: Dictionary(widgets, uniquingKeysWith: { first, _ in first }),
      widgetOrder: widgets.map(\.0),
      scoreboard: ScoreboardStatus(
        teams: Dictionary(teams, uniquingKeysWith: { first, _ in first }), teamOrder: teams.map(\.0),
        period: hasPeriods ? scoreboard.periodText : nil,
        result: scoreboard.isFinished(at: now) ? scoreboard.resultText : nil),
      outputs: displays.status, wakeups: Int(clamping: loop.wakeups),
      uptimeSeconds: displays.cost.uptimeSeconds,
      config: ConfigStatus(path: config.path, lastReload: config.lastReload), page: wall.shownPage,
      pages: wall.pages, cost: displays.liveCost, message: wall.message?.text,
      blanked: wall.isDark, brightness: wall.brightness(of: nil),
      warnings: zones.warnings + matchWarnings + settingsWarnings + displays.pictures.problems,
      leftOut: displays.leftOut, boards: wall.boardStates,
      countdowns: countdownStates, schedule: wall.scheduleStatus,
      language: config.configuration.language.tag.description,
      wall: wall.sharedStatus,
      unsaved: unsaved, timeUnconfirmed: wall.isTimeConfirmed ? nil : true, match: matchState())
  }

  private var unsaved: UnsavedStatus? {
    lost.map { UnsavedStatus(reason: "\($0.error)", since: Instant.wallTime(of: $0.since)) }
  }
}
