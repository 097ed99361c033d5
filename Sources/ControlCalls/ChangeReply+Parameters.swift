// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard

extension ChangeReply {
  /// The parameters of the reply to `change`.
  package func parameters(to change: Change) -> Result<[String: JSONValue], ControlError> {
    switch self {
    case .match(let done):
      switch change {
      case .match(.setScore(let team, _, _)), .match(.addScore(let team, _)): Self.score(of: team, done)
      default: Self.members(of: ChangedMatch(what: done.what, state: done.state))
      }
    case .page(let page): .success(["page": .string(page)])
    case .message(let text, let milliseconds, let waits):
      .success(
        ["text": .string(text), "milliseconds": .integer(Int64(milliseconds))]
          .merging(waits ? ["waits": .bool(true)] : [:]) { $1 })
    case .cleared(let text): .success(text.map { ["text": .string($0)] } ?? [:])
    case .board(let board): Self.members(of: board)
    case .clearedBoard(let text): .success(text.map { ["text": .string($0)] } ?? [:])
    case .reported: .success([:])
    case .countdown(let state, let page): Self.members(of: ChangedCountdown(countdown: state, page: page))
    case .clearedCountdown(let changed): .success(["changed": .bool(changed)])
    case .blank(let changed): .success(["changed": .bool(changed)])
    case .toggledBlank(let isBlank): .success(["blanked": .bool(isBlank)])
    case .invited(let invitation):
      .success([
        "address": .string(invitation.address), "code": .string(invitation.codes.first ?? ""),
        "milliseconds": .integer(Int64(invitation.milliseconds)),
        "codes": .array(invitation.codes.map(JSONValue.string)),
      ])
    case .led(let changed): .success(["changed": .bool(changed)])
    case .invitationEnded(let changed): .success(["changed": .bool(changed)])
    case .brightness(let percent): .success(["percent": .integer(Int64(percent))])
    }
  }

  private struct ChangedMatch: Encodable {
    var what: String?
    var state: MatchState
  }

  private struct ChangedCountdown: Encodable {
    var countdown: CountdownState
    var page: String?
  }

  private struct ChangedScore: Encodable {
    struct Team: Encodable {
      var id, name: String
      var score: Int
      var pointsText: String?
    }

    var team: Team
    var note: String?
    var facts: [Fact]?
  }

  private static func score(
    of id: String, _ change: MatchChange
  ) -> Result<[String: JSONValue], ControlError> {
    guard let team = change.state.teams.first(where: { $0.id == id }) else {
      return .failure(.failed(reason: "the team is gone"))
    }
    return members(
      of: ChangedScore(
        team: ChangedScore.Team(
          id: team.id, name: team.name, score: team.score, pointsText: team.pointsText), note: change.note,
        facts: change.facts))
  }

  private static func members(of value: some Encodable) -> Result<[String: JSONValue], ControlError> {
    guard let members = (try? JSONValue(encoding: value))?.object else {
      return .failure(.failed(reason: "the reply cannot be written as JSON"))
    }
    return .success(members)
  }
}
