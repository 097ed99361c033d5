// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Scoreboard

/// What a key of `flipclockctl score` means in a match.
enum ScoreKeyMeaning: Hashable, Sendable {
  case points(team: String, Int)
  case counter(team: String, id: String, Int)
  case endBreak
  /// Nil: no team serves.
  case serve(team: String?)
  case undo
  case redo
  /// Starts the timer, or pauses it if it runs.
  case timer(GameTimer.ID)
  case resetShot
  /// Milliseconds.
  case resetShotTo(Int)
  /// Adds a penalty of the default length.
  case penalty(team: String)
  /// Ends the team's oldest penalty.
  case endPenalty(team: String)
  /// Begins the input of a score.
  case enterScore
  /// Adds seconds to the game clock.
  case adjust(Int)
  case select(team: String)
  // The cases from here on must be confirmed.
  case periods(Int)
  case swap
  case endMatch
  case newGame
  case reset
  case resetGameTimer
  case beginBreak
  /// An action that the rules do not allow now (`Scoreboard.Action.overruling`).
  case overrule(Scoreboard.Action)

  /// The break that a key begins: half-time in the middle of the match, the warm-up before it, and otherwise
  /// an interval.
  static func kind(_ match: MatchState) -> GameBreak.Kind? {
    let isNew = match.period == 1 && match.undo == nil
    let kinds: [GameBreak.Kind] =
      isNew
      ? [.warmUp, .interval]
      : match.periods.isMultiple(of: 2) && match.period == match.periods / 2
        ? [.halfTime, .interval] : [.interval]
    return kinds.first { match.breaks?[$0.name] != nil }
  }

  /// What Enter confirms; nil if no confirmation is needed.
  func question(_ match: MatchState) -> String? {
    switch self {
    case .periods(let count):
      let known = [1: match.nextPeriodText, -1: match.previousPeriodText][count] ?? nil
      let period = known ?? match.periodRules.periodText(match.period &+ count)
      return count > 0 ? "begin \(period)" : "go back to \(period)"
    case .swap: return "have the teams change sides"
    case .endMatch:
      let scores = match.teams.map { "\($0.name) \(match.scoring == "sets" ? $0.periodsWon : $0.score)" }
      return "end the match as it stands, \(scores.joined(separator: ", "))"
    case .newGame: return "begin a new game, everything from 0"
    case .reset: return "begin a new game with the names of the config"
    case .resetGameTimer: return "reset the game clock"
    case .beginBreak: return Self.kind(match).map { "begin the \($0.name)" }
    case .overrule(.addCounter(let team, let id, let value, _)):
      let name = match.teams.first { $0.id == team }?.name ?? team
      let counter = match.counters.first { $0.id == id }
      let what =
        counter?.timeOut == true && value == 1
        ? "give \(name) a time-out" : "count \(value) more \((counter?.name ?? id).lowercased()) for \(name)"
      return "\(what), although the rules do not allow it"
    case .overrule(.setPeriod(let number, _)):
      let reason = match.matchOver == true ? "the match is over" : "\(match.shownPeriod) is not over"
      return "begin \(match.periodRules.periodText(number)) although \(reason)"
    case .overrule(.setScore(let team, let score, _)):
      let name = match.teams.first { $0.id == team }?.name ?? team
      return "set the score of \(name) to \(score), which the rules do not allow"
    case .overrule(.startBreak(let kind, _, _)):
      return "begin the \(kind.name) although the match is over"
    default: return nil
    }
  }

  /// The action; nil if the key changes nothing in the match.
  func action(_ match: MatchState) -> Scoreboard.Action? {
    switch self {
    case .points(let team, let points): .addScore(team: team, by: points)
    case .counter(let team, let id, let value): .addCounter(team: team, counter: id, by: value)
    case .overrule(let action): action
    case .beginBreak: Self.kind(match).map { .startBreak($0, length: nil) }
    case .endBreak: .endBreak
    case .serve(let team): .setServing(team: team)
    case .undo: .undo
    case .redo: .redo
    case .timer(let id):
      match.timers[id.rawValue]?.running == true ? .pauseTimer(id) : .startTimer(id)
    case .resetShot: .resetTimer(.shot)
    case .resetShotTo(let milliseconds):
      .resetShot(to: Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
    case .penalty(let team): .addPenalty(team: team, length: nil, number: nil)
    case .endPenalty(let team): .endPenalty(team: team, number: nil)
    case .resetGameTimer: .resetTimer(.game)
    case .adjust(let seconds): .addTimer(.game, by: Int64(seconds) * 1_000_000_000)
    // The action sets an absolute value, so that it has no effect if another client has made the same change
    // meanwhile.
    case .periods(let count): .setPeriod(to: match.period &+ count)
    case .swap: .swapSides
    case .endMatch: .endMatch
    case .newGame: .newGame
    case .reset: .reset
    case .enterScore, .select: nil
    }
  }
}
