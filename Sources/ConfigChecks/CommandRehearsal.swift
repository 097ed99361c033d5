// SPDX-License-Identifier: Apache-2.0

import Control
import Scoreboard
import Settings

/// Does a key's command in a new match of the configuration, by the same calls as a press of the key: what is
/// refused there for good is a mistake in the config.
final class CommandRehearsal: ControlHandler {
  private let configuration: Configuration
  private var match: Match

  init(_ configuration: Configuration) {
    self.configuration = configuration
    match = configuration.newMatch
  }

  func problem(with words: String) -> SettingsChecks.Problem? {
    let command: ControlCommand
    do throws(UnusableCommand) { command = try ControlCommand(parsing: words) } catch {
      return SettingsChecks.Problem(error.description, isFatal: true)
    }
    guard let call = command.call else { return nil }
    let identity = ServiceIdentity(vendor: "", product: "", version: "", url: "")
    var refusal: ControlError?
    ControlService(handler: self, identity: identity).perform(call) { refusal = $0.error }
    guard let refusal, isForGood(refusal, of: command) else { return nil }
    return SettingsChecks.Problem(refusal.message)
  }

  /// Whether the command is refused in every state of the match, not only in this one.
  private func isForGood(_ error: ControlError, of command: ControlCommand) -> Bool {
    switch error {
    case .unknownTeam, .unknownPage, .unknownCounter, .unknownTimer, .badText, .durationOutOfRange,
      .brightnessOutOfRange, .invalidParameter, .methodNotFound, .noPenalties, .penaltyOutOfRange,
      .turnOutOfRange:
      return true
    case .counterOutOfRange(let value, let counter, let minimum, _) where command.difference == nil:
      // Another half of the game may have another limit.
      return value < minimum || value > match.board.rules.counter(counter)?.limit ?? value
    case .scoreOutOfRange(_, let minimum, let maximum), .periodOutOfRange(_, let minimum, let maximum),
      .counterOutOfRange(_, _, let minimum, let maximum):
      if let difference = command.difference { return difference.magnitude > UInt(maximum - minimum) }
      // A score of a period that is not over yet.
      if case .change("SetPeriodScore", _) = command { return false }
      return true
    case .timerOutOfRange:
      if case .change("SetTimer", _) = command { return true }
      return false
    default: return false
    }
  }

  func perform(
    _ action: Scoreboard.Action, completion: @escaping (Result<MatchChange, ControlFailure>) -> Void
  ) {
    do throws(Scoreboard.Refusal) {
      let outcome = try match.apply(action)
      completion(.success(MatchChange(outcome, match, at: 0)))
    } catch {
      completion(.failure(.refused(error)))
    }
  }

  func show(page: String) -> Result<String, ControlFailure> {
    let known = configuration.allPages.map(\.name)
    return known.contains(page) ? .success(page) : .failure(.unknownPage(page, known: known))
  }

  func setBrightness(_ percent: Int?, completion: @escaping (Result<Int, ControlFailure>) -> Void) {
    completion(.success(percent ?? brightness))
  }

  var brightness: Int { configuration.display.brightness }
  func matchState() -> MatchState { MatchState(match, at: 0) }
  func matchHistory() -> MatchHistory { MatchHistory(past: [], future: []) }
  func showMessage(_ text: String, milliseconds: Int?) {}
  func clearMessage() -> String? { nil }
  func blank(_ isBlank: Bool) -> Bool { true }

  // What no key asks for.

  func status() -> StatusReport {
    StatusReport(
      version: "", now: "", widgets: [:], scoreboard: ScoreboardStatus(teams: [:]), outputs: [], wakeups: 0,
      uptimeSeconds: 0, config: ConfigStatus(path: nil, lastReload: ReloadOutcome(ok: true)))
  }

  func reload(completion: @escaping (ReloadOutcome) -> Void) { completion(ReloadOutcome(ok: true)) }

  func screenshot(completion: @escaping (Result<ScreenshotImage, ControlFailure>) -> Void) {
    completion(.failure(.noDisplay))
  }
}

extension ControlCommand {
  /// By how much it changes what there is; nil: it sets it.
  fileprivate var difference: Int? {
    switch self {
    case .addScore(_, let points): points
    case .change("AddCounter", let parameters): parameters["value"]?.integer
    case .change("AddPeriod", let parameters): parameters["periods"]?.integer
    default: nil
    }
  }
}
