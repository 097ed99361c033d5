// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension ControlError {
  /// What a handler's failure is on the wire.
  public init(_ failure: ControlFailure) {
    switch failure {
    case .refused(let refusal): self.init(refusal)
    case .unknownPage(let page, let known): self = .unknownPage(page, known: known)
    case .noDisplay: self = .noDisplay
    case .stateNotSaved(let reason): self = .stateNotSaved(reason: reason)
    case .failed(let reason): self = .failed(reason: reason)
    }
  }

  public init(_ refusal: Scoreboard.Refusal) {
    switch refusal {
    case .unknownTeam(let team, let known): self = .unknownTeam(team, known: known)
    case .scoreOutOfRange(let score):
      let range = Scoreboard.scores
      self = .scoreOutOfRange(score, minimum: range.lowerBound, maximum: range.upperBound)
    case .periodOutOfRange(let period, let maximum):
      self = .periodOutOfRange(period, minimum: Scoreboard.periods.lowerBound, maximum: maximum)
    case .badName(let text, let problem):
      self.init(problem, in: text)
    case .badColor: self = .invalidParameter("color")
    case .unknownCounter(let counter, let known): self = .unknownCounter(counter, known: known)
    case .counterOutOfRange(let value, let counter, let limit):
      self = .counterOutOfRange(value, counter: counter, minimum: 0, maximum: limit)
    case .unknownTimer(let timer, let known): self = .unknownTimer(timer, known: known)
    case .timerOutOfRange(let time, let range):
      self = .timerOutOfRange(
        Int(time / 1_000_000), minimum: Int(range.lowerBound / 1_000_000),
        maximum: Int(range.upperBound / 1_000_000))
    case .timerAtEnd(let timer): self = .timerAtEnd(timer.rawValue)
    case .gameTimerPaused: self = .gameTimerPaused
    case .nothingToUndo: self = .nothingToUndo
    case .nothingToRedo: self = .nothingToRedo
    case .tooManySteps(let count, let known): self = .tooManySteps(count, known: known)
    case .periodOver, .matchOver, .bust, .turnOutOfRange, .noPenalties, .penaltyOutOfRange, .playerOutOfRange,
      .tooManyPenalties, .noPenalty:
      self.init(ruled: refusal)
    }
  }

  /// What the rules of the game do not allow.
  private init(ruled refusal: Scoreboard.Refusal) {
    switch refusal {
    case .periodOver(let period, let result): self = .periodOver(period, result: result)
    case .matchOver(let result): self = .matchOver(result: result)
    case .bust(let points, let left): self = .bust(points, left: left)
    case .turnOutOfRange(let points, let maximum): self = .turnOutOfRange(points, maximum: maximum)
    case .noPenalties: self = .noPenalties
    case .penaltyOutOfRange(let time):
      self = .penaltyOutOfRange(
        Int(time / 1_000_000), minimum: 1, maximum: Int(GameTimer.limit / 1_000_000))
    case .tooManyPenalties(let team): self = .tooManyPenalties(team, limit: Penalty.limit)
    case .noPenalty(let team, let number): self = .noPenalty(team, number: number)
    default: self = .invalidParameter("number")
    }
  }
}

extension ControlError {
  /// What is refused for its length is not sent back whole.
  init(_ problem: TextProblem, in text: String) {
    self = .badText(
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(64))), problem: problem.word,
      maximum: problem.maximum)
  }
}

extension TextProblem {
  /// As the interface's type `TextProblem` has it.
  var word: String {
    switch self {
    case .empty: "empty"
    case .tooLong: "too_long"
    case .tooManyMarks: "too_many_marks"
    case .controlCharacter: "control_character"
    case .directionControl: "direction_control"
    }
  }

  /// How many characters are allowed; 0 where that is not the problem.
  var maximum: Int {
    if case .tooLong(_, let maximum) = self { maximum } else { 0 }
  }
}
