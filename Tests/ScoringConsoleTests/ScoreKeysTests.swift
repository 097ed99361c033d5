// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls
@testable import ScoringConsole

private let millisecond: Int64 = 1_000_000

/// A match with the given number of teams.
func matchState(_ preset: GameRules.Preset = .basketball, teams: Int = 2) -> MatchState {
  let ids = ["home", "guest", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
  let teams = ids.prefix(teams).map { Scoreboard.Team(id: $0, name: $0.uppercased()) }
  return MatchState(Match(Scoreboard(teams: Array(teams), rules: GameRules(preset))), at: 0)
}

/// Presses keys, with a simulated clock.
private struct Operator {
  var keys = ScoreKeys()
  var now: Int64 = 1_000_000_000
  var match: MatchState?
  var calls: [(call: Scoreboard.Action, at: Int64)] = []

  init(_ match: MatchState?) { self.match = match }

  /// Advances the clock, and records the calls that become due.
  mutating func wait(_ milliseconds: Int64) {
    let end = now + milliseconds * millisecond
    while let deadline = keys.deadline, deadline <= end {
      now = max(now, deadline)
      if let call = keys.elapsed(at: now, match) { calls.append((call, now)) }
    }
    now = end
  }

  mutating func press(_ key: TerminalKey, then milliseconds: Int64 = 300) {
    keys.press(key, at: now)
    if let call = keys.elapsed(at: now, match) { calls.append((call, now)) }
    wait(milliseconds)
  }

  mutating func type(_ text: String, every milliseconds: Int64 = 300) {
    for character in text { press(character == "\r" ? .enter : .character(character), then: milliseconds) }
  }

  var actions: [Scoreboard.Action] { calls.map(\.call) }
}

@Suite("Keys of the scoring console")
struct ScoreKeysTests {
  private func add(_ team: String, _ points: Int) -> Scoreboard.Action { .addScore(team: team, by: points) }

  @Test("Each key of a basketball match makes its call")
  func basketball() {
    let cases: [(String, Scoreboard.Action)] = [
      ("a", add("home", 1)), ("s", add("home", 2)), ("d", add("home", 3)), ("A", add("home", -1)),
      ("l", add("guest", 1)), ("k", add("guest", 2)), ("j", add("guest", 3)), ("J", add("guest", -3)),
      ("x", .addCounter(team: "home", counter: "fouls", by: 1)),
      ("X", .addCounter(team: "home", counter: "fouls", by: -1)),
      ("g", .setServing(team: "home")),
      ("h", .setServing(team: "guest")),
      ("H", .setServing(team: nil)),
      ("u", .undo), ("r", .redo),
      (" ", .startTimer(.game)),
      ("t", .resetTimer(.shot)),
      ("f", .startTimer(.shot)),
      ("+", .addTimer(.game, by: 1_000_000_000)),
      ("-", .addTimer(.game, by: -1_000_000_000)),
    ]
    for (key, call) in cases {
      var hand = Operator(matchState())
      hand.type(key)
      #expect(hand.calls.map(\.call) == [call], "\(key)")
    }
  }

  @Test("The left hand's keys are for the team on the left, also after a swap")
  func swapped() {
    var match = matchState()
    match.teams.reverse()
    var hand = Operator(match)
    hand.type("al")
    #expect(hand.calls.map(\.call) == [add("guest", 1), add("home", 1)])
  }

  @Test("A key begins the break that is due, after Enter, and ends the one that there is")
  func breaks() {
    func calls(_ match: MatchState) -> [Scoreboard.Action] {
      var hand = Operator(match)
      hand.press(.control("b"))
      hand.type("\r")
      return hand.actions
    }
    var match = matchState()
    #expect(calls(match) == [.startBreak(.warmUp, length: nil)])
    match.undo = "score of home: 0 → 2"
    #expect(calls(match) == [.startBreak(.interval, length: nil)])
    match.period = 2
    #expect(calls(match) == [.startBreak(.halfTime, length: nil)])
    match.gameBreak = .init(kind: "half-time", name: "HALF-TIME", length: 900_000)
    #expect(calls(match) == [.endBreak])
    #expect(calls(matchState(.darts)) == [])
  }

  @Test("What the rules limit is counted anyway after Enter, and not without it")
  func anyway() {
    let match = matchState()
    var hand = Operator(match)
    let action = Scoreboard.Action.addCounter(team: "home", counter: "timeouts", by: 1, anyway: true)
    let isAsked = hand.keys.ask(.overrule(action), match, at: hand.now)
    #expect(isAsked && hand.keys.notice?.kind == .question)
    hand.type("\r")
    #expect(hand.actions == [action])
    hand.keys.ask(.overrule(action), match, at: hand.now)
    hand.wait(5_000)
    hand.type("\r")
    #expect(hand.actions.count == 1)
  }

  @Test("Space pauses a running clock")
  func pause() {
    var match = matchState()
    match.timers["game"]?.running = true
    var hand = Operator(match)
    hand.type(" ")
    #expect(hand.actions == [.pauseTimer(.game)])
  }

  @Test("Keys for features that a game does not have do nothing")
  func absent() {
    var hand = Operator(matchState(.free))
    hand.type("sdxcmghtfqw")
    #expect(hand.actions == [])
    #expect(hand.keys.notice?.kind == .hint)
  }

  @Test("Changes of the period and sides, resets and new games must be confirmed with Enter in time")
  func confirmed() {
    let cases: [(TerminalKey, Scoreboard.Action)] = [
      (.character("."), .setPeriod(to: 2)),
      (.character(","), .setPeriod(to: 0)),
      (.tab, .swapSides), (.control("n"), .newGame), (.control("e"), .endMatch),
      (.control("r"), .reset),
      (.character("0"), .resetTimer(.game)),
    ]
    for (key, call) in cases {
      var hand = Operator(matchState())
      hand.press(key)
      #expect(hand.calls.isEmpty && hand.keys.notice?.kind == .question)
      hand.press(.enter)
      #expect(hand.calls.map(\.call) == [call])
      hand.press(.enter)
      #expect(hand.calls.count == 1, "Enter confirms once")

      var slow = Operator(matchState())
      slow.press(key, then: 4100)
      #expect(slow.keys.notice?.text == "not confirmed: nothing was done")
      slow.press(.enter)
      #expect(slow.calls.isEmpty)

      var other = Operator(matchState())
      other.press(key)
      other.type("a\r")
      #expect(other.actions == [add("home", 1)], "another key has its usual effect, and cancels the question")
    }
  }

  @Test("A confirmed change is dropped if the match has changed since the question")
  func changedMeanwhile() {
    var hand = Operator(matchState())
    hand.type(".")
    hand.match?.period = 2
    hand.type("\r")
    #expect(hand.actions == [])
    #expect(hand.keys.notice?.kind == .refusal)
  }

  @Test("A key that is held down counts once, for any repeat delay and rate")
  func heldDown() {
    for delay in [30, 250, 500, 660] as [Int64] {
      for interval in [10, 33, 92] as [Int64] {
        var hand = Operator(matchState())
        hand.type("a", every: delay)
        for _ in 0..<50 { hand.type("a", every: interval) }
        hand.wait(1000)
        #expect(hand.calls.count == 1, "\(delay) ms, \(interval) ms")
        #expect(hand.keys.notice?.text.contains("held down") == true)
        hand.type("a")
        #expect(hand.calls.count == 2)
      }
    }
  }

  @Test("A key that is pressed several times counts each time")
  func again() {
    for interval in [45, 60, 90, 120, 150, 199, 210, 300, 500, 1000, 3000] as [Int64] {
      var hand = Operator(matchState())
      hand.type("aaaaa", every: interval)
      hand.wait(1000)
      #expect(hand.calls.count == 5, "\(interval) ms")
    }
    var hand = Operator(matchState())
    hand.type("a", every: 250)
    // The second `a` may be a repeat of a held key, so its call is delayed. The `l` proves that it is a
    // separate press.
    hand.type("al", every: 60)
    hand.wait(1000)
    #expect(hand.calls.map(\.call) == [add("home", 1), add("home", 1), add("guest", 1)])
  }

  @Test("Several keys at once are ignored, and so are further keys until a pause")
  func together() {
    for text in ["al", "as", "asdfghjkl", "a\r", ".\r"] {
      var hand = Operator(matchState())
      hand.type(text, every: 0)
      hand.wait(100)
      hand.type("d", every: 100)
      #expect(hand.actions == [], "\(text)")
      hand.wait(400)
      #expect(hand.keys.notice?.text == "several keys at once: all were ignored; keys are accepted again")
      hand.type("d")
      #expect(hand.actions == [add("home", 3)])
    }
  }

  @Test("Keys that two hands press in quick succession all count")
  func quick() {
    var hand = Operator(matchState())
    hand.type("alsk", every: 60)
    #expect(hand.actions.count == 4)
  }

  @Test(
    "Keys without a meaning do nothing",
    arguments: [.sequence, .escape, .backspace, .garbage, .paste, .control("a"), .enter, .character("é")]
      as [TerminalKey])
  func others(key: TerminalKey) {
    var hand = Operator(matchState())
    hand.press(key, then: 600)
    #expect(hand.actions == [])
    #expect(hand.keys.notice != nil)
  }

  @Test("Keys that are pressed without a connection have no effect, not even later")
  func disconnected() {
    var hand = Operator(nil)
    hand.type("a.")
    hand.match = matchState()
    hand.wait(1000)
    #expect(hand.actions == [])
    hand.keys.press(.character("a"), at: hand.now)
    hand.keys.forget()
    hand.wait(1000)
    #expect(hand.actions == [])
    hand.type(".")
    hand.keys.forget()
    hand.type("\r")
    #expect(hand.actions == [])
  }

  @Test("One of more than two teams is selected by its number, and stays selected while it is in the match")
  func manyTeams() {
    var hand = Operator(matchState(teams: 3))
    hand.type("a")
    #expect(hand.actions == [] && hand.keys.notice?.text.contains("select a team") == true)
    hand.type("3aA1l4")
    #expect(hand.calls.map(\.call) == [add("third", 1), add("third", -1)])
    hand.match?.teams.removeAll { $0.id == "home" }
    hand.type("l")
    #expect(hand.calls.last?.call == add("third", 1))
    var one = Operator(matchState(teams: 1))
    one.type("a")
    #expect(one.calls.map(\.call) == [add("home", 1)])
  }

  @Test("For random keys, calls have increasing times, and critical ones are confirmed")
  func anyKeys() {
    var random = SplitMix(seed: 4)
    let keys: [TerminalKey] =
      "asdlkjASDxmughtf+-0.,U".map { .character($0) }
      + [.enter, .tab, .sequence, .paste, .garbage, .escape, .control("n"), .control("r")]
    let dangerous: Set<Scoreboard.Action> = [
      .setPeriod(to: 0), .setPeriod(to: 2), .swapSides, .newGame, .reset,
    ]
    for _ in 0..<300 {
      var hand = Operator(random.int(0...9) == 0 ? nil : matchState(teams: random.int(1...4)))
      var pressed: [TerminalKey] = []
      for _ in 0..<60 {
        let key = keys[random.int(0...(keys.count - 1))]
        let before = hand.calls.count
        hand.press(key, then: Int64([0, 5, 39, 41, 120, 250, 900][random.int(0...6)]))
        pressed.append(key)
        guard hand.calls.count > before, let call = hand.calls.last?.call else { continue }
        if dangerous.contains(call) { #expect(pressed.suffix(2).contains(.enter)) }
      }
      for (one, next) in zip(hand.calls, hand.calls.dropFirst()) {
        // A key press that ends the waiting time of an earlier key has to wait too, so its call is later.
        #expect(next.at > one.at)
      }
      if hand.match == nil { #expect(hand.calls.isEmpty) }
    }
  }

  @Test("The legend lists every key that has a meaning, and no key has two")
  func legend() {
    for preset in GameRules.Preset.allCases {
      for teams in 1...10 {
        let match = matchState(preset, teams: teams)
        let keyboard = ScoreKeyboard(match, selected: teams > 2 ? "third" : nil)
        let listed = Set(keyboard.legend.flatMap { $0.keys.split(separator: " ").map(String.init) })
        for case .character(let key) in keyboard.meanings.keys where !key.isUppercase && key != " " {
          let isDigit = key != "0" && key.isNumber
          #expect(listed.contains("\(key)") || (isDigit && teams > 2), "\(preset) \(teams) \(key)")
        }
        let singles = keyboard.legend.flatMap { $0.keys.split(separator: " ") }
        #expect(Set(singles).count == singles.count)
      }
    }
  }
}
