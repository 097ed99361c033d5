// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Scoreboard

@Suite struct ScoreboardFieldTests {
  private static let before = Scoreboard(teams: [.init(id: "home", name: "HOME")])

  /// `before` with another value in every field that an action changes.
  private static let after: Scoreboard = {
    var board = before
    board.period = 2
    board.serving = "home"
    board.firstServer = "home"
    board.sidesSwapped = true
    board.gameTimer.value = second
    board.shotTimer.value = second
    board.teams[0].name = "LIONS"
    board.teams[0].shortName = "LIO"
    board.teams[0].color = 0xff8800
    board.teams[0].score = 7
    board.teams[0].games = 3
    board.teams[0].periodScores = [6]
    board.teams[0].counters = ["fouls": 2]
    board.teams[0].penalties = [Penalty(number: 17, left: second)]
    return board
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
    var board = after
    for patch in Patch.all(from: before, to: after) { patch.apply(to: &board, undoing: true) }
    #expect(board == before, "Sources/Scoreboard/Patch.swift: undo does not restore a field")
    let saved = try JSONDecoder().decode(Scoreboard.self, from: JSONEncoder().encode(after))
    #expect(saved == after, "Sources/Scoreboard/Scoreboard+Coding.swift: a field is not saved")
  }
}
