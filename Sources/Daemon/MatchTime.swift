// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The clock of the match and of messages: CLOCK_BOOTTIME, in nanoseconds. It does not step when the wall
/// clock is set, and unlike CLOCK_MONOTONIC it also counts while the machine is suspended, because the game
/// continues.
///
/// All instants that are passed to `Match`, `Scoreboard` and `StageModel.clock` are match times. Frames and
/// motion are timed by scene times (`Presenter.now`), which are seconds of CLOCK_MONOTONIC.
enum MatchTime {
  private static let clock = SystemClock.boottime

  static var now: Int64 { clock.now.totalNanoseconds }

  /// A timer on this clock. If it expires while the machine is suspended, it fires after the machine has
  /// resumed.
  static func timer(on loop: EventLoop) throws(SystemError) -> LoopTimer { try LoopTimer(clock, on: loop) }
}
