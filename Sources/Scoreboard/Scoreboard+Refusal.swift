// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// Why an action was refused. A refused action changes nothing. Except for `badColor` and
  /// `playerOutOfRange`, the cases are errors of the interface org.flipclock.Control, and their labels are
  /// the parameters of the errors.
  package enum Refusal: Error, Codable, Hashable, Sendable {
    /// - Parameter names: the names of the teams in `known`; nil from an older daemon.
    case unknownTeam(team: String, known: [String], names: [String]? = nil)
    /// The match to restore has these teams, but the current match has the known ones.
    case otherTeams(teams: [String], known: [String])
    case scoreOutOfRange(score: Int, minimum: Int, maximum: Int)
    /// Tennis has no such score, or it would win the game.
    case notTennisPoints(score: Int)
    /// The score is above the start score of a game whose scores count down.
    case scoreAboveStart(score: Int, start: Int)
    /// Periods start at 1.
    case periodOutOfRange(period: Int, minimum: Int, maximum: Int)
    /// - Parameters:
    ///   - text: its first 64 scalars.
    ///   - problem: a word of the interface's type `TextProblem`.
    ///   - maximum: the number of characters that are allowed; 0 if the text is not too long.
    case badText(text: String, problem: String, maximum: Int)
    /// The colour is not `0xRRGGBB`.
    case badColor(UInt32)
    case unknownCounter(counter: String, known: [String])
    case counterOutOfRange(counter: String, value: Int, minimum: Int, maximum: Int)
    case unknownTimer(timer: String, known: [String])
    case timerOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
    /// The timer has no time left; it must be set or reset first.
    case timerAtEnd(timer: String)
    /// The shot clock cannot run while the game clock is paused.
    case gameTimerPaused
    case nothingToUndo
    case nothingToRedo
    /// The number of steps to undo or redo is less than 1 or exceeds the history.
    case tooManySteps(count: Int, known: Int)
    /// The set is won. Either the next set has not begun, or a point of the same action has begun it. In both
    /// cases no more points can be added to the won set. The result is e.g. `25 : 20`.
    case periodOver(period: String, result: String)
    case matchOver(result: String)
    /// The turn is a bust. A bust is refused only in a game that does not track turns or has only one team;
    /// in other games the turn passes to the next team.
    case bust(points: Int, left: Int)
    case turnOutOfRange(points: Int, maximum: Int)
    /// Three darts cannot score this.
    case impossibleTurn(points: Int)
    /// No three darts that end with a double score this, so it cannot end the leg.
    case impossibleFinish(points: Int)
    /// The game has no penalty clocks.
    case noPenalties
    case penaltyOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
    case playerOutOfRange(Int)
    case tooManyPenalties(team: String, limit: Int)
    /// The team, or the player, has no penalty.
    case noPenalty(team: String, number: Int?)

    package enum CodingKeys: CodingKey, CaseIterable {
      case unknownTeam, otherTeams, scoreOutOfRange, notTennisPoints, scoreAboveStart, periodOutOfRange,
        badText, unknownCounter,
        counterOutOfRange, unknownTimer, timerOutOfRange, timerAtEnd, gameTimerPaused, nothingToUndo,
        nothingToRedo, tooManySteps, periodOver, matchOver, bust, turnOutOfRange, impossibleTurn,
        impossibleFinish, noPenalties, penaltyOutOfRange, tooManyPenalties, noPenalty
    }
  }
}

extension Scoreboard.Refusal {
  static func scoreOutOfRange(_ score: Int) -> Self {
    .scoreOutOfRange(
      score: score, minimum: Scoreboard.scores.lowerBound, maximum: Scoreboard.scores.upperBound)
  }

  static func periodOutOfRange(_ period: Int, maximum: Int) -> Self {
    .periodOutOfRange(period: period, minimum: Scoreboard.periods.lowerBound, maximum: maximum)
  }

  static func counterOutOfRange(_ value: Int, counter: String, limit: Int) -> Self {
    .counterOutOfRange(counter: counter, value: value, minimum: 0, maximum: limit)
  }

  /// The times are in nanoseconds.
  static func timerOutOfRange(_ time: Int64, _ range: ClosedRange<Int64>) -> Self {
    .timerOutOfRange(
      milliseconds: milliseconds(time), minimum: milliseconds(range.lowerBound),
      maximum: milliseconds(range.upperBound))
  }

  /// - Parameter time: nanoseconds.
  package static func penaltyOutOfRange(_ time: Int64) -> Self {
    .penaltyOutOfRange(
      milliseconds: milliseconds(time), minimum: 1, maximum: milliseconds(GameTimer.limit))
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Int { Int(nanoseconds / 1_000_000) }

  package static func badText(_ text: String, _ problem: TextProblem) -> Self {
    let (word, maximum) =
      switch problem {
      case .empty: ("empty", 0)
      case .tooLong(_, let maximum): ("too_long", maximum)
      case .tooManyMarks: ("too_many_marks", 0)
      case .controlCharacter: ("control_character", 0)
      case .directionControl: ("direction_control", 0)
      }
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))
    return .badText(text: beginning, problem: word, maximum: maximum)
  }
}
