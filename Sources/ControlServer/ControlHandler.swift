// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// Performs changes of the match and the display. Everything is called on the loop's thread, and each completion must
/// be called there, once, at once or later.
package protocol ChangeHandler: AnyObject {
  /// Completes when the change is durable, with the match as the action left it.
  ///
  /// - Parameter terms: for the wall that performs it, if that is another one.
  func perform(
    _ action: Scoreboard.Action, on terms: Terms,
    completion: @escaping (Result<MatchChange, ControlError>) -> Void)
  /// The names of the config's pages, in its order.
  var pages: [String] { get }
  /// Performs `change`, which calls one of the methods for pages, blanking and brightness, so that it holds for so many
  /// milliseconds. Otherwise it holds until the schedule changes the same thing.
  func holding(for milliseconds: Int, _ change: () -> Void)
  /// Shows one of `pages`.
  func show(page: String)
  /// Completes when the page that was set is durable.
  func saveDisplay(completion: @escaping (Result<Void, ControlError>) -> Void)
  /// Shows a text over the page in place of the previous one. The text was checked with `ShownText`.
  ///
  /// - Parameter milliseconds: the time until it disappears; nil: it stays until it is cleared.
  func showMessage(_ text: String, milliseconds: Int?)
  /// Removes the text over the page, and returns it.
  func clearMessage() -> String?
  /// Shows a card with which phones can be paired.
  func invite(_ role: RemoteRole) throws(ControlError) -> InvitationReply
  /// Removes the card; false: there was none.
  func endInvitation() -> Bool
  /// Makes this wall the leader of the board that it follows. Completes when that is durable; false: it leads already.
  ///
  /// - Parameter anyway: whether a person has confirmed that points may be missing.
  func lead(anyway: Bool, completion: @escaping (Result<Bool, ControlError>) -> Void)
  /// A match that was set aside, by the beginning of its id.
  func asideMatch(_ id: String) throws(ControlError) -> Scoreboard
  // An `output` is the name of one display: its connector, or its `[outputs.NAME]` in the config. Nil: all displays.
  // `NoSuchOutput` is the error for any other name.

  /// Whether displays are switched off or show a black picture.
  func isDark(output: String?) throws(ControlError) -> Bool
  /// Switches displays off or on; returns whether that changed anything.
  func blank(_ isBlank: Bool, output: String?) throws(ControlError) -> Bool
  /// Returns the brightness in percent; for nil that of the displays that have none of their own.
  func brightness(of output: String?) throws(ControlError) -> Int
  /// Completes when the change is durable, with the new brightness.
  ///
  /// - Parameter percent: 1 … 100; nil: the config's.
  func setBrightness(
    _ percent: Int?, output: String?, completion: @escaping (Result<Int, ControlError>) -> Void)
}

extension ChangeHandler {
  /// For a handler that shares no board.
  package func lead(anyway: Bool, completion: @escaping (Result<Bool, ControlError>) -> Void) {
    completion(.failure(.noSharedBoard))
  }

  /// For a handler that sets none aside.
  package func asideMatch(_ id: String) throws(ControlError) -> Scoreboard {
    throw .unknownMatch(match: id, known: [])
  }

  /// For a handler that saves nothing.
  package func saveDisplay(completion: @escaping (Result<Void, ControlError>) -> Void) {
    completion(.success(()))
  }

  /// For a handler without a clock.
  package func holding(for milliseconds: Int, _ change: () -> Void) { change() }
}

/// What the daemon does for the control socket.
package protocol ControlHandler: ChangeHandler {
  /// Knows the commands that were performed.
  var gate: CommandGate { get }
  /// The time on the clock of the match, CLOCK_BOOTTIME, in nanoseconds.
  var matchTime: Int64 { get }
  /// Whether another wall performs the changes of the match, and compares their terms.
  var forwardsChanges: Bool { get }
  /// Saves what the gate knows.
  func saveCommands(completion: @escaping () -> Void)
  /// Completes when every change that was performed is durable, or with the reason why it cannot be saved.
  func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void)
  /// Saves that a command was refused for its age, and tells the other walls: it must not count later.
  func saveRefusal(completion: @escaping () -> Void)
  func status() -> StatusReport
  /// The match as it is now.
  func matchState() -> MatchState
  func matchHistory() throws(ControlError) -> MatchHistory
  /// The matches that were set aside, the newest first.
  var asideMatches: [AsideMatch] { get }
  /// What the display shows beside the match.
  func displayState() -> DisplayState
  /// Uses up the secret of the card, or its six digits, and returns the role of the phone.
  func redeem(_ secret: String) throws(ControlError) -> RemoteRole
  // What flipclock-mqtt uses, which connects walls that share a board.

  /// Sends what this wall has for others by `send`, first at once, until `leaveWalls`.
  func joinWalls(send: @escaping (WallEvent) -> Void)
  func leaveWalls()
  /// A message of another wall.
  ///
  /// - Parameter isLive: whether it was sent while this wall was listening.
  func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError)
  /// Whether the broker is connected. Called again after each connection.
  func reportWalls(isReachable: Bool)
  /// - Parameter client: who asks for it, for the log.
  func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void)
  /// Completes with what a display shows now. Without an `output`, it is the first display that is not dark, or the
  /// first one if all are dark.
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
  package var forwardsChanges: Bool { false }

  // For a handler that shares no board.

  package func joinWalls(send: @escaping (WallEvent) -> Void) { send(WallEvent(board: nil)) }
  package func leaveWalls() {}
  package func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError) { throw .noSharedBoard }
  package func reportWalls(isReachable: Bool) {}
}
