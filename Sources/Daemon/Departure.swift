// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The end of the daemon: calls that have arrived are answered first; later ones wait for the next daemon.
final class Departure {
  private static let pollInterval: Int64 = 10_000_000
  /// How long a call may delay the end; saving a score takes a few milliseconds.
  private static let patience: Int64 = 2_000_000_000

  private let door: ControlDoor
  private let loop: EventLoop
  private let timer: LoopTimer
  /// The latest time of the end (CLOCK_MONOTONIC, nanoseconds); nil until the departure begins.
  private var end: Int64?

  init(closing door: ControlDoor, on loop: EventLoop) throws(SystemError) {
    self.door = door
    self.loop = loop
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.stopIfAnswered() }
  }

  /// Stops the loop when no client waits for an answer any more. A second call stops it at once.
  func begin() {
    guard end == nil else { return loop.stop() }
    door.stopListening()
    end = SystemClock.monotonic.now.totalNanoseconds + Self.patience
    stopIfAnswered()
  }

  private func stopIfAnswered() {
    guard let end, door.server.owesAnswers, SystemClock.monotonic.now.totalNanoseconds < end else {
      return loop.stop()
    }
    timer.arm(inNanoseconds: Self.pollInterval)
  }
}
