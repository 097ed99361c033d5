// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TOMLConfig
import TestSupport
import Testing

@testable import ConfigChecks
@testable import Settings

/// Keys that `check` reports because they have no effect.
@Suite struct EffectCheckTests {
  private func load(_ text: String, mode: Report.Mode = .check) -> LoadResult {
    var checks = SettingsChecks()
    if mode == .check { checks.configuration = EffectCheck.findings }
    return SettingsLoader.load(texts: [("t", Array(text.utf8))], mode: mode, checks: checks)
  }

  /// A value for each key that may have no effect.
  private static let values = [
    "points-to-win": "7", "points-to-win-deciding": "5", "lead": "3", "cap": "9", "periods-to-win": "2",
    "period-end": "\"next\"", "games-to-win": "2", "games-lead": "2", "game-name": "\"X\"",
    "tie-break-at": "1",
    "tie-break-points": "3", "tie-break-points-deciding": "4", "match-tie-break": "4",
    "side-change": "\"games\"", "first-serve": "\"winner\"",
    "first-serve-deciding": "\"toss\"", "side-change-at": "2", "overtime-name": "\"X\"",
    "overtime-short-name": "\"X\"", "overtime-length": "\"0:07\"", "double-out": "true", "turn-limit": "50",
    "serves-in-row": "3", "penalties-running": "1", "clock-length": "\"0:40\"", "clock-warning": "\"0:05\"",
    "clock-end": "\"next-period\"", "clock-continues": "true", "shot-clock-second": "\"0:09\"",
    "interval-in-set": "\"1:10\"", "interval-in-set-at": "3", "overtime-interval": "\"1:20\"",
    "overtime-periods": "3", "overtime-goal-wins": "true",
    "shot-clock-warning": "\"0:03\"", "shot-clock-follows": "false",
  ]

  /// Everything that is visible of a scoreboard.
  private func seen(_ scoreboard: Scoreboard, at now: Int64) -> [String] {
    var seen = [
      scoreboard.rules.periodText(scoreboard.period, short: true), scoreboard.periodText,
      scoreboard.resultText, "\(scoreboard.isFinished(at: now))",
    ]
    seen += [scoreboard.serving ?? "-", scoreboard.winner?.id ?? "-", scoreboard.periodWinner?.id ?? "-"]
    seen += scoreboard.teamsBySide.map {
      "\($0.id) \(scoreboard.pointsText(of: $0)) \($0.games) \(scoreboard.periodScores(of: $0))"
    }
    for team in scoreboard.teams { seen.append("\(scoreboard.penalties(of: team, at: now))") }
    for id in GameTimer.ID.allCases {
      seen.append("\(String(describing: scoreboard.reading(of: id, at: now)))")
    }
    return seen
  }

  private func action(_ rules: GameRules, _ random: inout SplitMix) -> Scoreboard.Action {
    let team = ["home", "guest"][random.int(0...1)]
    let timer = GameTimer.ID.allCases[random.int(0...1)]
    return switch random.int(0...13) {
    case 0...6: .addScore(team: team, by: rules.countsDown ? -random.int(1...60) : 1)
    case 7: .setScore(team: team, to: random.int(0...12))
    case 8: .addPeriod(by: 1)
    case 9: .addPeriod(by: -1)
    case 10: .toggleTimer(timer)
    case 11: .addPenalty(team: team, length: nil, number: nil)
    case 12: .resetTimer(timer)
    default: .setServing(team: team)
    }
  }

  @Test(
    "A key that has no effect according to check makes no difference to any match",
    arguments: GameRules.Preset.allCases)
  func noDifference(preset: GameRules.Preset) throws {
    let head = "[game]\npreset = \"\(preset.rawValue)\"\n"
    var named = 0
    for (key, value) in Self.values.sorted(by: { $0.key < $1.key }) {
      for rest in [
        "", "scoring = \"total\"\n", "scoring = \"sets\"\n", "clock = \"none\"\n", "clock = \"down\"\n",
      ] {
        let result = load("\(head)\(rest)\(key) = \(value)\n")
        guard result.diagnostics.contains(where: { $0.message.hasPrefix("'\(key)' in [game] has no effect") })
        else { continue }
        #expect(result.diagnostics.allSatisfy { $0.severity == .warning })
        #expect(load("\(head)\(rest)\(key) = \(value)\n", mode: .running).diagnostics.isEmpty)
        named += 1
        let teams: [Scoreboard.Team] = [.init(id: "home", name: "A"), .init(id: "guest", name: "B")]
        var matches = [result, load(head + rest)].map { result in
          var match = Match(Scoreboard(teams: []))
          match.adopt(teams, rules: result.configuration?.game.rules ?? GameRules(), at: 0)
          return match
        }
        var random = SplitMix(seed: UInt64(named))
        var now: Int64 = 0
        for _ in 0..<TestEffort.rounds(150, long: 5_000) {
          let action = action(matches[1].scoreboard.rules, &random)
          now += Int64(random.int(0...9)) * 1_000_000_000
          for index in matches.indices { _ = try? matches[index].apply(action, at: now) }
          let boards = matches.map { seen($0.scoreboard, at: now) }
          guard boards[0] == boards[1] else {
            Issue.record("\(head)\(rest)\(key) = \(value): \(action) gives \(boards)")
            break
          }
        }
      }
    }
    #expect(named > 20)
  }

