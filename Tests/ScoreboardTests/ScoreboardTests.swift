// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TestSupport
import Testing

@testable import Scoreboard

private let start = Scoreboard(teams: [
  .init(id: "home", name: "HOME", score: 7), .init(id: "guest", name: "GUEST"),
])

struct ActionCase: CustomTestStringConvertible {
  let action: Scoreboard.Action
  let home: Int
  let guest: Int
  let refusal: Scoreboard.Refusal?

  init(_ action: Scoreboard.Action, _ home: Int, _ guest: Int, refused refusal: Scoreboard.Refusal? = nil) {
    self.action = action
    self.home = home
    self.guest = guest
    self.refusal = refusal
  }

  var testDescription: String { "\(action)" }
}

@Suite struct ScoreboardTests {
  @Test(
    "An action changes its team's score or is refused and changes nothing",
    arguments: [
      ActionCase(.setScore(team: "home", to: 0), 0, 0),
      ActionCase(.setScore(team: "home", to: 999), 999, 0),
      ActionCase(.setScore(team: "guest", to: 12), 7, 12),
      ActionCase(.setScore(team: "home", to: -1), 7, 0, refused: .scoreOutOfRange(-1)),
      ActionCase(.setScore(team: "home", to: 1000), 7, 0, refused: .scoreOutOfRange(1000)),
      ActionCase(.setScore(team: "home", to: .max), 7, 0, refused: .scoreOutOfRange(.max)),
      ActionCase(.setScore(team: "home", to: .min), 7, 0, refused: .scoreOutOfRange(.min)),
      ActionCase(.addScore(team: "home", by: 3), 10, 0),
      ActionCase(.addScore(team: "home", by: -7), 0, 0),
      ActionCase(.addScore(team: "home", by: 0), 7, 0),
      ActionCase(.addScore(team: "home", by: 992), 999, 0),
      ActionCase(.addScore(team: "home", by: -8), 7, 0, refused: .scoreOutOfRange(-1)),
      ActionCase(.addScore(team: "home", by: 993), 7, 0, refused: .scoreOutOfRange(1000)),
      ActionCase(.addScore(team: "home", by: .max), 7, 0, refused: .scoreOutOfRange(.max)),
      ActionCase(.addScore(team: "home", by: .min), 7, 0, refused: .scoreOutOfRange(.min + 7)),
      ActionCase(
        .setScore(team: "gast", to: 1), 7, 0, refused: .unknownTeam(team: "gast", known: ["home", "guest"])),
      ActionCase(
        .addScore(team: "HOME", by: 1), 7, 0, refused: .unknownTeam(team: "HOME", known: ["home", "guest"])),
      ActionCase(
        .addScore(team: "", by: 1), 7, 0, refused: .unknownTeam(team: "", known: ["home", "guest"])),
    ])
  func action(_ example: ActionCase) {
    var scoreboard = start
    var refusal: Scoreboard.Refusal?
    do throws(Scoreboard.Refusal) { try scoreboard.apply(example.action) } catch { refusal = error }
    #expect(refusal == example.refusal)
    #expect(scoreboard.team("home")?.score == example.home)
    #expect(scoreboard.team("guest")?.score == example.guest)
    #expect(scoreboard.teams.map(\.name) == ["HOME", "GUEST"])
  }

