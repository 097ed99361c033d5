// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A match for clients: the interface's type `MatchState`.
package struct MatchState: Codable, Hashable, Sendable {
  package struct Team: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// What is shown where the name does not fit.
    package var shortName: String
    /// The short name that was set; nil: `shortName` is derived from the name.
    package var ownShortName: String?
    /// `#rrggbb`.
    package var color: String
    package var score: Int
    /// The score as displayed in a game whose points have names: `40` and `AD` in tennis.
    package var pointsText: String?
    /// The games that the team has won in the current set, if sets consist of games.
    package var games: Int?
    package var periodScores: [Int]
    /// The points in the tie-breaks that have decided sets, by the numbers of the sets; nil: none.
    package var tieBreaks: [String: Int]?
    package var periodsWon: Int
    /// What the team's next point would win; nil: neither the set nor the match, or the daemon is older.
    package var winningPoint: WinningPoint?
    /// The team's counts by the ids in `MatchState.counters`.
    package var counters: [String: Int]
    /// The oldest first; nil where the game has no penalty clocks.
    package var penalties: [Penalty]?
  }

  package struct Penalty: Codable, Hashable, Sendable {
    package var milliseconds: Int
    package var running: Bool
    /// The player's number.
    package var number: Int?
  }

  package struct Counter: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var limit: Int
    /// Whether it counts time-outs; nil: no.
    package var timeOut: Bool?
    /// Whether it is shown in another colour at its limit; nil: no.
    package var warns: Bool?
  }

  package struct Break: Codable, Hashable, Sendable {
    /// A name of `GameBreak.Kind`.
    package var kind: String
    /// The team that has taken a time-out.
    package var team: String?
    /// The name on the scoreboard.
    package var name: String
    /// The whole length in milliseconds.
    package var length: Int
  }

  package struct Timer: Codable, Hashable, Sendable {
    package var milliseconds: Int
    package var running: Bool
    /// `up` or `down`.
    package var direction: String
    package var warning: Bool
    package var ended: Bool
    /// The time in milliseconds at which the timer stops by itself; nil: it runs until it is paused.
    package var limit: Int?
    /// The time in milliseconds from which the timer warns; nil: it does not, or the daemon is older.
    package var warnsAt: Int?
  }

  package var revision: Int
  package var preset: String
  /// The teams from left to right.
  package var teams: [Team]
  package var sidesSwapped: Bool
  package var period: Int
  package var periods: Int
  package var periodName: String
  /// The name of the current period: `SET 3`, `OVERTIME`. This and the other optional properties up to
  /// `penalties` are nil if the state comes from an older daemon.
  package var periodText: String?
  /// The names of the next and of the previous period; nil: there is none.
  package var nextPeriodText: String?
  package var previousPeriodText: String?
  /// The name of periods after the last.
  package var overtimeName: String?
  /// Whether the current set is won.
  package var periodOver: Bool?
  /// Whether a tie-break is being played; nil: no.
  package var tieBreak: Bool?
  /// The number of sets that win the match; 0: all sets are played.
  package var periodsToWin: Int?
  /// Whether displays show the match as finished (`Scoreboard.isFinished`): a match with a clock can then
  /// still be corrected by points.
  package var matchOver: Bool?
  /// The id of the team that has won the match.
  package var winner: String?
  /// The name of a game within a set; nil: a set consists of points.
  package var gameName: String?
  /// Whether scores count down to 0.
  package var countsDown: Bool?
  /// The time that the shot clock can be reset to instead of its length, in milliseconds.
  package var secondShot: Int?
  /// The lengths of penalties, the usual one first, in milliseconds.
  package var penalties: [Int]?
  /// The present break; its clock is the timer `break`.
  package var gameBreak: Break?
  /// The scoreboard's names of the breaks for which the rules have a length. The keys are the names of
  /// `GameBreak.Kind`.
  package var breaks: [String: String]?
  package var scoring: String
  package var serve: String
  package var serving: String?
  package var increments: [Int]
  package var counters: [Counter]
  package var timers: [String: Timer]
  /// What undo and redo would do, in words and as facts.
  package var undo: String?
  package var redo: String?
  package var undoFacts: [Fact]?
  package var redoFacts: [Fact]?
  /// What a scoreboard shows.
  package var parts: Parts?
  /// The command that continues the match after the end of a period, or that begins another match; nil: the
  /// match goes on.
  package var next: String?
  /// Those of the usual commands that would be refused.
  package var refused: [Refused]?

  /// The match as it is at the match time `now`.
  package init(_ match: Match, at now: Int64) {
    let scoreboard = match.scoreboard.settled(at: now)
    let rules = scoreboard.rules
    revision = match.revision
    preset = rules.preset
    let shown = scoreboard.teamsBySide
    teams = shown.map { Team($0, of: scoreboard, at: now) }
    sidesSwapped = scoreboard.sidesSwapped
    period = scoreboard.period
    periods = rules.periods
    periodName = rules.periodName
    scoring = rules.scoring.rawValue
    serve = rules.serve.rawValue
    serving = scoreboard.serving
    increments = rules.increments
    periodText = scoreboard.periodText
    nextPeriodText = scoreboard.hasNextPeriod ? rules.periodText(scoreboard.period + 1) : nil
    previousPeriodText = scoreboard.period > 1 ? rules.periodText(scoreboard.period - 1) : nil
    overtimeName = rules.overtimeName
    periodOver = scoreboard.isPeriodOver
    tieBreak = scoreboard.isTieBreak && !scoreboard.isPeriodOver ? true : nil
    periodsToWin = rules.periodsToWin
    matchOver = scoreboard.isFinished(at: now)
    winner = matchOver == true ? scoreboard.leader?.id : nil
    gameName = rules.games?.name
    countsDown = rules.countsDown
    secondShot = rules.shot != nil && rules.secondShot > 0 ? Int(rules.secondShot / 1_000_000) : nil
    penalties = rules.penalties.map { Int($0 / 1_000_000) }
    counters = rules.counters.map {
      Counter(
        id: $0.id, name: $0.name, limit: scoreboard.limit(of: $0), timeOut: $0.startsTimeOut ? true : nil,
        warns: $0.warnsAtLimit ? true : nil)
    }
    gameBreak = scoreboard.gameBreak.map {
      Break(
        kind: $0.kind.name, team: $0.kind.team, name: scoreboard.breakText ?? $0.kind.name,
        length: Int($0.length / 1_000_000))
    }
    breaks = rules.breaks.names.filter { rules.breakNames.contains($0.key) }
    timers = [:]
    for id in scoreboard.timers {
      if let reading = scoreboard.reading(of: id, at: now) { timers[id.rawValue] = Timer(reading) }
    }
    undo = match.past.last?.summary
    redo = match.future.last?.summary
    undoFacts = match.past.last?.facts
    redoFacts = match.future.last?.facts
    parts = Parts(scoreboard, shown, at: now)
    next = Self.next(scoreboard, at: now)
    refused = Self.refused(scoreboard, at: now)
  }
}