  /// The keys of `[game]` that have no effect beside each preset; all others have.
  private static let ineffective: [GameRules.Preset: String] = [
    .free: """
    points-to-win-deciding lead cap periods-to-win period-end games-to-win games-lead game-name \
    tie-break-at tie-break-points tie-break-points-deciding match-tie-break double-out turn-limit \
    serves-in-row first-serve first-serve-deciding side-change side-change-at penalties-running \
    overtime-periods clock-warning clock-end clock-continues shot-clock-second shot-clock-warning \
    shot-clock-follows interval-in-set interval-in-set-at
    """,
    .basketball: """
    points-to-win-deciding lead cap periods-to-win period-end games-to-win games-lead game-name \
    tie-break-at tie-break-points tie-break-points-deciding match-tie-break double-out turn-limit \
    serves-in-row first-serve first-serve-deciding side-change side-change-at penalties-running \
    clock-continues interval-in-set interval-in-set-at
    """,
    .volleyball: """
    overtime-name overtime-short-name games-lead game-name tie-break-at tie-break-points \
    tie-break-points-deciding match-tie-break double-out turn-limit serves-in-row side-change \
    side-change-at penalties-running overtime-length overtime-periods overtime-goal-wins \
    clock-warning clock-end clock-continues \
    shot-clock-second shot-clock-warning shot-clock-follows interval-in-set interval-in-set-at \
    overtime-interval
    """,
    .tableTennis: """
    overtime-name overtime-short-name games-lead game-name tie-break-at tie-break-points \
    tie-break-points-deciding match-tie-break double-out turn-limit side-change side-change-at \
    penalties-running overtime-length overtime-periods overtime-goal-wins \
    clock-warning clock-end clock-continues shot-clock-second \
    shot-clock-warning shot-clock-follows interval-in-set interval-in-set-at overtime-interval
    """,
    .football: """
    points-to-win-deciding lead cap periods-to-win period-end games-to-win games-lead game-name \
    tie-break-at tie-break-points tie-break-points-deciding match-tie-break double-out turn-limit \
    serves-in-row first-serve first-serve-deciding side-change side-change-at penalties-running \
    shot-clock-second shot-clock-warning shot-clock-follows interval-in-set interval-in-set-at
    """,
    .darts: """
    overtime-name overtime-short-name points-to-win points-to-win-deciding lead cap games-lead \
    game-name tie-break-at tie-break-points tie-break-points-deciding match-tie-break serves-in-row \
    side-change side-change-at penalties-running overtime-length overtime-periods overtime-goal-wins \
    clock-warning clock-end \
    clock-continues shot-clock-second shot-clock-warning shot-clock-follows interval-in-set \
    interval-in-set-at overtime-interval
    """,
    .tennis: """
    overtime-name overtime-short-name points-to-win-deciding double-out turn-limit serves-in-row \
    first-serve first-serve-deciding side-change-at penalties-running overtime-length overtime-periods overtime-goal-wins \
    clock-warning \
    clock-end clock-continues shot-clock-second shot-clock-warning shot-clock-follows \
    interval-in-set-at overtime-interval
    """,
    .handball: """
    points-to-win-deciding lead cap periods-to-win period-end games-to-win games-lead game-name \
    tie-break-at tie-break-points tie-break-points-deciding match-tie-break double-out turn-limit \
    serves-in-row first-serve first-serve-deciding side-change side-change-at shot-clock-second \
    shot-clock-warning shot-clock-follows interval-in-set interval-in-set-at
    """,
    .iceHockey: """
    points-to-win-deciding lead cap periods-to-win period-end games-to-win games-lead game-name \
    tie-break-at tie-break-points tie-break-points-deciding match-tie-break double-out turn-limit \
    serves-in-row first-serve first-serve-deciding side-change side-change-at clock-continues \
    shot-clock-second shot-clock-warning shot-clock-follows interval-in-set interval-in-set-at
    """,
    .badminton: """
    overtime-name overtime-short-name games-lead game-name tie-break-at tie-break-points \
    tie-break-points-deciding match-tie-break double-out turn-limit serves-in-row side-change \
    side-change-at penalties-running overtime-length overtime-periods overtime-goal-wins \
    clock-warning clock-end clock-continues \
    shot-clock-second shot-clock-warning shot-clock-follows overtime-interval
    """,
  ]

