// SPDX-License-Identifier: Apache-2.0

import Scoreboard

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
  case unknownPage(String, known: [String])
  case noDisplay
  case stateNotSaved(reason: String)
  case failed(reason: String)
  case protocolViolation(reason: String)
  case tooManyClients(limit: Int)

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
    case .unknownPage: Self.controlPrefix + "UnknownPage"
    case .noDisplay: Self.controlPrefix + "NoDisplay"
    case .stateNotSaved: Self.controlPrefix + "StateNotSaved"
    case .failed: Self.controlPrefix + "Failed"
    case .protocolViolation: Self.controlPrefix + "ProtocolViolation"
    case .tooManyClients: Self.controlPrefix + "TooManyClients"
    case .other(let name, _): name
    }
  }

  /// The parameters on the wire.
  public var parameters: [String: JSONValue] {
    switch self {
    case .interfaceNotFound(let interface): ["interface": .string(interface)]
    case .methodNotFound(let method), .methodNotImplemented(let method): ["method": .string(method)]
    case .invalidParameter(let parameter): ["parameter": .string(parameter)]
    case .permissionDenied, .expectedMore, .noDisplay: [:]
    case .unknownTeam(let team, let known):
      ["team": .string(team), "known": .array(known.map { .string($0) })]
    case .unknownPage(let page, let known):
      ["page": .string(page), "known": .array(known.map { .string($0) })]
    case .scoreOutOfRange(let score, let minimum, let maximum):
      [
        "score": .integer(Int64(score)), "minimum": .integer(Int64(minimum)),
        "maximum": .integer(Int64(maximum)),
      ]
    case .stateNotSaved(let reason), .failed(let reason), .protocolViolation(let reason):
      ["reason": .string(reason)]
    case .tooManyClients(let limit): ["limit": .integer(Int64(limit))]
    case .other(_, let parameters): parameters
    }
  }

  /// Reads an error reply. One whose parameters are not as declared is kept as `.other`.
  public init(name: String, parameters: [String: JSONValue]) {
    self = Self.known(name, JSONValue.object(parameters)) ?? .other(name: name, parameters: parameters)
  }

  private static func known(_ name: String, _ parameters: JSONValue) -> ControlError? {
    let string = { (key: String) in parameters[key]?.string }
    let integer = { (key: String) in parameters[key]?.integer }
    switch name {
    case servicePrefix + "InterfaceNotFound": return string("interface").map { .interfaceNotFound($0) }
    case servicePrefix + "MethodNotFound": return string("method").map { .methodNotFound($0) }
    case servicePrefix + "MethodNotImplemented": return string("method").map { .methodNotImplemented($0) }
    case servicePrefix + "InvalidParameter": return string("parameter").map { .invalidParameter($0) }
    case servicePrefix + "PermissionDenied": return .permissionDenied
    case servicePrefix + "ExpectedMore": return .expectedMore
    case controlPrefix + "UnknownTeam":
      guard let team = string("team"), let known = parameters["known"]?.array else { return nil }
      return .unknownTeam(team, known: known.compactMap(\.string))
    case controlPrefix + "UnknownPage":
      guard let page = string("page"), let known = parameters["known"]?.array else { return nil }
      return .unknownPage(page, known: known.compactMap(\.string))
    case controlPrefix + "ScoreOutOfRange":
      guard let score = integer("score"), let minimum = integer("minimum"),
        let maximum = integer("maximum")
      else { return nil }
      return .scoreOutOfRange(score, minimum: minimum, maximum: maximum)
    case controlPrefix + "NoDisplay": return .noDisplay
    case controlPrefix + "StateNotSaved": return string("reason").map { .stateNotSaved(reason: $0) }
    case controlPrefix + "Failed": return string("reason").map { .failed(reason: $0) }
    case controlPrefix + "ProtocolViolation": return string("reason").map { .protocolViolation(reason: $0) }
    case controlPrefix + "TooManyClients": return integer("limit").map { .tooManyClients(limit: $0) }
    default: return nil
    }
  }

  /// What a handler's failure is on the wire.
  public init(_ failure: ControlFailure) {
    switch failure {
    case .refused(.unknownTeam(let team, let known)): self = .unknownTeam(team, known: known)
    case .refused(.scoreOutOfRange(let score)):
      let range = Scoreboard.scores
      self = .scoreOutOfRange(score, minimum: range.lowerBound, maximum: range.upperBound)
    case .unknownPage(let page, let known): self = .unknownPage(page, known: known)
    case .noDisplay: self = .noDisplay
    case .stateNotSaved(let reason): self = .stateNotSaved(reason: reason)
    case .failed(let reason): self = .failed(reason: reason)
    }
  }
}
