// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard
import Varlink

/// The interface org.flipclock.Control.
package enum ControlInterface {
  package static let name = "org.flipclock.Control"

  /// The text of `org.flipclock.Control.varlink`.
  package static var description: String {
    String(decoding: PackageResources.org_flipclock_Control_varlink, as: UTF8.self)
  }
}

// MARK: Commands as calls

extension VarlinkCall {
  package init(_ command: Command) {
    let (member, parameters) = Self.parts(command)
    self.init(
      method: "\(ControlInterface.name).\(member)", parameters: parameters.compactMapValues { $0 },
      more: command == .watch)
  }

  private typealias Parts = (member: String, parameters: [String: JSONValue?])

  private static func parts(_ command: Command) -> Parts {
    switch command {
    case .change(.match(let action)): parts(action)
    case .change(.show(let page)): ("Show", ["page": .string(page)])
    case .change(.message(let text, let milliseconds)):
      ("ShowMessage", ["text": .string(text), "milliseconds": milliseconds.map(integer)])
    case .change(.clearMessage): ("ClearMessage", [:])
    case .change(.blank): ("Blank", [:])
    case .change(.unblank): ("Unblank", [:])
    case .change(.toggleBlank): ("ToggleBlank", [:])
    case .change(.setBrightness(let percent)): ("SetBrightness", ["percent": percent.map(integer)])
    case .change(.addBrightness(let percent)): ("AddBrightness", ["percent": integer(percent)])
    case .status: ("GetStatus", [:])
    case .state: ("GetState", [:])
    case .history(let limit): ("GetHistory", ["limit": limit.map(integer)])
    case .watch: ("Subscribe", [:])
    case .reload: ("Reload", [:])
    case .screenshot: ("Screenshot", [:])
    }
  }

  private static func parts(_ action: Scoreboard.Action) -> Parts {
    switch action {
    case .setScore(let team, let score): ("SetScore", ["team": .string(team), "score": integer(score)])
    case .addScore(let team, let points): ("AddScore", ["team": .string(team), "points": integer(points)])
    case .setPeriodScore(let team, let period, let score):
      ("SetPeriodScore", ["team": .string(team), "period": integer(period), "score": integer(score)])
    case .setPeriod(let period): ("SetPeriod", ["period": integer(period)])
    case .addPeriod(let periods): ("AddPeriod", ["periods": integer(periods)])
    case .setTeam(let team, let name, let shortName, let color):
      (
        "SetTeam",
        [
          "team": .string(team), "name": name.map(JSONValue.string),
          "shortName": shortName.map(JSONValue.string), "color": color.map { .string(ColorText.hex($0)) },
        ]
      )
    case .setServing(let team): ("SetServing", ["team": team.map(JSONValue.string)])
    case .setCounter(let team, let counter, let value):
      ("SetCounter", ["team": .string(team), "counter": .string(counter), "value": integer(value)])
    case .addCounter(let team, let counter, let value):
      ("AddCounter", ["team": .string(team), "counter": .string(counter), "value": integer(value)])
    case .startTimer(let timer): ("StartTimer", ["timer": .string(timer.rawValue)])
    case .pauseTimer(let timer): ("PauseTimer", ["timer": .string(timer.rawValue)])
    case .resetTimer(let timer): ("ResetTimer", ["timer": .string(timer.rawValue)])
    case .resetShot(let time):
      ("ResetTimer", ["timer": .string(GameTimer.ID.shot.rawValue), "milliseconds": milliseconds(time)])
    case .setTimer(let timer, let time):
      ("SetTimer", ["timer": .string(timer.rawValue), "milliseconds": milliseconds(time)])
    case .addTimer(let timer, let time):
      ("AddTimer", ["timer": .string(timer.rawValue), "milliseconds": milliseconds(time)])
    case .addPenalty(let team, let length, let number):
      (
        "AddPenalty",
        ["team": .string(team), "milliseconds": length.map(milliseconds), "number": number.map(integer)]
      )
    case .endPenalty(let team, let number):
      ("EndPenalty", ["team": .string(team), "number": number.map(integer)])
    case .clearPenalties(let team): ("ClearPenalties", ["team": .string(team)])
    case .swapSides: ("SwapSides", [:])
    case .newGame: ("NewGame", [:])
    case .reset: ("Reset", [:])
    case .undo: ("Undo", [:])
    case .redo: ("Redo", [:])
    case .undoSteps(let count): ("Undo", ["count": integer(count)])
    case .redoSteps(let count): ("Redo", ["count": integer(count)])
    }
  }

