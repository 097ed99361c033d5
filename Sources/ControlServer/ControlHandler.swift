// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// Performs changes of the match and the display. `perform` is called on the loop's thread. It must call its
/// completion exactly once on that thread, before it returns or later.
package protocol ChangeHandler: AnyObject {
  /// - Parameters:
  ///   - terms: sent with a change of the match that another wall performs. If this wall performs it, only
  ///     the id is used: the caller has checked the other terms.
  ///   - completion: called with the result, at once or when the change is durable.
  func perform(
    _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void)
}

extension ChangeHandler {
  /// Performs a change without terms.
  package func perform(
    _ change: Change, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    perform(change, on: Terms(), completion: completion)
  }
}

/// What the daemon does for the control socket.
package protocol ControlHandler: ChangeHandler {
  var gate: CommandGate { get }
  /// The commands that were performed or refused. A command that changes the match is added with the change
  /// itself.
  var performed: PerformedCommands { get set }
  /// The time on the clock of the match, CLOCK_BOOTTIME, in nanoseconds.
  var matchTime: Int64 { get }
  /// Whether changes of the match are passed to another wall, which checks their terms, or refused.
  var forwardsChanges: Bool { get }
  /// Saves `performed`.
  func saveCommands(completion: @escaping () -> Void)
  /// Completes at once if no save has failed. Otherwise saves again, and completes with the result.
  func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void)
  /// Saves that a command was refused for its age, and informs the other walls, so that none of them performs
  /// the command later.
  func saveRefusal(completion: @escaping () -> Void)
  func status() -> StatusReport
  /// The match as it is now.
  func matchState() -> MatchState
  func matchHistory() throws(ControlError) -> MatchHistory
  /// The matches that were set aside, the newest first.
  var asideMatches: [AsideMatch] { get }
  /// The widgets that show texts.
  var boardStates: [BoardState] { get }
  /// The countdowns as they are now.
  var countdownStates: [CountdownState] { get }
  /// The finished matches, the oldest first.
  var finishedMatches: [FinishedMatch] { get }
  /// What the display shows beside the match.
  func displayState() -> DisplayState
  /// Uses up a code of the invitation, and returns the role of the phone.
  func redeem(_ secret: String) throws(ControlError) -> RemoteRole
  /// Handles the number of phones that flipclock-web has paired as owners.
  func reportOwners(_ count: Int)
  /// Shows the state of the network; nil: none is shown.
  func reportNetwork(_ notice: NetworkNotice?)
  /// Handles the state of flipclock-horn; nil: it is not connected.
  func reportHorn(_ report: HornReport?)
  // The following methods are for flipclock-mqtt, which connects walls that share a match.

  /// Calls `send` with each event of this wall for the others, until `leaveWalls`. The first call comes at
  /// once.
  func joinWalls(send: @escaping (WallEvent) -> Void)
  func leaveWalls()
  /// Handles a message of another wall.
  ///
  /// - Parameter isLive: whether it was sent while this wall was listening.
  func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError)
  /// Handles whether the broker is connected. Called again after each connection.
  func reportWalls(isReachable: Bool)
  /// The keys that people set without a file.
  func settings() -> SettingsReply
  /// Sets or removes such keys; completes with them when the change is durable.
  ///
  /// - Parameter client: who asks for it, for the log.
  func change(
    settings: [SettingChange], for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void)
  /// Replaces all such keys by those of a file.
  func replaceSettings(
    _ text: String, for client: String, completion: @escaping (Result<SettingsChange, ControlError>) -> Void)
  /// - Parameter client: who asks for it, for the log.
  func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void)
  /// Completes when the daemon and the machine have been examined.
  func examine(completion: @escaping (Result<ExaminationReport, ControlError>) -> Void)
  /// Completes when everything is saved, and then ends the daemon.
  ///
  /// - Parameter client: who asks for it, for the log.
  func restart(for client: String, completion: @escaping (Result<Void, ControlError>) -> Void)
  /// Completes with what a display shows now. Without an `output`, it is the first display that is not dark,
  /// or the first one if all are dark.
  func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void)
}

extension ControlHandler {
  // For a handler that saves nothing.

  package func saveCommands(completion: @escaping () -> Void) { completion() }
  package func saveRefusal(completion: @escaping () -> Void) { completion() }
  package func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void) {
    completion(.success(()))
  }
  package var asideMatches: [AsideMatch] { [] }
  package var boardStates: [BoardState] { [] }
  package var countdownStates: [CountdownState] { [] }
  package var finishedMatches: [FinishedMatch] { [] }
  package var forwardsChanges: Bool { false }

  // For a handler that shows no notices.

  package func reportOwners(_ count: Int) {}
  package func reportNetwork(_ notice: NetworkNotice?) {}
  package func reportHorn(_ report: HornReport?) {}

  // For a handler that has no config.

  package func settings() -> SettingsReply { SettingsReply(settings: [], text: "") }
  package func change(
    settings: [SettingChange], for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) { completion(.failure(.failed(reason: "there is no config"))) }
  package func replaceSettings(
    _ text: String, for client: String, completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) { completion(.failure(.failed(reason: "there is no config"))) }

  // For a handler that is not a program of its own.

  package func examine(completion: @escaping (Result<ExaminationReport, ControlError>) -> Void) {
    completion(.failure(.failed(reason: "there is nothing to examine")))
  }
  package func restart(for client: String, completion: @escaping (Result<Void, ControlError>) -> Void) {
    completion(.failure(.notAService))
  }

  // For a handler that shares no match.

  package func joinWalls(send: @escaping (WallEvent) -> Void) { send(WallEvent(board: nil)) }
  package func leaveWalls() {}
  package func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError) { throw .noSharedBoard }
  package func reportWalls(isReachable: Bool) {}
}
