// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import DaemonDouble
import JSON
import LinuxSystem
import Scoreboard
import Testing

@testable import WebRemote

@Suite struct StateSummaryTests {
  private static let second: Int64 = 1_000_000_000
  private static let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func members(
    _ match: Match, after passed: Int64 = 0, boards: [BoardState] = []
  ) -> [String: JSONValue] {
    let display = DisplayState(
      name: "Hall 1", page: "match", pages: ["match"], boards: boards,
      countdowns: [
        CountdownState(name: "doors", label: "OPEN", milliseconds: 5_000, running: true),
        CountdownState(name: "talk"),
      ])
    let summary = StateSummary(MatchState(match, at: 0), at: 7, display, at: 7, now: 7 + passed)
    return summary.json.object ?? [:]
  }

  private func match(_ preset: GameRules.Preset) -> Match { RefereeHandler(preset).match }

  @Test("Every game has the same members, without nesting, and all of them are documented")
  func names() throws {
    var known: Set<String>?
    for preset in GameRules.Preset.allCases {
      let members = members(match(preset), boards: [BoardState(name: "hall", type: "board", text: "A\nB")])
      for (name, value) in members {
        #expect(value.array == nil && value.object == nil, "\(name)")
      }
      let names = Set(members.keys.filter { !$0.contains("_counter_") && !$0.hasPrefix("countdown_talk") })
      #expect(known == nil || names == known, "\(preset): \(names.symmetricDifference(known ?? []))")
      known = names
    }
    // The table in the documents has the members of a team as `teamN_…`.
    let document = String(decoding: try readFile("/\(Self.root)/docs/http.md", limit: 1 << 20), as: UTF8.self)
    let lines = document.split(separator: "\n").drop { $0 != "## The state" }.prefix { $0 != "## Recipes" }
    let documented = Set(
      lines.filter { $0.hasPrefix("| `") }
        .flatMap { ($0.split(separator: "|").first ?? "").split(separator: "`") }.map(String.init)
        .filter { $0.contains { $0 != " " && $0 != "," } })
    let written = (known ?? []).map { name in
      name.hasPrefix("team1_") || name.hasPrefix("team2_")
        ? "teamN_\(name.dropFirst(6))"
        : name == "board_hall"
          ? "board_NAME"
          : name.hasPrefix("countdown_doors") ? "countdown_NAME\(name.dropFirst(15))" : name
    }
    #expect(documented == Set(written).union(["teamN_counter_ID"]))
  }

  @Test("Clocks have their values at the moment of the request")
  func clocks() throws {
    var match = match(.basketball)
    _ = try match.apply(.startTimer(.game), at: 0)
    for (passed, text, milliseconds, seconds) in [
      (0, "10:00", 600_000, 600), (4_200, "09:56", 595_800, 596), (599_999, "00:01", 1, 1),
      (700_000, "00:00", 0, 0),
    ] {
      let members = members(match, after: Int64(passed) * Self.second / 1_000)
      #expect(members["game_clock"] == .string(text))
      #expect(members["game_clock_ms"] == .integer(Int64(milliseconds)))
      #expect(members["game_clock_seconds"] == .integer(Int64(seconds)))
      #expect(members["game_clock_running"] == .bool(true))
    }
    // A clock that does not exist now.
    #expect(members(match)["break_clock"] == .string("") && members(match)["break_clock_ms"] == .null)
  }

  @Test("A team keeps its place when the teams change sides")
  func sides() throws {
    var match = match(.volleyball)
    _ = try match.apply(.addScore(team: "guest", by: 1), at: 0)
    _ = try match.apply(.swapSides, at: 0)
    let members = members(match)
    #expect(members["sides_swapped"] == .bool(true) && members["teams"] == .integer(2))
    #expect(members["team1_id"] == .string("home") && members["team1_score"] == .integer(0))
    #expect(members["team2_id"] == .string("guest") && members["team2_score_text"] == .string("1"))
    #expect(members["team2_serving"] == .bool(members["serving"] == .string("guest")))
  }

  @Test("A countdown has its time at the moment of the request; one that is not set has none")
  func countdowns() {
    let members = members(match(.free), after: 1_500_000_000)
    #expect(
      members["countdown_doors"] == .string("00:04") && members["countdown_doors_ms"] == .integer(3_500))
    #expect(members["countdown_doors_label"] == .string("OPEN"))
    #expect(members["countdown_doors_running"] == .bool(true))
    #expect(members["countdown_talk"] == .string("") && members["countdown_talk_ms"] == .null)
  }

  @Test("What the scoreboard shows is there as text, and what is not there is empty")
  func texts() throws {
    var match = match(.tennis)
    for _ in 0..<3 { _ = try match.apply(.addScore(team: "home", by: 1), at: 0) }
    var shown = BoardState(name: "a-b_c", type: "text", text: "{red}x{/}")
    shown.words = "x"
    let members = members(match, boards: [shown])
    #expect(members["team1_score_text"] == .string("40") && members["team2_score_text"] == .string("0"))
    #expect(members["board_a-b_c"] == .string("x"))
    for name in ["winner", "message", "break", "break_kind", "break_team", "team1_winning_point"] {
      #expect(members[name] == .string(""), "\(name)")
    }
  }
}
