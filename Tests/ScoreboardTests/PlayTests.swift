// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Languages
import TestSupport
import Testing

@testable import Scoreboard

/// The rules of sets, serve and sides, in random matches under random rules and in selected cases.
@Suite struct PlayTests {
  /// Random rules for sets, as a club might use.
  private func rules(_ random: inout SplitMix) -> GameRules {
    let presets: [GameRules.Preset] = [.volleyball, .tableTennis, .badminton, .tennis, .darts]
    var rules = GameRules(presets[random.int(0...4)])
    rules.periods = [1, 3, 5][random.int(0...2)]
    rules.periodsToWin = [0, rules.periods / 2 + 1][random.int(0...1)]
    if rules.pointNames == .numbers, !rules.countsDown {
      rules.pointsToWin = random.int(3...25)
      rules.pointsToWinDeciding = [0, 5][random.int(0...1)]
      rules.lead = random.int(1...2)
      rules.cap = [0, rules.pointsToWin + 3][random.int(0...1)]
      rules.servesInRow = random.int(1...5)
    }
    if rules.pointNames == .tennis { rules.lead = random.int(1...2) }
    if rules.games != nil {
      rules.games?.matchTieBreak = [0, 10][random.int(0...1)]
      rules.games?.tieBreakPointsDeciding = [0, 10][random.int(0...1)]
    }
    rules.periodEnd = [.hold, .next][random.int(0...1)]
    rules.sideChange = [.hand, .periods, .games][random.int(0...2)]
    if rules.countsDown, random.int(0...1) == 0 {
      rules.games = GameRules.Games(name: "LEG", toWin: 3)
      rules.startScore = 101
    }
    return rules
  }

  private func refusal(_ match: inout Match, _ action: Scoreboard.Action) -> Scoreboard.Refusal? {
    do throws(Scoreboard.Refusal) { try match.apply(action) } catch { return error }
    return nil
  }

  /// Whether a team with `own` points has won a set against one with `other` points, computed directly from
  /// the definition of the rules.
  private func isSetWon(_ rules: GameRules, _ own: Int, _ other: Int, deciding: Bool) -> Bool {
    let target = deciding && rules.pointsToWinDeciding > 0 ? rules.pointsToWinDeciding : rules.pointsToWin
    if rules.cap > 0, own >= rules.cap, own > other { return true }
    return own >= target && own - other >= rules.lead
  }

  /// Defined here because Swift 6.0.3 does not compile a closure in a macro's arguments.
  private static let gamesOfSets = GameRules.Preset.allCases.filter { GameRules($0).scoring == .sets }

  @Test(
    "A set that is left for an earlier one goes on where it was, unless a point is played before",
    arguments: gamesOfSets, 0..<8)
  func backAndForth(preset: GameRules.Preset, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var match = CheckedMatch(preset)
    let rules = match.scoreboard.rules
    try match.apply(.setServing(team: "home"), at: 0)
    // Some points, also until the end of the match.
    for _ in 0..<[40, 90, 150, 1000][Int(seed % 4)] {
      let team = ["home", "guest"][random.int(0...1)]
      if match.scoreboard.isMatchOver { break }
      if match.scoreboard.isPeriodOver { try match.apply(.addPeriod(by: 1), at: 0) }
      _ = try? match.apply(.addScore(team: team, by: rules.countsDown ? -60 : 1), at: 0)
      if random.int(0...20) == 0 {
        _ = try? match.apply(.addCounter(team: team, counter: "timeouts", by: 1, anyway: true), at: 0)
      }
    }
    if match.scoreboard.gameBreak != nil { try match.apply(.endBreak, at: 0) }
    let reached = match.scoreboard
    guard reached.period > 1 else { return }
    for first in 1..<reached.period {
      var back = match
      for period in (first..<reached.period).reversed() where random.int(0...1) == 0 || period == first {
        try back.apply(.setPeriod(to: period), at: 0)
      }
      try back.apply(.setPeriod(to: reached.period), at: 0)
      #expect(back.scoreboard == reached, "over \\(first)")
    }
    // A set that is played on is another one than that which was left.
    var other = match
    try other.apply(.setPeriod(to: reached.period - 1), at: 0)
    try other.apply(.setScore(team: "home", to: rules.startScore), at: 0)
    try other.apply(
      .setPeriodScore(team: "home", period: other.scoreboard.period, to: rules.startScore), at: 0)
    try other.apply(
      .setPeriodScore(team: "guest", period: other.scoreboard.period, to: rules.startScore), at: 0)
    guard !other.scoreboard.isMatchOver, !other.scoreboard.isPeriodOver else { return }
    try other.apply(.addScore(team: "home", by: rules.countsDown ? -60 : 1), at: 0)
    try other.apply(.addPeriod(by: 1, anyway: true), at: 0)
    #expect(other.scoreboard.teams.allSatisfy { $0.score == rules.startScore && $0.games == 0 })
  }

