// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import TestSupport
import Testing

@testable import Walls

@Suite("States between walls") struct WallMessageTests {
  private static let second: Int64 = 1_000_000_000
  private static let history = SharedHistory(
    match: "fedcba9876543210",
    stamp: MatchStamp(.init(reign: 2, writer: "0123456789abcdef", id: Int(UInt32.max) << 31 | 3), number: 4))

  private static func match(_ preset: GameRules.Preset) throws -> Match {
    let teams: [Scoreboard.Team] = [
      .init(id: "home", name: "Löwen 🦁", color: 0xe5484d), .init(id: "guest", name: "تمساح", color: 0x3e93ff),
    ]
    var scoreboard = Scoreboard(teams: teams)
    scoreboard.adopt(teams, rules: GameRules(preset))
    var match = Match(scoreboard)
    _ = try? match.apply(.startTimer(.game), at: 5 * second)
    _ = try? match.apply(.addPenalty(team: "home", length: nil, number: 7), at: 6 * second)
    try match.apply(.addScore(team: "home", by: scoreboard.rules.countsDown ? -1 : 1), at: 9 * second)
    return match
  }

  private static func message(_ match: Match, sent: Int64 = 0) -> WallMessage {
    var message = WallMessage(.state, from: "0123456789abcdef", process: 7, sent: sent)
    (message.history, message.hasContent, message.showAt) = (history, true, sent &+ WallMessage.lead)
    message.board = SharedMatch(HeldMatch(match), whole: false)
    return message
  }

  @Test(
    "Every game arrives as it was sent, with running clocks and its history",
    arguments: GameRules.Preset.allCases)
  func games(preset: GameRules.Preset) throws {
    let match = try Self.match(preset)
    let message = Self.message(match)
    let text = try #require(message.text)
    #expect(text.utf8.count < 6_000, "\(text.utf8.count) bytes")
    let read = try WallMessage(reading: text)
    #expect(read == message)
    // The receiver's clock is 77 seconds ahead.
    let arrived = try #require(read.board).held(shiftedBy: 77 * Self.second, continuing: nil).match
    for id in GameTimer.ID.allCases {
      let there = match.scoreboard.reading(of: id, at: 20 * Self.second)
      #expect(arrived.scoreboard.reading(of: id, at: 97 * Self.second) == there)
    }
    #expect(arrived.scoreboard.rules == match.scoreboard.rules)
    #expect(arrived.scoreboard.teams.map(\.score) == match.scoreboard.teams.map(\.score))
    #expect(arrived.past.map(\.summary) == match.past.map(\.summary) && arrived.revision == match.revision)
  }

