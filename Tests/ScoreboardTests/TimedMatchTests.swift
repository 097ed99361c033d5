// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scoreboard

/// Complete matches with timed periods, played with the clock running, and a game without rules.
@Suite struct TimedMatchTests {
  // MARK: Overtime

  /// In which period home scores the only goal, and with which period the match then ends by the rule book.
  private static let endings: [(GameRules.Preset, goalIn: Int, endsWith: Int, atOnce: Bool)] = [
    (.basketball, 4, 4, false), (.basketball, 5, 5, false), (.basketball, 6, 6, false),
    (.handball, 2, 2, false), (.handball, 3, 4, false), (.handball, 4, 4, false), (.handball, 5, 6, false),
    (.handball, 6, 6, false), (.football, 2, 2, false), (.football, 3, 4, false), (.football, 4, 4, false),
    (.iceHockey, 3, 3, false), (.iceHockey, 4, 4, true), (.iceHockey, 5, 5, true),
  ]

  @Test(
    "A match ends when its rule book ends it: after a whole overtime, or with its first goal",
    arguments: endings)
  func overtimes(preset: GameRules.Preset, goalIn: Int, endsWith: Int, atOnce: Bool) throws {
    var match = CheckedMatch(preset)
    let rules = match.scoreboard.rules
    var now: Int64 = 0
    for period in 1...endsWith {
      if period > 1 { try match.apply(.addPeriod(by: 1), at: now) }
      try match.apply(.startTimer(.game), at: now)
      now += minute
      if period == goalIn { try match.apply(.addScore(team: "home", by: 1), at: now) }
      #expect(match.scoreboard.isFinished(at: now) == (atOnce && period == goalIn), "\(period)")
      #expect(match.scoreboard.isMatchOver == (atOnce && period == goalIn), "\(period)")
      now += 50 * minute
      if rules.game?.end == .countOn { try match.apply(.pauseTimer(.game), at: now) }
      let settled = match.scoreboard.settled(at: now)
      #expect(settled.isFinished(at: now) == (period == endsWith), "\(period)")
      #expect(settled.framed(at: now)?.id == (period == endsWith ? "home" : nil))
    }
    try match.replay(at: now)
    guard atOnce else { return }
    #expect(match.match.past.contains { $0.summary.contains("home wins the match, 1 : 0") })
    for action: Scoreboard.Action in [.addScore(team: "guest", by: 1), .addPeriod(by: 1)] {
      #expect(throws: Scoreboard.Refusal.matchOver(result: "1 : 0")) { try match.apply(action, at: now) }
    }
    // It was no goal.
    try match.apply(.addScore(team: "home", by: -1), at: now)
    #expect(!match.scoreboard.isFinished(at: now))
  }

