// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard
import Varlink

/// A method of the interface, and the command that a call of it stands for.
package struct ControlMethod: Sendable {
  typealias Reading<Value> = @Sendable (inout ParameterReader) throws(VarlinkError) -> Value

  package let name: String
  /// As in the interface file: `team: string, score: int`.
  package let parameters: String
  /// Whether it changes something, and has the parameter `terms`.
  let isChange: Bool
  /// The parameters of the reply.
  package let reply: String
  /// The lines of the comment in the interface file; nil: the last comment before this method describes it
  /// too.
  package let text: String?
  /// Reads a call. `timers` returns the names of the match's timers, for the error about an unknown one.
  let command: @Sendable (inout ParameterReader, _ timers: () -> [String]) throws(VarlinkError) -> Command

  static func method(
    _ name: String, _ parameters: String = "", reply: String, text: String? = nil,
    _ command: @escaping Reading<Command>
  ) -> ControlMethod {
    ControlMethod(name: name, parameters: parameters, isChange: false, reply: reply, text: text) {
      p, _ throws(VarlinkError) in try command(&p)
    }
  }

  /// A method that changes something.
  static func change(
    _ name: String, _ parameters: String = "", reply: String, text: String? = nil,
    _ change: @escaping Reading<Change>
  ) -> ControlMethod {
    ControlMethod(name: name, parameters: withTerms(parameters), isChange: true, reply: reply, text: text) {
      p, _ throws(VarlinkError) in .change(try change(&p))
    }
  }

  /// A method that changes settings.
  static func settings(
    _ name: String, _ parameters: String, text: String, _ command: @escaping Reading<Command>
  ) -> ControlMethod {
    ControlMethod(
      name: name, parameters: withTerms(parameters), isChange: true,
      reply: "settings: []Setting, warnings: []string, match: ?MatchEffect, revision: int", text: text
    ) { p, _ throws(VarlinkError) in try command(&p) }
  }

  private static func withTerms(_ parameters: String) -> String {
    (parameters.isEmpty ? "" : parameters + ", ") + "\(Terms.parameter): ?Terms"
  }

  /// A method that changes the match.
  static func match(
    _ name: String, _ parameters: String = "", reply: String = "what: ?string, state: MatchState",
    text: String? = nil, _ action: @escaping Reading<Scoreboard.Action>
  ) -> ControlMethod {
    change(name, parameters, reply: reply, text: text) { p throws(VarlinkError) in .match(try action(&p)) }
  }

  /// A method that changes a timer of the match: the parameter `timer`, or else the game clock.
  static func timer(
    _ name: String, _ parameters: String? = nil, text: String? = nil,
    _ action:
      @escaping @Sendable (GameTimer.ID, inout ParameterReader) throws(VarlinkError) -> Scoreboard.Action
  ) -> ControlMethod {
    ControlMethod(
      name: name, parameters: withTerms("timer: ?string" + (parameters.map { ", \($0)" } ?? "")),
      isChange: true, reply: "what: ?string, state: MatchState", text: text
    ) { p, timers throws(VarlinkError) in
      let name = try p.optionalString("timer") ?? GameTimer.ID.game.rawValue
      guard let timer = GameTimer.ID(rawValue: name) else {
        throw ControlError.refused(.unknownTimer(timer: name, known: timers())).wire
      }
      return .change(.match(try action(timer, &p)))
    }
  }
}

// MARK: Calls as commands

extension Command {
  /// Reads a call to the interface.
  ///
  /// - Parameter timers: the names of the match's timers, for the error about an unknown one.
  package init(_ call: VarlinkCall, timers: () -> [String]) throws(VarlinkError) {
    guard let method = ControlInterface.methods.first(where: { $0.name == call.member }) else {
      throw .methodNotFound(call.method)
    }
    var call = call
    if method.isChange { call.parameters[Terms.parameter] = nil }
    var parameters = ParameterReader(call)
    self = try method.command(&parameters, timers)
    try parameters.finish()
  }
}

extension ParameterReader {
  mutating func optionalColor(_ name: String) throws(VarlinkError) -> UInt32? {
    guard let text = try optionalString(name) else { return nil }
    guard let color = ColorText.color(text) else { throw .invalidParameter(name) }
    return color
  }

  /// Reads milliseconds; returns nanoseconds. A time that does not fit saturates, and is refused later
  /// because it is out of range.
  mutating func time(_ name: String) throws(VarlinkError) -> Int64 {
    let milliseconds = try integer(name)
    let (time, overflow) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (milliseconds < 0 ? .min : .max) : time
  }

  /// The change, which holds for the time in `milliseconds` if that is given.
  mutating func held(_ change: Change) throws(VarlinkError) -> Change {
    guard let milliseconds = try optionalInteger("milliseconds") else { return change }
    return .held(change, milliseconds: milliseconds)
  }

  mutating func optionalBoolean(_ name: String) throws(VarlinkError) -> Bool? {
    isGiven(name) ? try boolean(name) : nil
  }

  mutating func optionalTime(_ name: String) throws(VarlinkError) -> Int64? {
    isGiven(name) ? try time(name) : nil
  }
}