  @Test("Without teams every action is refused with an unknown team")
  func noTeams() {
    var scoreboard = Scoreboard(teams: [])
    #expect(throws: Scoreboard.Refusal.unknownTeam(team: "home", known: [])) {
      try scoreboard.apply(.setScore(team: "home", to: 1))
    }
  }

  @Test("The teams of a new config keep the scores of teams with the same id")
  func adoption() {
    var scoreboard = start
    scoreboard.adopt([
      .init(id: "third", name: "THIRD", score: 4), .init(id: "home", name: "Lions", score: 2),
    ])
    #expect(
      scoreboard.teams == [
        .init(id: "third", name: "THIRD", score: 4), .init(id: "home", name: "Lions", score: 7),
      ])
  }

  @Test("A team that the config leaves out for a while keeps its score, in a saved state too")
  func parking() throws {
    var scoreboard = start
    scoreboard.adopt([.init(id: "third", name: "THIRD")])
    #expect(scoreboard.teams.map(\.id) == ["third"])
    var saved = try JSONDecoder().decode(Scoreboard.self, from: JSONEncoder().encode(scoreboard))
    #expect(saved == scoreboard)
    saved.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")])
    #expect(saved.team("home")?.score == start.team("home")?.score)
    #expect(saved.team("guest")?.score == start.team("guest")?.score)
    for index in 0..<200 { saved.adopt([.init(id: "team\(index)", name: "T", score: 1)]) }
    #expect(saved.parked.count == 64)
    #expect(saved.parked.last?.id == "team198")
  }

  @Test("The first of several equal ids is kept, and scores are clamped to their range")
  func validity() {
    let scoreboard = Scoreboard(teams: [
      .init(id: "a", name: "first", score: -5), .init(id: "a", name: "second"),
      .init(id: "b", name: "B", score: .max),
    ])
    #expect(
      scoreboard.teams == [.init(id: "a", name: "first", score: 0), .init(id: "b", name: "B", score: 999)])
    var adopting = start
    adopting.adopt([.init(id: "x", name: "X", score: 1000), .init(id: "x", name: "Y")])
    #expect(adopting.teams == [.init(id: "x", name: "X", score: 999)])
  }

  @Test(
    "After any actions, scores are in range, teams stay the same, and a refusal changes nothing",
    arguments: 0..<20)
  func invariants(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var scoreboard = start
    for _ in 0..<500 {
      let before = scoreboard
      let team = ["home", "guest", "nobody"].randomElement(using: &random) ?? ""
      let number =
        [Int.random(in: -1100...1100, using: &random), .min, .max, 0].randomElement(using: &random) ?? 0
      let action: Scoreboard.Action =
        Bool.random(using: &random) ? .setScore(team: team, to: number) : .addScore(team: team, by: number)
      do throws(Scoreboard.Refusal) {
        try scoreboard.apply(action)
        #expect(team != "nobody")
      } catch {
        #expect(scoreboard == before)
      }
      #expect(scoreboard.teams.allSatisfy { Scoreboard.scores.contains($0.score) })
      #expect(scoreboard.teams.map(\.id) == ["home", "guest"])
    }
  }

  @Test("Adding and removing the same points leaves the score unchanged")
  func inverse() throws {
    for points in -7...992 {
      var scoreboard = start
      try scoreboard.apply(.addScore(team: "home", by: points))
      #expect(scoreboard.team("home")?.score == 7 + points)
      try scoreboard.apply(.addScore(team: "home", by: -points))
      #expect(scoreboard == start)
    }
  }

  @Test("Encoding and decoding gives the same scoreboard")
  func coding() throws {
    let text = try JSONEncoder().encode(start)
    #expect(try JSONDecoder().decode(Scoreboard.self, from: text) == start)
    let action = Scoreboard.Action.addScore(team: "home", by: -1)
    #expect(try JSONDecoder().decode(Scoreboard.Action.self, from: JSONEncoder().encode(action)) == action)
  }

  @Test(
    "States that no action leads to are rejected",
    arguments: [
      #"{"teams":[{"id":"a","name":"A","score":1000}]}"#,
      #"{"teams":[{"id":"a","name":"A","score":-1}]}"#,
      #"{"teams":[{"id":"a","name":"A","score":1},{"id":"a","name":"B","score":2}]}"#,
      #"{"teams":[{"id":"a","name":"A","score":1.5}]}"#,
      #"{"teams":[{"id":"a","name":"A"}]}"#,
      #"{"teams":{}}"#, "{}", "[]", "",
    ])
  func foreignState(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Scoreboard.self, from: Data(text.utf8))
    }
  }
}
