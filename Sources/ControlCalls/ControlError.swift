// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

/// An error that the daemon replies with. Each case is an error of the interface org.flipclock.Control,
/// except for the first three, whose values have no labels and are errors themselves.
package enum ControlError: Error, DeclaredErrors {
  package static let interfaceName = ControlInterface.name

  /// The match refused an action.
  case refused(Scoreboard.Refusal)
  /// An error of `org.varlink.service`.
  case service(ServiceError)
  /// An error that this release does not know, or whose parameters are not as expected.
  case unknown(VarlinkError)

  /// No page has this name.
  case unknownPage(page: String, known: [String])
  /// No widget that shows texts has this name.
  case unknownBoard(board: String, known: [String])
  /// The board is on no page, so no page can be shown for it. Nothing was changed.
  case boardNotShown(board: String)
  /// The board gets too many texts; the next one is accepted after milliseconds. Nothing was changed.
  case tooManyTexts(board: String, milliseconds: Int)
  /// There is no countdown of this name. Nothing was changed.
  case unknownCountdown(countdown: String, known: [String])
  /// The name is not 1 to 32 letters, digits, hyphens and underscores. Nothing was changed.
  case badCountdownName(name: String)
  /// The maximum number of countdowns exist; ClearCountdown removes one. Nothing was changed.
  case tooManyCountdowns(limit: Int)
  /// The time of a countdown is not between minimum and maximum. Nothing was changed.
  case countdownOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  /// No page has a timer that shows the countdown, so no page can be shown for it. Nothing was changed.
  case countdownNotShown(countdown: String)
  /// The countdown is changed too often; the next change is accepted after milliseconds. Nothing was changed.
  case tooManyChanges(countdown: String, milliseconds: Int)
  /// The duration of a message is not between minimum and maximum. With a duration of 0
  /// it is shown until it is cleared.
  case durationOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  /// The time for which a page, a brightness or blanking is to be held is not between minimum and maximum.
  /// Nothing was changed.
  case holdOutOfRange(milliseconds: Int, minimum: Int, maximum: Int)
  /// The brightness would not be between minimum and maximum. Nothing was changed.
  case brightnessOutOfRange(percent: Int, minimum: Int, maximum: Int)
  /// No match that was set aside has an id that begins with match, or several have.
  case unknownMatch(match: String, known: [String])
  /// The match that is to be restored is of another game than that of the config. game and current are
  /// presets.
  case otherGame(game: String, current: String)

  /// The change came more than five seconds late, or its time is more than five seconds in the future.
  /// milliseconds is how late it came, less than 0 for a time in the future. Nothing was changed.
  case tooLate(milliseconds: Int)
  /// The change came too late. It was given before this wall began to lead board, and may have been made
  /// then. Nothing was changed now.
  case mayCount(board: String)
  /// The match does not have the revision in the call's terms; its revision is in the error. Nothing was
  /// changed.
  case matchChanged(revision: Int)

  /// The machine has no network address that a phone could open.
  case noAddress
  /// Nothing listens on the port at which phones are to find flipclock-web.
  case noRemote(port: Int)
  /// The phone is not paired.
  case pairingRefused(problem: PairingProblem.RawValue)

  /// The config has no [walls].
  case noSharedBoard
  /// The wall follows the shared match board, whose leader cannot be reached. Nothing was changed.
  case leaderUnreachable(board: String)
  /// The leader has not replied in time: the change may have been made.
  case leaderSilent(board: String)
  /// Nothing was changed, for this reason.
  case wallUndecided(board: String, reason: WallReason.RawValue)
  /// The leader has not answered, and was last heard the given number of seconds ago; without seconds, never.
  /// Lead with anyway leads with what this wall has.
  case takeoverUnconfirmed(board: String, seconds: Int?)
  /// The wall has never received the match, so it cannot lead it.
  case neverReceived(board: String)

  /// People do not set this key without a file. hint is how to correct the key.
  case unknownSetting(key: String, hint: String?)
  /// A file of the config sets the key and has precedence; place is its path and the line.
  case settingInConfig(key: String, place: String)
  /// The config would have an error with this value. problem is absent if only the reason says why. Nothing
  /// was changed.
  case settingRefused(
    key: String, reason: String, problem: SettingProblem.RawValue? = nil, minimum: String? = nil,
    maximum: String? = nil, choices: [String]? = nil, example: String? = nil)
  /// The config has an error in a file that people write, or would have it with the change. place is the path
  /// of the file and the line. Nothing was changed.
  case badConfig(place: String, reason: String)
  /// The text is not a file of settings. Nothing was changed.
  case badSettings(reason: String)
  /// The settings do not have the revision that the change was meant for, but this one. Nothing was changed.
  case settingsChanged(revision: Int)

  /// systemd does not run the daemon, so nothing would start it again. Nothing was changed.
  case notAService
  /// There is no display to take a screenshot of.
  case noDisplay
  /// No display has this name. known has the connectors of the displays, and the names of their tables
  /// [outputs.NAME].
  case noSuchOutput(output: String, known: [String])
  /// The change is shown, but is not saved yet: it would not survive a power cut. Saving is tried again until
  /// it succeeds; GetStatus reports in unsaved whether it has.
  case stateNotSaved(reason: String)
  /// The daemon failed, for a reason that is not the caller's.
  case failed(reason: String)
  /// The message is not a valid call: e.g. not JSON, too long, or incomplete for too long. The connection is
  /// closed.
  case protocolViolation(reason: String)
  /// The maximum number of clients are connected and busy. The connection is closed.
  case tooManyClients(limit: Int)
  /// The maximum number of clients are watching.
  case tooManySubscribers(limit: Int)

  /// The errors of the interface.
  package enum CodingKeys: CodingKey {
    case unknownPage, unknownBoard, boardNotShown, tooManyTexts, unknownCountdown, badCountdownName,
      tooManyCountdowns, countdownOutOfRange, countdownNotShown, tooManyChanges, durationOutOfRange,
      holdOutOfRange,
      brightnessOutOfRange, unknownMatch, otherGame, tooLate, mayCount, matchChanged, noAddress, noRemote,
      pairingRefused, noSharedBoard, leaderUnreachable,
      leaderSilent, wallUndecided, takeoverUnconfirmed, neverReceived,
      unknownSetting, settingInConfig, settingRefused, badConfig, badSettings, settingsChanged, notAService,
      noDisplay,
      noSuchOutput,
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

/// Why a setting does not accept a value: the interface's type `SettingProblem`.
package enum SettingProblem: String, CaseIterable, Hashable, Sendable {
  case outOfRange = "out_of_range"
  case notAChoice = "not_a_choice"
  case tooLong = "too_long"
  case badForm = "bad_form"
  case empty
  case controlCharacter = "control_character"
  case directionControl = "direction_control"
  case sameTime = "same_time"
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
  /// - Parameter scoreboard: the scoreboard that refused the action, for the names of its teams and counters.
  package init(_ refusal: Scoreboard.Refusal, of scoreboard: Scoreboard? = nil) {
    switch refusal {
    case .unknownTeam(let team, let known, _):
      self = .refused(.unknownTeam(team: team, known: known, names: scoreboard?.teams.map(\.name)))
    case .counterOutOfRange(let counter, let value, let minimum, let maximum, _):
      self = .refused(
        .counterOutOfRange(
          counter: counter, value: value, minimum: minimum, maximum: maximum,
          name: scoreboard?.rules.counter(counter)?.name))
    case .counterLimited(let team, let counter, let limit, let part, let milliseconds, _):
      self = .refused(
        .counterLimited(
          team: team, counter: counter, limit: limit, part: part, milliseconds: milliseconds,
          name: scoreboard?.rules.counter(counter)?.name))
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

  /// Whether this is the final answer to the command. After any other error, the same command may succeed
  /// when it is sent again.
  package var isFinal: Bool {
    switch self {
    case .leaderSilent, .leaderUnreachable, .wallUndecided, .stateNotSaved, .badConfig: false
    default: true
    }
  }
}
