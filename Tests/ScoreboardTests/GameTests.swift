// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scoreboard

@Suite struct GameTests {
  private func refusal(_ scoreboard: Scoreboard, _ action: Scoreboard.Action, at now: Int64 = 0) -> Scoreboard
    .Refusal?
  {
    var copy = scoreboard
    do throws(Scoreboard.Refusal) { try copy.apply(action, at: now) } catch { return error }
    return nil
  }

  // MARK: Periods

  @Test("Where periods are sets, each starts at the start score and is won")
  func sets() throws {
    var scoreboard = scoreboard(.volleyball)
    try scoreboard.apply(.setScore(team: "home", to: 25))
    try scoreboard.apply(.setScore(team: "guest", to: 20))
    try scoreboard.apply(.setCounter(team: "home", counter: "timeouts", to: 2))
    try scoreboard.apply(.addPeriod(by: 1))
    try scoreboard.apply(.setScore(team: "guest", to: 3))
    let (home, guest) = (try #require(scoreboard.team("home")), try #require(scoreboard.team("guest")))
    #expect(scoreboard.period == 2 && scoreboard.periodScores(of: home) == [25, 0])
    #expect(scoreboard.periodScores(of: guest) == [20, 3])
    #expect(scoreboard.periodsWon(by: home) == 1 && scoreboard.periodsWon(by: guest) == 0)
    #expect(home.counter("timeouts") == 0)
    try scoreboard.apply(.setPeriodScore(team: "guest", period: 1, to: 27))
    #expect(scoreboard.periodsWon(by: try #require(scoreboard.team("guest"))) == 1)
    try scoreboard.apply(.setPeriod(to: 1))
    #expect(scoreboard.team("guest")?.score == 27 && scoreboard.team("guest")?.periodScores == [])
  }

  @Test("Where scores continue from period to period, each period keeps its share")
  func totals() throws {
    var scoreboard = scoreboard(.basketball)
    try scoreboard.apply(.addScore(team: "home", by: 20))
    try scoreboard.apply(.addCounter(team: "home", counter: "fouls", by: 5))
    try scoreboard.apply(.addCounter(team: "home", counter: "timeouts", by: 1))
    try scoreboard.apply(.addPeriod(by: 1))
    try scoreboard.apply(.addScore(team: "home", by: 15))
    #expect(scoreboard.team("home")?.score == 35)
    #expect(scoreboard.periodScores(of: try #require(scoreboard.team("home"))) == [20, 15])
    #expect(scoreboard.team("home")?.counters == ["timeouts": 1])
    try scoreboard.apply(.setPeriodScore(team: "home", period: 1, to: 22))
    #expect(scoreboard.team("home")?.score == 37)
    try scoreboard.apply(.addPeriod(by: -1))
    let home = try #require(scoreboard.team("home"))
    #expect(home.score == 37 && scoreboard.periodScores(of: home) == [37])
  }

  @Test("Darts count down from 501, and the lower score wins the leg")
  func darts() throws {
    var scoreboard = scoreboard(.darts)
    #expect(scoreboard.teams.map(\.score) == [501, 501])
    try scoreboard.apply(.addScore(team: "home", by: -180))
    try scoreboard.apply(.addPeriod(by: 1, anyway: true))
    #expect(scoreboard.teams.map(\.score) == [501, 501])
    #expect(scoreboard.periodsWon(by: try #require(scoreboard.team("home"))) == 1)
    try scoreboard.apply(.newGame)
    #expect(scoreboard.teams.map(\.score) == [501, 501] && scoreboard.period == 1)
  }

  @Test("A new game keeps the names, a reset restores those of the config")
  func beginnings() throws {
    var scoreboard = scoreboard(.basketball)
    for action: Scoreboard.Action in [
      .setTeam(team: "home", name: "LIONS", shortName: "LIO", color: 0xffffff),
      .addScore(team: "home", by: 3),
      .addPeriod(by: 2), .setServing(team: "guest"), .swapSides, .startTimer(.game),
      .setCounter(team: "guest", counter: "fouls", to: 2),
    ] { try scoreboard.apply(action, at: 7) }
    #expect(scoreboard.teamsBySide.map(\.id) == ["guest", "home"])
    try scoreboard.apply(.newGame, at: 9)
    #expect(
      scoreboard.team("home")?.name == "LIONS" && scoreboard.team("home")?.abbreviation(in: .english) == "LIO"
    )
    var fresh = Match(Scoreboard(teams: []))
    fresh.adopt(declaredTeams, rules: GameRules(.basketball), at: 0)
    #expect(scoreboard != fresh.scoreboard)
    try scoreboard.apply(.reset, at: 9)
    #expect(scoreboard.game == 9)
    fresh.scoreboard.game = 9
    #expect(scoreboard == fresh.scoreboard)
  }

