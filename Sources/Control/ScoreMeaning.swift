// SPDX-License-Identifier: Apache-2.0

/// What a key of `flipclockctl score` stands for in a match.
enum ScoreMeaning: Hashable, Sendable {
  case points(team: String, Int)
  case counter(team: String, id: String, Int)
  /// Nil: nobody.
  case serve(team: String?)
  case undo
  case redo
  /// Starts or pauses it, whichever it is not.
  case timer(String)
  case resetShot
  /// Milliseconds.
  case resetShotTo(Int)
  /// One of the usual length.
  case penalty(team: String)
  /// The oldest.
  case endPenalty(team: String)
  /// Digits follow.
  case enterScore
  /// Seconds more or less on the game clock.
  case adjust(Int)
  case select(team: String)
  /// To be confirmed.
  case periods(Int)
  case swap
  case newGame
  case reset
  case resetGameTimer

  /// What Enter has to confirm; nil: it is done at once.
  func question(_ match: MatchState) -> String? {
    switch self {
    case .periods(let count):
      let rules = match.periodRules
      let period = rules.periodText(match.period &+ count)
      return count > 0 ? "begin \(period)" : "go back to \(period)"
    case .swap: return "have the teams change sides"
    case .newGame: return "begin a new game, all from 0"
    case .reset: return "begin anew, with the config's names"
    case .resetGameTimer: return "set the game clock back"
    default: return nil
    }
  }

  /// The call to the daemon; nil: there is none to make.
  func call(_ match: MatchState) -> ScoreCall? {
    switch self {
    case .points(let team, let points):
      return ScoreCall("AddScore", ["team": .string(team), "points": .integer(Int64(points))])
    case .counter(let team, let id, let value):
      return ScoreCall(
        "AddCounter", ["team": .string(team), "counter": .string(id), "value": .integer(Int64(value))])
    case .serve(let team): return ScoreCall("SetServing", team.map { ["team": .string($0)] } ?? [:])
    case .undo: return ScoreCall("Undo")
    case .redo: return ScoreCall("Redo")
    case .timer(let name):
      let runs = match.timers[name]?.running == true
      return ScoreCall(runs ? "PauseTimer" : "StartTimer", ["timer": .string(name)])
    case .resetShot: return ScoreCall("ResetTimer", ["timer": .string("shot")])
    case .resetShotTo(let milliseconds):
      return ScoreCall(
        "ResetTimer", ["timer": .string("shot"), "milliseconds": .integer(Int64(milliseconds))])
    case .penalty(let team): return ScoreCall("AddPenalty", ["team": .string(team)])
    case .endPenalty(let team): return ScoreCall("EndPenalty", ["team": .string(team)])
    case .enterScore: return nil
    case .resetGameTimer: return ScoreCall("ResetTimer", ["timer": .string("game")])
    case .adjust(let seconds):
      return ScoreCall(
        "AddTimer", ["timer": .string("game"), "milliseconds": .integer(Int64(seconds) * 1000)])
    case .select: return nil
    // By number, not by difference: when somebody else did it meanwhile, it is not done twice.
    case .periods(let count):
      return ScoreCall("SetPeriod", ["period": .integer(Int64(match.period &+ count))])
    case .swap: return ScoreCall("SwapSides")
    case .newGame: return ScoreCall("NewGame")
    case .reset: return ScoreCall("Reset")
    }
  }
}

/// A call that keys have asked for: a method of the interface and its parameters.
public struct ScoreCall: Hashable, Sendable {
  public var method: String
  public var parameters: [String: JSONValue]

  init(_ method: String, _ parameters: [String: JSONValue] = [:]) {
    self.method = method
    self.parameters = parameters
  }
}