extension MatchState {
  /// The part of the rules that names periods.
  package var periodRules: GameRules {
    var rules = GameRules()
    rules.periods = periods
    rules.periodName = periodName
    rules.scoring = GameRules.Scoring(rawValue: scoring) ?? .total
    if let overtimeName { rules.overtimeName = overtimeName }
    return rules
  }

  /// The name of the current period.
  package var shownPeriod: String { periodText ?? periodRules.periodText(period) }
}

extension MatchState.Team {
  /// The points of a team in the tie-breaks that have decided sets, by the numbers of the sets; nil: none.
  package static func tieBreaks(of team: Scoreboard.Team, _ scoreboard: Scoreboard) -> [String: Int]? {
    let decided = team.tieBreaks.filter { scoreboard.tieBreak(inPeriod: $0.key, of: scoreboard.teams) != nil }
    return decided.isEmpty
      ? nil : Dictionary(decided.map { (String($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  init(_ team: Scoreboard.Team, of scoreboard: Scoreboard, at now: Int64) {
    id = team.id
    name = team.name
    shortName = team.shownShortName(in: .english)
    ownShortName = team.shortName
    color = ColorText.hex(team.color ?? 0x8e8b84)
    score = team.score
    pointsText = scoreboard.rules.pointNames == .numbers ? nil : scoreboard.pointsText(of: team)
    games = scoreboard.rules.games == nil ? nil : team.games
    periodScores = scoreboard.periodScores(of: team)
    tieBreaks = Self.tieBreaks(of: team, scoreboard)
    periodsWon = scoreboard.periodsWon(by: team)
    winningPoint = scoreboard.winningPoint(of: team)
    counters = Dictionary(
      scoreboard.rules.counters.map { ($0.id, team.counter($0.id)) }, uniquingKeysWith: { first, _ in first })
    if !scoreboard.rules.penalties.isEmpty {
      penalties = scoreboard.penalties(of: team, at: now).map {
        // Rounded up, like the remaining time of a timer.
        MatchState.Penalty(
          milliseconds: Int(($0.left + 999_999) / 1_000_000), running: $0.isRunning, number: $0.number)
      }
    }
  }
}

extension MatchState.Timer {
  package init(_ penalty: MatchState.Penalty) {
    self.init(
      milliseconds: penalty.milliseconds, running: penalty.running, direction: "down", warning: false,
      ended: false)
  }

  package init(_ reading: Scoreboard.TimerReading) {
    // The remaining time is rounded up, the elapsed time is rounded down.
    let isLeft = reading.direction == .down && reading.value > 0
    milliseconds = Int((reading.value + (isLeft ? 999_999 : 0)) / 1_000_000)
    running = reading.isRunning
    direction = reading.direction.rawValue
    warning = reading.isWarning
    ended = reading.hasEnded
    limit = reading.limit.map { Int($0 / 1_000_000) }
    warnsAt = reading.warnsAt.map { Int($0 / 1_000_000) }
  }
}

/// The effect of an action on the match.
package struct MatchChange: Hashable, Sendable {
  /// What was changed, in words; nil: nothing.
  package var what: String?
  /// What else happened by the rules, e.g. a set was won, in words and as facts.
  package var note: String?
  package var facts: [Fact]?
  package var state: MatchState

  package init(what: String?, note: String?, facts: [Fact]?, state: MatchState) {
    self.what = what
    self.note = note
    self.facts = facts
    self.state = state
  }

  /// - Parameter match: the match after the action.
  package init(_ outcome: Match.Outcome, _ match: Match, at now: Int64) {
    state = MatchState(match, at: now)
    switch outcome {
    case .changed(let step), .undone(let step), .redone(let step): what = step.summary
    case .undoneSteps(let steps), .redoneSteps(let steps):
      what = steps.map(\.summary).joined(separator: "; ")
    case .unchanged: what = nil
    }
    if case .changed(let step) = outcome {
      note = step.note
      facts = note == nil ? nil : step.facts
    }
  }
}

/// A change in the history: the interface's type `Step`.
package struct MatchStep: Encodable, Hashable, Sendable {
  package var number: Int
  package var what: String
  package var facts: [Fact]
  /// RFC 3339.
  package var time: String

  package init(_ step: Match.Step, time: String) {
    number = step.number
    what = step.summary
    facts = step.facts
    self.time = time
  }
}

/// A match that was set aside because another replaced it: the interface's type `AsideMatch`.
package struct AsideMatch: Codable, Hashable, Sendable {
  package var id: String
  /// When it was set aside, RFC 3339.
  package var time: String
  /// Its teams and scores on one line.
  package var text: String

  package init(id: String, time: String, text: String) {
    self.id = id
    self.time = time
    self.text = text
  }
}

/// The changes that can be undone and those that can be redone. Each list begins with the next one to undo or
/// redo.
package struct MatchHistory: Encodable, Hashable, Sendable {
  package var past: [MatchStep]
  package var future: [MatchStep]

  package init(past: [MatchStep], future: [MatchStep]) {
    self.past = past
    self.future = future
  }
}
