// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scoreboard

/// The same points give the same scoreboard, whatever led to them: points, corrections, set scores, undo, and
/// periods that were begun by mistake.
@Suite struct PathTests {
  /// What determines the outcome: two scoreboards of the same match with equal points must have the same
  /// `Outcome`.
  private struct Points: Hashable {
    let period: Int
    let scores: [[Int]]
    /// Whether the operator has swapped the sides an odd number of times.
    let isSwapped: Bool

    init(_ match: Match) {
      period = match.scoreboard.period
      scores = match.scoreboard.teams.map { $0.periodScores + [$0.games, $0.score] }
      isSwapped = match.past.count { $0.action == .swapSides } % 2 == 1
    }
  }

  /// What follows from the points.
  private struct Outcome: Hashable {
    /// Nil if the points do not say on which sides the teams are.
    let sides: [String]?
    /// Nil if the points do not say who serves.
    let server: String?
    let won: [Int]
    let winners: [String?]

    init(_ scoreboard: Scoreboard) {
      sides = PathTests.areSidesDerived(scoreboard.rules) ? scoreboard.teamsBySide.map(\.id) : nil
      server = PathTests.isServeDerived(scoreboard) ? scoreboard.serving ?? "nobody" : nil
      won = scoreboard.teams.map { scoreboard.periodsWon(by: $0) }
      winners = [scoreboard.periodWinner?.id, scoreboard.winner?.id]
    }
  }

  /// Whether the points say who serves. They say who has won the last rally only if exactly one team has
  /// points, and never whose turn it is in darts. If the first server of a set is decided by a toss or by the
  /// winner of the set before, the points do not say who serves after the set was opened again.
  private static func isServeDerived(_ scoreboard: Scoreboard) -> Bool {
    let rules = scoreboard.rules
    let alternates =
      rules.firstServe == .alternate && (rules.firstServeDeciding ?? .alternate) == .alternate
    let scorers = scoreboard.teams.count { $0.score != rules.startScore }
    return switch rules.serveRule {
    case .hand, .games: true
    case .points: alternates
    case .rally: rules.games == nil && (scorers == 1 || (scorers == 0 && alternates))
    case .turns: false
    }
  }

  /// Whether the points say on which sides the teams are. The points of tie-breaks that are over do not, and
  /// are not stored.
  private static func areSidesDerived(_ rules: GameRules) -> Bool {
    guard rules.sideChange == .games, let games = rules.games else { return true }
    return games.tieBreakAt == 0 && games.matchTieBreak == 0
  }

  /// A preset with random values of the keys of `[game]` that concern points, serve and sides. A set is won
  /// with few points, so that a random match reaches the same points again.
  private func rules(_ preset: GameRules.Preset, _ random: inout SplitMix) -> GameRules {
    var rules = GameRules(preset)
    func chance() -> Bool { random.int(0...1) == 0 }
    if rules.scoring == .sets {
      rules.periods = [1, 2, 3, 5][random.int(0...3)]
      rules.periodsToWin = [0, rules.periods / 2 + 1][random.int(0...1)]
    }
    if rules.countsDown {
      rules.startScore = random.int(8...12)
      rules.doubleOut = chance()
    } else if rules.pointsToWin > 0, rules.pointNames == .numbers {
      rules.pointsToWin = random.int(2...5)
      rules.cap = [0, rules.pointsToWin + 2][random.int(0...1)]
    }
    rules.pointsToWinDeciding = [0, 2, 4][random.int(0...2)]
    rules.lead = random.int(1...2)
    if rules.games != nil {
      rules.games = GameRules.Games(
        name: "GAME", toWin: random.int(1...3), lead: random.int(1...2),
        tieBreakAt: [0, 2][random.int(0...1)], tieBreakPoints: random.int(2...4),
        tieBreakPointsDeciding: [0, 5][random.int(0...1)], matchTieBreak: [0, 3][random.int(0...1)])
    }
    rules.periodEnd = GameRules.PeriodEnd.allCases[random.int(0...1)]
    if chance() { rules.serveRule = GameRules.ServeRule.allCases[random.int(0...4)] }
    rules.servesInRow = random.int(1...3)
    rules.firstServe = GameRules.FirstServe.allCases[random.int(0...2)]
    rules.firstServeDeciding = [nil, .alternate, .winner, .toss][random.int(0...3)]
    rules.sideChange = GameRules.SideChange.allCases[random.int(0...2)]
    rules.sideChangeAt = random.int(0...4)
    return rules
  }

