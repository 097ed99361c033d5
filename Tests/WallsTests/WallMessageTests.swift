// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Testing
import Varlink

@testable import Walls

@Suite("States between walls") struct WallMessageTests {
  private static let second: Int64 = 1_000_000_000
  private static let stamp = BoardStamp(epoch: 2, writer: "0123456789abcdef", start: 3, number: 4)

  private static func match(_ preset: GameRules.Preset) throws -> Match {
    let teams: [Scoreboard.Team] = [
      .init(id: "home", name: "Löwen 🦁", color: 0xe5484d), .init(id: "guest", name: "تمساح", color: 0x3e93ff),
    ]
    var board = Scoreboard(teams: teams)
    board.adopt(teams, rules: GameRules(preset))
    var match = Match(board)
    _ = try? match.apply(.startTimer(.game), at: 5 * second)
    _ = try? match.apply(.addPenalty(team: "home", length: nil, number: 7), at: 6 * second)
    try match.apply(.addScore(team: "home", by: 1), at: 9 * second)
    return match
  }

  private static func message(_ match: Match, offset: Int64, sent: Int64 = 0) -> WallMessage {
    WallMessage(
      stamp: stamp, sent: sent, showAt: sent &+ WallMessage.lead, isSynchronized: true,
      state: SharedBoard(match, shiftedBy: offset))
  }

  @Test("Every game arrives as it was sent, with running clocks", arguments: GameRules.Preset.allCases)
  func games(preset: GameRules.Preset) throws {
    let match = try Self.match(preset)
    let message = Self.message(match, offset: 1_700_000_000 * Self.second)
    let text = try #require(message.text)
    #expect(text.utf8.count < 4_000, "\(text.utf8.count) bytes")
    let read = try WallMessage(reading: text)
    #expect(read == message)
    // The receiver's match time is another one.
    let arrived = read.state.match(shiftedBy: -1_700_000_000 * Self.second + 77 * Self.second)
    for id in GameTimer.ID.allCases {
      let there = match.board.reading(of: id, at: 20 * Self.second)
      #expect(arrived.board.reading(of: id, at: 97 * Self.second) == there)
    }
    #expect(arrived.board.rules == match.board.rules)
    #expect(arrived.board.teams.map(\.score) == match.board.teams.map(\.score))
    #expect(read.state.undo != nil && arrived.past.isEmpty && arrived.revision == match.revision)
  }

  @Test("A message that is cut off or changed anywhere is refused, or is a state within the rules")
  func damaged() throws {
    let text = try #require(Self.message(try Self.match(.tennis), offset: 0).text)
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
      var match = read.state.match(shiftedBy: .max)
      match = read.state.match(shiftedBy: .min)
      _ = try? match.apply(.addScore(team: "home", by: 1), at: Self.second)
      _ = match.board.settled(at: .max).periodText
      _ = match.board.nextEvent(after: 0)
    }
  }

  @Test("Rules that no config has are refused")
  func rules() throws {
    let value = try JSONValue(encoding: Self.message(try Self.match(.tennis), offset: 0))
    let changes: [([String], JSONValue)] = [
      (["version"], .integer(2)), (["state", "rules", "periods"], .integer(0)),
      (["state", "rules", "periods"], .integer(1 << 40)), (["state", "rules", "lead"], .integer(-1)),
      (["state", "rules", "increments"], .array([])), (["state", "revision"], .integer(-1)),
      (["state", "rules", "games", "toWin"], .integer(0)),
      (["state", "rules", "periodName"], .string("\u{1b}[31m")),
      (["stamp", "epoch"], .integer(-1)), (["stamp", "writer"], .string("x")),
      (
        ["state", "board", "teams"],
        .array(Array(repeating: value["state"]?["board"]?["teams"]?.array?[0] ?? .null, count: 2))
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

  @Test(
    "With synchronized clocks all walls show a change at one moment; otherwise each shows it when it arrives")
  func clocks() throws {
    let sent = 1_700_000_000 * Self.second
    let match = try Self.match(.basketball)
    var random = SplitMix(seed: 9)
    for _ in 0..<500 {
      let delay = Int64.random(in: 0...140_000_000, using: &random)
      let error = Int64.random(in: -90 * Self.second...90 * Self.second, using: &random)
      let isSynchronized = Bool.random(using: &random)
      let isLive = Bool.random(using: &random)
      let matchTime = Int64.random(in: 0...1_000_000 * Self.second, using: &random)
      let message = Self.message(match, offset: 0, sent: sent)
      let clocks = WallClocks(
        message, isLive: isLive, isSynchronized: isSynchronized, realtime: sent + delay + error,
        matchTime: matchTime)
      if !isSynchronized || error < -WallClocks.tolerance - delay {
        #expect(!clocks.agrees)
        #expect(clocks.showAt == matchTime && clocks.offset == matchTime - sent)
      } else if error == 0, isLive {
        #expect(clocks.agrees)
      }
      #expect(clocks.showAt >= matchTime - delay || clocks.agrees)
      #expect(clocks.showAt <= matchTime + WallClocks.tolerance)
    }
    let exact = WallClocks(
      Self.message(match, offset: 0, sent: sent), isLive: true, isSynchronized: true,
      realtime: sent + 30_000_000,
      matchTime: 5 * Self.second)
    #expect(exact.agrees && exact.showAt == 5 * Self.second + 120_000_000)
    for extreme in [Int64.min, Int64.max] {
      var message = Self.message(match, offset: 0, sent: extreme)
      message.showAt = extreme
      _ = WallClocks(message, isLive: true, isSynchronized: true, realtime: sent, matchTime: 1)
    }
  }
}
