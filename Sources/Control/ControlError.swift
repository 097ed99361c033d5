// SPDX-License-Identifier: Apache-2.0

/// Every error that the control socket answers with: those of `org.varlink.service` and of
/// `org.flipclock.Control`. The interface file says when each occurs.
public enum ControlError: Error, Hashable, Sendable {
  case interfaceNotFound(String)
  case methodNotFound(String)
  case methodNotImplemented(String)
  case invalidParameter(String)
  case permissionDenied
  case expectedMore

  case unknownTeam(String, known: [String])
  case scoreOutOfRange(Int, minimum: Int, maximum: Int)
  case periodOutOfRange(Int, minimum: Int, maximum: Int)
  /// - Parameter problem: a word of the interface's type `TextProblem`.
  case badText(String, problem: String, maximum: Int)
  /// Milliseconds.
  case durationOutOfRange(Int, minimum: Int, maximum: Int)
  /// Percent.
  case brightnessOutOfRange(Int, minimum: Int, maximum: Int)
  case unknownCounter(String, known: [String])
  case counterOutOfRange(Int, counter: String, minimum: Int, maximum: Int)
  case unknownTimer(String, known: [String])
  /// Milliseconds.
  case timerOutOfRange(Int, minimum: Int, maximum: Int)
  case timerAtEnd(String)
  case gameTimerPaused
  case nothingToUndo
  case nothingToRedo
  case tooManySteps(Int, known: Int)
  /// - Parameter result: of the set that is won, e.g. `25 : 20`.
  case periodOver(String, result: String)
  case matchOver(result: String)
  case bust(Int, left: Int)
  case turnOutOfRange(Int, maximum: Int)
  case noPenalties
  /// Milliseconds.
  case penaltyOutOfRange(Int, minimum: Int, maximum: Int)
  case tooManyPenalties(String, limit: Int)
  case noPenalty(String, number: Int?)
  case unknownPage(String, known: [String])
  case noDisplay
  case stateNotSaved(reason: String)
  case failed(reason: String)
  case protocolViolation(reason: String)
  case tooManyClients(limit: Int)
  case tooManySubscribers(limit: Int)

  /// An error that this version does not know, from a newer daemon.
  case other(name: String, parameters: [String: JSONValue])
}

extension ControlError {
  static let servicePrefix = "org.varlink.service."
  static let controlPrefix = "org.flipclock.Control."

  /// The qualified name on the wire.
  public var name: String {
    switch self {
    case .interfaceNotFound: Self.servicePrefix + "InterfaceNotFound"
    case .methodNotFound: Self.servicePrefix + "MethodNotFound"
    case .methodNotImplemented: Self.servicePrefix + "MethodNotImplemented"
    case .invalidParameter: Self.servicePrefix + "InvalidParameter"
    case .permissionDenied: Self.servicePrefix + "PermissionDenied"
    case .expectedMore: Self.servicePrefix + "ExpectedMore"
    case .unknownTeam: Self.controlPrefix + "UnknownTeam"
    case .scoreOutOfRange: Self.controlPrefix + "ScoreOutOfRange"
    case .periodOutOfRange: Self.controlPrefix + "PeriodOutOfRange"
    case .badText: Self.controlPrefix + "BadText"
    case .durationOutOfRange: Self.controlPrefix + "DurationOutOfRange"
    case .brightnessOutOfRange: Self.controlPrefix + "BrightnessOutOfRange"
    case .unknownCounter: Self.controlPrefix + "UnknownCounter"
    case .counterOutOfRange: Self.controlPrefix + "CounterOutOfRange"
    case .unknownTimer: Self.controlPrefix + "UnknownTimer"
    case .timerOutOfRange: Self.controlPrefix + "TimerOutOfRange"
    case .timerAtEnd: Self.controlPrefix + "TimerAtEnd"
    case .gameTimerPaused: Self.controlPrefix + "GameTimerPaused"
    case .nothingToUndo: Self.controlPrefix + "NothingToUndo"
    case .nothingToRedo: Self.controlPrefix + "NothingToRedo"
    case .tooManySteps: Self.controlPrefix + "TooManySteps"
    case .periodOver: Self.controlPrefix + "PeriodOver"
    case .matchOver: Self.controlPrefix + "MatchOver"
    case .bust: Self.controlPrefix + "Bust"
    case .turnOutOfRange: Self.controlPrefix + "TurnOutOfRange"
    case .noPenalties: Self.controlPrefix + "NoPenalties"
    case .penaltyOutOfRange: Self.controlPrefix + "PenaltyOutOfRange"
    case .tooManyPenalties: Self.controlPrefix + "TooManyPenalties"
    case .noPenalty: Self.controlPrefix + "NoPenalty"
    case .unknownPage: Self.controlPrefix + "UnknownPage"
    case .noDisplay: Self.controlPrefix + "NoDisplay"
    case .stateNotSaved: Self.controlPrefix + "StateNotSaved"
    case .failed: Self.controlPrefix + "Failed"
    case .protocolViolation: Self.controlPrefix + "ProtocolViolation"
    case .tooManyClients: Self.controlPrefix + "TooManyClients"
    case .tooManySubscribers: Self.controlPrefix + "TooManySubscribers"
    case .other(let name, _): name
    }
  }
}
