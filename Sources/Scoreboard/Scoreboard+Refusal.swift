// SPDX-License-Identifier: Apache-2.0

import Spelling

extension Scoreboard {
  /// Why an action was refused. A refused action changes nothing.
  ///
  /// The cases are errors of the interface org.flipclock.Control, except for those whose value has no label.
  /// `make docs` writes the declarations of the errors from the lines below: the labels are the parameters.
  package enum Refusal: Error, Codable, Hashable, Sendable {
    /// No team has this id. names has the names of the teams in known.
    case unknownTeam(team: String, known: [String], names: [String]? = nil)
    /// A match of other teams cannot be restored.
    case otherTeams(teams: [String], known: [String])
    /// The score would not be between minimum and maximum. Nothing was changed.
    case scoreOutOfRange(score: Int, minimum: Int, maximum: Int)
    /// No game of tennis has this score, or it would win the game: 0, 15, 30 and 40 are accepted, and the
    /// numbers of points that they stand for. Nothing was changed.
    case notTennisPoints(score: Int)
    /// Scores count down, and this one is more than that of the start. Nothing was changed.
    case scoreAboveStart(score: Int, start: Int)
    /// There is no such period: periods are numbered from minimum to maximum.
    case periodOutOfRange(period: Int, minimum: Int, maximum: Int)
    /// The text cannot be shown. text is its beginning; maximum is the number of characters that are allowed
    /// if problem is too_long, otherwise 0.
    case badText(text: String, problem: TextProblem.RawValue, maximum: Int)
    /// The colour is not `0xRRGGBB`.
    case badColor(UInt32)
    /// The game has no counter of this name.
    case unknownCounter(counter: String, known: [String])
    /// The counter would not be between minimum and maximum. name is its name on the scoreboard.
    case counterOutOfRange(counter: String, value: Int, minimum: Int, maximum: Int, name: String? = nil)
    /// The game has no such timer.
    case unknownTimer(timer: String, known: [String])
    /// The timer cannot show this time.
    case timerOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
    /// The timer has run out: it must be set or reset before it can be started.
    case timerAtEnd(timer: String)
    /// The shot clock cannot be started, because it runs with the game clock, which is paused.
    case gameTimerPaused
    /// There is no change to undo.
    case nothingToUndo
    /// No change was undone, or another one was made since.
    case nothingToRedo
    /// count is less than 1, or more than the number of changes that can be undone or redone (known). Nothing
    /// was changed.
    case tooManySteps(count: Int, known: Int)
    /// The first needed points win the set, or the match if there is no period, so that the others would
    /// count for nothing. period is the set's name and number in English. Nothing was changed.
    case tooManyPoints(points: Int, needed: Int, period: String?)
    /// The set is won: the next one must begin before points can be added. SetScore still corrects scores.
    case periodOver(period: String, result: String)
    /// The match is over by its rules, or was ended by EndMatch. SetScore and SetPeriodScore still correct
    /// scores.
    case matchOver(result: String)
    /// The turn scores nothing: it exceeds the points that are left or, in a game that ends with a double,
    /// leaves 1. This is not an error in a game that tracks whose turn it is: the next team takes its turn.
    case bust(points: Int, left: Int)
    /// One turn cannot score this many points.
    case turnOutOfRange(points: Int, maximum: Int)
    /// Three darts cannot score this many points. Nothing was changed.
    case impossibleTurn(points: Int)
    /// The leg must end with a double, and three darts that end with one cannot score this many points.
    /// Nothing was changed.
    case impossibleFinish(points: Int)
    /// The game has no penalty clocks.
    case noPenalties
    /// A penalty cannot have this length.
    case penaltyOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
    case playerOutOfRange(Int)
    /// The team has the maximum number of penalties.
    case tooManyPenalties(team: String, limit: Int)
    /// The team, or the player, has no penalty.
    case noPenalty(team: String, number: Int?)
    /// The rules limit this counter to limit in one part of the match: game, half, period, overtime or end.
    /// end is the end of the last period, and milliseconds is its length. name is the counter's name on the
    /// scoreboard. AddCounter and StartBreak ignore the limit if anyway is true.
    case counterLimited(
      team: String, counter: String, limit: Int, part: String, milliseconds: Int, name: String? = nil)
    /// There is no break, and so its clock does not exist.
    case noBreak
    /// The rules have no length for such a break, and none was given.
    case noSuchBreak(kind: String)
    /// The break, or the time-out of team, may not begin now: the match or the set is over, or a time-out of
    /// the same team or another break runs. StartBreak and AddCounter ignore this if anyway is true.
    case breakNotNow(kind: String, team: String?, problem: BreakProblem.RawValue)
    /// The period may not begin now: the match is over (result is its score), or the set before it is not
    /// (result is that of the set, whose name and number in English is set). SetPeriod and AddPeriod ignore
    /// this if anyway is true.
    case periodNotNow(set: String, result: String, problem: PeriodProblem.RawValue)
    /// By the rules no team can have this score in the set. set is its name and number in English. SetScore
    /// and SetPeriodScore ignore this if anyway is true.
    case scoreLimited(score: Int, set: String)
    /// A break cannot have this length.
    case breakOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  }
}

