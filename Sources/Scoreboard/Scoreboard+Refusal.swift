// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// Why an action was refused. A refused action changes nothing.
  package enum Refusal: Error, Hashable, Sendable {
    case unknownTeam(String, known: [String])
    /// A match of these teams cannot be restored.
    case otherTeams([String], known: [String])
    case scoreOutOfRange(Int)
    /// Periods start at 1.
    case periodOutOfRange(Int, maximum: Int)
    case badName(String, TextProblem)
    /// The colour is not `0xRRGGBB`.
    case badColor(UInt32)
    case unknownCounter(String, known: [String])
    case counterOutOfRange(Int, counter: String, limit: Int)
    case unknownTimer(String, known: [String])
    /// Nanoseconds.
    case timerOutOfRange(Int64, ClosedRange<Int64>)
    /// The timer has no time left; it must be set or reset first.
    case timerAtEnd(GameTimer.ID)
    /// The shot clock cannot run while the game clock is paused.
    case gameTimerPaused
    case nothingToUndo
    case nothingToRedo
    /// The number of steps to undo or redo is less than 1 or exceeds the history.
    case tooManySteps(Int, known: Int)
    /// The set is won. The next one must begin before points can be added, or it began with a point of the same action,
    /// and the points after that one are refused.
    case periodOver(String, result: String)
    case matchOver(result: String)
    /// The turn is a bust. A bust is refused only in a game that does not track turns or has only one team; in other
    /// games the turn passes to the next team.
    case bust(Int, left: Int)
    case turnOutOfRange(Int, maximum: Int)
    /// Three darts cannot score this.
    case impossibleTurn(Int)
    /// No three darts that end with a double score this, so it cannot end the leg.
    case impossibleFinish(Int)
    /// The game has no penalty clocks.
    case noPenalties
    /// Nanoseconds.
    case penaltyOutOfRange(Int64)
    case playerOutOfRange(Int)
    case tooManyPenalties(String)
    /// The team, or the player, has no penalty.
    case noPenalty(String, number: Int?)
  }
}