  @Test("Impossible actions are refused with a reason")
  func refusals() throws {
    let scoreboard = scoreboard(.basketball)
    let table: [(Scoreboard.Action, Scoreboard.Refusal)] = [
      (.setPeriod(to: 0), .periodOutOfRange(0, maximum: 99)),
      (.addPeriod(by: .max), .periodOutOfRange(.max, maximum: 99)),
      (.setPeriodScore(team: "home", period: 2, to: 1), .periodOutOfRange(2, maximum: 1)),
      (.setPeriodScore(team: "home", period: 1, to: 1000), .scoreOutOfRange(1000)),
      (.setServing(team: "gest"), .unknownTeam(team: "gest", known: ["home", "guest"])),
      (
        .setCounter(team: "home", counter: "foul", to: 1),
        .unknownCounter(counter: "foul", known: ["fouls", "timeouts"])
      ),
      (
        .addCounter(team: "home", counter: "fouls", by: 6),
        .counterLimited(team: "home", counter: "fouls", limit: 5, part: "period", milliseconds: 0)
      ),
      (
        .addCounter(team: "home", counter: "fouls", by: 1000, anyway: true),
        .counterOutOfRange(1000, counter: "fouls", limit: 999)
      ),
      (
        .addCounter(team: "home", counter: "fouls", by: -1),
        .counterOutOfRange(-1, counter: "fouls", limit: 5)
      ),
      (.setTimer(.game, to: -1), .timerOutOfRange(-1, 0...GameTimer.limit)),
      (.addTimer(.game, by: .max), .timerOutOfRange(.max, 0...GameTimer.limit)),
      (.addTimer(.game, by: -11 * minute), .timerOutOfRange(-minute, 0...GameTimer.limit)),
      (.startTimer(.shot), .gameTimerPaused), (.undo, .nothingToUndo), (.redo, .nothingToRedo),
      (.setTeam(team: "home", name: nil, shortName: nil, color: .max), .badColor(.max)),
    ]
    for (action, expected) in table { #expect(refusal(scoreboard, action) == expected, "\(action)") }
    #expect(
      refusal(self.scoreboard(.free), .startTimer(.shot)) == .unknownTimer(timer: "shot", known: ["game"]))
    var ended = scoreboard
    try ended.apply(.setTimer(.game, to: 0))
    #expect(refusal(ended, .startTimer(.game)) == .timerAtEnd(timer: "game"))
  }

  private func scoreboard(_ preset: GameRules.Preset) -> Scoreboard { newBoard(preset) }

  // MARK: Names

