// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import Spelling
import Varlink

extension ControlError {
  /// A message of one line: what is wrong, and what to do.
  package var message: String {
    switch self {
    case .refused(let refusal): refusal.message
    case .service(let error): error.message
    case .unknown(let error):
      error.parameters.isEmpty
        ? "refused: \(error.name)" : "refused: \(error.name) \(JSONValue.object(error.parameters).text)"
    case .unknownPage(let page, let known): Spelling.unknown("page", page, among: known)
    case .unknownBoard(let board, let known): Spelling.unknown("board", board, among: known)
    case .boardNotShown(let board):
      "no page has the widget '\(board)': add it to 'rows' in [layout] or in [pages.NAME], or leave out --show"
    case .tooManyTexts(let board, let milliseconds):
      "the board '\(board)' gets too many texts; the next one is accepted in \(milliseconds) ms"
    case .unknownCountdown(let countdown, let known): Spelling.unknown("countdown", countdown, among: known)
    case .badCountdownName(let name):
      "'\(name)' cannot be the name of a countdown: names are 1 to 32 letters, digits, '-' and '_'"
    case .tooManyCountdowns(let limit):
      "there are \(limit) countdowns already; 'flipclockctl countdown NAME --clear' removes one"
    case .countdownOutOfRange(let milliseconds, let minimum, _):
      milliseconds < minimum && minimum > 0
        ? "a countdown runs for at least \(minimum / 1_000) second"
        : "a countdown can have up to 99:59:59"
    case .countdownNotShown(let countdown):
      "no page shows the countdown '\(countdown)': add a widget with type = \"timer\", source = \"countdown\" and "
        + "countdown = \"\(countdown)\", or leave out --show"
    case .tooManyChanges(let countdown, let milliseconds):
      "the countdown '\(countdown)' is changed too often; the next change is accepted in \(milliseconds) ms"
    case .durationOutOfRange(_, _, let maximum):
      "a message is shown for up to \(maximum / 3_600_000) hours, or with --until-cleared until it is cleared"
    case .holdOutOfRange(_, _, let maximum):
      "--for accepts times from 1 second to \(maximum / 86_400_000) days"
    case .brightnessOutOfRange(let percent, let minimum, let maximum):
      "\(percent)% is not a brightness: it must be between \(minimum)% and \(maximum)%"
        + (percent < minimum ? "; 'flipclockctl blank' switches the display off" : "")
    case .unknownMatch(let match, let known):
      known.isEmpty
        ? "no match was set aside"
        : "'\(match)' does not identify one of the matches that were set aside: \(known.joined(separator: ", "))"
    case .otherGame(let game, let current):
      "nothing was changed: the game of that match is \(game), and that of the config is \(current); with "
        + "preset = \"\(game)\" in [game] it can be restored"
    case .tooLate(let milliseconds):
      milliseconds > 0
        ? "nothing was changed: the command came \(milliseconds / 1_000) s late; give it again if it is still meant"
        : "nothing was changed: the command's time is in the future; its sender uses another clock"
    case .mayCount(let board):
      "nothing was changed now: the command was given before this wall led '\(board)', and may have been performed then; "
        + "look at the display"
    case .matchChanged:
      "nothing was changed: the match has changed meanwhile; look at it, and give the command again"
    case .noAddress:
      "the machine has no network address that a phone can open; connect it to the network, or set 'address' in [remote]"
    case .noRemote(let port):
      "nothing listens on port \(port); 'systemctl enable --now flipclock-web.socket' starts the page for phones"
    case .pairingRefused(let problem):
      switch PairingProblem(rawValue: problem) {
      case .noInvitation?: "the display shows no code now: 'flipclockctl remote' shows one"
      case .wrongCode?: "that is not the code on the display"
      case .tooManyTries?: "too many wrong codes; try again in a minute"
      case nil: "the daemon did not accept the code: \(problem)"
      }
    case .noSharedBoard: "this wall shares no match: write 'lead' or 'follow' in [walls] of the config"
    case .leaderUnreachable(let board):
      "nothing was changed: this wall follows '\(board)', whose leader cannot be reached; "
        + "'flipclockctl lead' makes this wall the leader"
    case .leaderSilent(let board):
      "the leader of '\(board)' has not replied: the change may have been made; look at the display"
    case .wallUndecided(let board, let reason):
      "nothing was changed: " + (WallReason(rawValue: reason)?.message(board: board) ?? reason)
    case .takeoverUnconfirmed(let board, let seconds):
      "nothing was changed: the leader of '\(board)' does not answer, and "
        + (seconds.map { "was last heard \($0) s ago" } ?? "was never heard")
        + ". Points that were made there may be missing here. 'flipclockctl lead --anyway' makes this wall lead with what "
        + "it shows"
    case .neverReceived(let board):
      "nothing was changed: this wall has never received the match of '\(board)', so it cannot lead it"
    case .unknownSetting(let key, let hint):
      "there is no setting '\(key)'; "
        + (hint ?? "'flipclockctl settings' prints the keys that can be set")
    case .settingInConfig(let key, let place):
      "nothing was changed: '\(key)' is set in \(place), which has precedence; change it there"
    case .settingsChanged: "nothing was changed: the settings have changed since they were read"
    case .settingRefused(_, let reason, _, _, _, _, _), .badConfig(_, let reason), .badSettings(let reason):
      "nothing was changed: \(reason)"
    case .notAService:
      "systemd does not run flipclockd, so nothing would start it again; end it and start it by hand"
    case .noDisplay: "there is no display; 'flipclockctl status' shows what the daemon drives"
    case .noSuchOutput(let output, let known):
      "there is no display '\(output)'; "
        + (known.isEmpty ? "no display is connected" : "there are: \(known.joined(separator: ", "))")
    case .stateNotSaved(let reason): "shown, but not saved yet, so a restart would lose it: \(reason)"
    case .failed(let reason): "the daemon failed: \(reason)"
    case .protocolViolation(let reason): "the daemon did not accept the message: \(reason)"
    case .tooManyClients(let limit): "too many clients (limit \(limit)), and all are busy; try again"
    case .tooManySubscribers(let limit): "too many watchers (limit \(limit))"
    }
  }
}

extension WallReason {
  fileprivate func message(board: String) -> String {
    switch self {
    case .looking: "this wall looks for the match of '\(board)'; try again in a few seconds"
    case .neverReached:
      "this wall has never reached the other walls of '\(board)', which may have a match; is flipclock-mqtt running? "
        + "'flipclockctl lead --anyway' makes this wall begin one"
    case .cutOff:
      "this wall leads '\(board)' in place of another, and has lost the connection; 'flipclockctl lead --anyway' makes "
        + "it go on alone"
    case .handingOver: "the lead of '\(board)' is being handed over; try again"
    case .unsure: "another wall may have led '\(board)' meanwhile; try again in a few seconds"
    }
  }
}

extension ServiceError {
  fileprivate var message: String {
    switch self {
    case .interfaceNotFound(let name), .methodNotFound(let name), .methodNotImplemented(let name):
      "the daemon does not know \(name); is it older than this flipclockctl?"
    case .invalidParameter(let parameter): "the daemon does not accept the value of '\(parameter)'"
    case .permissionDenied: "permission denied by the daemon"
    case .expectedMore: "the daemon replies to this only with a stream"
    }
  }
}
