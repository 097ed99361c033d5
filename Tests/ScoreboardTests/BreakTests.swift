// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@testable import Scoreboard

/// Time-outs and intervals, and who may take how many time-outs.
@Suite struct BreakTests {
  private func refusal(_ match: Match, _ action: Scoreboard.Action, at now: Int64) -> Scoreboard.Refusal? {
    var copy = match
    do throws(Scoreboard.Refusal) { try copy.apply(action, at: now) } catch { return error }
    return nil
  }

  private func timeOut(_ team: String, anyway: Bool? = nil) -> Scoreboard.Action {
    .addCounter(team: team, counter: "timeouts", by: 1, anyway: anyway)
  }

  /// Counts a time-out that ends at once.
  private func take(_ team: String, _ match: inout Match) throws {
    try match.apply(timeOut(team), at: 0)
    try match.apply(.endBreak, at: 0)
  }

  /// A match in `period` whose game clock has this time left, at rest.
  private func match(_ preset: GameRules.Preset, period: Int, left: Int64) throws -> Match {
    var match = Match(newBoard(preset))
    if period > 1 { try match.apply(.setPeriod(to: period)) }
    let course = try #require(match.scoreboard.course(of: .game))
    let end = try #require(course.end)
    try match.apply(.setTimer(.game, to: course.rule.direction == .down ? left : end - left))
    return match
  }

  // MARK: Limits

