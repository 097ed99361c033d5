// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

/// An error that the daemon replies with: one of `ControlError.declared`, or an error that this release does not know.
package struct ControlError: Error, Hashable, Sendable {
  /// The error as it is sent.
  package let wire: VarlinkError
  /// The error as a type; nil if this release does not know the error, or if the parameters are not as expected.
  package let detail: (any ControlErrorDetail)?

  package init(_ detail: some ControlErrorDetail) {
    wire = VarlinkError(detail)
    self.detail = detail
  }

  package init(_ error: VarlinkError) {
    wire = error
    detail = Self.declared.lazy.compactMap { Self.detail($0, error) }.first
  }

  private static func detail<Detail: ControlErrorDetail>(
    _ type: Detail.Type, _ error: VarlinkError
  ) -> (any ControlErrorDetail)? {
    Detail(error)
  }

  /// One line for a person: what is wrong, and what to do.
  package var message: String {
    if let detail { return detail.message }
    return wire.parameters.isEmpty
      ? "refused: \(wire.name)" : "refused: \(wire.name) \(JSONValue.object(wire.parameters).text)"
  }

  package static func == (a: ControlError, b: ControlError) -> Bool { a.wire == b.wire }
  package func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}

/// An error of `org.flipclock.Control` or `org.varlink.service`. The type defines the error: its name is the
/// error's name, its stored properties are the error's parameters, and `message` is a text for people. The
/// interface file describes when the error occurs.
package protocol ControlErrorDetail: DeclaredError {
  var message: String { get }
}

extension ControlErrorDetail {
  package static var interfaceName: String { ControlInterface.name }
}

extension ControlError {
  /// All errors that this release knows.
  package static let declared: [any ControlErrorDetail.Type] = [
    UnknownTeam.self, OtherTeams.self, OtherGame.self, UnknownMatch.self,
    UnknownPage.self, UnknownCounter.self, UnknownTimer.self, ScoreOutOfRange.self,
    PeriodOutOfRange.self, CounterOutOfRange.self, BadText.self, DurationOutOfRange.self,
    HoldOutOfRange.self, BrightnessOutOfRange.self, TimerOutOfRange.self, TimerAtEnd.self,
    GameTimerPaused.self,
    NothingToUndo.self, NothingToRedo.self, TooManySteps.self, PeriodOver.self, MatchOver.self, Bust.self,
    TurnOutOfRange.self, ImpossibleTurn.self, ImpossibleFinish.self,
    NoPenalties.self, PenaltyOutOfRange.self, TooManyPenalties.self, NoPenalty.self,
    NoDisplay.self, NoSuchOutput.self, NoAddress.self, NoRemote.self, PairingRefused.self, NoSharedBoard.self,
    LeaderUnreachable.self, LeaderSilent.self, WallUndecided.self, TakeoverUnconfirmed.self,
    NeverReceived.self, TooLate.self, MayCount.self, MatchChanged.self,
    StateNotSaved.self,
    Failed.self, ProtocolViolation.self,
    TooManyClients.self,
    TooManySubscribers.self, ServiceError.InterfaceNotFound.self, ServiceError.MethodNotFound.self,
    ServiceError.MethodNotImplemented.self, ServiceError.InvalidParameter.self,
    ServiceError.PermissionDenied.self, ServiceError.ExpectedMore.self,
  ]

