// SPDX-License-Identifier: Apache-2.0

/// What the board of a match shows: a pure value that changes only by actions, and knows no time but what
/// it is told.
///
/// Instants are nanoseconds of one clock that never steps (CLOCK_MONOTONIC in the daemon). A timer that
/// runs is kept as the instant since when it runs, so nothing ticks; what it shows is asked for an instant.
/// Likewise a period that ends by its clock has ended for whoever asks (`settled`), and is stored as ended
/// with the next action. `Match` adds undo and redo.
public struct Scoreboard: Hashable, Sendable {
  /// Every score lies in here.
  public static let scores = 0...999
  /// What a period may have brought a team where periods add up: less than nothing after a correction.
  public static let periodScores = -999...999
  public static let periods = 1...99
  public static let counters = 0...999

  /// In the order they were declared; ids are unique, scores lie in `scores`.
  public internal(set) var teams: [Team]
  /// Teams that were declared once and are not now, with their scores: a config that is being edited,
  /// or broken for a while, loses nothing. They go through periods and into new games with the others, to be
  /// right when they come back. At most `parkedLimit`, the latest last.
  public internal(set) var parked: [Team] = []
  static let parkedLimit = 64

  /// The rules of the game that is played; they come with the config and are not saved.
  public internal(set) var rules: GameRules
  /// The period (set, quarter, leg) that is played, in `periods`. Every team has as many `periodScores` as
  /// periods are over.
  public internal(set) var period = 1
  /// The team that serves, or has the ball.
  public internal(set) var serving: String?
  /// The team that served first in the period that is played; nil: nobody knows.
  var firstServer: String?
  /// The teams stand the other way round than they were declared.
  public internal(set) var sidesSwapped = false
  public internal(set) var gameTimer = GameTimer()
  public internal(set) var shotTimer = GameTimer()
  /// What a new team begins with: the rules' when the game began.
  var startScore: Int

  /// Of teams with the same id the first counts; a score outside the range becomes its nearest end.
  public init(teams: [Team], rules: GameRules = GameRules()) {
    self.teams = Self.valid(teams)
    self.rules = rules
    startScore = 0
  }

  public func team(_ id: String) -> Team? { teams.first { $0.id == id } }

  /// The teams from left to right.
  public var teamsBySide: [Team] { sidesSwapped ? teams.reversed() : teams }

  /// Takes the teams and names of a new config, and the rules of its game. The scores of teams that stay,
  /// or come back, are kept; those that go are parked. A name, short name or colour that was set by hand
  /// stays until the config says something else than it did.
  public mutating func adopt(_ declared: [Team], rules: GameRules? = nil, at now: Int64 = 0) {
    if let rules, rules != self.rules {
      self = settled(at: now)
      self.rules = rules
    }
    let known = parked + teams
    teams = Self.valid(
      declared.map { team in
        guard let kept = known.first(where: { $0.id == team.id }) else { return beginner(team) }
        return kept.adopting(team)
      })
    let gone = known.filter { team in !teams.contains { $0.id == team.id } }
    parked = Array(Self.valid(gone).suffix(Self.parkedLimit))
    if self.rules.startScore != startScore { startScores(from: startScore, to: self.rules.startScore) }
    makeValid()
    holdShot(at: now)
    syncPenalties(at: now)
  }

  /// A team that nobody has heard of yet.
  private func beginner(_ team: Team) -> Team {
    var team = team
    if team.score == 0 { team.score = startScore }
    return team
  }

  /// A game that has not begun begins with the new rules' score. Once somebody has scored all stay as they are:
  /// who has nothing yet is no beginner.
  private mutating func startScores(from old: Int, to new: Int) {
    if period == 1, teams.allSatisfy({ $0.score == old }) {
      changeTeams { if $0.score == old { $0.score = new } }
    }
    startScore = new
  }

  /// Brings what other rules, or a change of the teams, left outside into what can be shown.
  mutating func makeValid() {
    period = min(max(period, Self.periods.lowerBound), Self.periods.upperBound)
    let (period, rules) = (period, rules)
    changeTeams { $0.makeValid(period: period, rules: rules) }
    if let id = serving, team(id) == nil { serving = nil }
    if let id = firstServer, team(id) == nil { firstServer = nil }
  }

  /// Those that are parked too.
  mutating func changeTeams(_ body: (inout Team) -> Void) {
    for index in teams.indices { body(&teams[index]) }
    for index in parked.indices { body(&parked[index]) }
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
