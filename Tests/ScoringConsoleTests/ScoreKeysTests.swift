// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Testing

@testable import Control
@testable import ScoringConsole

private let millisecond: Int64 = 1_000_000

/// A match of so many teams.
func matchState(_ preset: GameRules.Preset = .basketball, teams: Int = 2) -> MatchState {
  let ids = ["home", "guest", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
  let teams = ids.prefix(teams).map { Scoreboard.Team(id: $0, name: $0.uppercased()) }
  return MatchState(Match(Scoreboard(teams: Array(teams), rules: GameRules(preset))), at: 0)
}

/// Somebody at the keys, and a clock.
private struct Operator {
  var keys = ScoreKeys()
  var now: Int64 = 1_000_000_000
  var match: MatchState?
  var calls: [(call: Scoreboard.Action, at: Int64)] = []

  init(_ match: MatchState?) { self.match = match }

  /// Lets time go by, with all that falls due.
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

@Suite("The keys for a score")
struct ScoreKeysTests {
  private func add(_ team: String, _ points: Int) -> Scoreboard.Action { .addScore(team: team, by: points) }

  @Test("Each key of a basketball match asks for its call")
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

  @Test("The left hand is for the team on the left, whichever that is")
  func swapped() {
    var match = matchState()
    match.teams.reverse()
    var hand = Operator(match)
    hand.type("al")
    #expect(hand.calls.map(\.call) == [add("guest", 1), add("home", 1)])
  }

  @Test("Space pauses a clock that runs")
  func pause() {
    var match = matchState()
    match.timers["game"]?.running = true
    var hand = Operator(match)
    hand.type(" ")
    #expect(hand.actions == [.pauseTimer(.game)])
  }

  @Test("What a game does not have has no key")
  func absent() {
    var hand = Operator(matchState(.free))
    hand.type("sdxcmghtfqw")
    #expect(hand.actions == [])
    #expect(hand.keys.notice?.kind == .hint)
  }

  @Test("The period, sides and new games are done only when Enter confirms them in time")
  func confirmed() {
    let cases: [(TerminalKey, Scoreboard.Action)] = [
      (.character("."), .setPeriod(to: 2)),
      (.character(","), .setPeriod(to: 0)),
      (.tab, .swapSides), (.control("n"), .newGame),
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
      #expect(other.actions == [add("home", 1)], "another key is itself, and takes the question away")
    }
  }

  @Test("What has changed since it was asked is not done")
  func changedMeanwhile() {
    var hand = Operator(matchState())
    hand.type(".")
    hand.match?.period = 2
    hand.type("\r")
    #expect(hand.actions == [])
    #expect(hand.keys.notice?.kind == .refusal)
  }

  @Test("A key that is held down counts once, whenever its repeat begins and however fast it is")
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

  @Test("A key that is pressed again and again counts each time")
  func again() {
    for interval in [45, 60, 90, 120, 150, 199, 210, 300, 500, 1000, 3000] as [Int64] {
      var hand = Operator(matchState())
      hand.type("aaaaa", every: interval)
      hand.wait(1000)
      #expect(hand.calls.count == 5, "\(interval) ms")
    }
    var hand = Operator(matchState())
    hand.type("a", every: 250)
    // The second may be a repeat and waits for its like; another key tells that it was none.
    hand.type("al", every: 60)
    hand.wait(1000)
    #expect(hand.calls.map(\.call) == [add("home", 1), add("home", 1), add("guest", 1)])
  }

  @Test("Keys at once are refused whole, and so is what follows until they rest")
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

  @Test("Keys of two hands one after the other count both")
  func quick() {
    var hand = Operator(matchState())
    hand.type("alsk", every: 60)
    #expect(hand.actions.count == 4)
  }

  @Test(
    "Keys that are none do nothing",
    arguments: [.sequence, .escape, .backspace, .garbage, .paste, .control("a"), .enter, .character("é")]
      as [TerminalKey])
  func others(key: TerminalKey) {
    var hand = Operator(matchState())
    hand.press(key, then: 600)
    #expect(hand.actions == [])
    #expect(hand.keys.notice != nil)
  }

  @Test("Without a connection keys do nothing, then or later")
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

  @Test("Of more than two teams one is chosen by its number, and stays chosen while it plays")
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

  @Test("Whatever is typed, calls keep their distance, and none comes from keys that are none")
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
        // A key that has waited for its repeat is done when another comes, which waits for its like.
        #expect(next.at > one.at)
      }
      if hand.match == nil { #expect(hand.calls.isEmpty) }
    }
  }

  @Test("The legend tells every key that does something, and no key has two meanings")
  func legend() {
    for preset in GameRules.Preset.allCases {
      for teams in 1...10 {
        let match = matchState(preset, teams: teams)
        let keyboard = ScoreKeyboard(match, selected: teams > 2 ? "third" : nil)
        let told = Set(keyboard.legend.flatMap { $0.keys.split(separator: " ").map(String.init) })
        for case .character(let key) in keyboard.meanings.keys where !key.isUppercase && key != " " {
          let isDigit = key != "0" && key.isNumber
          #expect(told.contains("\(key)") || (isDigit && teams > 2), "\(preset) \(teams) \(key)")
        }
        let singles = keyboard.legend.flatMap { $0.keys.split(separator: " ") }
        #expect(Set(singles).count == singles.count)
      }
    }
  }
}