  package static var noDisplay: ControlError { ControlError(NoDisplay()) }
  /// - Parameter known: the names that are accepted.
  package static func noSuchOutput(_ output: String, known: [String]) -> ControlError {
    ControlError(NoSuchOutput(output: output, known: known))
  }
  package static func unknownMatch(_ id: String, known: [String]) -> ControlError {
    ControlError(UnknownMatch(match: id, known: known))
  }
  package static func otherGame(_ game: String, current: String) -> ControlError {
    ControlError(OtherGame(game: game, current: current))
  }
  package static var noAddress: ControlError { ControlError(NoAddress()) }
  package static func noRemote(port: Int) -> ControlError { ControlError(NoRemote(port: port)) }
  package static func pairingRefused(_ problem: PairingProblem) -> ControlError {
    ControlError(PairingRefused(problem: problem.rawValue))
  }
  package static var noSharedBoard: ControlError { ControlError(NoSharedBoard()) }
  package static func leaderUnreachable(board: String) -> ControlError {
    ControlError(LeaderUnreachable(board: board))
  }
  package static func wallUndecided(board: String, _ reason: WallReason) -> ControlError {
    ControlError(WallUndecided(board: board, reason: reason.rawValue))
  }
  package static func takeoverUnconfirmed(board: String, seconds: Int?) -> ControlError {
    ControlError(TakeoverUnconfirmed(board: board, seconds: seconds))
  }
  package static func neverReceived(board: String) -> ControlError {
    ControlError(NeverReceived(board: board))
  }
  package static func leaderSilent(board: String) -> ControlError { ControlError(LeaderSilent(board: board)) }
  package static func stateNotSaved(_ reason: String) -> ControlError {
    ControlError(StateNotSaved(reason: reason))
  }
  package static func unknownPage(_ page: String, known: [String]) -> ControlError {
    ControlError(UnknownPage(page: page, known: known))
  }
  package static func badText(_ text: String, _ problem: TextProblem) -> ControlError {
    ControlError(BadText(text, problem))
  }
  package static func holdOutOfRange(_ milliseconds: Int, _ range: ClosedRange<Int>) -> ControlError {
    ControlError(
      HoldOutOfRange(milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound))
  }
  package static func durationOutOfRange(_ milliseconds: Int, _ range: ClosedRange<Int>) -> ControlError {
    ControlError(
      DurationOutOfRange(milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound))
  }
  package static func brightnessOutOfRange(_ percent: Int, _ range: ClosedRange<Int>) -> ControlError {
    ControlError(
      BrightnessOutOfRange(percent: percent, minimum: range.lowerBound, maximum: range.upperBound))
  }
  package static func tooManySubscribers(limit: Int) -> ControlError {
    ControlError(TooManySubscribers(limit: limit))
  }
  package static func failed(_ reason: String) -> ControlError { ControlError(Failed(reason: reason)) }
  package static func tooLate(milliseconds: Int) -> ControlError {
    ControlError(TooLate(milliseconds: milliseconds))
  }
  package static func mayCount(board: String) -> ControlError { ControlError(MayCount(board: board)) }
  package static func matchChanged(revision: Int) -> ControlError {
    ControlError(MatchChanged(revision: revision))
  }

  /// Whether the same command, sent again, would be refused again.
  package var isFinal: Bool {
    !(detail is LeaderSilent || detail is LeaderUnreachable || detail is WallUndecided
      || detail is StateNotSaved)
  }
}

// MARK: Terms

extension ControlError {
  package struct TooLate: ControlErrorDetail {
    /// The age; less than 0: the command's time is in the future.
    package var milliseconds: Int
    package var message: String {
      milliseconds > 0
        ? "nothing was changed: the command came \(milliseconds / 1_000) s late; give it again if it is still meant"
        : "nothing was changed: the command's time is in the future; its sender uses another clock"
    }
  }

  /// The command was given before this wall began to lead, and this wall does not know whether it was performed then.
  package struct MayCount: ControlErrorDetail {
    package var board: String
    package var message: String {
      "nothing was changed now: the command was given before this wall led '\(board)', and may have been performed then; "
        + "look at the display"
    }
  }

  package struct MatchChanged: ControlErrorDetail {
    /// The present one.
    package var revision: Int
    package var message: String {
      "nothing was changed: the match has changed meanwhile; look, and give it again"
    }
  }
}

// MARK: Remote controls

/// The interface's type `PairingProblem`.
package enum PairingProblem: String, CaseIterable, Hashable, Sendable {
  case noInvitation = "no_invitation"
  case wrongCode = "wrong_code"
  case tooManyTries = "too_many_tries"
}

extension ControlError {
  package struct NoAddress: ControlErrorDetail {
    package var message: String {
      "the machine has no network address that a phone can open; connect it to the network, or set 'address' in [remote]"
    }
  }

  package struct NoRemote: ControlErrorDetail {
    package var port: Int
    package var message: String {
      "nothing listens on port \(port); 'systemctl enable --now flipclock-web.socket' starts the page for phones"
    }
  }

  package struct PairingRefused: ControlErrorDetail {
    /// A word of the interface's type `PairingProblem`.
    package var problem: String
    package var message: String {
      switch PairingProblem(rawValue: problem) {
      case .noInvitation?: "the display shows no code now: 'flipclockctl remote' shows one"
      case .wrongCode?: "that is not the code on the display"
      case .tooManyTries?: "too many wrong codes; try again in a minute"
      case nil: "the daemon did not accept the code: \(problem)"
      }
    }
  }
}

// MARK: Several walls

extension ControlError {
  package struct NoSharedBoard: ControlErrorDetail {
    package var message: String {
      "this wall shares no board: write 'lead' or 'follow' in [walls] of the config"
    }
  }

