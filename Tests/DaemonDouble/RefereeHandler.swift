// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import LinuxSystem
import Scoreboard
import Settings
import WallState
import Walls

/// Performs changes on a wall. Each change of the match advances the time by 7.3 seconds.
package final class RefereeHandler: ControlHandler {
  package let gate = CommandGate()
  private var wall: Wall
  package var match: Match {
    get { wall.match }
    set { wall.match = newValue }
  }
  package var performed: PerformedCommands {
    get { wall.performed }
    set { wall.performed = newValue }
  }
  package var now: Int64 = 0
  package var changed: () -> Void = {}
  /// Whether replies to changes of the match wait for `reply`.
  package var delays = false
  private var waiting: [() -> Void] = []
  /// Why changes are not saved; nil if they are saved.
  package var saveFailure: String?
  package var displayChanged: () -> Void = {}

  /// The numbers of owners that were reported.
  package private(set) var owners: [Int] = []

  package func reportOwners(_ count: Int) { owners.append(count) }

  /// What the config says about the horn, and what flipclock-horn has reported.
  package var horn = HornState(on: true) { didSet { displayChanged() } }
  package private(set) var hornReports: [HornReport?] = []

  package func reportHorn(_ report: HornReport?) { hornReports.append(report) }

  package init(_ preset: GameRules.Preset = .basketball) {
    var match = Match(Scoreboard(teams: []))
    match.adopt(Self.teams, rules: GameRules(preset), at: 0)
    var configuration = Configuration()
    configuration.widgets = [WidgetSettings(name: "hall", weight: 1, content: BoardSettings())]
    configuration.pages = ["clock", "match"].map { PageSettings(name: $0, layout: LayoutSettings()) }
    wall = Wall(alone: configuration, displays: [.init(name: "HDMI-A-2")], at: Moment(clock: 0, realtime: 0))
    wall.match = match
  }

  package static let teams: [Scoreboard.Team] = [
    .init(id: "home", name: "HOME", color: 0xe5484d), .init(id: "guest", name: "GUEST", color: 0x3e93ff),
  ]

  package func perform(
    _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    if case .invite = change {
      return completion(
        .success(
          .invited(
            InvitationReply(
              address: "192.168.1.20:8080", codes: PairingCodes.example.typed, milliseconds: 120_000))))
    }
    var effects = Wall.Effects()
    do throws(ControlError) {
      guard case .match = change else {
        let reply = try wall.perform(change, at: Moment(clock: now, realtime: 0), &effects)
        displayChanged()
        return completion(.success(reply))
      }
      now += 7_300_000_000
      let reply = try wall.perform(change, id: terms.id, at: Moment(clock: now, realtime: 0), &effects)
      let result: Result<ChangeReply, ControlError> =
        saveFailure.map { .failure(.stateNotSaved(reason: $0)) } ?? .success(reply)
      if delays { waiting.append { completion(result) } } else { completion(result) }
      changed()
    } catch {
      completion(.failure(error))
    }
  }

  /// Sends the oldest waiting reply. Returns false if none waits.
  package func reply() -> Bool {
    guard !waiting.isEmpty else { return false }
    waiting.removeFirst()()
    return true
  }

  package func matchState() -> MatchState { MatchState(match, at: now) }

  package var finishedMatches: [FinishedMatch] { wall.finished.matches }

  /// The real clock, which the calling programs use too.
  package var matchTime: Int64 { SystemClock.boottime.now.totalNanoseconds }

  package func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    switch secret {
    case "123456", "AbCdEfGhIjKlMnOpQrSt-_": return .scorer
    case "654321": return .viewer
    case "246810": return .owner
    case "000001": throw .pairingRefused(.noInvitation)
    default: throw .pairingRefused(.wrongCode)
    }
  }

  package func displayState() -> DisplayState {
    DisplayState(
      name: "hall", page: wall.shownPage, pages: wall.pages, message: wall.message?.text,
      boards: wall.boardStates,
      countdowns: wall.countdownStates(at: Moment(clock: now, realtime: 0)), blanked: wall.isDark,
      brightness: wall.brightness(of: nil), messages: ["TIME OUT"],
      unsaved: saveFailure.map { UnsavedStatus(reason: $0, since: "2024-03-01T10:00:00Z") },
      horn: horn)
  }

  package func matchHistory() -> MatchHistory {
    func report(_ steps: [Match.Step]) -> [MatchStep] {
      steps.reversed().map { MatchStep($0, time: "2024-03-01T10:00:00Z") }
    }
    return MatchHistory(past: report(match.past), future: report(match.future))
  }

  package func status() -> StatusReport {
    StatusReport(
      version: "1", now: "2024-03-01T10:00:00Z", widgets: [:], scoreboard: ScoreboardStatus(teams: [:]),
      outputs: [], wakeups: 0, uptimeSeconds: 0,
      config: ConfigStatus(path: nil, lastReload: ReloadOutcome(ok: true)))
  }

  package func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void) {
    completion(ReloadOutcome(ok: true))
  }

  /// What was set without a file.
  package var set: [String: String] = [:]
  private static let keys = ["game.preset", "teams.home.name", "theme.name"]

  package func settings() -> SettingsReply {
    SettingsReply(
      settings: Self.keys.map {
        Setting(key: $0, value: set[$0], source: set[$0] == nil ? .standard : .settings, kind: "text")
      }, text: set.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }.joined())
  }

  package func change(
    settings changes: [SettingChange], for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) {
    var after = set
    for change in changes {
      guard Self.keys.contains(change.key) else {
        return completion(.failure(.unknownSetting(key: change.key, hint: nil)))
      }
      guard change.value != "bad" else {
        return completion(.failure(.settingRefused(key: change.key, reason: "it is bad")))
      }
      after[change.key] = change.value
    }
    set = after
    if let saveFailure { return completion(.failure(.stateNotSaved(reason: saveFailure))) }
    completion(.success(SettingsChange(settings(), keys: changes.map(\.key))))
  }

  package func replaceSettings(
    _ text: String, for client: String, completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) {
    var after: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=").map { String($0.filter { $0 != " " }) }
      guard parts.count == 2 else { return completion(.failure(.badSettings(reason: "line '\(line)'"))) }
      after[parts[0]] = parts[1]
    }
    set = after
    completion(.success(SettingsChange(settings(), keys: Array(after.keys))))
  }

  package func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    completion(.failure(.noDisplay))
  }
}
