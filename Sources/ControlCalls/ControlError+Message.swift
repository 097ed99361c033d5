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
      "nothing was changed: that match is one of \(game), and the game is \(current); with preset = \"\(game)\" in [game] "
        + "it can be restored"
    case .tooLate(let milliseconds):
      milliseconds > 0
        ? "nothing was changed: the command came \(milliseconds / 1_000) s late; give it again if it is still meant"
        : "nothing was changed: the command's time is in the future; its sender uses another clock"
    case .mayCount(let board):
      "nothing was changed now: the command was given before this wall led '\(board)', and may have been performed then; "
        + "look at the display"
    case .matchChanged: "nothing was changed: the match has changed meanwhile; look, and give it again"
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

// MARK: Refusals of the match

extension Scoreboard.Refusal {
  fileprivate var message: String {
    switch self {
    case .unknownTeam(let team, let known, let names): Self.unknown(team, known, names)
    case .otherTeams(let teams, let known):
      "nothing was changed: that match is one of the teams \(teams.joined(separator: ", ")), and the config has "
        + "\(known.joined(separator: ", ")); with the same [teams] it can be restored"
    case .scoreOutOfRange(let score, let minimum, let maximum):
      "\(score) is not a score: it must be between \(minimum) and \(maximum)"
    case .notTennisPoints(let score):
      "nothing was changed: \(score) is not a score of a game in tennis; write 0, 15, 30 or 40. 'add-score TEAM 1' gives the "
        + "next point, also for advantage and game, and 'set TEAM period-score SET N' corrects the games of a set"
    case .scoreAboveStart(let score, let start):
      "nothing was changed: \(score) is more than the \(start) at the start. Points are subtracted: 'add-score TEAM -60' "
        + "for a turn of 60"
    case .periodOutOfRange(let period, let minimum, let maximum):
      minimum == maximum
        ? "there is no period \(period): the first one is played"
        : "there is no period \(period): it must be between \(minimum) and \(maximum)"
    case .badText(_, let problem, let maximum):
      switch problem {
      case "empty": "the text is empty: write at least one letter that can be seen"
      case "too_long": "the text is too long: at most \(maximum) characters"
      case "too_many_marks": "the text has more marks on a letter than can be shown"
      case "control_character": "the text has a control character: write it on one line, without tabs"
      case "direction_control": "the text has characters that change the direction of text; leave them out"
      default: "the text cannot be shown: \(problem)"
      }
    case .badColor: ServiceError.invalidParameter(parameter: "color").message
    case .unknownCounter(let counter, let known):
      Spelling.unknown("counter", counter, among: known)
        + (known.isEmpty ? "; the config's [game] has the counters" : "")
        + (counter.lowercased() == "games"
          ? "; 'set TEAM period-score SET N' corrects the games of a set" : "")
    case .counterOutOfRange(let counter, let value, let minimum, let maximum):
      "\(counter) cannot be \(value): the range is from \(minimum) to \(maximum)"
    case .unknownTimer(let timer, let known): Spelling.unknown("timer", timer, among: known)
    case .timerOutOfRange(let time, let minimum, let maximum):
      "the timer cannot show \(Self.time(time)): its range is from \(Self.time(minimum)) to \(Self.time(maximum))"
    case .timerAtEnd(let timer):
      "the \(timer) timer has run out: 'flipclockctl timer reset' or 'flipclockctl timer set 5:00' gives it time"
    case .gameTimerPaused: "the shot clock runs with the game clock: 'flipclockctl timer start' starts both"
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .tooManySteps(let count, let known):
      count < 1
        ? "\(count) is not a number of changes: it must be at least 1"
        : "there are only \(known) changes, not \(count)"
    case .periodOver(let period, let result):
      "\(period) is over, \(result); 'flipclockctl set period +1' begins the next one, and 'undo' takes the last "
        + "point back"
    case .matchOver(let result):
      "the match is over, \(result); 'flipclockctl undo' takes the last point back, 'set-score' corrects a score, "
        + "'new-game' begins another"
    case .bust(let points, let left):
      points > left
        ? "bust: \(points) is more than the \(left) left; the turn scores nothing"
        : "bust: \(points) leaves 1, which no double can finish; the turn scores nothing"
    case .turnOutOfRange(let points, let maximum):
      "\(points) is more than one turn can score: at most \(maximum)"
    case .impossibleTurn(let points): "nothing was changed: three darts cannot score \(points)"
    case .impossibleFinish(let points):
      "nothing was changed: three darts cannot finish \(points) with a double"
        + (points > 170 ? ", the maximum is 170" : "") + "; a turn that ends without the double scores 0"
    case .noPenalties:
      "this game has no penalty clocks; set 'penalties = [\"2:00\"]' in the config's [game] to use them"
    case .penaltyOutOfRange(let time, let minimum, let maximum):
      "a penalty cannot last \(Self.time(time)): its time is from \(Self.time(minimum)) to \(Self.time(maximum))"
    case .playerOutOfRange: ServiceError.invalidParameter(parameter: "number").message
    case .tooManyPenalties(let team, let limit):
      "\(team) already has \(limit) penalties: 'flipclockctl penalty \(team) --end' ends the oldest"
    case .noPenalty(let team, let number):
      number.map { "player \($0) of \(team) has no penalty" } ?? "\(team) has no penalty"
    }
  }

  private static func unknown(_ team: String, _ known: [String], _ names: [String]?) -> String {
    guard let names, names.count == known.count else { return Spelling.unknown("team", team, among: known) }
    let teams = zip(known, names).map { $0.lowercased() == $1.lowercased() ? $0 : "\($0) (\($1))" }
    let named = Spelling.nearest(to: team, among: names).flatMap { names.firstIndex(of: $0) }
    let hint = Spelling.hint(for: team, among: known) ?? named.map { "did you mean '\(known[$0])'?" }
    return "unknown team '\(team)'" + (hint.map { "; \($0)" } ?? "")
      + " (known: \(teams.joined(separator: ", ")))"
  }

  /// The time as text for people.
  private static func time(_ milliseconds: Int) -> String {
    GameTimeText.text(Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
  }
}