extension Scoreboard.Refusal {
  /// Whether the action is performed with `anyway` (`Scoreboard.Action.overruling`).
  package var canBeOverruled: Bool {
    switch self {
    case .counterLimited, .breakNotNow, .periodNotNow, .scoreLimited: true
    default: false
    }
  }

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

  /// - Parameter time: nanoseconds.
  static func breakOutOfRange(_ time: Int64) -> Self {
    .breakOutOfRange(milliseconds: milliseconds(time), minimum: 1, maximum: milliseconds(GameTimer.limit))
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Int { Int(nanoseconds / 1_000_000) }

  package static func badText(_ text: String, _ problem: TextProblem) -> Self {
    let maximum = if case .tooLong(_, let maximum) = problem { maximum } else { 0 }
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))
    return .badText(text: beginning, problem: problem.rawValue, maximum: maximum)
  }
}

// MARK: Messages

extension Scoreboard.Refusal {
  /// One line for a person: what is wrong, and what to do.
  package var message: String {
    switch self {
    case .unknownTeam(let team, let known, let names): Self.unknown(team, known, names)
    case .otherTeams(let teams, let known):
      "nothing was changed: that match has the teams \(teams.joined(separator: ", ")), but the config has "
        + "\(known.joined(separator: ", ")); with the same [teams] it can be restored"
    case .scoreOutOfRange(let score, let minimum, let maximum):
      "\(score) is not a score: it must be between \(minimum) and \(maximum)"
    case .notTennisPoints(let score):
      "nothing was changed: \(score) is not a score of a game in tennis; write 0, 15, 30 or 40. 'add-score TEAM 1' gives the "
        + "next point, also for advantage and game, and 'set TEAM period-score SET N' corrects the games of a set"
    case .scoreAboveStart(let score, let start):
      "nothing was changed: \(score) is more than the \(start) at the start. Points are subtracted: 'add-score TEAM -60' "
        + "for a turn of 60"
    case .periodOutOfRange(let period, let minimum, let maximum):
      minimum == maximum
        ? "there is no period \(period): period 1 is the only one so far"
        : "there is no period \(period): it must be between \(minimum) and \(maximum)"
    case .badText(_, let problem, let maximum):
      switch problem {
      case "empty": "the text is empty: write at least one letter that can be seen"
      case "too_long": "the text is too long: at most \(maximum) characters"
      case "too_many_marks": "the text has more marks on a letter than can be shown"
      case "control_character": "the text has a control character: write it on one line, without tabs"
      case "direction_control": "the text has characters that change the direction of text; leave them out"
      default: "the text cannot be shown: \(problem)"
      }
    case .badColor: "the colour is not of the form #rrggbb"
    case .unknownCounter(let counter, let known):
      Spelling.unknown("counter", counter, among: known)
        + (known.isEmpty ? "; the config's [game] sets the counters" : "")
        + (counter.lowercased() == "games"
          ? "; 'set TEAM period-score SET N' corrects the games of a set" : "")
    case .counterOutOfRange(let counter, let value, let minimum, let maximum, let name):
      "\(value) is not a number of \(name ?? counter): it must be between \(minimum) and \(maximum)"
    case .unknownTimer(let timer, let known): Spelling.unknown("timer", timer, among: known)
    case .timerOutOfRange(let time, let minimum, let maximum):
      "the timer cannot show \(Self.time(time)): its range is from \(Self.time(minimum)) to \(Self.time(maximum))"
    case .timerAtEnd(let timer):
      "the \(timer) timer has run out: 'flipclockctl timer' can reset it or set a time"
    case .gameTimerPaused: "the shot clock runs with the game clock: 'flipclockctl timer start' starts both"
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .tooManySteps(let count, let known):
      count < 1
        ? "\(count) is not a number of changes: it must be at least 1"
        : "there are only \(known) changes, not \(count)"
    case .tooManyPoints(let points, let needed, let period):
      "nothing was changed: \(points) points are too many, because \(needed) \(needed == 1 ? "wins" : "win") "
        + (period ?? "the match")
    case .periodOver(let period, let result):
      "\(period) is over, \(result); 'flipclockctl set period +1' begins the next one, and 'undo' takes the last "
        + "point back"
    case .matchOver(let result):
      "the match is over, \(result); 'flipclockctl undo' takes the last change back, 'set-score' corrects a score, "
        + "'new-game' begins another"
    case .bust(let points, let left):
      points > left
        ? "bust: \(points) is more than the \(left) left; the turn scores nothing"
        : "bust: \(points) leaves 1, which no double can finish; the turn scores nothing"
    case .turnOutOfRange(let points, let maximum):
      "\(points) is more than one turn can score: at most \(maximum)"
    case .impossibleTurn(let points): "nothing was changed: three darts cannot score \(points)"
    case .impossibleFinish(let points):
      "nothing was changed: three darts cannot finish \(points) with a double"
        + (points > 170 ? "; the maximum is 170" : "")
        + "; if the last dart was not a double, the turn is a bust: enter 0"
    case .noPenalties:
      "this game has no penalty clocks; set 'penalties = [\"2:00\"]' in the config's [game] to use them"
    case .penaltyOutOfRange(let time, let minimum, let maximum):
      "a penalty cannot last \(Self.time(time)): its time is from \(Self.time(minimum)) to \(Self.time(maximum))"
    case .playerOutOfRange: "a player's number is from 0 to \(Penalty.numbers.upperBound)"
    case .tooManyPenalties(let team, let limit):
      "\(team) already has \(limit) penalties: 'flipclockctl penalty \(team) --end' ends the oldest"
    case .counterLimited(let team, let counter, let limit, let part, let time, let name):
      "nothing was changed: the rules "
        + (limit == 0
          ? "allow \(team) no \(name ?? counter) in "
          : "limit the \(name ?? counter) of \(team) to \(limit) in ")
        + (["game": "a match", "half": "a half", "period": "a period", "overtime": "overtime"][part]
          ?? "the last \(Self.time(time))")
        + "; --anyway counts one more"
    case .noBreak: "there is no break; 'flipclockctl break' and 'flipclockctl time-out' begin one"
    case .noSuchBreak(let kind):
      "nothing was changed: the rules of this game have no \(kind); give its length, 'flipclockctl "
        + (kind == "time-out" ? "time-out TEAM" : "break \(kind)")
        + " 1:00', or set it in the config's [game]"
    case .breakNotNow(let kind, let team, let problem):
      "nothing was changed: \(Self.reason(problem, team)); --anyway \(kind == "time-out" ? "counts" : "begins") it nevertheless"
    case .periodNotNow(let set, let result, let problem):
      problem == PeriodProblem.matchOver.rawValue
        ? "nothing was changed: the match is over, \(result); --anyway begins another period"
        : "nothing was changed: \(set) is not over, \(result); --anyway ends it as it stands"
    case .scoreLimited(let score, let set):
      "nothing was changed: by the rules no score in \(set) is \(score); --anyway sets it nevertheless"
    case .breakOutOfRange(let time, let minimum, let maximum):
      "a break cannot last \(Self.time(time)): its time is from \(Self.time(minimum)) to \(Self.time(maximum))"
    case .noPenalty(let team, let number):
      number.map { "player \($0) of \(team) has no penalty" } ?? "\(team) has no penalty"
    }
  }

  private static func unknown(_ team: String, _ known: [String], _ names: [String]?) -> String {
    guard let names, names.count == known.count else { return Spelling.unknown("team", team, among: known) }
    let teams = zip(known, names).map { $0.lowercased() == $1.lowercased() ? $0 : "\($0) (\($1))" }
    let named = Spelling.nearest(to: team, among: names).flatMap { names.firstIndex(of: $0) }
    let hint = Spelling.hint(for: team, among: known) ?? named.map { "did you mean '\(known[$0])'?" }
    return "unknown team '\(team)'" + (hint.map { "; \($0)" } ?? "")
      + " (known: \(teams.joined(separator: ", ")))"
  }

  private static func reason(_ problem: BreakProblem.RawValue, _ team: String?) -> String {
    switch BreakProblem(rawValue: problem) {
    case .matchOver: "the match is over"
    case .periodOver: "the set is over, and between two sets there is no time-out"
    case .timeOut: "a time-out of \(team ?? "the team") is running"
    case .otherBreak: "another break is running"
    case nil: problem
    }
  }

  /// The time as text for people.
  private static func time(_ milliseconds: Int) -> String {
    GameTimeText.text(Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
  }
}
