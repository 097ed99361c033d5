// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls

@Suite("What a state says about the match that it is of") struct MatchPartsTests {
  private static func match(_ preset: GameRules.Preset) -> Match {
    var rules = GameRules(preset)
    rules.breaks.timeOut = 30_000_000_000
    var match = Match(Scoreboard(teams: []))
    match.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules, at: 0)
    return match
  }

  /// The result of a command on a copy of the match: nil, or the name of the error.
  private static func error(_ command: String, _ match: Match, at now: Int64) throws -> String? {
    guard case .match(let action) = try Change(parsing: command, on: .remote) else { return "no action" }
    var scoreboard = match.scoreboard
    do throws(Scoreboard.Refusal) {
      try scoreboard.apply(action, at: now)
      return nil
    } catch {
      return String(ControlError.refused(error).wire.name.split(separator: ".").last ?? "")
    }
  }

  /// The commands of buttons and keys.
  private static func commands(_ scoreboard: Scoreboard) -> [String] {
    let rules = scoreboard.rules
    var commands = rules.game == nil ? [] : ["timer start"]
    commands.append("set period \(scoreboard.period + 1)")
    for kind in [GameBreak.Kind.interval, .halfTime, .warmUp]
    where rules.length(of: kind, inPeriod: scoreboard.period) > 0 {
      commands.append("break \(kind.name)")
    }
    for team in ["home", "guest"] {
      commands += (rules.increments + [-1]).map { "add-score \(team) \($0)" }
      commands += rules.counters.flatMap { ["set \(team) \($0.id) +1", "set \(team) \($0.id) -1"] }
      commands.append("time-out \(team)")
      if !rules.penalties.isEmpty { commands.append("penalty \(team)") }
    }
    return commands
  }

  @Test(
    "The refused commands are those that the match refuses, and the next one is accepted",
    arguments: GameRules.Preset.allCases)
  func refused(_ preset: GameRules.Preset) throws {
    var random = SplitMix(seed: UInt64(preset.rawValue.utf8.count))
    var (refusals, nexts) = (Set<String>(), Set<String>())
    for _ in 0..<TestEffort.rounds(6, long: 200) {
      var match = Self.match(preset)
      var now: Int64 = 0
      for _ in 0..<250 {
        let commands = Self.commands(match.scoreboard)
        let state = MatchState(match, at: now)
        var expected: [String: String] = [:]
        for command in commands { expected[command] = try Self.error(command, match, at: now) }
        let refused = state.refused ?? []
        #expect(
          Dictionary(refused.map { ($0.command, $0.error) }, uniquingKeysWith: { first, _ in first })
            == expected)
        for item in refused
        where item.command.hasSuffix("+1")
          || ["time-out", "break", "set period"].contains(where: item.command.hasPrefix)
        {
          let forced = try Self.error("\(item.command) --anyway", match, at: now)
          #expect((forced == nil) == (item.anyway == true), "\(item)")
        }
        refusals.formUnion(refused.map(\.error))
        if let next = state.next {
          #expect(try Self.error(next, match, at: now) == nil, "\(next)")
          nexts.insert(next == "new-game" ? next : "set period")
        }
        now += Int64.random(in: 0...20_000_000_000, using: &random)
        // One team scores more, so that sets and matches end.
        let choice: String? =
          switch random.int(0...9) {
          case 0: state.next ?? "timer start"
          case 1...6: "add-score home \(match.scoreboard.rules.countsDown ? -20 : 1)"
          default: commands.randomElement(using: &random)
          }
        if let choice, case .match(let action) = try Change(parsing: choice, on: .remote) {
          _ = try? match.apply(action, at: now)
        }
      }
    }
    // Points or counters below 0 are refused in every game.
    #expect(!refusals.isEmpty)
    if GameRules(preset).scoring == .sets, preset != .darts { #expect(nexts.contains("new-game")) }
  }

  @Test("After the end of a set the next one is offered, after the end of the match the next match")
  func offers() throws {
    var match = Self.match(.volleyball)
    for set in 1...3 {
      #expect(MatchState(match, at: 0).next == nil)
      try match.apply(.setScore(team: "home", to: 25), at: 0)
      let state = MatchState(match, at: 0)
      #expect(state.next == (set < 3 ? "set period \(set + 1)" : "new-game"))
      #expect(state.parts?.framed == "home" && state.parts?.past?.count == set)
      #expect(state.refused?.contains { $0.command == "add-score guest 1" } == true)
      if set < 3 { try match.apply(.addPeriod(by: 1), at: 0) }
    }
    let refused = MatchState(match, at: 0).refused?.first { $0.command == "add-score guest 1" }
    #expect(refused?.error == "MatchOver")
  }

  @Test(
    "Set points and match points have the names that displays show",
    arguments: GameRules.Preset.allCases)
  func winningPoints(_ preset: GameRules.Preset) throws {
    var match = Self.match(preset)
    var shown = Set<String>()
    for _ in 0..<600 {
      let (state, scoreboard) = (MatchState(match, at: 0), match.scoreboard)
      for (team, own) in zip(state.teams, scoreboard.teams) {
        let text = team.winningPoint.flatMap { state.parts?.winningPoints?[$0.rawValue] }
        #expect(text == scoreboard.winningPointText(of: own))
        if let text { shown.insert(text) }
      }
      let points = "add-score home \(scoreboard.rules.countsDown ? -20 : 1)"
      guard case .match(let action) = try Change(parsing: state.next ?? points, on: .remote) else { break }
      _ = try? match.apply(action, at: 0)
    }
    let rules = match.scoreboard.rules
    #expect((MatchState(match, at: 0).parts?.winningPoints != nil) == rules.hasWinningPoints)
    #expect(shown.count == (rules.hasWinningPoints ? 2 : 0))
  }

  @Test("A quarter whose time is up is followed by the next, a draw by overtime, a victory by the next match")
  func time() throws {
    var match = Self.match(.basketball)
    let second: Int64 = 1_000_000_000
    var now: Int64 = 0
    for period in 1...4 {
      try match.apply(.startTimer(.game), at: now)
      now += 599 * second
      #expect(MatchState(match, at: now).next == nil)
      now += 2 * second
      let state = MatchState(match, at: now)
      #expect(state.next == "set period \(period + 1)" && state.parts?.framed == nil)
      if period < 4 { try match.apply(.addPeriod(by: 1), at: now) }
    }
    try match.apply(.addScore(team: "guest", by: 2), at: now)
    let state = MatchState(match, at: now)
    #expect(state.next == "new-game" && state.parts?.framed == "guest")
    #expect(state.parts?.past?.count == 4 && state.parts?.period?.number == 4)
  }

  @Test("A limit of time-outs can be ignored")
  func anyway() throws {
    var match = Self.match(.basketball)
    try match.apply(.addCounter(team: "home", counter: "timeouts", by: 2), at: 0)
    try match.apply(.endBreak, at: 0)
    let refused = MatchState(match, at: 0).refused ?? []
    for command in ["set home timeouts +1", "time-out home"] {
      #expect(refused.first { $0.command == command } != nil, "\(command)")
    }
    #expect(!refused.contains { $0.command == "time-out guest" })
  }
}