  private static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }
  private static func milliseconds(_ nanoseconds: Int64) -> JSONValue { .integer(nanoseconds / 1_000_000) }
}

// MARK: Calls as commands

extension Command {
  /// Reads a call to the interface.
  ///
  /// - Parameter timers: the names of the match's timers, for the error about an unknown one.
  package init(_ call: VarlinkCall, timers: () -> [String]) throws(VarlinkError) {
    var parameters = ParameterReader(call)
    self = try Self.command(call, &parameters, timers)
    try parameters.finish()
  }

  private static func command(
    _ call: VarlinkCall, _ parameters: inout ParameterReader, _ timers: () -> [String]
  ) throws(VarlinkError) -> Command {
    switch call.member {
    case "GetStatus": return .status
    case "GetState": return .state
    case "GetHistory":
      let limit = try parameters.optionalInteger("limit")
      guard limit ?? 0 >= 0 else { throw .invalidParameter("limit") }
      return .history(limit: limit)
    case "Subscribe": return .watch
    case "Reload": return .reload
    case "Screenshot": return .screenshot
    case "Show": return .change(.show(page: try parameters.string("page")))
    case "ShowMessage":
      return .change(
        .message(try parameters.string("text"), milliseconds: try parameters.optionalInteger("milliseconds")))
    case "ClearMessage": return .change(.clearMessage)
    case "Blank": return .change(.blank)
    case "Unblank": return .change(.unblank)
    case "ToggleBlank": return .change(.toggleBlank)
    case "SetBrightness":
      return .change(.setBrightness(percent: try parameters.optionalInteger("percent")))
    case "AddBrightness": return .change(.addBrightness(percent: try parameters.integer("percent")))
    default:
      guard let action = try action(call.member, &parameters, timers) else {
        throw .methodNotFound(call.method)
      }
      return .change(.match(action))
    }
  }

  private static func action(
    _ member: String, _ parameters: inout ParameterReader, _ timers: () -> [String]
  ) throws(VarlinkError) -> Scoreboard.Action? {
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
      return .setTeam(
        team: try parameters.string("team"), name: try parameters.optionalString("name"),
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
    case "StartTimer": return .startTimer(try timer(&parameters, timers))
    case "PauseTimer": return .pauseTimer(try timer(&parameters, timers))
    case "ResetTimer":
      let timer = try timer(&parameters, timers)
      guard let time = try parameters.optionalInteger("milliseconds") else { return .resetTimer(timer) }
      // The game clock always begins with its length.
      guard timer == .shot else { throw .invalidParameter("milliseconds") }
      return .resetShot(to: nanoseconds(time))
    case "SetTimer":
      return .setTimer(
        try timer(&parameters, timers), to: nanoseconds(try parameters.integer("milliseconds")))
    case "AddTimer":
      return .addTimer(
        try timer(&parameters, timers), by: nanoseconds(try parameters.integer("milliseconds")))
    case "AddPenalty":
      return .addPenalty(
        team: try parameters.string("team"),
        length: try parameters.optionalInteger("milliseconds").map(nanoseconds),
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

  private static func color(_ parameters: inout ParameterReader) throws(VarlinkError) -> UInt32? {
    guard let text = try parameters.optionalString("color") else { return nil }
    guard let color = ColorText.color(text) else { throw .invalidParameter("color") }
    return color
  }

  private static func timer(
    _ parameters: inout ParameterReader, _ timers: () -> [String]
  ) throws(VarlinkError) -> GameTimer.ID {
    guard let name = try parameters.optionalString("timer") else { return .game }
    guard let id = GameTimer.ID(rawValue: name) else {
      throw VarlinkError(ControlError.UnknownTimer(timer: name, known: timers()))
    }
    return id
  }

  /// A time that does not fit is beyond the limit of every timer, and refused because of that.
  private static func nanoseconds(_ milliseconds: Int) -> Int64 {
    let (time, overflow) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (milliseconds < 0 ? .min : .max) : time
  }
}
