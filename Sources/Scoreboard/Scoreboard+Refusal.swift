// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// Why an action was refused. A refused action changes nothing.
  package enum Refusal: Error, Hashable, Sendable {
    case unknownTeam(String, known: [String])
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
    /// More steps were to be undone or redone than the history has.
    case tooManySteps(Int, known: Int)
    /// The set is won; the next one must begin before points can be added.
    case periodOver(String, result: String)
    case matchOver(result: String)
    /// The turn is a bust, in a game that does not track turns.
    case bust(Int, left: Int)
    case turnOutOfRange(Int, maximum: Int)
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
