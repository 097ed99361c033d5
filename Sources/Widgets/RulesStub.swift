// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension Scoreboard {
  struct PenaltyReading {
    var number: Int?
    var left: Int64
    var isRunning: Bool
  }
  func penalties(of team: Team, at now: Int64) -> [PenaltyReading] { [] }
  func pointsText(of team: Team) -> String { String(team.score) }
  func periodsWon(by team: Team) -> Int { team.periodScores.indices.count { isWon($0, by: team) } }
  var periodText: String {
    let beyond = period - rules.periods
    guard rules.scoring == .total, beyond > 0 else { return "\(rules.periodName) \(period)" }
    return beyond == 1 ? "OVERTIME" : "OVERTIME \(beyond)"
  }
}
extension Scoreboard.Team { var games: Int { 0 } }
extension GameRules {
  struct Games { var name: String }
  var games: Games? { nil }
  var penalties: [Int64] { [] }
  var overtimeName: String { "OVERTIME" }
  func isOvertime(_ period: Int) -> Bool { scoring == .total && period > periods }
}
