// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import Schedule
import Scoreboard
import Settings
import Varlink
import WallState
import Walls

/// Performs a key's command in a new match of the configuration, as a press of the key does. A command that would be
/// refused in every state of the match is a mistake in the config.
struct CommandRehearsal {
  private let wall: Wall

  init(_ configuration: Configuration) {
    wall = Wall(
      configuration, schedule: Schedule(), match: configuration.newMatch, at: Moment(clock: 0, realtime: 0))
  }

  func problem(with words: String) -> SettingsChecks.Problem? {
    let change: Change
    do throws(UsageError) { change = try Change(parsing: words, on: .key) } catch {
      return SettingsChecks.Problem(error.line, isFatal: true)
    }
    var (wall, effects) = (wall, Wall.Effects())
    do throws(ControlError) {
      // Any name of a display is accepted, because the display may be connected later.
      _ = try wall.perform(change.ofAllDisplays, at: wall.now, &effects)
    } catch {
      if isPermanent(error, of: change) { return SettingsChecks.Problem(error.message) }
    }
    return nil
  }

  /// Whether the change is refused in every state of the match.
  private func isPermanent(_ error: ControlError, of change: Change) -> Bool {
    switch error.detail {
    case is ControlError.UnknownTeam, is ControlError.UnknownPage, is ControlError.UnknownCounter,
      is ControlError.UnknownTimer, is ControlError.BadText, is ControlError.DurationOutOfRange,
      is ControlError.BrightnessOutOfRange, is ControlError.HoldOutOfRange, is ServiceError.InvalidParameter,
      is ControlError.NoPenalties,
      is ControlError.PenaltyOutOfRange, is ControlError.TurnOutOfRange, is ControlError.ImpossibleTurn:
      return true
    case let error as ControlError.CounterOutOfRange:
      if let difference = change.difference { return exceeds(difference, error.minimum, error.maximum) }
      // A value above the current limit may be valid in another part of the game, which may have a higher limit.
      return error.value < error.minimum
        || error.value > wall.match.board.rules.counter(error.counter)?.limit ?? error.value
    case let error as ControlError.ScoreOutOfRange:
      if let difference = change.difference { return exceeds(difference, error.minimum, error.maximum) }
      // The score of a period that has not been played yet may be valid later.
      if case .match(.setPeriodScore) = change { return false }
      return true
    case let error as ControlError.PeriodOutOfRange:
      if let difference = change.difference { return exceeds(difference, error.minimum, error.maximum) }
      if case .match(.setPeriodScore) = change { return false }
      return true
    case is ControlError.TimerOutOfRange:
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
    case .match(.addCounter(_, _, let value)): value
    case .match(.addPeriod(let periods)): periods
    default: nil
    }
  }
}