  @Test("Names may be in any script, but not empty, too long, or with control characters")
  func names() {
    let good = ["LIONS", "نمور", "Ä", "é\u{301}", "👩‍👩‍👧‍👦 FC", "日本", String(repeating: "x", count: 40), " a"]
    for name in good { #expect(ShownText.problem(in: name, maximum: 40) == nil, "\(name)") }
    let bad: [(String, TextProblem)] = [
      ("", .empty), ("  ", .empty), ("\u{200b}\u{2060}", .empty), ("a\nb", .controlCharacter),
      ("\u{1b}[2J", .controlCharacter), ("a\u{85}", .controlCharacter), ("a\u{2028}b", .controlCharacter),
      ("a\u{202e}b", .directionControl), ("\u{200f}a", .directionControl), ("\u{2067}a", .directionControl),
      (String(repeating: "x", count: 41), .tooLong(41, maximum: 40)),
      (String(repeating: "x", count: 10_000), .tooLong(10_000, maximum: 40)),
      (String(repeating: "e\u{301}", count: 10_000), .tooLong(10_000, maximum: 40)),
      ("a\u{61c}b", .directionControl),
      ("Z" + String(repeating: "\u{301}", count: 16), .tooManyMarks),
      ("Z" + String(repeating: "\u{301}", count: 10_000), .tooManyMarks),
    ]
    for (name, problem) in bad {
      #expect(ShownText.problem(in: name, maximum: 40) == problem, "\(name.prefix(9))")
    }
  }

  @Test("A name set by hand stays until the config changes it")
  func declaredNames() throws {
    var scoreboard = scoreboard(.free)
    try scoreboard.apply(.setTeam(team: "home", name: "LIONS", shortName: "LI", color: 1))
    scoreboard.adopt(declaredTeams)
    #expect(scoreboard.team("home")?.name == "LIONS" && scoreboard.team("home")?.color == 1)
    scoreboard.adopt([.init(id: "home", name: "TIGERS", color: 0xe5484d), declaredTeams[1]])
    #expect(scoreboard.team("home")?.name == "TIGERS" && scoreboard.team("home")?.color == 1)
    #expect(scoreboard.team("home")?.abbreviation(in: .english) == "TIG")
    try scoreboard.apply(.setTeam(team: "home", name: nil, shortName: "TI", color: nil))
    try scoreboard.apply(.setTeam(team: "home", name: "TIGERS", shortName: nil, color: nil))
    #expect(scoreboard.team("home")?.abbreviation(in: .english) == "TI")
    try scoreboard.apply(.setTeam(team: "home", name: nil, shortName: "", color: nil))
    #expect(scoreboard.team("home")?.abbreviation(in: .english) == "TIG")
  }

  @Test("Another preset is another game, except a free game where scores are totals")
  func sameGame() {
    for preset in GameRules.Preset.allCases {
      for other in GameRules.Preset.allCases {
        let (rules, others) = (GameRules(preset), GameRules(other))
        let isFree = [preset, other].contains(.free) && rules.scoring == .total && others.scoring == .total
        #expect(rules.isSameGame(as: others) == (preset == other || isFree), "\(preset) \(other)")
      }
    }
  }

  @Test("A short name belongs to a name: no team ever has that of a previous name", arguments: 0..<20)
  func shortNames(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func pick<Value>(_ values: [Value]) -> Value { values[random.int(0...values.count - 1)] }
    // Each short name has the first letter of its name.
    let short = ["LIONS": "LI", "TIGERS": "TI", "BEARS": "BE"]
    let names = short.keys.sorted()
    func declared(_ name: String) -> [Scoreboard.Team] {
      [.init(id: "home", name: name, shortName: pick([nil, short[name]]))]
    }
    var match = Match(Scoreboard(teams: []))
    match.adopt(declared(pick(names)), rules: GameRules(.free), at: 0)
    for _ in 0..<200 {
      let name = pick(names)
      switch random.int(0...5) {
      case 0: match.adopt(declared(name), rules: GameRules(.free), at: 0)
      case 1: _ = try? match.apply(.setTeam(team: "home", name: name, shortName: short[name], color: nil))
      case 2: _ = try? match.apply(pick([.undo, .redo, .reset]))
      default: try match.apply(.setTeam(team: "home", name: name, shortName: nil, color: nil))
      }
      let team = match.scoreboard.teams[0]
      #expect(team.abbreviation(in: .english).first == team.name.first, "\(team)")
    }
  }

  @Test("An undo leaves the names and colours that the config has changed since", arguments: 0..<20)
  func laterLooks(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var count: UInt32 = 0
    func next() -> Scoreboard.Team {
      count += 1
      return .init(id: "home", name: "T\(count)", shortName: "S\(count)", color: count)
    }
    var match = Match(Scoreboard(teams: []))
    var shown = next()
    match.adopt([shown], rules: GameRules(.free), at: 0)
    // What undos restore: the looks before each step that the config has not changed since.
    var before: [Scoreboard.Team] = []
    for _ in 0..<200 {
      switch random.int(0...3) {
      case 0:
        (shown, before) = (next(), [])
        match.adopt([shown], rules: GameRules(.free), at: 0)
      case 1:
        if (try? match.apply(.undo)) != nil, let last = before.popLast() { shown = last }
      default:
        before.append(shown)
        shown = next()
        try match.apply(
          .setTeam(team: "home", name: shown.name, shortName: shown.shortName, color: shown.color))
      }
      let team = match.scoreboard.teams[0]
      #expect((team.name, team.shortName, team.color) == (shown.name, shown.shortName, shown.color))
    }
  }

  // MARK: Timers

  @Test("A clock that counts down shows the time left, warns, and stops at zero")
  func countdown() throws {
    var scoreboard = scoreboard(.basketball)
    #expect(scoreboard.reading(of: .game, at: 5)?.value == 10 * minute)
    try scoreboard.apply(.startTimer(.game), at: 0)
    #expect(scoreboard.nextEvent(after: 0) == 19 * second)
    let late = try #require(scoreboard.reading(of: .game, at: 9 * minute + 30 * second))
    #expect(late.value == 30 * second && late.isWarning && late.isRunning && !late.hasEnded)
    let over = try #require(scoreboard.reading(of: .game, at: 11 * minute))
    #expect(over.value == 0 && !over.isRunning && over.hasEnded && !over.isWarning)
    try scoreboard.apply(.addTimer(.game, by: 2 * second), at: 11 * minute)
    #expect(scoreboard.reading(of: .game, at: 20 * minute)?.value == 2 * second)
  }

  @Test("The shot clock follows the game clock, and restarts while it runs")
  func shotClock() throws {
    var scoreboard = scoreboard(.basketball)
    try scoreboard.apply(.startTimer(.game), at: 0)
    #expect(scoreboard.reading(of: .shot, at: 4 * second)?.value == 20 * second)
    try scoreboard.apply(.pauseTimer(.game), at: 4 * second)
    #expect(scoreboard.reading(of: .shot, at: 9 * second)?.value == 20 * second)
    try scoreboard.apply(.startTimer(.game), at: 10 * second)
    try scoreboard.apply(.resetTimer(.shot), at: 12 * second)
    #expect(scoreboard.reading(of: .shot, at: 13 * second)?.value == 23 * second)
    try scoreboard.apply(.setTimer(.shot, to: 14 * second), at: 13 * second)
    #expect(scoreboard.reading(of: .shot, at: 15 * second)?.value == 12 * second)
    #expect(scoreboard.reading(of: .shot, at: 60 * second)?.hasEnded == true)
    try scoreboard.apply(.setTimer(.game, to: 5 * second), at: 60 * second)
    try scoreboard.apply(.resetTimer(.shot), at: 60 * second)
    #expect(scoreboard.reading(of: .shot, at: 90 * second)?.value == 19 * second)
  }

  @Test("At zero the next period begins if the rules say so, and the last one ends")
  func nextPeriod() throws {
    var scoreboard = Scoreboard(teams: declaredTeams)
    scoreboard.adopt(declaredTeams, rules: busyRules)
    try scoreboard.apply(.startTimer(.game), at: 0)
    let shown = scoreboard.settled(at: 10 * second)
    #expect(shown.period == 2 && scoreboard.period == 1)
    #expect(scoreboard.reading(of: .game, at: 60 * second)?.value == 10 * second)
    try scoreboard.apply(.addScore(team: "home", by: 2), at: 11 * second)
    #expect(scoreboard.period == 2)
    #expect(scoreboard.periodScores(of: try #require(scoreboard.team("home"))) == [0, 2])
    try scoreboard.apply(.setPeriod(to: 4), at: 12 * second)
    try scoreboard.apply(.startTimer(.game), at: 12 * second)
    #expect(scoreboard.settled(at: 60 * second).period == 4)
    #expect(scoreboard.reading(of: .game, at: 60 * second)?.hasEnded == true)
    try scoreboard.apply(.addPeriod(by: 1, anyway: true), at: 61 * second)
    #expect(scoreboard.reading(of: .game, at: 61 * second)?.value == 5 * second)
  }

  @Test("Football continues beyond 45:00, and the second half starts there")
  func football() throws {
    var scoreboard = scoreboard(.football)
    try scoreboard.apply(.startTimer(.game), at: 0)
    let stoppage = try #require(scoreboard.reading(of: .game, at: 47 * minute))
    #expect(stoppage.value == 47 * minute && stoppage.isRunning && stoppage.hasEnded)
    try scoreboard.apply(.addPeriod(by: 1), at: 48 * minute)
    #expect(scoreboard.reading(of: .game, at: 50 * minute)?.value == 45 * minute)
    try scoreboard.apply(.setPeriod(to: 3), at: 50 * minute)
    #expect(scoreboard.reading(of: .game, at: 50 * minute)?.value == 90 * minute)
    try scoreboard.apply(.setPeriod(to: 4), at: 50 * minute)
    #expect(scoreboard.reading(of: .game, at: 50 * minute)?.value == 105 * minute)
  }

  @Test("A clock that counts down past zero goes no lower than it can show")
  func belowZero() throws {
    var scoreboard = Scoreboard(teams: declaredTeams)
    var rules = GameRules()
    rules.game = GameRules.Timer(.down, length: minute, end: .countOn)
    scoreboard.adopt(declaredTeams, rules: rules)
    try scoreboard.apply(.startTimer(.game), at: 0)
    #expect(scoreboard.reading(of: .game, at: 2 * minute)?.value == -minute)
    #expect(scoreboard.reading(of: .game, at: .max)?.value == -GameTimer.limit)
    try scoreboard.apply(.pauseTimer(.game), at: .max)
    #expect(scoreboard.reading(of: .game, at: 0)?.value == -GameTimer.limit)
  }

  @Test(
    "Clock times are read and formatted",
    arguments: [
      ("90", 90 * second, "1:30"), ("1:30", 90 * second, "1:30"), ("0:07.3", 7_300_000_000, "0:07.3"),
      ("1:02:03", 3723 * second, "62:03"), ("99:59:59", GameTimer.limit, "5999:59"), ("0", 0, "0:00"),
      ("24", 24 * second, "0:24"), ("720:00", 43200 * second, "720:00"),
    ])
  func clockFaces(_ text: String, _ time: Int64, _ written: String) {
    #expect(GameTimeText.nanoseconds(text) == time)
    #expect(GameTimeText.text(time) == written)
    #expect(GameTimeText.text(-time) == (time == 0 ? written : "-" + written))
  }

  @Test(
    "Other text is not read as a time",
    arguments: [
      "", ":", "1:", ":30", "1:60", "1:2:3:4", "-1", "+1", "1.", ".5", "1.2.3", "100:00:00", "9999999",
      "1:1x",
    ])
  func noClockFaces(_ text: String) {
    #expect(GameTimeText.nanoseconds(text) == nil)
  }

  @Test("Colours are read and formatted")
  func colors() {
    #expect(ColorText.color("#ff8800") == 0xff8800 && ColorText.color("#f80") == 0xff8800)
    #expect(ColorText.hex(0x0000ff) == "#0000ff")
    for text in ["", "#", "ff8800", "#ff880", "#ggg", "#ff88000", "#é12"] {
      #expect(ColorText.color(text) == nil)
    }
  }
}