  @Test("Random play follows the rules of sets, serve and the end of the match", arguments: 0..<30)
  func play(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 900)
    let rules = rules(&random)
    var match = Match(Scoreboard(teams: []))
    match.adopt(declaredTeams, rules: rules, at: 0)
    let initial = match.scoreboard
    try match.apply(.setServing(team: random.int(0...1) == 0 ? "home" : "guest"))
    var points = 0
    while !match.scoreboard.isMatchOver, points < 3000 {
      points += 1
      let before = match.scoreboard
      let team = ["home", "guest"][random.int(0...1)]
      let made =
        rules.countsDown
        ? [0, -100, -180, 0 - random.int(1...60), 0 - random.int(1...20)][random.int(0...4)] : 1
      if let refused = refusal(&match, .addScore(team: team, by: made)) {
        // The highest turn does not finish a leg.
        if refused == .impossibleFinish(points: -made) { continue }
        // A bust out of turn changes nothing.
        if case .bust = refused, before.serving != team { continue }
        guard case .periodOver = refused, before.isPeriodOver else {
          Issue.record("\(refused) in \(before)")
          return
        }
        #expect(match.scoreboard == before)
        try match.apply(.addPeriod(by: 1))
        continue
      }
      check(match.scoreboard, after: before, team, made)
    }
    let end = match.scoreboard
    #expect(end.isMatchOver)
    for action: Scoreboard.Action in [
      .addScore(team: "home", by: rules.countsDown ? -1 : 1), .addPeriod(by: 1),
      .setPeriod(to: end.period + 1),
    ] {
      guard case .matchOver? = refusal(&match, action) else {
        Issue.record("\(action) is accepted after the match")
        return
      }
    }
    #expect(match.scoreboard == end)
    if rules.periodsToWin > 0 {
      let won = end.teams.map { end.periodsWon(by: $0) }.sorted()
      #expect(won[1] == rules.periodsToWin && won[0] < rules.periodsToWin)
    }
    // The scoreboard can be encoded and decoded. If the history has the whole match, it can be undone and
    // redone.
    let text = try JSONEncoder().encode(match.scoreboard)
    var read = try JSONDecoder().decode(Scoreboard.self, from: text)
    read.adopt(declaredTeams, rules: rules)
    #expect(read == match.scoreboard)
    guard match.past.count < Match.historyLimit else { return }
    while !match.past.isEmpty { try match.apply(.undo) }
    #expect(match.scoreboard == initial)
    while !match.future.isEmpty { try match.apply(.redo) }
    #expect(match.scoreboard == end)
  }

  private func check(_ scoreboard: Scoreboard, after before: Scoreboard, _ id: String, _ made: Int) {
    let rules = scoreboard.rules
    #expect(scoreboard.fault(at: 0) == nil)
    if let team = scoreboard.team(id), let old = before.team(id) {
      let wins = scoreboard.periodsWon(by: team) > before.periodsWon(by: old)
      let expected: WinningPoint? = scoreboard.winner?.id == id ? .match : wins ? .set : nil
      #expect(before.winningPoint(of: old) == (rules.countsDown ? nil : expected))
    }
    if rules.serveRule == .rally, scoreboard.period == before.period { #expect(scoreboard.serving == id) }
    if rules.serveRule == .turns, scoreboard.period == before.period,
      scoreboard.teams.map(\.games) == before.teams.map(\.games)
    {
      #expect(scoreboard.serving == (id == "home" ? "guest" : "home"))
    }
    if rules.sideChange == .games {
      let games = before.teams.reduce(1) { $0 + $1.games }
      let points = scoreboard.teams.reduce(0) { $0 + $1.score }
      let isGameOver =
        scoreboard.period != before.period || scoreboard.teams.map(\.games) != before.teams.map(\.games)
      let changes =
        rules.games != nil
        && (isGameOver
          ? games % 2 == 1 && !scoreboard.isMatchOver : before.isTieBreak && points % 6 == 0)
      #expect((scoreboard.sidesSwapped != before.sidesSwapped) == changes)
    }
    guard rules.games == nil, !rules.countsDown, let old = before.team(id) else { return }
    let (own, other) = (old.score + made, before.teams.first { $0.id != id }?.score ?? 0)
    let deciding = rules.periodsToWin > 0 && before.period == rules.periods
    let isOver = isSetWon(rules, own, other, deciding: deciding)
    #expect((scoreboard.period != before.period || scoreboard.isPeriodOver) == isOver, "\(own) : \(other)")
  }

  @Test("The teams alternate as the rules of table tennis say, whoever serves first", arguments: 1...6)
  func serves(row: Int) throws {
    var match = Match(Scoreboard(teams: []))
    var rules = GameRules(.tableTennis)
    rules.servesInRow = row
    rules.pointsToWin = 1 + 6 * row
    match.adopt(declaredTeams, rules: rules, at: 0)
    try match.apply(.setServing(team: "guest"))
    var servers: [String] = []
    for point in 0..<(12 * row + 20) {
      servers.append(try #require(match.scoreboard.serving))
      try match.apply(.addScore(team: point % 2 == 0 ? "home" : "guest", by: 1))
    }
    for (point, server) in servers.enumerated() {
      let changes = point < 12 * row ? point / row : 12 + point - 12 * row
      #expect(server == (changes % 2 == 0 ? "guest" : "home"), "point \(point)")
    }
  }

  @Test("Correcting the score corrects the serve, the set and the match")
  func corrections() throws {
    var match = Match(newBoard(.tableTennis))
    try match.apply(.setServing(team: "home"))
    try match.apply(.addScore(team: "home", by: 2))
    #expect(match.scoreboard.serving == "guest")
    try match.apply(.addScore(team: "home", by: -1))
    #expect(match.scoreboard.serving == "home")
    try match.apply(.setScore(team: "home", to: 11))
    #expect(match.scoreboard.isPeriodOver)
    try match.apply(.addScore(team: "home", by: -1))
    #expect(!match.scoreboard.isPeriodOver)
    for _ in 0..<3 {
      try match.apply(.setScore(team: "home", to: 11))
      if !match.scoreboard.isMatchOver { try match.apply(.addPeriod(by: 1)) }
    }
    #expect(match.scoreboard.winner?.id == "home" && match.scoreboard.resultText == "3 : 0")
    try match.apply(.setPeriodScore(team: "guest", period: 1, to: 13))
    #expect(!match.scoreboard.isMatchOver && match.scoreboard.resultText == "2 : 1")
    try match.apply(.addPeriod(by: 1))
    #expect(match.scoreboard.period == 4)
    try match.apply(.addPeriod(by: -1))
    #expect(match.scoreboard.team("home")?.score == 11 && match.scoreboard.isPeriodOver)
  }

  @Test("Tennis points have their names, and 15, 30 and 40 can be set")
  func tennisPoints() throws {
    var match = Match(newBoard(.tennis))
    func called() -> [String] { match.scoreboard.teams.map { match.scoreboard.pointsText(of: $0) } }
    try match.apply(.setScore(team: "home", to: 40))
    try match.apply(.setScore(team: "guest", to: 30))
    #expect(called() == ["40", "30"])
    guard case .changed(let step) = try match.apply(.addScore(team: "guest", by: 1)) else { return }
    #expect(step.summary == "score of guest: 30 → 40")
    try match.apply(.addScore(team: "home", by: 1))
    #expect(called() == ["AD", "40"])
    try match.apply(.addScore(team: "guest", by: 1))
    #expect(called() == ["40", "40"])
    for _ in 0..<2 { try match.apply(.addScore(team: "guest", by: 1)) }
    #expect(called() == ["0", "0"] && match.scoreboard.teams.map(\.games) == [0, 1])
    #expect(match.past.last?.summary == "score of guest +1, guest wins the game, 0 : 1")
  }

  @Test(
    "The history and refusals are English sentences, whatever the display's language",
    arguments: Words.languages)
  func language(name: String) throws {
    let words = try #require(Language(name)).words
    for preset in GameRules.Preset.allCases {
      var matches = [GameRules(preset), GameRules(preset, words: words)].map { rules in
        var match = Match(Scoreboard(teams: []))
        // The points have the display's names.
        var rules = rules
        rules.advantageName = "AD"
        match.adopt(declaredTeams, rules: rules, at: 0)
        return match
      }
      var random = SplitMix(seed: 77)
      for _ in 0..<300 {
        let points = matches[0].scoreboard.rules.countsDown ? -random.int(20...180) : 1
        let team = ["home", "guest"][random.int(0...1)]
        let action: Scoreboard.Action =
          switch random.int(0...11) {
          case 0: .setServing(team: team)
          case 1 where matches[0].scoreboard.isPeriodOver: .addPeriod(by: 1)
          default: .addScore(team: team, by: points)
          }
        var refusals: [Scoreboard.Refusal?] = []
        for index in matches.indices { refusals.append(refusal(&matches[index], action)) }
        #expect(refusals[0] == refusals[1])
        #expect(matches[0].past.last?.summary == matches[1].past.last?.summary)
      }
    }
  }

  @Test("Sides change after every set, and in the last one at the configured points")
  func sides() throws {
    var match = Match(Scoreboard(teams: []))
    var rules = GameRules(.volleyball)
    rules.sideChange = .periods
    match.adopt(declaredTeams, rules: rules, at: 0)
    for set in 1...4 {
      try match.apply(.addScore(team: set % 2 == 0 ? "home" : "guest", by: 25))
      try match.apply(.addPeriod(by: 1))
      #expect(match.scoreboard.sidesSwapped == (set % 2 == 1))
    }
    try match.apply(.addScore(team: "home", by: 7))
    #expect(!match.scoreboard.sidesSwapped)
    try match.apply(.addScore(team: "home", by: 1))
    #expect(match.scoreboard.sidesSwapped)
    try match.apply(.addScore(team: "guest", by: 8))
    #expect(match.scoreboard.sidesSwapped)
  }

  @Test("A turn of darts is one that three darts can score, and finish with a double")
  func darts() throws {
    let turns = Set([163, 166, 169, 172, 173, 175, 176, 178, 179])
    let finishes = Set([1, 159, 162, 163, 165, 166, 168, 169]).union(171...180)
    for isDoubleOut in [true, false] {
      var rules = GameRules(.darts)
      rules.doubleOut = isDoubleOut
      var match = Match(Scoreboard(teams: []))
      match.adopt(declaredTeams, rules: rules, at: 0)
      for points in 1...180 {
        let turn = Scoreboard.Action.addScore(team: "home", by: -points)
        var played = match
        #expect(refusal(&played, turn) == (turns.contains(points) ? .impossibleTurn(points: points) : nil))
        var last = match
        try last.apply(.setScore(team: "home", to: points))
        let refused = refusal(&last, turn)
        if turns.contains(points) {
          #expect(refused == .impossibleTurn(points: points))
        } else if isDoubleOut, finishes.contains(points) {
          #expect(
            refused == .impossibleFinish(points: points) && last.scoreboard.team("home")?.score == points)
        } else {
          #expect(refused == nil && last.scoreboard.period == 2, "\(points)")
        }
        // If a leg must end with a double, no turn may leave 1 point.
        var one = match
        try one.apply(.setScore(team: "home", to: points + 1))
        if refusal(&one, turn) == nil { #expect((one.scoreboard.team("home")?.score == 1) != isDoubleOut) }
      }
    }
  }

  @Test("Where points add up, a throw that reaches the winning score counts whole", arguments: 1...3, 1...2)
  func lastThrow(points: Int, lead: Int) throws {
    for (home, guest) in [(18, 0), (19, 12), (20, 0), (20, 19), (20, 20)] {
      var rules = GameRules(.free)
      rules.pointsToWin = 21
      rules.lead = lead
      rules.overtime.goalWins = points == 2
      var match = Match(newBoard(.free))
      match.adopt(declaredTeams, rules: rules, at: 0)
      try match.apply(.setScore(team: "home", to: home))
      try match.apply(.setScore(team: "guest", to: guest))
      try match.apply(.addScore(team: "home", by: points))
      let sum = home + points
      #expect(match.scoreboard.teams[0].score == sum)
      let isOver = sum >= 21 && sum - guest >= lead
      #expect(match.scoreboard.isMatchOver == isOver, "\(sum):\(guest)")
      if isOver {
        #expect(throws: Scoreboard.Refusal.self) { try match.apply(.addScore(team: "home", by: 1)) }
      }
      try match.apply(.undo)
      #expect(match.scoreboard.teams[0].score == home)
    }
  }

  @Test("A turn above the limit, or points beyond the end of a set, are refused as a whole")
  func refusals() throws {
    var match = Match(newBoard(.darts))
    #expect(refusal(&match, .addScore(team: "home", by: -181)) == .turnOutOfRange(points: 181, maximum: 180))
    #expect(refusal(&match, .addScore(team: "home", by: .min)) == .turnOutOfRange(points: .max, maximum: 180))
    var rules = GameRules(.darts)
    rules.serveRule = .hand
    match.adopt(declaredTeams, rules: rules, at: 0)
    try match.apply(.setScore(team: "home", to: 121))
    #expect(refusal(&match, .addScore(team: "home", by: -140)) == .bust(points: 140, left: 121))
    #expect(refusal(&match, .addScore(team: "home", by: -120)) == .bust(points: 120, left: 121))
    var volleyball = Match(newBoard(.volleyball))
    #expect(
      refusal(&volleyball, .addScore(team: "home", by: 26))
        == .tooManyPoints(points: 26, needed: 25, period: "SET 1"))
    #expect(volleyball.scoreboard == newBoard(.volleyball))
    #expect(refusal(&volleyball, .setPeriod(to: 6)) == .periodOutOfRange(6, maximum: 5))
  }
}
