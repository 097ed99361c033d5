// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import TOMLConfig
import Varlink
import WallState
import Walls

/// Performs a key's command in a new match of the configuration, as a press of the key does. A command that
/// would be refused in every state of the match is a mistake in the config.
struct CommandRehearsal {
  private let wall: Wall

  init(_ configuration: Configuration) {
    wall = Wall(alone: configuration, displays: [], at: Moment(clock: 0, realtime: 0))
  }

  func problem(with words: String) -> Problem? {
    let command: KeyCommand
    do throws(UsageError) { command = try KeyCommand(parsing: words) } catch {
      return Problem(error.line, isFatal: true)
    }
    // What flipclock-host does depends on the network, not on the config.
    guard case .change(let change) = command else { return nil }
    var (wall, effects) = (wall, Wall.Effects())
    do throws(ControlError) {
      // Any name of a display is accepted, because the display may be connected later.
      _ = try wall.perform(change.ofAllDisplays, at: wall.now, &effects)
    } catch {
      if isPermanent(error, of: change) { return Problem(error.message) }
    }
    return nil
  }

  /// Whether the change is refused in every state of the match.
  private func isPermanent(_ error: ControlError, of change: Change) -> Bool {
    switch error {
    case .refused(let refusal): return isPermanent(refusal, of: change)
    case .unknownPage, .unknownBoard, .boardNotShown, .durationOutOfRange, .brightnessOutOfRange,
      .holdOutOfRange, .badCountdownName,
      .countdownOutOfRange, .countdownNotShown, .service(.invalidParameter):
      return true
    default: return false
    }
  }

  private func isPermanent(_ refusal: Scoreboard.Refusal, of change: Change) -> Bool {
    switch refusal {
    case .unknownTeam, .unknownCounter, .unknownTimer, .badText, .noPenalties, .penaltyOutOfRange,
      .noSuchBreak, .breakOutOfRange,
      .turnOutOfRange, .impossibleTurn:
      return true
    case .counterOutOfRange(let counter, let value, let minimum, let maximum, _):
      if let difference = change.difference { return exceeds(difference, minimum, maximum) }
      // A value above the current limit may be valid in another part of the game, which may have a higher
      // limit.
      return value < minimum || value > wall.match.scoreboard.rules.counter(counter)?.limit ?? value
    case .counterLimited(_, let counter, _, _, _, _):
      return change.difference ?? 0 > wall.match.scoreboard.rules.counter(counter)?.limit ?? .max
    case .scoreOutOfRange(_, let minimum, let maximum), .periodOutOfRange(_, let minimum, let maximum):
      if let difference = change.difference { return exceeds(difference, minimum, maximum) }
      // The score of a period that has not been played yet may be valid later.
      if case .match(.setPeriodScore) = change { return false }
      return true
    case .timerOutOfRange:
      if case .match(.setTimer) = change { return true }
      return false
    default: return false
    }
  }

  private func exceeds(_ difference: Int, _ minimum: Int, _ maximum: Int) -> Bool {
    difference.magnitude > UInt(maximum - minimum)
  }
}

extension Change {
  /// What the change adds to a score, a counter or the period; nil for other changes.
  fileprivate var difference: Int? {
    switch self {
    case .match(.addScore(_, let points)): points
    case .match(.addCounter(_, _, let value, _)): value
    case .match(.addPeriod(let periods, _)): periods
    default: nil
    }
  }
}
