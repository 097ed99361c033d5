// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling
import Varlink

// MARK: Names and texts

extension ControlError {
  package struct UnknownTeam: ControlErrorDetail {
    package var team: String
    package var known: [String]
    /// The names of the teams in `known`; nil from an older daemon.
    package var names: [String]?
    package var message: String {
      guard let names, names.count == known.count else {
        return Spelling.unknown("team", team, among: known)
      }
      let teams = zip(known, names).map { $0.lowercased() == $1.lowercased() ? $0 : "\($0) (\($1))" }
      let named = Spelling.nearest(to: team, among: names).flatMap { names.firstIndex(of: $0) }
      let hint = Spelling.hint(for: team, among: known) ?? named.map { "did you mean '\(known[$0])'?" }
      return "unknown team '\(team)'" + (hint.map { "; \($0)" } ?? "")
        + " (known: \(teams.joined(separator: ", ")))"
    }
  }

  package struct OtherTeams: ControlErrorDetail {
    package var teams, known: [String]
    package var message: String {
      "nothing was changed: that match is one of the teams \(teams.joined(separator: ", ")), and the config has "
        + "\(known.joined(separator: ", ")); with the same [teams] it can be restored"
    }
  }

  package struct OtherGame: ControlErrorDetail {
    /// Presets, such as `basketball`.
    package var game, current: String
    package var message: String {
      "nothing was changed: that match is one of \(game), and the game is \(current); with preset = \"\(game)\" in [game] "
        + "it can be restored"
    }
  }

  package struct UnknownMatch: ControlErrorDetail {
    package var match: String
    package var known: [String]
    package var message: String {
      known.isEmpty
        ? "no match was set aside"
        : "'\(match)' is not, or not only, one of the matches that were set aside: \(known.joined(separator: ", "))"
    }
  }

  package struct UnknownPage: ControlErrorDetail {
    package var page: String
    package var known: [String]
    package var message: String { Spelling.unknown("page", page, among: known) }
  }

  package struct UnknownCounter: ControlErrorDetail {
    package var counter: String
    package var known: [String]
    package var message: String {
      Spelling.unknown("counter", counter, among: known)
        + (known.isEmpty ? "; the config's [game] has the counters" : "")
    }
  }

  package struct UnknownTimer: ControlErrorDetail {
    package var timer: String
    package var known: [String]
    package var message: String { Spelling.unknown("timer", timer, among: known) }
  }

  package struct BadText: ControlErrorDetail {
    package var text: String
    /// A word of the interface's type `TextProblem`.
    package var problem: String
    package var maximum: Int

    /// Sends back at most the first 64 scalars of the text.
    init(_ text: String, _ problem: TextProblem) {
      self.text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))
      maximum = if case .tooLong(_, let maximum) = problem { maximum } else { 0 }
      self.problem =
        switch problem {
        case .empty: "empty"
        case .tooLong: "too_long"
        case .tooManyMarks: "too_many_marks"
        case .controlCharacter: "control_character"
        case .directionControl: "direction_control"
        }
    }

    package var message: String {
      switch problem {
      case "empty": "the text is empty: write at least one letter that can be seen"
      case "too_long": "the text is too long: at most \(maximum) characters"
      case "too_many_marks": "the text has more marks on a letter than can be shown"
      case "control_character": "the text has a control character: write it on one line, without tabs"
      case "direction_control": "the text has characters that change the direction of text; leave them out"
      default: "the text cannot be shown: \(problem)"
      }
    }
  }
}

// MARK: Ranges

extension ControlError {
  package struct ScoreOutOfRange: ControlErrorDetail {
    package var score, minimum, maximum: Int
    package var message: String { "\(score) is not a score: it must be between \(minimum) and \(maximum)" }
  }

  package struct PeriodOutOfRange: ControlErrorDetail {
    package var period, minimum, maximum: Int
    package var message: String {
      minimum == maximum
        ? "there is no period \(period): the first one is played"
        : "there is no period \(period): it must be between \(minimum) and \(maximum)"
    }
  }

