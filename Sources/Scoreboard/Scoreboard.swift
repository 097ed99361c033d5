// SPDX-License-Identifier: Apache-2.0

/// The state of a match, as a value. Functions that depend on the time take it as a parameter.
///
/// Instants are nanoseconds of one clock that never steps (CLOCK_BOOTTIME in the daemon). A running timer is
/// stored as the instant and the value at which it was started; its present value is computed. Likewise the
/// end of a period when the game clock expires is computed by `settled`, and is stored only with the next
/// action. `Match` adds undo and redo.
package struct Scoreboard: Hashable, Sendable {
  /// The range of scores.
  package static let scores = 0...999
  /// The range of a team's score in one period where scores continue from period to period. A correction can
  /// make it negative.
  package static let periodScores = -999...999
  package static let periods = 1...99
  package static let counters = 0...999
  static let games = 0...Int64.max / 2

  /// The teams in the order in which they were declared. Ids are unique, and scores are within `scores`.
  package internal(set) var teams: [Team]
  /// Teams that were declared earlier but are not now, with their scores, so that nothing is lost while a
  /// config is being edited. Changes of the period and new games change these teams too, so their data are
  /// correct if they are declared again. There are at most `parkedLimit`, the latest last.
  package internal(set) var parked: [Team] = []
  static let parkedLimit = 64

  /// The rules of the current game. They come from the config and are not saved.
  package internal(set) var rules: GameRules
  /// The current period (set, quarter, leg), within `periods`. Every team has one entry in `periodScores` for
  /// each past period.
  package internal(set) var period = 1
  /// Identifies the game that is played: each new game has a greater number than the one before. It is the
  /// same on all walls that share the match, and is not converted to another clock. 0: it has none, because
  /// it is not a wall's (`Match.identify`).
  package internal(set) var game: Int64 = 0
  /// The team that serves, or has the ball.
  package internal(set) var serving: String?
  /// The team that served first in the current period; nil: unknown.
  var firstServer: String?
  /// The sets that were left by going back to an earlier one, the next one last. They go on where they were
  /// left, unless a point is played before.
  var left: [LeftSet] = []
  /// Whether the match was ended by hand, whatever its rules say.
  var isEnded = false
  /// Whether the teams are shown in the reverse of their declared order.
  package internal(set) var sidesSwapped = false
  package internal(set) var gameTimer = GameTimer()
  package internal(set) var shotTimer = GameTimer()
  /// Nil: there is no break. `settled` adds a break that begins by itself, and removes one that is over.
  package internal(set) var gameBreak: GameBreak?
  /// The score that new teams begin with: the start score of the rules that were adopted last.
  var startScore: Int

  /// Keeps the first of several teams with the same id, and clamps scores to their range.
  package init(teams: [Team], rules: GameRules = GameRules()) {
    self.teams = Self.valid(teams)
    self.rules = rules
    startScore = 0
  }

  package func team(_ id: String) -> Team? { teams.first { $0.id == id } }

  /// The teams from left to right.
  package var teamsBySide: [Team] { sidesSwapped ? teams.reversed() : teams }

  /// Adopts the teams of a new config and, if given, its rules. Teams that are declared again keep their
  /// scores; teams that are no longer declared are parked. A name, short name or colour set by hand stays
  /// until the config changes that value.
  package mutating func adopt(_ declared: [Team], rules: GameRules? = nil, at now: Int64 = 0) {
    if let rules, rules != self.rules {
      self = settled(at: now)
      self.rules = rules
    }
    let known = parked + teams
    teams = Self.valid(
      declared.map { team in
        guard let kept = known.first(where: { $0.id == team.id }) else { return newTeam(team) }
        return kept.adopting(team)
      })
    let gone = known.filter { team in !teams.contains { $0.id == team.id } }
    parked = Array(Self.valid(gone).suffix(Self.parkedLimit))
    if self.rules.startScore != startScore { changeStartScore(from: startScore, to: self.rules.startScore) }
    makeValid()
    holdShot(at: now)
    holdBreak()
    syncPenalties(at: now)
  }

  /// A team that was not declared before. A declared score of 0 becomes the start score.
  private func newTeam(_ team: Team) -> Team {
    var team = team
    if team.score == 0 { team.score = startScore }
    return team
  }

  /// Gives the teams the new start score if it is the first period and all of them still have the old one.
  /// Otherwise every score stays, even that of a team which still has the old start score.
  private mutating func changeStartScore(from old: Int, to new: Int) {
    if period == 1, teams.allSatisfy({ $0.score == old }) {
      changeTeams { if $0.score == old { $0.score = new } }
    }
    startScore = new
  }

  /// Corrects what no longer fits after a change of the rules or teams: clamps values, adds or removes the
  /// scores of past periods, and clears the serve and the time-out of a team that does not exist.
  mutating func makeValid() {
    period = min(max(period, Self.periods.lowerBound), Self.periods.upperBound)
    let (period, rules) = (period, rules)
    changeTeams { $0.makeValid(period: period, rules: rules) }
    if let id = serving, team(id) == nil { serving = nil }
    if let id = firstServer, team(id) == nil { firstServer = nil }
    if let id = gameBreak?.kind.team, team(id) == nil { gameBreak = nil }
  }

  /// Applies `body` to all teams, parked ones included.
  mutating func changeTeams(_ body: (inout Team) -> Void) {
    for index in teams.indices { body(&teams[index]) }
    for index in parked.indices { body(&parked[index]) }
  }

  /// Moves the instants of timers, penalties and the break by `offset` nanoseconds, to convert them to a
  /// clock that was 0 at another time.
  mutating func shift(by offset: Int64) {
    gameTimer.shift(by: offset)
    shotTimer.shift(by: offset)
    gameBreak?.shift(by: offset)
    changeTeams { team in team.penalties = team.penalties.map { $0.shifted(by: offset) } }
  }

  static func valid(_ teams: [Team]) -> [Team] {
    var seen: Set<String> = []
    return teams.filter { seen.insert($0.id).inserted }.map { team in
      var team = team
      team.score = min(max(team.score, scores.lowerBound), scores.upperBound)
      return team
    }
  }
}
