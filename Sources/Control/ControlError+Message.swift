// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling

extension ControlError {
  /// One line for a person.
  public var message: String {
    switch self {
    case .unknownTeam(let team, let known):
      Spelling.unknown("team", team, among: known)
    case .unknownPage(let page, let known):
      Spelling.unknown("page", page, among: known)
    case .scoreOutOfRange(let score, let minimum, let maximum):
      "\(score) is not a score: it must lie between \(minimum) and \(maximum)"
    case .periodOutOfRange(let period, let minimum, let maximum):
      minimum == maximum
        ? "there is no period \(period): the first one is played"
        : "there is no period \(period): it must lie between \(minimum) and \(maximum)"
    case .badText(_, let problem, let maximum): Self.message(problem, maximum)
    case .durationOutOfRange(_, _, let maximum):
      "a message stays for up to \(maximum / 3_600_000) hours, or until it is cleared: '--until-cleared'"
    case .brightnessOutOfRange(let percent, let minimum, let maximum):
      "\(percent)% is not a brightness: it must lie between \(minimum)% and \(maximum)%"
        + (percent < minimum ? "; 'flipclockctl blank' switches the display off" : "")
    case .unknownCounter(let counter, let known):
      Spelling.unknown("counter", counter, among: known)
        + (known.isEmpty ? "; the config's [game] has what is counted" : "")
    case .counterOutOfRange(let value, let counter, let minimum, let maximum):
      "\(counter) cannot be \(value): they are counted from \(minimum) to \(maximum)"
    case .unknownTimer(let timer, let known):
      Spelling.unknown("timer", timer, among: known)
    case .timerOutOfRange(let milliseconds, let minimum, let maximum):
      "the timer cannot show \(Self.time(milliseconds)): it goes from \(Self.time(minimum)) to "
        + "\(Self.time(maximum))"
    case .timerAtEnd(let timer):
      "the \(timer) timer has run out: 'flipclockctl timer reset' or 'flipclockctl timer set 5:00' gives it time"
    case .gameTimerPaused:
      "the shot clock runs with the game clock: 'flipclockctl timer start' starts both"
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .tooManySteps(let count, let known):
      count < 1
        ? "\(count) steps are none: give a number from 1" : "there are only \(known) changes, not \(count)"
    case .periodOver(let period, let result):
      "\(period) is over, \(result); 'flipclockctl set period +1' begins the next one, and 'undo' takes the "
        + "last point back"
    case .matchOver(let result):
      "the match is over, \(result); 'flipclockctl undo' takes the last point back, 'set-score' corrects a score, "
        + "'new-game' begins another"
    case .bust(let points, let left):
      points > left
        ? "bust: \(points) is more than the \(left) left; the turn scores nothing"
        : "bust: \(points) leaves 1, which no double can finish; the turn scores nothing"
    case .turnOutOfRange(let points, let maximum):
      "\(points) is more than one turn can score: at most \(maximum)"
    case .noPenalties:
      "this game has no penalty clocks; 'penalties = [\"2:00\"]' in the config's [game] gives it some"
    case .penaltyOutOfRange(let milliseconds, let minimum, let maximum):
      "a penalty cannot last \(Self.time(milliseconds)): its time is from \(Self.time(minimum)) to "
        + "\(Self.time(maximum))"
    case .tooManyPenalties(let team, let limit):
      "\(team) has \(limit) penalties already: 'flipclockctl penalty \(team) --end' ends the oldest"
    case .noPenalty(let team, let number):
      number.map { "player \($0) of \(team) has no penalty" } ?? "\(team) has no penalty"
    case .noDisplay: "there is no display now; 'flipclockctl status' tells what the daemon drives"
    case .stateNotSaved(let reason):
      "shown, but not saved, so a restart would lose it: \(reason)"
    case .failed(let reason): "the daemon could not do it: \(reason)"
    case .protocolViolation(let reason): "the daemon did not take the message: \(reason)"
    case .tooManyClients(let limit):
      "the daemon serves \(limit) clients already and all are at work; try again"
    case .tooManySubscribers(let limit):
      "\(limit) clients watch already, and the daemon lets no more"
    case .invalidParameter(let name): "the daemon does not take the value of '\(name)'"
    case .interfaceNotFound(let name), .methodNotFound(let name), .methodNotImplemented(let name):
      "the daemon does not know \(name); is it older than this flipclockctl?"
    case .permissionDenied: "the daemon does not allow this to you"
    case .expectedMore: "the daemon answers this only with a stream of replies"
    case .other(let name, let parameters):
      parameters.isEmpty ? "refused: \(name)" : "refused: \(name) \(JSONValue.object(parameters).text)"
    }
  }

  private static func time(_ milliseconds: Int) -> String {
    GameTimeText.text(Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
  }

  private static func message(_ problem: String, _ maximum: Int) -> String {
    switch problem {
    case "empty": "the text is empty: write at least one letter that is seen"
    case "too_long": "the text is too long: at most \(maximum) characters"
    case "too_many_marks": "the text has more marks on a letter than can be shown"
    case "control_character": "the text has a control character: write it on one line, without tabs"
    case "direction_control": "the text has characters that turn the direction of text; leave them out"
    default: "the text will not do: \(problem)"
    }
  }
}