  package struct LeaderUnreachable: ControlErrorDetail {
    package var board: String
    package var message: String {
      "nothing was changed: this wall follows '\(board)', whose leader cannot be reached; "
        + "'flipclockctl lead' makes this wall the leader"
    }
  }

  package struct LeaderSilent: ControlErrorDetail {
    package var board: String
    package var message: String {
      "the leader of '\(board)' has not replied: the change may have been made; look at the display"
    }
  }

  package struct WallUndecided: ControlErrorDetail {
    package var board: String
    /// A word of the interface's type `WallReason`.
    package var reason: String
    package var message: String {
      let why =
        switch WallReason(rawValue: reason) {
        case .looking?: "this wall looks for the match of '\(board)'; try again in a few seconds"
        case .neverReached?:
          "this wall has never reached the other walls of '\(board)', which may have a match; is flipclock-mqtt running? "
            + "'flipclockctl lead --anyway' makes this wall begin one"
        case .cutOff?:
          "this wall leads '\(board)' in place of another, and has lost the connection; 'flipclockctl lead --anyway' makes "
            + "it go on alone"
        case .handingOver?: "the lead of '\(board)' is being handed over; try again"
        case .unsure?: "another wall has led '\(board)' meanwhile; try again in a few seconds"
        case nil: reason
        }
      return "nothing was changed: \(why)"
    }
  }

  package struct TakeoverUnconfirmed: ControlErrorDetail {
    package var board: String
    package var seconds: Int?
    package var message: String {
      let since = seconds.map { "was last heard \($0) s ago" } ?? "was never heard"
      return
        "nothing was changed: the leader of '\(board)' does not answer, and \(since). Points that were made there may be "
        + "missing here. 'flipclockctl lead --anyway' makes this wall lead with what it shows"
    }
  }

  package struct NeverReceived: ControlErrorDetail {
    package var board: String
    package var message: String {
      "nothing was changed: this wall has never received the match of '\(board)', so it cannot lead it"
    }
  }
}

/// Why a wall can neither perform a command nor have it performed: the interface's type `WallReason`.
package enum WallReason: String, CaseIterable, Hashable, Sendable {
  case looking
  case neverReached = "never_reached"
  case cutOff = "cut_off"
  case handingOver = "handing_over"
  case unsure
}

// MARK: The daemon and its connections

extension ControlError {
  package struct NoDisplay: ControlErrorDetail {
    package var message: String { "there is no display; 'flipclockctl status' shows what the daemon drives" }
  }

  package struct NoSuchOutput: ControlErrorDetail {
    package var output: String
    /// The connectors of the displays, and the names of their tables `[outputs.NAME]`.
    package var known: [String]
    package var message: String {
      "there is no display '\(output)'; "
        + (known.isEmpty ? "no display is connected" : "there are: \(known.joined(separator: ", "))")
    }
  }

  package struct StateNotSaved: ControlErrorDetail {
    package var reason: String
    package var message: String { "shown, but not saved yet, so a restart would lose it: \(reason)" }
  }

  package struct Failed: ControlErrorDetail {
    package var reason: String
    package var message: String { "the daemon failed: \(reason)" }
  }

  package struct ProtocolViolation: ControlErrorDetail {
    package var reason: String
    package var message: String { "the daemon did not accept the message: \(reason)" }
  }

  package struct TooManyClients: ControlErrorDetail {
    package var limit: Int
    package var message: String { "too many clients (limit \(limit)), and all are busy; try again" }
  }

  package struct TooManySubscribers: ControlErrorDetail {
    package var limit: Int
    package var message: String { "too many watchers (limit \(limit))" }
  }
}

// MARK: org.varlink.service

extension ServiceError.InterfaceNotFound: ControlErrorDetail {
  package var message: String { ServiceError.unknown(interface) }
}

extension ServiceError.MethodNotFound: ControlErrorDetail {
  package var message: String { ServiceError.unknown(method) }
}

extension ServiceError.MethodNotImplemented: ControlErrorDetail {
  package var message: String { ServiceError.unknown(method) }
}

extension ServiceError.InvalidParameter: ControlErrorDetail {
  package var message: String { "the daemon does not accept the value of '\(parameter)'" }
}

extension ServiceError.PermissionDenied: ControlErrorDetail {
  package var message: String { "permission denied by the daemon" }
}

extension ServiceError.ExpectedMore: ControlErrorDetail {
  package var message: String { "the daemon replies to this only with a stream" }
}

extension ServiceError {
  fileprivate static func unknown(_ name: String) -> String {
    "the daemon does not know \(name); is it older than this flipclockctl?"
  }
}