  private func action(_ rules: GameRules, _ random: inout SplitMix) -> Scoreboard.Action {
    let team = declaredTeams[random.int(0...1)].id
    return switch random.int(0...19) {
    case 0...7: .addScore(team: team, by: rules.countsDown ? -random.int(1...5) : 1)
    case 8...11: .addScore(team: team, by: rules.countsDown ? random.int(1...5) : -1)
    case 12: .setScore(team: team, to: random.int(0...6))
    case 13:
      .setScore(team: team, to: [15, 30, 40, rules.pointsToWin, rules.sideChangeAt][random.int(0...4)])
    case 14, 15: .undo
    case 16: .redo
    case 17: .swapSides
    case 18: .addPeriod(by: 1)
    default: .addPeriod(by: -1)
    }
  }

  @Test("The same points give the same scoreboard on any path", arguments: GameRules.Preset.allCases)
  func paths(preset: GameRules.Preset) throws {
    for seed in 0..<TestEffort.rounds(60, long: 2_000) {
      var random = SplitMix(seed: UInt64(seed) &+ 7_000)
      var start = Match(Scoreboard(teams: []))
      start.adopt(declaredTeams, rules: rules(preset, &random), at: 0)
      try start.apply(.setServing(team: "home"))
      var known: [Points: Outcome] = [:]
      for _ in 0..<5 {
        var match = start
        for _ in 0..<80 {
          let action = action(start.scoreboard.rules, &random)
          // The first action, which sets who serves first, is not undone.
          if action == .undo, match.past.count == 1 { continue }
          _ = try? match.apply(action)
          let (points, outcome) = (Points(match), Outcome(match.scoreboard))
          guard known[points, default: outcome] == outcome else {
            Issue.record(
              """
              \(points): \(outcome), once \(String(describing: known[points])), by \(match.past.map(\.action)) with \
              \(start.scoreboard.rules)
              """)
            return
          }
          known[points] = outcome
        }
      }
    }
  }

  @Test("Tennis with services by points alternates after each point of a deuce, on any path")
  func deuce() throws {
    var rules = GameRules(.tennis)
    rules.serveRule = .points
    var start = Match(Scoreboard(teams: []))
    start.adopt(declaredTeams, rules: rules, at: 0)
    try start.apply(.setServing(team: "guest"))
    for team in ["home", "guest"] { try start.apply(.setScore(team: team, to: 40)) }
    let paths: [[Scoreboard.Action]] = [
      [.addScore(team: "home", by: 1)],
      [.addScore(team: "guest", by: 1), .addScore(team: "home", by: 1), .addScore(team: "home", by: 1)],
      [.addScore(team: "guest", by: 1), .addScore(team: "guest", by: -1), .setScore(team: "home", to: 4)],
      [.addScore(team: "guest", by: 1), .undo, .addScore(team: "home", by: 1)],
      [.setScore(team: "guest", to: 4), .setScore(team: "home", to: 4), .addScore(team: "home", by: 1)],
    ]
    for path in paths {
      var match = start
      #expect(match.scoreboard.serving == "home")
      for action in path { try match.apply(action) }
      #expect(
        match.scoreboard.teams.map(\.score) == [4, 3] && match.scoreboard.serving == "guest", "\(path)")
    }
  }

  @Test("A correction across the change of ends changes the ends back, and the same point changes them again")
  func endsOfTheLastSet() throws {
    var rules = GameRules(.tableTennis)
    rules.sideChange = .periods
    var match = Match(Scoreboard(teams: []))
    match.adopt(declaredTeams, rules: rules, at: 0)
    try match.apply(.setPeriod(to: 5, anyway: true))
    try match.apply(.addScore(team: "home", by: 5))
    let steps: [(Scoreboard.Action, Bool)] = [
      (.addScore(team: "home", by: -1), false), (.addScore(team: "guest", by: 1), false),
      (.addScore(team: "home", by: 1), true), (.setScore(team: "home", to: 0), false),
      (.setScore(team: "guest", to: 7), true), (.addPeriod(by: -1), true), (.addPeriod(by: 1), true),
    ]
    #expect(match.scoreboard.sidesSwapped)
    for (action, isSwapped) in steps {
      try match.apply(action)
      #expect(match.scoreboard.sidesSwapped == isSwapped, "\(action)")
    }
  }
}