  @Test("FIBA: two time-outs in the last two minutes of the fourth quarter, and three in the second half")
  func basketball() throws {
    let refused = Scoreboard.Refusal.counterLimited(
      team: "home", counter: "timeouts", limit: 2, part: "end", milliseconds: 120_000)
    var late = try match(.basketball, period: 4, left: 2 * minute)
    for _ in 0..<2 { try take("home", &late) }
    #expect(refusal(late, timeOut("home"), at: 0) == refused)
    #expect(refusal(late, .startBreak(.timeOut(team: "home"), length: nil), at: 0) == refused)
    #expect(refusal(late, timeOut("guest"), at: 0) == nil)
    // A third one before the last two minutes is one of the half.
    var early = try match(.basketball, period: 4, left: 2 * minute + 1)
    for _ in 0..<3 { try take("home", &early) }
    #expect(
      refusal(early, timeOut("home"), at: 0)
        == .counterLimited(team: "home", counter: "timeouts", limit: 3, part: "half", milliseconds: 0))
    // One before, two in the last two minutes.
    early = try match(.basketball, period: 3, left: minute)
    try take("home", &early)
    try early.apply(.setPeriod(to: 4), at: 0)
    try early.apply(.setTimer(.game, to: minute), at: 0)
    for _ in 0..<2 { try take("home", &early) }
    // The scorer decides, and what was taken back was counted last.
    try late.apply(timeOut("home", anyway: true), at: 0)
    #expect(late.scoreboard.team("home")?.counter("timeouts") == 3)
    try late.apply(.undo, at: 0)
    try late.apply(.redo, at: 0)
    #expect(late.scoreboard.team("home")?.counter("timeouts") == 3)
    for _ in 0..<2 { try late.apply(.addCounter(team: "home", counter: "timeouts", by: -1), at: 0) }
    try late.apply(timeOut("home"), at: 0)
    #expect(refusal(late, timeOut("home"), at: 0) == refused)
    // So was what is taken back after the clock was corrected to an earlier time.
    var corrected = try match(.basketball, period: 4, left: minute)
    for _ in 0..<2 { try take("home", &corrected) }
    try corrected.apply(.setTimer(.game, to: 3 * minute), at: 0)
    try corrected.apply(.addCounter(team: "home", counter: "timeouts", by: -1), at: 0)
    try corrected.apply(.setTimer(.game, to: minute), at: 0)
    try corrected.apply(timeOut("home"), at: 0)
    #expect(refusal(corrected, timeOut("home"), at: 0) == refused)
    // In overtime one, whatever was taken before.
    try late.apply(.addPeriod(by: 1), at: 0)
    try late.apply(timeOut("home"), at: 0)
    #expect(
      refusal(late, timeOut("home"), at: 0)
        == .counterLimited(team: "home", counter: "timeouts", limit: 1, part: "overtime", milliseconds: 0))
  }

  @Test("IHF: three time-outs, at most two in a half, one in the last five minutes, none in overtime")
  func handball() throws {
    func limited(_ limit: Int, _ part: String, _ milliseconds: Int = 0) -> Scoreboard.Refusal {
      .counterLimited(team: "home", counter: "timeouts", limit: limit, part: part, milliseconds: milliseconds)
    }
    var match = try match(.handball, period: 1, left: minute)
    // The last five minutes are those of the match.
    for _ in 0..<2 { try take("home", &match) }
    #expect(refusal(match, timeOut("home"), at: 0) == limited(2, "half"))
    try match.apply(.addPeriod(by: 1), at: 0)
    var third = match
    try third.apply(timeOut("home"), at: 0)
    #expect(refusal(third, timeOut("home"), at: 0) == limited(3, "game"))
    // A correction is no time-out, and is not limited.
    #expect(refusal(match, .setCounter(team: "home", counter: "timeouts", to: 3), at: 0) == nil)
    try match.apply(.setCounter(team: "home", counter: "timeouts", to: 0), at: 0)
    try match.apply(.setTimer(.game, to: 55 * minute), at: 0)
    try match.apply(timeOut("home"), at: 0)
    #expect(refusal(match, timeOut("home"), at: 0) == limited(1, "end", 300_000))
    try match.apply(.addPeriod(by: 1), at: 0)
    #expect(refusal(match, timeOut("home"), at: 0) == limited(0, "overtime"))
    #expect(refusal(match, timeOut("home", anyway: true), at: 0) == nil)
    // Nobody's counts outlast the match.
    try match.apply(.newGame, at: 0)
    #expect(match.scoreboard.teams.allSatisfy { $0.counters.isEmpty })
  }

  @Test("IIHF: one time-out of 30 seconds in a match")
  func iceHockey() throws {
    var match = try match(.iceHockey, period: 3, left: minute)
    try match.apply(timeOut("home"), at: 0)
    #expect(match.scoreboard.gameBreak?.length == 30 * second)
    try match.apply(.addPeriod(by: 1), at: 0)
    #expect(
      refusal(match, timeOut("home"), at: 0)
        == .counterLimited(team: "home", counter: "timeouts", limit: 1, part: "game", milliseconds: 0))
  }

  @Test(
    "Every limit can be overruled, and the count outlasts undo, a reload and a restart",
    arguments: GameRules.Preset.allCases)
  func anyLimit(preset: GameRules.Preset) throws {
    for counter in GameRules(preset).counters {
      var match = CheckedMatch(preset)
      let most = match.scoreboard.limit(of: counter)
      let more = Scoreboard.Action.addCounter(team: "home", counter: counter.id, by: 1)
      let anyway = try #require(more.overruling)
      func count() -> Int { match.scoreboard.team("home")?.counter(counter.id) ?? 0 }
      try match.apply(.setCounter(team: "home", counter: counter.id, to: most), at: 0)
      let refused = refusal(match.match, more, at: 0)
      guard case .counterLimited = refused else {
        Issue.record("\(counter.id): \(String(describing: refused))")
        continue
      }
      #expect(refused?.canBeOverruled == true)
      for _ in 0..<2 { try match.apply(anyway, at: 0) }
      #expect(count() == most + 2)
      var reloaded = match.match
      reloaded.adopt(declaredTeams, rules: GameRules(preset), at: 0)
      try reloaded.apply(.addScore(team: "home", by: preset == .darts ? -60 : 1), at: 0)
      try reloaded.apply(.undo, at: 0)
      #expect(reloaded.scoreboard.team("home")?.counter(counter.id) == most + 2)
      try match.apply(.addCounter(team: "home", counter: counter.id, by: -1), at: 0)
      #expect(count() == most + 1)
      try match.apply(.setCounter(team: "home", counter: counter.id, to: most), at: 0)
      #expect(
        refusal(match.match, .setCounter(team: "home", counter: counter.id, to: most + 1), at: 0) != nil)
    }
  }

  // MARK: Sets

  private static let games: [(GameRules.Preset, points: Int, interval: Int64)] = [
    (.volleyball, 25, 3 * minute), (.tableTennis, 11, minute), (.badminton, 21, 2 * minute),
  ]

  @Test("After a set that is won an interval begins, but not after the match", arguments: games)
  func sets(preset: GameRules.Preset, points: Int, interval: Int64) throws {
    var match = Match(newBoard(preset))
    try match.apply(.startTimer(.game), at: 0)
    var now: Int64 = 0
    while !match.scoreboard.isMatchOver {
      for point in 0..<points {
        let isWithinSet = preset == .badminton && point == 11
        #expect(match.scoreboard.gameBreak?.length == (isWithinSet ? minute : nil))
        now += 20 * second
        try match.apply(.addScore(team: "home", by: 1), at: now)
      }
      let won = match
      guard !match.scoreboard.isMatchOver else { break }
      #expect(won.scoreboard.gameBreak?.kind == .interval && won.scoreboard.gameBreak?.length == interval)
      // The stopwatch measures the match.
      #expect(won.scoreboard.reading(of: .game, at: now)?.isRunning == true)
      // The point is taken back, by hand or by undo: the set goes on.
      for action: Scoreboard.Action in [
        .addScore(team: "home", by: -1), .setScore(team: "guest", to: points), .undo,
      ] {
        var back = won
        try back.apply(action, at: now + second)
        #expect(back.scoreboard.gameBreak == nil, "\(action)")
      }
      #expect(won.scoreboard.settled(at: now + interval + 10 * second).gameBreak == nil)
      try match.apply(.addPeriod(by: 1), at: now)
    }
    #expect(match.scoreboard.gameBreak == nil && match.scoreboard.winner?.id == "home")
    // The reopened set has been over before.
    try match.apply(.addPeriod(by: -1), at: now)
    #expect(match.scoreboard.gameBreak == nil)
    var back = match
    while !back.past.isEmpty { try back.apply(.undo, at: now) }
    #expect(back.scoreboard == newBoard(preset))
    while let step = back.future.last { try back.apply(.redo, at: step.time) }
    #expect(back.scoreboard == match.scoreboard)
  }

  @Test("FIVB: a time-out of 30 seconds leaves the stopwatch alone; after the set none begins")
  func volleyball() throws {
    var match = Match(newBoard(.volleyball))
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(timeOut("guest"), at: 10 * second)
    #expect(match.scoreboard.gameBreak?.kind == .timeOut(team: "guest"))
    #expect(match.scoreboard.reading(of: .breakClock, at: 20 * second)?.value == 20 * second)
    #expect(match.scoreboard.reading(of: .game, at: 20 * second)?.value == 20 * second)
    // The other team's follows at once, and the set's score is corrected meanwhile.
    try match.apply(timeOut("home"), at: 25 * second)
    try match.apply(.addScore(team: "home", by: 1), at: 26 * second)
    #expect(match.scoreboard.gameBreak?.kind == .timeOut(team: "home"))
    #expect(match.scoreboard.reading(of: .breakClock, at: 30 * second)?.value == 25 * second)
    // One that was a mistake is taken back.
    try match.apply(.addCounter(team: "guest", counter: "timeouts", by: -1), at: 31 * second)
    #expect(match.scoreboard.gameBreak != nil)
    try match.apply(.addCounter(team: "home", counter: "timeouts", by: -1), at: 31 * second)
    #expect(match.scoreboard.gameBreak == nil)
    try match.apply(.setScore(team: "home", to: 25), at: minute)
    #expect(match.scoreboard.gameBreak?.kind == .interval)
    // A time-out that was forgotten is counted.
    try match.apply(timeOut("home", anyway: true), at: minute)
    #expect(match.scoreboard.gameBreak?.kind == .interval)
    #expect(match.scoreboard.team("home")?.counter("timeouts") == 1)
  }

  @Test("FIBA: an interval before each overtime, as long as the score is tied when the time is up")
  func overtimes() throws {
    let end = 10 * minute
    func match(_ home: Int, _ guest: Int) throws -> CheckedMatch {
      var match = CheckedMatch(.basketball)
      try match.apply(.setPeriod(to: 4), at: 0)
      for (team, points) in [("home", home), ("guest", guest)] {
        try match.apply(.addScore(team: team, by: points), at: 0)
      }
      try match.apply(.startTimer(.game), at: 0)
      return match
    }
    for (home, guest) in [(70, 70), (70, 71), (0, 0)] {
      let settled = try match(home, guest).scoreboard.settled(at: end)
      let interval = GameBreak(.interval, length: 2 * minute, byItself: true, at: end)
      #expect((settled.gameBreak == interval) == (home == guest) && settled.period == 4)
      #expect(settled.isFinished(at: end) == (home != guest))
    }
    // A basket at the buzzer is counted after it, or taken back.
    var late = try match(70, 72)
    for (points, hasInterval) in [(2, true), (1, false), (-1, true), (-2, false), (2, true)] {
      try late.apply(.addScore(team: "home", by: points), at: end + 5 * second)
      #expect((late.scoreboard.gameBreak?.kind == .interval) == hasInterval, "\(points)")
    }
    for overtime in 1...3 {
      let start = Int64(overtime) * 20 * minute
      try late.apply(.addPeriod(by: 1), at: start)
      #expect(late.scoreboard.gameBreak == nil)
      try late.apply(.startTimer(.game), at: start)
      let settled = late.scoreboard.settled(at: start + 6 * minute)
      #expect(settled.reading(of: .breakClock, at: start + 6 * minute)?.value == minute)
    }
    try late.replay(at: 100 * minute)
    // Handball has draws.
    var draw = CheckedMatch(.handball)
    try draw.apply(.setPeriod(to: 2), at: 0)
    try draw.apply(.startTimer(.game), at: 0)
    #expect(draw.scoreboard.settled(at: 30 * minute).gameBreak == nil)
  }

  @Test("A correction across the interval within a set removes it; a point ends it, and ends no time-out")
  func withinSets() throws {
    var badminton = CheckedMatch(.badminton)
    try badminton.apply(.setScore(team: "home", to: 10), at: 0)
    try badminton.apply(.setScore(team: "guest", to: 10), at: 0)
    let steps: [(Scoreboard.Action, Int64?)] = [
      (.addScore(team: "home", by: 1), minute), (.addScore(team: "home", by: -1), nil),
      (.addScore(team: "guest", by: 1), minute), (.setScore(team: "guest", to: 12), minute),
      (.addScore(team: "home", by: 1), nil), (.setScore(team: "home", to: 21), 2 * minute),
      (.setScore(team: "home", to: 20), nil), (.addScore(team: "home", by: 1), 2 * minute),
      (.addPeriod(by: 1), nil), (.startBreak(.warmUp, length: minute), minute),
      (.addScore(team: "home", by: 1), nil), (.startBreak(.timeOut(team: "home"), length: second), second),
      (.addScore(team: "home", by: 1), second),
    ]
    for (action, length) in steps {
      try badminton.apply(action, at: 0)
      #expect(badminton.scoreboard.gameBreak?.length == length, "\(action)")
    }
    // In tennis the games determine it. A correction of the games begins none, and removes one.
    var tennis = CheckedMatch(.tennis)
    for (home, guest, length) in [
      (1, 0, nil), (1, 1, nil), (2, 1, 90 * second), (3, 1, nil), (3, 2, 90 * second), (4, 2, nil),
      (5, 2, 90 * second), (5, 3, nil), (6, 3, 2 * minute),
    ] as [(Int, Int, Int64?)] {
      var corrected = tennis
      for (team, games) in [("home", home), ("guest", guest)] {
        try corrected.apply(.setPeriodScore(team: team, period: 1, to: games), at: 0)
      }
      #expect(corrected.scoreboard.gameBreak == nil, "corrected to \(home) : \(guest)")
      let winner = tennis.scoreboard.team("home")?.games == home ? "guest" : "home"
      try tennis.apply(.addScore(team: winner, by: 4), at: 0)
      #expect(tennis.scoreboard.gameBreak?.length == length, "\(home) : \(guest)")
    }
  }

  @Test("The end of the match ends every break, whatever ends it", arguments: GameRules.Preset.allCases)
  func endOfMatch(preset: GameRules.Preset) throws {
    var match = CheckedMatch(preset)
    let rules = match.scoreboard.rules
    guard rules.scoring == .sets || rules.overtime.goalWins else { return }
    if rules.scoring == .total { try match.apply(.setPeriod(to: rules.periods + 1), at: 0) }
    let point = Scoreboard.Action.addScore(team: "home", by: rules.countsDown ? -1 : 1)
    var now: Int64 = 0
    func ends(_ match: CheckedMatch) throws -> Bool {
      var next = match.match
      // A bust is refused when it is the other player's turn.
      _ = try? next.apply(point, at: now)
      return next.scoreboard.isFinished(at: now)
    }
    var points = 0
    while try !ends(match) {
      now += 1000 * second
      // A leg of darts ends with a double.
      let isHigh = rules.countsDown && (match.scoreboard.team("home")?.score ?? 0) > 3
      _ = try? match.apply(isHigh ? .setScore(team: "home", to: 3) : point, at: now)
      if match.scoreboard.isPeriodOver { try match.apply(.addPeriod(by: 1), at: now) }
      points += 1
      if points > 1000 || rules.countsDown && points > 20 { return }
    }
    for kind: GameBreak.Kind in [.timeOut(team: "guest"), .interval, .halfTime, .warmUp] {
      var last = match
      try last.apply(.startBreak(kind, length: minute), at: now)
      try last.apply(point, at: now + second)
      #expect(last.scoreboard.isFinished(at: now + second) && last.scoreboard.gameBreak == nil, "\(kind)")
      // One that is confirmed after it stays.
      try last.apply(.startBreak(kind, length: minute, anyway: true), at: now + 2 * second)
      try last.apply(.setTeam(team: "home", name: "X", shortName: nil, color: nil), at: now + 3 * second)
      #expect(last.scoreboard.gameBreak?.kind == kind)
    }
  }

  @Test(
    "A clock that is set to its end ends the period, as one that runs out does",
    arguments: GameRules.Preset.allCases)
  func setToTheEnd(preset: GameRules.Preset) throws {
    for action in 0..<3 {
      for period in 1...GameRules(preset).periods {
        var set = CheckedMatch(preset)
        guard let end = set.scoreboard.course(of: .game)?.end else { continue }
        try set.apply(.setPeriod(to: period), at: 0)
        let last = set.scoreboard.course(of: .game)?.end ?? end
        let isDown = set.scoreboard.rules.game?.direction == .down
        let before = isDown ? last + second : last - second
        try set.apply(.setTimer(.game, to: before), at: 0)
        var run = set
        try run.apply(.startTimer(.game), at: 0)
        let now = second
        if run.scoreboard.rules.game?.end == .countOn { try run.apply(.pauseTimer(.game), at: now) }
        switch action {
        case 0: try set.apply(.setTimer(.game, to: last), at: now)
        case 1: try set.apply(.addTimer(.game, by: last - before), at: now)
        default:
          try set.apply(.startTimer(.game), at: now)
          try set.apply(.setTimer(.game, to: last), at: now)
          if set.scoreboard.rules.game?.end == .countOn { try set.apply(.pauseTimer(.game), at: now) }
        }
        let (a, b) = (set.scoreboard.settled(at: now), run.scoreboard.settled(at: now))
        #expect(a.gameBreak == b.gameBreak && a.period == b.period, "\(action), period \(period)")
      }
    }
  }

  // MARK: What may begin when

  /// A state of a match at 100 s, and what is refused in it: time-outs of home, of guest, and other breaks.
  struct State: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let preset: GameRules.Preset
    /// The actions, and at how many seconds.
    let actions: [(Int64, Scoreboard.Action)]
    let home, guest, other: BreakProblem?

    init(
      _ text: String, _ preset: GameRules.Preset, _ actions: [(Int64, Scoreboard.Action)],
      home: BreakProblem? = nil, guest: BreakProblem? = nil, other: BreakProblem? = nil
    ) {
      (testDescription, self.preset, self.actions) = (text, preset, actions)
      (self.home, self.guest, self.other) = (home, guest, other)
    }
  }

  private static let homes = GameBreak.Kind.timeOut(team: "home")
  private static func lead(by points: Int, _ preset: GameRules.Preset, _ period: Int) -> [(
    Int64, Scoreboard.Action
  )] { [(0, .setPeriod(to: period)), (0, .addScore(team: "home", by: points))] }
  private static let setWon: [(Int64, Scoreboard.Action)] = [(90, .setScore(team: "home", to: 25))]

  static let states: [State] = [
    State("play", .basketball, [(0, .startTimer(.game))]),
    State("own time-out", .basketball, [(99, .startBreak(homes, length: nil))], home: .timeOut),
    State(
      "own time-out in its last second", .basketball, [(41, .startBreak(homes, length: nil))], home: .timeOut),
    State("own time-out that is up", .basketball, [(40, .startBreak(homes, length: nil))]),
    State(
      "own time-out that was ended", .basketball, [(99, .startBreak(homes, length: nil)), (99, .endBreak)]),
    State(
      "own time-out that stands still", .basketball,
      [(10, .startBreak(homes, length: nil)), (11, .pauseTimer(.breakClock))], home: .timeOut),
    State(
      "own time-out by the counter", .handball, [(99, .addCounter(team: "home", counter: "timeouts", by: 1))],
      home: .timeOut),
    State(
      "a time-out that the other team's has replaced", .basketball,
      [(97, .startBreak(homes, length: nil)), (98, .startBreak(.timeOut(team: "guest"), length: nil))],
      guest: .timeOut),
    State(
      "interval", .basketball, [(99, .startBreak(.interval, length: nil))], home: .otherBreak,
      guest: .otherBreak),
    State(
      "half-time", .handball, [(99, .startBreak(.halfTime, length: nil))], home: .otherBreak,
      guest: .otherBreak),
    State(
      "warm-up", .volleyball, [(99, .startBreak(.warmUp, length: nil))], home: .otherBreak, guest: .otherBreak
    ),
    State("interval that is up", .basketball, [(90, .startBreak(.interval, length: 5 * second))]),
    State("set over", .volleyball, setWon, home: .periodOver, guest: .periodOver),
    State(
      "set over, interval ended", .volleyball, setWon + [(95, .endBreak)], home: .periodOver,
      guest: .periodOver),
    State("next set", .volleyball, setWon + [(95, .addPeriod(by: 1))]),
    State(
      "match over by its sets", .tableTennis,
      (1...3).flatMap { [(0, .setPeriod(to: $0)), (0, .setScore(team: "guest", to: 11))] },
      home: .matchOver, guest: .matchOver, other: .matchOver),
    State(
      "match over by its clock", .basketball,
      lead(by: 2, .basketball, 4) + [(0, .setTimer(.game, to: minute)), (0, .startTimer(.game))],
      home: .matchOver, guest: .matchOver, other: .matchOver),
    State(
      "tied at the end", .handball,
      [(0, .setPeriod(to: 2)), (0, .setTimer(.game, to: 59 * minute)), (0, .startTimer(.game))]),
    State(
      "overtime", .handball, lead(by: 1, .handball, 2) + [(0, .setPeriod(to: 3)), (0, .startTimer(.game))]),
  ]

  @Test(
    "A break that may not begin now is refused and counts nothing, unless it is confirmed", arguments: states)
  func notNow(state: State) throws {
    var match = Match(newBoard(state.preset))
    for (time, action) in state.actions { try match.apply(action, at: time * second) }
    let now = 100 * second
    let kinds: [(GameBreak.Kind, BreakProblem?)] = [
      (Self.homes, state.home), (.timeOut(team: "guest"), state.guest), (.interval, state.other),
      (.halfTime, state.other), (.warmUp, state.other),
    ]
    for (kind, problem) in kinds {
      let expected = problem.map {
        Scoreboard.Refusal.breakNotNow(kind: kind.name, team: kind.team, problem: $0.rawValue)
      }
      var actions = [Scoreboard.Action.startBreak(kind, length: minute)]
      if let team = kind.team { actions.append(.addCounter(team: team, counter: "timeouts", by: 1)) }
      for action in actions {
        let found = refusal(match, action, at: now)
        if case .counterLimited = found { continue }
        #expect(found == expected, "\(action)")
        #expect(found?.canBeOverruled ?? true)
        let confirmed = try #require(action.overruling)
        var copy = match
        try copy.apply(confirmed, at: now)
        let (before, after) = (match.scoreboard, copy.scoreboard)
        if let team = kind.team {
          #expect(after.team(team)?.counter("timeouts") == (before.team(team)?.counter("timeouts") ?? 0) + 1)
        }
        if case .startBreak = action { #expect(after.gameBreak == GameBreak(kind, length: minute, at: now)) }
      }
    }
  }

  @Test("Time-outs one after the other can be undone and redone at one moment")
  func redoAtOnce() throws {
    var match = Match(newBoard(.basketball))
    for (index, team) in ["home", "home", "guest", "guest"].enumerated() {
      try match.apply(.startBreak(.timeOut(team: team), length: nil), at: Int64(index) * 90 * second)
    }
    let counts = match.scoreboard.teams.map(\.counters)
    let now = 1000 * second
    try match.apply(.undoSteps(4), at: now)
    try match.apply(.redoSteps(4), at: now)
    #expect(match.scoreboard.teams.map(\.counters) == counts)
  }

  // MARK: The clock of a break

  @Test("The clock of a break is a timer: it is paused, set, reset and undone like the others")
  func clock() throws {
    var match = Match(newBoard(.basketball))
    #expect(refusal(match, .pauseTimer(.breakClock), at: 0) == .noBreak)
    #expect(refusal(match, .endBreak, at: 0) == .noBreak)
    #expect(match.scoreboard.reading(of: .breakClock, at: 0) == nil)
    #expect(
      refusal(match, .startBreak(.warmUp, length: 0), at: 0)
        == .breakOutOfRange(milliseconds: 0, minimum: 1, maximum: 359_999_000))
    #expect(
      refusal(Match(newBoard(.football)), .startBreak(.interval, length: nil), at: 0)
        == .noSuchBreak(kind: "interval"))
    try match.apply(.startBreak(.warmUp, length: nil), at: 0)
    func left(_ now: Int64) -> Int64? {
      match.scoreboard.reading(of: .breakClock, at: now * second).map { $0.value / second }
    }
    #expect(left(60) == 1140)
    try match.apply(.toggleTimer(.breakClock), at: 60 * second)
    #expect(left(500) == 1140 && match.scoreboard.nextEvent(after: 60 * second) == nil)
    try match.apply(.undo, at: 90 * second)
    #expect(left(90) == 1110)
    try match.apply(.setTimer(.breakClock, to: 20 * second), at: 100 * second)
    #expect(match.scoreboard.nextEvent(after: 100 * second) == 110 * second)
    #expect(match.scoreboard.nextEvent(after: 110 * second) == 120 * second)
    #expect(match.scoreboard.nextEvent(after: 120 * second) == 130 * second)
    #expect(left(129) == 0 && left(130) == nil)
    try match.apply(.addTimer(.breakClock, by: 30 * second), at: 125 * second)
    #expect(left(135) == 30 && refusal(match, .startTimer(.breakClock), at: 135 * second) == nil)
    try match.apply(.resetTimer(.breakClock), at: 136 * second)
    #expect(left(200) == 1200)
    try match.apply(.setTimer(.breakClock, to: 0), at: 300 * second)
    #expect(left(309) == 0 && left(310) == nil)
    try match.apply(.undo, at: 320 * second)
    #expect(left(330) == 1200)
    try match.apply(.endBreak, at: 331 * second)
    #expect(left(331) == nil)
  }

  @Test("A break ends when the game clock starts, with the next period, in a new game and with its team")
  func ends() throws {
    let actions: [Scoreboard.Action] = [
      .startTimer(.game), .addPeriod(by: 1), .setPeriod(to: 3), .newGame, .reset, .endBreak,
      .addCounter(team: "home", counter: "timeouts", by: -1), .restore(newBoard(.basketball)),
    ]
    var match = Match(newBoard(.basketball))
    try match.apply(.startTimer(.game), at: 0)
    try match.apply(.startBreak(.timeOut(team: "home"), length: nil), at: 5 * second)
    #expect(match.scoreboard.reading(of: .shot, at: 9 * second)?.isRunning == false)
    for action in actions {
      var ended = match
      try ended.apply(action, at: 9 * second)
      #expect(ended.scoreboard.gameBreak == nil, "\(action)")
      try ended.apply(.undo, at: 20 * second)
      #expect(ended.scoreboard == match.scoreboard)
      #expect(ended.scoreboard.reading(of: .breakClock, at: 20 * second)?.value == 45 * second)
    }
    for action: Scoreboard.Action in [
      .addScore(team: "home", by: 2), .setTimer(.game, to: minute), .resetTimer(.game), .swapSides,
      .addCounter(team: "home", counter: "fouls", by: 1),
      .setCounter(team: "home", counter: "timeouts", to: 0),
    ] {
      var goes = match
      try goes.apply(action, at: 9 * second)
      #expect(goes.scoreboard.gameBreak == match.scoreboard.gameBreak, "\(action)")
    }
    match.adopt([declaredTeams[1]], rules: GameRules(.basketball), at: 9 * second)
    #expect(match.scoreboard.gameBreak == nil)
  }

  @Test("A break has its time after the clock got another zero, also if its end is undone then")
  func shifting() throws {
    var match = Match(newBoard(.basketball))
    try match.apply(.startBreak(.halfTime, length: nil), at: 100 * second)
    try match.apply(.endBreak, at: 160 * second)
    match.shift(by: -40 * second)
    try match.apply(.undo, at: 150 * second)
    #expect(match.scoreboard.reading(of: .breakClock, at: 150 * second)?.value == 810 * second)
    try match.apply(.setTimer(.breakClock, to: 0), at: 150 * second)
    match.shift(by: 1000 * second)
    #expect(match.scoreboard.settled(at: 1159 * second).gameBreak != nil)
    #expect(match.scoreboard.settled(at: 1160 * second).gameBreak == nil)
  }

  @Test(
    "Football: half-time begins when the clock is paused after the half, and it goes on from 45:00")
  func football() throws {
    for (time, begins) in [(44 * minute, false), (45 * minute, true), (47 * minute, true)] {
      var half = CheckedMatch(.football)
      try half.apply(.startTimer(.game), at: 0)
      try half.apply(.toggleTimer(.game), at: time)
      let halfTime = GameBreak(.halfTime, length: 15 * minute, byItself: true, at: time)
      #expect((half.scoreboard.gameBreak == halfTime) == begins)
      // It was no half-time.
      var goes = half
      try goes.apply(.startTimer(.game), at: time + minute)
      #expect(goes.scoreboard.gameBreak == nil)
      #expect(goes.scoreboard.reading(of: .game, at: time + 2 * minute)?.value == time + minute)
      try half.apply(.addPeriod(by: 1), at: time + 15 * minute)
      try half.apply(.startTimer(.game), at: time + 16 * minute)
      #expect(half.scoreboard.reading(of: .game, at: time + 17 * minute)?.value == 46 * minute)
      // After the second half none begins, whatever the score.
      try half.apply(.pauseTimer(.game), at: time + 70 * minute)
      #expect(half.scoreboard.gameBreak == nil)
    }

    var match = Match(newBoard(.football))
    try match.apply(.startTimer(.game), at: 0)
    #expect(match.scoreboard.settled(at: 47 * minute).gameBreak == nil)
    try match.apply(.startBreak(.halfTime, length: nil), at: 47 * minute)
    #expect(match.scoreboard.reading(of: .game, at: 50 * minute)?.value == 47 * minute)
    #expect(match.scoreboard.reading(of: .breakClock, at: 50 * minute)?.value == 12 * minute)
    try match.apply(.addPeriod(by: 1), at: 61 * minute)
    try match.apply(.startTimer(.game), at: 62 * minute)
    #expect(match.scoreboard.reading(of: .game, at: 63 * minute)?.value == 46 * minute)
  }

  @Test("A period that the clock ends begins the interval after it, and an action before it removes it")
  func nextPeriod() throws {
    var match = Match(newBoard(.basketball))
    match.adopt(declaredTeams, rules: busyRules, at: 0)
    try match.apply(.startTimer(.game), at: 0)
    let settled = match.scoreboard.settled(at: 12 * second)
    #expect(settled.period == 2 && settled.gameBreak?.kind == .interval)
    #expect(settled.reading(of: .breakClock, at: 12 * second)?.value == 5 * second)
    #expect(match.scoreboard.settled(at: 27 * second).gameBreak == nil)
    // The steps that the clock made are stored with the next change, and go with it.
    try match.apply(.addScore(team: "home", by: 2), at: 12 * second)
    #expect(match.scoreboard.gameBreak?.kind == .interval)
    try match.apply(.undo, at: 13 * second)
    #expect(
      match.scoreboard.settled(at: 13 * second).reading(of: .breakClock, at: 13 * second)?.value == 4 * second
    )
    try match.apply(.undo, at: 14 * second)
    #expect(match.scoreboard.settled(at: 14 * second).gameBreak == nil)
    try match.apply(.startTimer(.game), at: 20 * second)
    try match.apply(.addTimer(.game, by: second), at: 25 * second)
    #expect(match.scoreboard.settled(at: 30 * second).gameBreak == nil)
    #expect(match.scoreboard.settled(at: 31 * second).gameBreak?.kind == .interval)
  }

  // MARK: Properties

  /// What can be seen of a scoreboard, without the values of clocks that run.
  private func looks(_ scoreboard: Scoreboard, at now: Int64) -> [String] {
    let settled = scoreboard.settled(at: now)
    return GameTimer.ID.allCases.map { id in
      guard var reading = scoreboard.reading(of: id, at: now) else { return "-" }
      if reading.isRunning { reading.value = 0 }
      return "\(reading)"
    } + [
      settled.periodText, settled.breakText ?? "-",
      "\(settled.teams.map { ($0.counters, $0.penalties.count) })",
    ]
  }

  @Test("Nothing changes by itself between the instants that are announced", arguments: 0..<30)
  func announced(seed: UInt64) {
    var actions = RandomActions(seed: seed &+ 300)
    var match = Match(newBoard(.basketball))
    match.adopt(
      declaredTeams, rules: [busyRules, GameRules(.handball), GameRules(.volleyball)][Int(seed % 3)], at: 0)
    var now: Int64 = 0
    var breaks = 0
    for _ in 0..<300 {
      _ = try? match.apply(actions.next(), at: now)
      for _ in 0..<Int.random(in: 0...4, using: &actions.random) {
        let next = match.scoreboard.nextEvent(after: now) ?? now + 100 * minute
        let between = [now + (next - now) / 2, next - 1].filter { $0 > now && $0 < next }
        for time in between {
          #expect(looks(match.scoreboard, at: time) == looks(match.scoreboard, at: now))
          #expect(
            match.scoreboard.settled(at: time).settled(at: next) == match.scoreboard.settled(at: next),
            "what is due at once, and in steps")
        }
        if match.scoreboard.settled(at: next).gameBreak != nil { breaks += 1 }
        now = min(next, now + 30 * minute)
      }
      now += Int64.random(in: 0...3, using: &actions.random) * second / 3
    }
    #expect(breaks > 5, "\(breaks)")
  }

  @Test("The rules and the state of an older release have no breaks")
  func older() throws {
    func without<Value: Codable>(_ key: String, _ value: Value) throws -> Value {
      var members = try #require(try JSONValue(encoding: value).object)
      #expect(members.removeValue(forKey: key) != nil)
      return try JSONValue.object(members).decoded(as: Value.self)
    }
    var expected = GameRules(.football)
    expected.breaks = GameRules.Breaks()
    #expect(try without("breaks", GameRules(.football)) == expected)
    let counter = GameRules.Counter(id: "timeouts", name: "T", limit: 2, reset: .half, startsTimeOut: true)
    let plain = GameRules.Counter(id: "timeouts", name: "T", limit: 2, reset: .half)
    #expect(try without("isTimeOut", counter) == plain)
  }
}
