// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension ControlService {
  /// The steps that GetHistory tells unless it is asked for others.
  static let historySteps = 50

  struct Team: Encodable {
    var id, name: String
    var score: Int
  }

  private struct Score: Encodable {
    var team: Team
    var note: String?
  }

  private struct Change: Encodable {
    var what: String?
    var state: MatchState
  }

  /// The action that a method of the interface asks for; nil: it is no such method.
  func action(
    _ member: String, _ parameters: inout ParameterReader
  ) throws(ControlError) -> Scoreboard.Action? {
    switch member {
    case "SetScore":
      return .setScore(team: try parameters.string("team"), to: try parameters.integer("score"))
    case "AddScore":
      return .addScore(team: try parameters.string("team"), by: try parameters.integer("points"))
    case "SetPeriodScore":
      return .setPeriodScore(
        team: try parameters.string("team"), period: try parameters.integer("period"),
        to: try parameters.integer("score"))
    case "SetPeriod": return .setPeriod(to: try parameters.integer("period"))
    case "AddPeriod": return .addPeriod(by: try parameters.integer("periods"))
    case "SetTeam":
      let team = try parameters.string("team")
      return .setTeam(
        team: team, name: try parameters.optionalString("name"),
        shortName: try parameters.optionalString("shortName"), color: try color(&parameters))
    case "SetServing": return .setServing(team: try parameters.optionalString("team"))
    case "SetCounter":
      return .setCounter(
        team: try parameters.string("team"), counter: try parameters.string("counter"),
        to: try parameters.integer("value"))
    case "AddCounter":
      return .addCounter(
        team: try parameters.string("team"), counter: try parameters.string("counter"),
        by: try parameters.integer("value"))
    case "StartTimer": return .startTimer(try timer(&parameters))
    case "PauseTimer": return .pauseTimer(try timer(&parameters))
    case "ResetTimer": return try reset(&parameters)
    case "SetTimer": return .setTimer(try timer(&parameters), to: try milliseconds(&parameters))
    case "AddTimer": return .addTimer(try timer(&parameters), by: try milliseconds(&parameters))
    case "AddPenalty":
      return .addPenalty(
        team: try parameters.string("team"), length: try optionalMilliseconds(&parameters),
        number: try parameters.optionalInteger("number"))
    case "EndPenalty":
      return .endPenalty(
        team: try parameters.string("team"), number: try parameters.optionalInteger("number"))
    case "ClearPenalties": return .clearPenalties(team: try parameters.string("team"))
    case "SwapSides": return .swapSides
    case "NewGame": return .newGame
    case "Reset": return .reset
    case "Undo": return try parameters.optionalInteger("count").map { .undoSteps($0) } ?? .undo
    case "Redo": return try parameters.optionalInteger("count").map { .redoSteps($0) } ?? .redo
    default: return nil
    }
  }

  private func color(_ parameters: inout ParameterReader) throws(ControlError) -> UInt32? {
    guard let text = try parameters.optionalString("color") else { return nil }
    guard let color = ColorText.color(text) else { throw .invalidParameter("color") }
    return color
  }

  private func timer(_ parameters: inout ParameterReader) throws(ControlError) -> GameTimer.ID {
    guard let name = try parameters.optionalString("timer") else { return .game }
    guard let id = GameTimer.ID(rawValue: name) else {
      throw .unknownTimer(name, known: try running().matchState().timers.keys.sorted())
    }
    return id
  }

  private func reset(_ parameters: inout ParameterReader) throws(ControlError) -> Scoreboard.Action {
    let timer = try timer(&parameters)
    guard let time = try optionalMilliseconds(&parameters) else { return .resetTimer(timer) }
    // The game clock has one beginning.
    guard timer == .shot else { throw .invalidParameter("milliseconds") }
    return .resetShot(to: time)
  }

  private func milliseconds(_ parameters: inout ParameterReader) throws(ControlError) -> Int64 {
    nanoseconds(try parameters.integer("milliseconds"))
  }

  private func optionalMilliseconds(_ parameters: inout ParameterReader) throws(ControlError) -> Int64? {
    try parameters.optionalInteger("milliseconds").map(nanoseconds)
  }

  /// What does not fit is beyond every timer, and refused as that.
  private func nanoseconds(_ milliseconds: Int) -> Int64 {
    let milliseconds = Int64(milliseconds)
    let (time, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (milliseconds < 0 ? .min : .max) : time
  }

  func perform(
    _ action: Scoreboard.Action, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(ControlError) {
    try running().perform(action) { result in
      switch (action, result) {
      case (_, .failure(let failure)): reply(.failing(ControlError(failure)))
      case (.setScore(let id, _), .success(let change)), (.addScore(let id, _), .success(let change)):
        guard let team = change.state.teams.first(where: { $0.id == id }) else {
          return reply(.failing(.failed(reason: "the team is gone")))
        }
        reply(
          .returning(
            Score(team: Team(id: team.id, name: team.name, score: team.score), note: change.note)))
      case (_, .success(let change)): reply(.returning(Change(what: change.what, state: change.state)))
      }
    }
  }

  func history(_ parameters: inout ParameterReader) throws(ControlError) -> VarlinkReply {
    let limit = try parameters.optionalInteger("limit") ?? Self.historySteps
    guard limit >= 0 else { throw .invalidParameter("limit") }
    try parameters.finish()
    let history = try running().matchHistory()
    return .returning(
      MatchHistory(past: Array(history.past.prefix(limit)), future: Array(history.future.prefix(limit))))
  }
}
