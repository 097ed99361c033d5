// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Scoreboard

/// Reports events of a match that no command causes: a timer reaches its warning or its end, or a penalty ends. While a
/// timer runs, requests that the state be saved regularly, so that a power cut loses at most about ten seconds of the
/// timer.
final class MatchClock {
  /// The time between two saves while a timer runs, in nanoseconds.
  static let saveInterval: Int64 = 10_000_000_000

  /// Called when a timer reaches its warning or its end, or when a penalty ends. The handler must call `follow`, as
  /// after any change.
  var timerReached: () -> Void = {}
  /// Called when the state is to be saved. The handler must call `follow`.
  var saveDue: () -> Void = {}

  private let events: LoopTimer
  private let saves: LoopTimer

  init(on loop: EventLoop) throws(SystemError) {
    events = try MatchTime.timer(on: loop)
    saves = try MatchTime.timer(on: loop)
    events.handler = { [weak self] _ in self?.timerReached() }
    saves.handler = { [weak self] _ in self?.saveDue() }
  }

  /// Arms the timers for the next events of `board`. Call it after each change of the match.
  func follow(_ board: Scoreboard) {
    if let next = board.nextEvent(after: MatchTime.now) {
      events.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      events.disarm()
    }
    if !isRunning(board) {
      saves.disarm()
    } else if saves.deadline == nil {
      saves.arm(inNanoseconds: Self.saveInterval)
    }
  }

  /// Whether one of the board's timers runs.
  func isRunning(_ board: Scoreboard) -> Bool { board.runningSince(at: MatchTime.now) != nil }
}
