// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

/// An error that the daemon replies with. The interface file describes when each occurs.
package enum ControlError: Error, DeclaredErrors {
  package static let interfaceName = ControlInterface.name

  /// The match refused an action.
  case refused(Scoreboard.Refusal)
  /// An error of `org.varlink.service`.
  case service(ServiceError)
  /// An error that this release does not know, or whose parameters are not as expected.
  case unknown(VarlinkError)

  case unknownPage(page: String, known: [String])
  case durationOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  case holdOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  case brightnessOutOfRange(percent: Int, minimum: Int, maximum: Int)
  case unknownMatch(match: String, known: [String])
  /// Two presets, such as `basketball`.
  case otherGame(game: String, current: String)

  /// The command's age; less than 0: its time is in the future.
  case tooLate(milliseconds: Int)
  /// The command was given before this wall began to lead, and this wall does not know whether it was
  /// performed then.
  case mayCount(board: String)
  /// The match has this revision now.
  case matchChanged(revision: Int)

  case noAddress
  case noRemote(port: Int)
  /// The problem is a `PairingProblem`, or one of a newer release.
  case pairingRefused(problem: String)

  case noSharedBoard
  case leaderUnreachable(board: String)
  case leaderSilent(board: String)
  /// The reason is a `WallReason`, or one of a newer release.
  case wallUndecided(board: String, reason: String)
  /// The leader was heard so many seconds ago; nil: never.
  case takeoverUnconfirmed(board: String, seconds: Int?)
  case neverReceived(board: String)

  case noDisplay
  /// The names that are accepted are the connectors of the displays, and the names of their tables
  /// `[outputs.NAME]`.
  case noSuchOutput(output: String, known: [String])
  case stateNotSaved(reason: String)
  case failed(reason: String)
  case protocolViolation(reason: String)
  case tooManyClients(limit: Int)
  case tooManySubscribers(limit: Int)

  package enum CodingKeys: CodingKey, CaseIterable {
    case unknownPage, durationOutOfRange, holdOutOfRange, brightnessOutOfRange, unknownMatch, otherGame,
      tooLate, mayCount, matchChanged, noAddress, noRemote, pairingRefused, noSharedBoard, leaderUnreachable,
      leaderSilent, wallUndecided, takeoverUnconfirmed, neverReceived, noDisplay, noSuchOutput,
      stateNotSaved, failed, protocolViolation, tooManyClients, tooManySubscribers
  }

  package static func pairingRefused(_ problem: PairingProblem) -> ControlError {
    .pairingRefused(problem: problem.rawValue)
  }
  package static func wallUndecided(board: String, _ reason: WallReason) -> ControlError {
    .wallUndecided(board: board, reason: reason.rawValue)
  }
}

extension Scoreboard.Refusal: DeclaredErrors {
  package static let interfaceName = ControlInterface.name
}

/// The interface's type `PairingProblem`.
package enum PairingProblem: String, CaseIterable, Hashable, Sendable {
  case noInvitation = "no_invitation"
  case wrongCode = "wrong_code"
  case tooManyTries = "too_many_tries"
}

/// Why a wall can neither perform a command nor have it performed: the interface's type `WallReason`.
package enum WallReason: String, CaseIterable, Hashable, Sendable {
  case looking
  case neverReached = "never_reached"
  case cutOff = "cut_off"
  case handingOver = "handing_over"
  case unsure
}

extension ControlError {
  /// - Parameter scoreboard: the scoreboard that refused the action, for the names of its teams.
  package init(_ refusal: Scoreboard.Refusal, of scoreboard: Scoreboard? = nil) {
    switch refusal {
    case .unknownTeam(let team, let known, _):
      self = .refused(.unknownTeam(team: team, known: known, names: scoreboard?.teams.map(\.name)))
    case .badColor: self = .service(.invalidParameter(parameter: "color"))
    case .playerOutOfRange: self = .service(.invalidParameter(parameter: "number"))
    default: self = .refused(refusal)
    }
  }

  package init(_ error: VarlinkError) {
    self =
      ControlError(reading: error) ?? Scoreboard.Refusal(reading: error).map { .refused($0) }
      ?? ServiceError(reading: error).map { .service($0) } ?? .unknown(error)
  }

  /// The names of all errors that this release knows.
  package static var allNames: [String] { names + Scoreboard.Refusal.names + ServiceError.names }

  /// The error as it is sent.
  package var wire: VarlinkError {
    switch self {
    case .refused(let refusal): VarlinkError(refusal)
    case .service(let error): VarlinkError(error)
    case .unknown(let error): error
    default: VarlinkError(self)
    }
  }

  /// Whether the change was made nevertheless, and must not be made again.
  package var isPerformed: Bool { if case .stateNotSaved = self { true } else { false } }

  /// Whether the same command, sent again, would be refused again.
  package var isFinal: Bool {
    switch self {
    case .leaderSilent, .leaderUnreachable, .wallUndecided, .stateNotSaved: false
    default: true
    }
  }
}