  @Test("A whole match of a long game fits into a message, and a wall that has all states has all steps")
  func histories() throws {
    var random = SplitMix(seed: 5)
    var match = try Self.match(.basketball)
    var known = HeldMatch(match)
    for number in 0..<300 {
      let actions: [Scoreboard.Action] = [
        .addScore(team: "home", by: 1), .addScore(team: "guest", by: 2), .undo, .redo, .undoSteps(2),
        .swapSides,
      ]
      _ = try? match.apply(actions[random.int(0...5)], at: Int64(number) * Self.second)
      known = SharedMatch(HeldMatch(match), whole: false).held(shiftedBy: 0, continuing: known)
      #expect(known.match == match)
    }
    var held = HeldMatch(match)
    held.performed.add(
      (0..<400).map {
        .init(id: "web:0123456789abcdef:0123456789abcdef\($0)", answer: #"{"what":"score of home: 24 → 25"}"#)
      })
    var message = Self.message(match)
    message.board = SharedMatch(held, whole: true)
    #expect(try #require(message.text).utf8.count < WallMessage.limit)
  }

  @Test("A message that is cut off or changed anywhere is refused, or is a state within the rules")
  func damaged() throws {
    let text = try #require(Self.message(try Self.match(.tennis)).text)
    let bytes = Array(text.utf8)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let cut = String(decoding: bytes.prefix(count), as: UTF8.self)
      #expect(throws: WallMessage.Malformed.self) { _ = try WallMessage(reading: cut) }
    }
    var random = SplitMix(seed: 3)
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      guard let read = try? WallMessage(reading: String(decoding: changed, as: UTF8.self)) else { continue }
      // Nothing traps.
      guard let scoreboard = read.board else { continue }
      var match = scoreboard.held(shiftedBy: .max, continuing: nil).match
      match = scoreboard.held(shiftedBy: .min, continuing: nil).match
      _ = try? match.apply(.addScore(team: "home", by: 1), at: Self.second)
      _ = match.scoreboard.settled(at: .max).periodText
      _ = match.scoreboard.nextEvent(after: 0)
    }
  }

  @Test("Rules that no config can have are refused")
  func rules() throws {
    let value = try JSONValue(encoding: Self.message(try Self.match(.tennis)))
    let changes: [([String], JSONValue)] = [
      (["version"], .integer(1)), (["board", "rules", "periods"], .integer(0)),
      (["board", "rules", "periods"], .integer(1 << 40)), (["board", "rules", "lead"], .integer(-1)),
      (["board", "rules", "increments"], .array([])), (["board", "revision"], .integer(-1)),
      (["board", "rules", "games", "toWin"], .integer(0)),
      (["board", "rules", "periodName"], .string("\u{1b}[31m")),
      (["history", "stamp", "run", "reign"], .integer(-1)),
      (["history", "stamp", "run", "writer"], .string("x")),
      (["from"], .string("x")), (["id"], .string("")),
      (
        ["board", "board", "teams"],
        .array(Array(repeating: value["board"]?["board"]?["teams"]?.array?[0] ?? .null, count: 2))
      ),
    ]
    for (path, wrong) in changes {
      let text = Self.replacing(path[...], in: value, with: wrong).text
      #expect(throws: WallMessage.Malformed.self, "\(path)") { _ = try WallMessage(reading: text) }
    }
    #expect(throws: WallMessage.Malformed.self) {
      _ = try WallMessage(reading: String(repeating: " ", count: WallMessage.limit + 1))
    }
  }

  private static func replacing(_ path: ArraySlice<String>, in value: JSONValue, with new: JSONValue)
    -> JSONValue
  {
    guard let name = path.first else { return new }
    var members = value.object ?? [:]
    members[name] = replacing(path.dropFirst(), in: members[name] ?? .null, with: new)
    return .object(members)
  }

  @Test("The difference of two clocks is known to within half of the fastest round trip")
  func clocks() throws {
    for seed in UInt64(0)..<300 {
      var random = SplitMix(seed: seed)
      let offset = Int64(random.int(-1_000_000...1_000_000)) * Self.second
      let drift = Int64(random.int(-100...100))
      func other(_ time: Int64) -> Int64 { time &+ time / 1_000_000 * drift &- offset }
      var estimate = ClockEstimate()
      var (now, fastest) = (Int64(0), Int64.max)
      for _ in 0..<random.int(1...8) {
        now += Int64(random.int(1...8_000)) * 1_000_000
        let (there, back) = (Int64(random.int(1...900_000)) * 1_000, Int64(random.int(1...90_000)) * 1_000)
        fastest = min(fastest, (there + back) / 2)
        estimate.received(sent: other(now), at: now + Int64(random.int(0...3_000)) * 1_000_000)
        let received = now + there
        estimate.answered(
          ping: now, received: other(received), sent: other(received + 1), at: received + 1 + back)
        now = received + back
      }
      let found = try #require(estimate.offset(at: now))
      let error = abs((other(now) &+ found) - now)
      // 64 s at 100 ppm, and as much for the estimate of the drift.
      #expect(
        error <= fastest + 13_000_000,
        "seed \(seed): \(error / 1_000) µs, half of the fastest round trip \(fastest / 1_000) µs")
    }
  }

  @Test("With messages in one direction only, the estimated clock is behind the real one, never ahead")
  func oneWay() throws {
    var estimate = ClockEstimate()
    for delay in [3_000, 20, 700] {
      estimate.received(sent: 50 * Self.second, at: 50 * Self.second + Int64(delay) * 1_000_000)
    }
    #expect(estimate.offset(at: 60 * Self.second) == 20_000_000)
    for extreme in [Int64.min, Int64.max] {
      var estimate = ClockEstimate()
      estimate.received(sent: extreme, at: 0)
      estimate.answered(ping: extreme, received: 5, sent: extreme, at: 9)
      _ = estimate.offset(at: extreme)
    }
  }
}