  @Test(
    "A change of the period names the game clock as reset only if it then shows another time or stops",
    arguments: GameRules.Preset.allCases)
  func resets(preset: GameRules.Preset) throws {
    let rules = GameRules(preset)
    for period in 1...rules.periods + 3 where period < rules.periods || rules.scoring == .total {
      for (part, isRunning) in [(0, false), (0, true), (1, false), (1, true), (2, false)] {
        var match = CheckedMatch(preset)
        try match.apply(.setPeriod(to: period, anyway: true), at: 0)
        if let course = match.scoreboard.course(of: .game) {
          let time = course.start + ((course.end ?? 600 * second) - course.start) / 2 * Int64(part)
          if part > 0 { try match.apply(.setTimer(.game, to: time), at: 0) }
          if isRunning { try match.apply(.startTimer(.game), at: 0) }
        }
        let settled = match.scoreboard.settled(at: second)
        let before = settled.reading(of: .game, at: second)
        try match.apply(.addPeriod(by: 1, anyway: true), at: second)
        let after = match.scoreboard.reading(of: .game, at: second)
        let isReset =
          settled.hasStarted(.game)
          && (before?.value != after?.value || before?.isRunning != after?.isRunning)
        let facts = try #require(match.match.past.last?.facts)
        #expect(
          facts.contains { $0.what == Fact.Kind.timerReset.rawValue } == isReset,
          "\(period), part \(part), \(isRunning): \(facts.map(\.text))")
      }
    }
  }

  @Test("An interval is between the periods of an overtime too, and what is counted for an overtime goes on")
  func overtimeOfTwoPeriods() throws {
    var rules = GameRules(.handball)
    rules.breaks.overtimeInterval = minute
    if let index = rules.counters.firstIndex(where: \.startsTimeOut) {
      rules.counters[index].limitPerOvertime = 1
    }
    var match = CheckedMatch(rules)
    let timeOut = Scoreboard.Action.addCounter(team: "home", counter: "timeouts", by: 1)
    try match.apply(.setPeriod(to: 3), at: 0)
    try match.apply(timeOut, at: 0)
    try match.apply(.addScore(team: "home", by: 1), at: 0)
    try match.apply(.startTimer(.game), at: 0)
    var now = 5 * minute
    #expect(
      match.scoreboard.settled(at: now).gameBreak
        == GameBreak(.interval, length: minute, byItself: true, at: now))
    try match.apply(.addPeriod(by: 1), at: now)
    #expect(throws: Scoreboard.Refusal.self) { try match.apply(timeOut, at: now) }
    try match.apply(.addScore(team: "guest", by: 1), at: now)
    try match.apply(.startTimer(.game), at: now)
    now += 5 * minute
    #expect(
      match.scoreboard.settled(at: now).gameBreak
        == GameBreak(.interval, length: minute, byItself: true, at: now))
    try match.apply(.addPeriod(by: 1), at: now)
    try match.apply(timeOut, at: now)
    #expect(match.scoreboard.periodText == "OVERTIME 3")
  }

  private static let teams = ["h": "home", "g": "guest"]

  private func counts(_ scoreboard: Scoreboard, _ counter: String) -> String {
    scoreboard.teams.map { String($0.counter(counter)) }.joined(separator: "-")
  }

  private func score(_ scoreboard: Scoreboard) -> String {
    scoreboard.teams.map { String($0.score) }.joined(separator: "-")
  }

  /// Checks a break of `length` that has begun at `start`: its clock runs down in the place of the game
  /// clock, which stands still, and it is shown for ten seconds more.
  private func check(
    _ scoreboard: Scoreboard, _ kind: GameBreak.Kind, length: Int64, since start: Int64,
    warning: Int64 = 10 * second
  ) {
    let clock = scoreboard.reading(of: .game, at: start)?.value
    for (time, left, isWarning) in [
      (0, length, false), (length - warning - second, warning + second, false),
      (length - warning, warning, true),
      (length, 0, false), (length + 10 * second - 1, 0, false),
    ] {
      let settled = scoreboard.settled(at: start + time)
      #expect(settled.gameBreak?.kind == kind, "after \(time / second) s")
      let reading = settled.reading(of: .breakClock, at: start + time)
      #expect(reading?.value == left && reading?.isWarning == isWarning && reading?.isRunning == (left > 0))
      #expect(reading?.hasEnded == (left == 0))
      #expect(scoreboard.reading(of: .game, at: start + time)?.value == clock)
      #expect(scoreboard.reading(of: .game, at: start + time)?.isRunning == false)
    }
    #expect(scoreboard.settled(at: start + length + 10 * second).gameBreak == nil)
  }

  @Test("Basketball: overtime continues the team fouls of the last quarter, time-outs are per half")
  func basketball() throws {
    var match = CheckedMatch(.basketball)
    var periodStart: Int64 = 0
    var now: Int64 = 0
    var length: Int64 = 0
    for line in CompleteMatches.basketball.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "period":
        if length > 0 { try match.apply(.addPeriod(by: 1), at: now) }
        #expect(match.scoreboard.periodText == words.dropFirst().joined(separator: " "))
        length = match.scoreboard.period > 4 ? 5 * minute : 10 * minute
        now += 60 * second
        periodStart = now
        try match.apply(.startTimer(.game), at: now)
      case "end":
        now = periodStart + length
        let clock = try #require(match.scoreboard.reading(of: .game, at: now))
        #expect(clock.hasEnded && !clock.isRunning && clock.value == 0)
        #expect(score(match.scoreboard) == words[1] && !match.scoreboard.isMatchOver)
        switch match.scoreboard.period {
        // Before an overtime, too.
        case 1, 3, 4, 5: check(match.scoreboard, .interval, length: 2 * minute, since: now)
        case 2: check(match.scoreboard, .halfTime, length: 15 * minute, since: now)
        default: #expect(match.scoreboard.settled(at: now).gameBreak == nil)
        }
      default:
        let clock = try #require(GameTimeText.nanoseconds(words[0]))
        now = periodStart + length - clock
        #expect(match.scoreboard.reading(of: .game, at: now)?.value == clock)
        let team = try #require(Self.teams[words[1]])
        switch words[2] {
        case "foul": try match.apply(.addCounter(team: team, counter: "fouls", by: 1), at: now)
        case "timeout":
          try match.apply(.addCounter(team: team, counter: "timeouts", by: 1), at: now)
          check(match.scoreboard, .timeOut(team: team), length: minute, since: now)
          // The clock starts again 65 s later.
          periodStart += 65 * second
          now += 65 * second
          try match.apply(.startTimer(.game), at: now)
          #expect(match.scoreboard.gameBreak == nil)
        default:
          let points = try #require(Int(words[2]))
          try match.apply(.addScore(team: team, by: points), at: now)
        }
        let shown =
          "\(score(match.scoreboard)) fouls \(counts(match.scoreboard, "fouls")) "
          + "time-outs \(counts(match.scoreboard, "timeouts"))"
        #expect(shown == words.dropFirst(4).joined(separator: " "), "\(line)")
      }
    }
    let scoreboard = match.scoreboard
    #expect(scoreboard.periodText == "OVERTIME 2" && scoreboard.shortPeriodText == "OT 2")
    #expect(
      scoreboard.teams.map { scoreboard.periodScores(of: $0) } == [
        [22, 17, 21, 18, 9, 8], [18, 23, 19, 18, 9, 6],
      ])
    // One time-out in each overtime, two in the first half, three in the second.
    let timeouts = try #require(scoreboard.rules.counter("timeouts"))
    #expect([1, 2, 3, 4, 5].map { scoreboard.rules.limit(of: timeouts, inPeriod: $0) } == [2, 2, 3, 3, 1])
    #expect(throws: Scoreboard.Refusal.counterOutOfRange(2, counter: "timeouts", limit: 1)) {
      try match.apply(.setCounter(team: "home", counter: "timeouts", to: 2), at: now)
    }
    try match.replay(at: now)
  }

  /// The final of the 2022 World Cup, Argentina (home) and France, 3 : 3 after extra time.
  @Test("Football: two halves and extra time with the real goals, cards and substitutions")
  func football() throws {
    // The period, the time on the clock, the action, and the score after it.
    let events: [(Int, String, Scoreboard.Action, String)] = [
      (1, "22:30", .addScore(team: "home", by: 1), "1-0"),
      (1, "35:10", .addScore(team: "home", by: 1), "2-0"),
      (1, "40:30", .addCounter(team: "guest", counter: "substitutions", by: 2), "2-0"),
      (1, "45:40", .addCounter(team: "home", counter: "yellow-cards", by: 1), "2-0"),
      (2, "79:30", .addScore(team: "guest", by: 1), "2-1"),
      (2, "80:40", .addScore(team: "guest", by: 1), "2-2"),
      (2, "94:20", .addCounter(team: "guest", counter: "yellow-cards", by: 1), "2-2"),
      (3, "104:30", .addCounter(team: "home", counter: "substitutions", by: 3), "2-2"),
      (4, "107:50", .addScore(team: "home", by: 1), "3-2"),
      (4, "117:30", .addScore(team: "guest", by: 1), "3-3"),
    ]
    var match = CheckedMatch(.football)
    var (period, start): (Int, Int64) = (0, 0)
    let lengths = [45, 45, 15, 15].map { $0 * minute }
    /// Stops the clock in the stoppage time of the current period.
    func stop() throws -> Int64 {
      let now = start + lengths[period - 1] + 7 * minute
      try match.apply(.pauseTimer(.game), at: now)
      return now
    }
    for (number, clock, action, result) in events {
      if number != period {
        if number > 1 {
          let now = try stop()
          // Half-time begins by itself, and no other interval does.
          if number == 2 {
            #expect(match.scoreboard.reading(of: .game, at: now)?.value == 52 * minute)
            check(match.scoreboard, .halfTime, length: 15 * minute, since: now)
          } else {
            #expect(match.scoreboard.gameBreak == nil)
          }
        }
        // Each period starts 80 minutes after the start of the previous one, and thus after its end.
        start += 80 * minute
        if number > 1 { try match.apply(.addPeriod(by: 1), at: start) }
        try match.apply(.startTimer(.game), at: start)
        period = number
      }
      let begin = lengths.prefix(number - 1).reduce(0, +)
      let time = try #require(GameTimeText.nanoseconds(clock))
      let now = start + time - begin
      #expect(match.scoreboard.reading(of: .game, at: now)?.value == time, "\(clock)")
      try match.apply(action, at: now)
      #expect(score(match.scoreboard) == result)
    }
    let end = try stop()
    let scoreboard = match.scoreboard
    #expect(scoreboard.gameBreak == nil)
    #expect(scoreboard.teams.map { scoreboard.periodScores(of: $0) } == [[2, 0, 0, 1], [0, 2, 0, 1]])
    #expect(scoreboard.periodText == "EXTRA TIME 2" && !scoreboard.isMatchOver && scoreboard.winner == nil)
    #expect(counts(scoreboard, "substitutions") == "3-2" && counts(scoreboard, "yellow-cards") == "1-1")
    try match.replay(at: end)
  }

  /// The goals are those of the final of the 2022 Olympics, Finland (home) and ROC, 2 : 1.
  @Test("Ice hockey: penalties run with the game clock, two of a team at a time, and a goal ends the oldest")
  func iceHockey() throws {
    var match = CheckedMatch(.iceHockey)
    func left(_ team: String, _ now: Int64) -> [Int64] {
      match.scoreboard.team(team).map { match.scoreboard.penalties(of: $0, at: now).map { $0.left / second } }
        ?? []
    }
    try match.apply(.startTimer(.game), at: 0)
    // After 6:10 of the period. Comments give the time played; the game clock counts down.
    try match.apply(.addPenalty(team: "home", length: nil, number: 40), at: 370 * second)
    #expect(left("home", 400 * second) == [90])
    try match.apply(.pauseTimer(.game), at: 400 * second)
    #expect(left("home", 900 * second) == [90])
    try match.apply(.startTimer(.game), at: 900 * second)
    // At 7:17 the guests score with one more player, so the operator ends the penalty. The clock was paused
    // for 500 s.
    let offset: Int64 = 500
    try match.apply(.addScore(team: "guest", by: 1), at: (437 + offset) * second)
    #expect(left("home", (437 + offset) * second) == [53])
    try match.apply(.endPenalty(team: "home", number: nil), at: (437 + offset) * second)
    #expect(left("home", (438 + offset) * second) == [])
    // Three penalties of a team: the third waits for the first to end.
    for (length, number) in [(2 * minute, 5), (5 * minute, 6), (2 * minute, 7)] {
      try match.apply(
        .addPenalty(team: "guest", length: length, number: number), at: (1000 + offset) * second)
    }
    #expect(left("guest", (1060 + offset) * second) == [60, 240, 120])
    #expect(match.scoreboard.nextEvent(after: (1060 + offset) * second) == (1120 + offset) * second)
    #expect(left("guest", (1130 + offset) * second) == [170, 110])
    // Penalties stop at the end of the period, at 20:00, and continue in the second one.
    let end = (1200 + offset) * second
    #expect(match.scoreboard.reading(of: .game, at: end)?.hasEnded == true)
    check(match.scoreboard, .interval, length: 15 * minute, since: end)
    #expect(left("guest", end + 300 * second) == [100, 40])
    try match.apply(.addPeriod(by: 1), at: end + 300 * second)
    #expect(match.scoreboard.periodText == "PERIOD 2" && left("guest", end + 400 * second) == [100, 40])
    let second2 = end + 1000 * second
    try match.apply(.startTimer(.game), at: second2)
    #expect(left("guest", second2 + 40 * second) == [60])
    try match.apply(.addScore(team: "home", by: 1), at: second2 + 208 * second)
    #expect(left("guest", second2 + 208 * second) == [] && score(match.scoreboard) == "1-1")
    try match.apply(.addPeriod(by: 1), at: second2 + 1300 * second)
    try match.apply(.startTimer(.game), at: second2 + 1300 * second)
    try match.apply(
      .addCounter(team: "guest", counter: "timeouts", by: 1), at: second2 + 1310 * second)
    check(match.scoreboard, .timeOut(team: "guest"), length: 30 * second, since: second2 + 1310 * second)
    try match.apply(.startTimer(.game), at: second2 + 1330 * second)
    try match.apply(.addScore(team: "home", by: 1), at: second2 + 1331 * second)
    let scoreboard = match.scoreboard.settled(at: second2 + 2520 * second)
    #expect(scoreboard.teams.map { scoreboard.periodScores(of: $0) } == [[0, 1, 1], [1, 0, 0]])
    #expect(scoreboard.reading(of: .game, at: second2 + 2520 * second)?.hasEnded == true)
    var overtime = match
    try overtime.apply(.addPeriod(by: 1, anyway: true), at: second2 + 2600 * second)
    #expect(overtime.scoreboard.periodText == "OVERTIME" && overtime.scoreboard.shortPeriodText == "OT")
    #expect(overtime.scoreboard.reading(of: .game, at: 0)?.value == 5 * minute)
    try match.replay(at: second2 + 2600 * second)
  }

  @Test("Handball: two halves of 30 minutes, suspensions of two minutes and time-outs")
  func handball() throws {
    var match = CheckedMatch(.handball)
    // The goals of both teams in each half, in elapsed seconds. The halves end 12 : 10 and 15 : 14.
    let halves: [([Int64], [Int64])] = [
      (
        [40, 130, 215, 380, 505, 640, 790, 930, 1100, 1250, 1500, 1720],
        [95, 260, 420, 575, 700, 860, 1010, 1190, 1400, 1650]
      ),
      (
        [20, 100, 240, 330, 460, 570, 690, 800, 905, 1020, 1140, 1300, 1440, 1600, 1780],
        [60, 170, 300, 400, 520, 630, 750, 850, 960, 1080, 1220, 1380, 1520, 1700]
      ),
    ]
    var base: Int64 = 0
    for (half, goals) in halves.enumerated() {
      if half > 0 { try match.apply(.addPeriod(by: 1), at: base) }
      try match.apply(.startTimer(.game), at: base)
      let events = (goals.0.map { ($0, "home") } + goals.1.map { ($0, "guest") }).sorted { $0.0 < $1.0 }
      for (time, team) in events {
        let now = base + time * second
        #expect(
          match.scoreboard.reading(of: .game, at: now)?.value == Int64(half) * 30 * minute + time * second)
        try match.apply(.addScore(team: team, by: 1), at: now)
      }
      let late = base + 1790 * second
      try match.apply(.addPenalty(team: "guest", length: nil, number: 9), at: late)
      try match.apply(.addCounter(team: "home", counter: "timeouts", by: 1), at: late)
      check(match.scoreboard, .timeOut(team: "home"), length: minute, since: late)
      try match.apply(.startTimer(.game), at: late + minute)
      let end = base + 31 * minute
      if half == 0 {
        check(match.scoreboard, .halfTime, length: 10 * minute, since: end)
      } else {
        #expect(match.scoreboard.settled(at: end).gameBreak == nil)
      }
      let clock = try #require(match.scoreboard.reading(of: .game, at: end + minute))
      #expect(clock.hasEnded && !clock.isRunning && clock.value == Int64(half + 1) * 30 * minute)
      let guest = try #require(match.scoreboard.team("guest"))
      let penalties = match.scoreboard.penalties(of: guest, at: end + minute)
      #expect(penalties.map(\.left) == [110 * second] && penalties.allSatisfy { !$0.isRunning })
      #expect(score(match.scoreboard) == ["12-10", "27-24"][half])
      base = end + 15 * minute
      if half == 1 { break }
      // The penalty continues in the second half, and ends after 1:50 of it.
      var later = match
      try later.apply(.addPeriod(by: 1), at: base)
      try later.apply(.startTimer(.game), at: base)
      #expect(later.scoreboard.penalties(of: guest, at: base + 109 * second).map(\.left) == [second])
      #expect(later.scoreboard.penalties(of: guest, at: base + 110 * second) == [])
    }
    #expect(match.scoreboard.teams.map { match.scoreboard.periodScores(of: $0) } == [[12, 15], [10, 14]])
    #expect(counts(match.scoreboard, "timeouts") == "2-0")
    try match.replay(at: base)
  }

  @Test("A free game has no rules that end it")
  func free() throws {
    var match = CheckedMatch(.free)
    for points in 1...300 {
      try match.apply(.addScore(team: points % 3 == 0 ? "guest" : "home", by: 1), at: 0)
    }
    #expect(
      score(match.scoreboard) == "200-100" && !match.scoreboard.isMatchOver && match.scoreboard.serving == nil
    )
  }
}