  package struct CounterOutOfRange: ControlErrorDetail {
    package var counter: String
    package var value, minimum, maximum: Int
    package var message: String {
      "\(counter) cannot be \(value): the range is from \(minimum) to \(maximum)"
    }
  }

  package struct DurationOutOfRange: ControlErrorDetail {
    package var milliseconds, minimum, maximum: Int
    package var message: String {
      "a message is shown for up to \(maximum / 3_600_000) hours, or with --until-cleared until it is cleared"
    }
  }

  package struct HoldOutOfRange: ControlErrorDetail {
    package var milliseconds, minimum, maximum: Int
    package var message: String { "--for accepts times from 1 second to \(maximum / 86_400_000) days" }
  }

  package struct BrightnessOutOfRange: ControlErrorDetail {
    package var percent, minimum, maximum: Int
    package var message: String {
      "\(percent)% is not a brightness: it must be between \(minimum)% and \(maximum)%"
        + (percent < minimum ? "; 'flipclockctl blank' switches the display off" : "")
    }
  }

  package struct TimerOutOfRange: ControlErrorDetail {
    package var milliseconds, minimum, maximum: Int
    package var message: String {
      "the timer cannot show \(time(milliseconds)): its range is from \(time(minimum)) to \(time(maximum))"
    }
  }

  package struct PenaltyOutOfRange: ControlErrorDetail {
    package var milliseconds, minimum, maximum: Int
    package var message: String {
      "a penalty cannot last \(time(milliseconds)): its time is from \(time(minimum)) to \(time(maximum))"
    }
  }

  package struct TurnOutOfRange: ControlErrorDetail {
    package var points, maximum: Int
    package var message: String { "\(points) is more than one turn can score: at most \(maximum)" }
  }

  package struct ImpossibleTurn: ControlErrorDetail {
    package var points: Int
    package var message: String { "nothing was changed: three darts cannot score \(points)" }
  }

  package struct ImpossibleFinish: ControlErrorDetail {
    package var points: Int
    package var message: String {
      "nothing was changed: three darts cannot finish \(points) with a double"
        + (points > 170 ? ", the maximum is 170" : "") + "; a turn that ends without the double scores 0"
    }
  }

  package struct TooManySteps: ControlErrorDetail {
    package var count, known: Int
    package var message: String {
      count < 1
        ? "\(count) is not a number of changes: it must be at least 1"
        : "there are only \(known) changes, not \(count)"
    }
  }

  package struct TooManyPenalties: ControlErrorDetail {
    package var team: String
    package var limit: Int
    package var message: String {
      "\(team) already has \(limit) penalties: 'flipclockctl penalty \(team) --end' ends the oldest"
    }
  }
}