  @Test(
    "Each key beside each preset has an effect, or check reports that it has none; another type is refused",
    arguments: GameRules.Preset.allCases)
  func matrix(preset: GameRules.Preset) throws {
    var reported: [String] = []
    for key in Section.game.keys where !["preset", "resume", "counters"].contains(key.name) {
      let value = try #require(Self.values[key.name] ?? key.example, "\(key.name)")
      let text = "[game]\npreset = \"\(preset.rawValue)\"\n\(key.name) = "
      let refused = load(text + "{}").diagnostics
      #expect(refused.contains { $0.severity == .error && $0.message.contains(key.name) }, "\(refused)")
      let found = load(text + value).diagnostics.map(\.message)
      if found == [] { continue }
      #expect(found.count == 1 && found[0].hasPrefix("'\(key.name)' in [game] has no effect: "), "\(found)")
      reported.append(key.name)
    }
    #expect(reported.joined(separator: " ") == Self.ineffective[preset])
  }

  @Test("The points of the last set are those of a set of points; the tie-breaks have keys of their own")
  func pointsOfTheLastSet() {
    let found = load("[game]\npreset = \"tennis\"\npoints-to-win-deciding = 10\n").diagnostics
    #expect(
      found.map(\.summary) == [
        "t:3:1: warning: 'points-to-win-deciding' in [game] has no effect: sets consist of games; write "
          + "'tie-break-points-deciding' for the tie-break in the last set, or 'match-tie-break' for a tie-break "
          + "instead of the last set"
      ])
    for line in ["tie-break-points-deciding = 10", "match-tie-break = 10", "side-change = \"hand\""] {
      #expect(load("[game]\npreset = \"tennis\"\n\(line)\n").diagnostics == [])
    }
  }

  @Test("Keys of a game that have no effect are reported at their position, with the reason")
  func messages() {
    func found(_ text: String) -> [String] {
      load(text).diagnostics.map { "\($0.line):\($0.column) \($0.message)" }
    }
    #expect(
      found("[game]\npreset = \"basketball\"\ncap = 30\n\"first-serve\" = \"winner\"\n") == [
        "3:1 'cap' in [game] has no effect: 'points-to-win' is 0",
        "4:1 'first-serve' in [game] has no effect: 'scoring' is \"total\"",
      ])
    #expect(
      found("[game]\npreset = \"volleyball\"\nside-change-at = 8\novertime-name = \"X\"\n") == [
        "3:1 'side-change-at' in [game] has no effect: 'side-change' is not \"periods\"",
        "4:1 'overtime-name' in [game] has no effect: games with scoring = \"sets\" have no overtime",
      ])
    #expect(found("[game]\npreset = \"volleyball\"\nside-change-at = 8\nside-change = \"periods\"\n") == [])
    #expect(
      found("[game]\npreset = \"darts\"\nturn-limit = 60\ndouble-out = false\nstart-score = 301\n") == [])
  }

  @Test(
    "A counter whose id is similar to one of the preset's is reported", arguments: GameRules.Preset.allCases)
  func nearCounters(preset: GameRules.Preset) {
    let known = GameRules(preset).counters.map(\.id)
    for id in known {
      for near in [String(id.dropLast()), id + "s", "x" + id, "time-outs"] where !known.contains(near) {
        let text = "[game]\npreset = \"\(preset.rawValue)\"\n[game.counters.\(near)]\nlimit = 3\n"
        let found = load(text).diagnostics
        let isNear = near != "time-outs" || known.contains("timeouts")
        #expect(found.count == (isNear ? 1 : 0), "\(text)\(found)")
        #expect(found.allSatisfy { $0.message.contains(near) && $0.description.contains("did you mean") })
      }
      #expect(
        load("[game]\npreset = \"\(preset.rawValue)\"\n[game.counters.\(id)]\nlimit = 3\n").diagnostics == [])
    }
    let text = "[game]\npreset = \"\(preset.rawValue)\"\n[game.counters.green-cards]\nlimit = 3\n"
    #expect(load(text).diagnostics == [])
  }

  @Test("Keys without 'enabled' are reported by check, and only by check")
  func disabledKeys() {
    let keys = "[input.keys]\nKP1 = \"add-score home +1\"\n"
    let message = "[input.keys] has no effect without 'enabled' in [input]"
    #expect(load(keys).diagnostics.map(\.message) == [message])
    #expect(load("[input]\ngrab = true\n" + keys).diagnostics.map(\.message) == [message])
    #expect(load("[input]\nenabled = true\n" + keys).diagnostics == [])
    #expect(load(keys, mode: .running).diagnostics == [] && load("[input.keys]\n").diagnostics == [])
  }
}
