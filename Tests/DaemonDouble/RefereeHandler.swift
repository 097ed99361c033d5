// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import LinuxSystem
import Scoreboard

/// Performs changes in a match whose time advances with each change.
package final class RefereeHandler: ControlHandler {
  package let gate = CommandGate()
  package var match: Match
  package var now: Int64 = 0
  package var changed: () -> Void = {}
  /// Whether replies to changes of the match wait for `reply`.
  package var delays = false
  private var waiting: [() -> Void] = []
  package var displayChanged: () -> Void = {}
  private var page = "clock"
  private var message: String?
  private var isBlank = false
  private var brightness = 100

  package init(_ preset: GameRules.Preset = .basketball) {
    match = Match(Scoreboard(teams: []))
    match.adopt(Self.teams, rules: GameRules(preset), at: 0)
  }

  package static let teams: [Scoreboard.Team] = [
    .init(id: "home", name: "HOME", color: 0xe5484d), .init(id: "guest", name: "GUEST", color: 0x3e93ff),
  ]

  package let pages = ["clock", "match"]

  package func perform(
    _ action: Scoreboard.Action, on terms: Terms,
    completion: @escaping (Result<MatchChange, ControlError>) -> Void
  ) {
    now += 7_300_000_000
    do throws(Scoreboard.Refusal) {
      let change = MatchChange(try match.apply(action, at: now), match, at: now)
      gate.keep(CommandAnswer(change), to: terms.id)
      if delays { waiting.append { completion(.success(change)) } } else { completion(.success(change)) }
      changed()
    } catch {
      completion(.failure(ControlError(error)))
    }
  }

  /// Sends the oldest reply that waits; false: there is none.
  package func reply() -> Bool {
    guard !waiting.isEmpty else { return false }
    waiting.removeFirst()()
    return true
  }

  package func show(page: String) {
    self.page = page
    displayChanged()
  }

  package func showMessage(_ text: String, milliseconds: Int?) {
    message = text
    displayChanged()
  }

  package func clearMessage() -> String? {
    let cleared = message
    message = nil
    displayChanged()
    return cleared
  }

  /// The only display is HDMI-A-2.
  private func check(_ output: String?) throws(ControlError) {
    guard let output, output != "HDMI-A-2" else { return }
    throw .noSuchOutput(output, known: ["HDMI-A-2"])
  }

  package func isDark(output: String?) throws(ControlError) -> Bool {
    try check(output)
    return isBlank
  }

  package func blank(_ isBlank: Bool, output: String?) throws(ControlError) -> Bool {
    try check(output)
    let changes = self.isBlank != isBlank
    self.isBlank = isBlank
    displayChanged()
    return changes
  }

  package func brightness(of output: String?) throws(ControlError) -> Int {
    try check(output)
    return brightness
  }

  package func setBrightness(
    _ percent: Int?, output: String?, completion: @escaping (Result<Int, ControlError>) -> Void
  ) {
    do throws(ControlError) { try check(output) } catch { return completion(.failure(error)) }
    brightness = percent ?? 100
    displayChanged()
    completion(.success(brightness))
  }

  package func matchState() -> MatchState { MatchState(match, at: now) }

  /// The real clock, like that of the programs that call.
  package var matchTime: Int64 { SystemClock.boottime.now.totalNanoseconds }

  package func invite(_ role: RemoteRole) throws(ControlError) -> InvitationReply {
    InvitationReply(address: "192.168.1.20:8080", code: "123456", milliseconds: 120_000)
  }

  package func endInvitation() -> Bool { true }

  package func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    switch secret {
    case "123456", "AbCdEfGhIjKlMnOpQrSt-_": return .scorer
    case "654321": return .viewer
    case "000001": throw .pairingRefused(.noInvitation)
    default: throw .pairingRefused(.wrongCode)
    }
  }

  package func displayState() -> DisplayState {
    DisplayState(
      name: "hall", page: page, pages: pages, message: message, blanked: isBlank, brightness: brightness,
      messages: ["TIME OUT"])
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

  package func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    completion(.failure(.noDisplay))
  }
}