/// The time as text for people.
private func time(_ milliseconds: Int) -> String {
  GameTimeText.text(Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
}

// MARK: The state of the match

extension ControlError {
  package struct TimerAtEnd: ControlErrorDetail {
    package var timer: String
    package var message: String {
      "the \(timer) timer has run out: 'flipclockctl timer reset' or 'flipclockctl timer set 5:00' gives it time"
    }
  }

  package struct GameTimerPaused: ControlErrorDetail {
    package var message: String {
      "the shot clock runs with the game clock: 'flipclockctl timer start' starts both"
    }
  }

  package struct NothingToUndo: ControlErrorDetail {
    package var message: String { "there is nothing to undo" }
  }

  package struct NothingToRedo: ControlErrorDetail {
    package var message: String { "there is nothing to redo" }
  }

  package struct PeriodOver: ControlErrorDetail {
    package var period: String
    /// E.g. `25 : 20`.
    package var result: String
    package var message: String {
      "\(period) is over, \(result); 'flipclockctl set period +1' begins the next one, and 'undo' takes the last "
        + "point back"
    }
  }

  package struct MatchOver: ControlErrorDetail {
    package var result: String
    package var message: String {
      "the match is over, \(result); 'flipclockctl undo' takes the last point back, 'set-score' corrects a score, "
        + "'new-game' begins another"
    }
  }

  package struct Bust: ControlErrorDetail {
    package var points, left: Int
    package var message: String {
      points > left
        ? "bust: \(points) is more than the \(left) left; the turn scores nothing"
        : "bust: \(points) leaves 1, which no double can finish; the turn scores nothing"
    }
  }

  package struct NoPenalties: ControlErrorDetail {
    package var message: String {
      "this game has no penalty clocks; set 'penalties = [\"2:00\"]' in the config's [game] to use them"
    }
  }

  package struct NoPenalty: ControlErrorDetail {
    package var team: String
    package var number: Int?
    package var message: String {
      number.map { "player \($0) of \(team) has no penalty" } ?? "\(team) has no penalty"
    }
  }
}

// MARK: Refusals of the scoreboard

extension ControlError {
  /// - Parameter board: the refused action's, for the names of its teams.
  package init(_ refusal: Scoreboard.Refusal, of board: Scoreboard? = nil) {
    func milliseconds(_ nanoseconds: Int64) -> Int { Int(nanoseconds / 1_000_000) }
    switch refusal {
    case .unknownTeam(let team, let known):
      self.init(UnknownTeam(team: team, known: known, names: board?.teams.map(\.name)))
    case .otherTeams(let teams, let known): self.init(OtherTeams(teams: teams, known: known))
    case .scoreOutOfRange(let score):
      let range = Scoreboard.scores
      self.init(ScoreOutOfRange(score: score, minimum: range.lowerBound, maximum: range.upperBound))
    case .periodOutOfRange(let period, let maximum):
      self.init(
        PeriodOutOfRange(period: period, minimum: Scoreboard.periods.lowerBound, maximum: maximum))
    case .badName(let text, let problem): self.init(BadText(text, problem))
    case .badColor: self.init(VarlinkError.invalidParameter("color"))
    case .unknownCounter(let counter, let known):
      self.init(UnknownCounter(counter: counter, known: known))
    case .counterOutOfRange(let value, let counter, let limit):
      self.init(CounterOutOfRange(counter: counter, value: value, minimum: 0, maximum: limit))
    case .unknownTimer(let timer, let known): self.init(UnknownTimer(timer: timer, known: known))
    case .timerOutOfRange(let time, let range):
      self.init(
        TimerOutOfRange(
          milliseconds: milliseconds(time), minimum: milliseconds(range.lowerBound),
          maximum: milliseconds(range.upperBound)))
    case .timerAtEnd(let timer): self.init(TimerAtEnd(timer: timer.rawValue))
    case .gameTimerPaused: self.init(GameTimerPaused())
    case .nothingToUndo: self.init(NothingToUndo())
    case .nothingToRedo: self.init(NothingToRedo())
    case .tooManySteps(let count, let known): self.init(TooManySteps(count: count, known: known))
    case .periodOver(let period, let result): self.init(PeriodOver(period: period, result: result))
    case .matchOver(let result): self.init(MatchOver(result: result))
    case .bust(let points, let left): self.init(Bust(points: points, left: left))
    case .turnOutOfRange(let points, let maximum):
      self.init(TurnOutOfRange(points: points, maximum: maximum))
    case .impossibleTurn(let points): self.init(ImpossibleTurn(points: points))
    case .impossibleFinish(let points): self.init(ImpossibleFinish(points: points))
    case .noPenalties: self.init(NoPenalties())
    case .penaltyOutOfRange(let time):
      self.init(
        PenaltyOutOfRange(
          milliseconds: milliseconds(time), minimum: 1, maximum: milliseconds(GameTimer.limit)))
    case .playerOutOfRange: self.init(VarlinkError.invalidParameter("number"))
    case .tooManyPenalties(let team): self.init(TooManyPenalties(team: team, limit: Penalty.limit))
    case .noPenalty(let team, let number): self.init(NoPenalty(team: team, number: number))
    }
  }
}
