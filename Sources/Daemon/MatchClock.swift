// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Scoreboard

/// Wakes the daemon for what happens in a match by itself: a timer warns or runs out. While one runs, saves
/// the state now and then, so that a power cut does not take more of its time with it than that.
final class MatchClock {
  /// Between two saves while a timer runs, seconds.
  static let saveInterval: Int64 = 10

  private weak var daemon: FlipclockDaemon?
  private var events: LoopTimer?
  private var saves: LoopTimer?

  init(of daemon: FlipclockDaemon, on loop: EventLoop) throws(SystemError) {
    self.daemon = daemon
    events = try LoopTimer(.monotonic, on: loop) { [weak self] _ in
      self?.daemon?.matchChanged()
    }
    saves = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.save() }
    arm()
  }

  /// To be called after every change of the match.
  func arm() {
    guard let daemon else { return }
    if let next = daemon.match.board.nextEvent(after: FlipclockDaemon.now) {
      events?.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      events?.disarm()
    }
    if !isRunning {
      saves?.disarm()
    } else if saves?.deadline == nil {
      var time = SystemClock.monotonic.now
      time.seconds += Self.saveInterval
      saves?.arm(at: time)
    }
  }

  private var isRunning: Bool {
    guard let daemon else { return false }
    let now = FlipclockDaemon.now
    return GameTimer.ID.allCases.contains { daemon.match.board.reading(of: $0, at: now)?.isRunning ?? false }
  }

  private func save() {
    guard let daemon else { return }
    daemon.state.save(daemon.match) { [log = daemon.log] result in
      if case .failure(let error) = result { log.error("the game clock was not saved: \(error)") }
    }
    arm()
  }

  /// Saves what a timer shows at the end.
  func close() {
    if isRunning { save() }
    events?.cancel()
    saves?.cancel()
    events = nil
    saves = nil
  }
}
