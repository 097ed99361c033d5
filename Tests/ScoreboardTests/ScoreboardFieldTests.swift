// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Scoreboard

@Suite struct ScoreboardFieldTests {
  private static let before = Scoreboard(teams: [.init(id: "home", name: "HOME")])

  /// `before` with another value in every field that an action changes.
  private static let after: Scoreboard = {
    var scoreboard = before
    scoreboard.period = 2
    scoreboard.game = 7
    scoreboard.serving = "home"
    scoreboard.firstServer = "home"
    scoreboard.left = [
      LeftSet(serving: "home", teams: ["home": .init(score: 3, games: 1, counters: ["fouls": 1])])
    ]
    scoreboard.isEnded = true
    scoreboard.sidesSwapped = true
    scoreboard.gameTimer.value = second
    scoreboard.shotTimer.value = second
    scoreboard.gameBreak = GameBreak(.timeOut(team: "home"), length: second, at: 3)
    scoreboard.gameBreak?.ended = 4
    scoreboard.teams[0].name = "LIONS"
    scoreboard.teams[0].shortName = "LIO"
    scoreboard.teams[0].color = 0xff8800
    scoreboard.teams[0].score = 7
    scoreboard.teams[0].games = 3
    scoreboard.teams[0].periodScores = [6]
    scoreboard.teams[0].tieBreaks = [1: 7]
    scoreboard.teams[0].counters = ["fouls": 2]
    scoreboard.teams[0].penalties = [Penalty(number: 17, left: second)]
    return scoreboard
  }()

  /// The fields that no action changes, and the teams, whose fields are compared one by one.
  private static let others: Set = ["teams", "parked", "rules", "startScore", "id", "declared"]

  @Test("Every field that actions change can be undone and is saved")
  func fields() throws {
    let (before, after) = (Self.before, Self.after)
    for (a, b) in [(before, after), (before.teams[0], after.teams[0])] as [(Any, Any)] {
      for (old, new) in zip(Mirror(reflecting: a).children, Mirror(reflecting: b).children) {
        let name = old.label ?? ""
        #expect(
          "\(old.value)" != "\(new.value)" || Self.others.contains(name),
          "give '\(name)' another value in 'after', or add it to 'others' if no action changes it")
      }
    }
    var scoreboard = after
    for patch in Patch.all(from: before, to: after) { patch.apply(to: &scoreboard, undoing: true) }
    #expect(scoreboard == before, "Sources/Scoreboard/Patch.swift: undo does not restore a field")
    let saved = try JSONDecoder().decode(Scoreboard.self, from: JSONEncoder().encode(after))
    #expect(saved == after, "Sources/Scoreboard/Scoreboard+Coding.swift: a field is not saved")
  }
}
