// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Stops the daemon after the calls that have arrived are answered. Later clients wait for the next daemon if
/// systemd keeps the socket open.
final class GracefulShutdown {
  private static let pollInterval: Int64 = 10_000_000
  /// How long calls may delay the shutdown, in nanoseconds; saving a score takes a few milliseconds.
  private static let patience: Int64 = 2_000_000_000

  private let endpoint: ControlEndpoint
  private let loop: EventLoop
  private let timer: LoopTimer
  /// The latest time at which the loop stops (CLOCK_MONOTONIC, nanoseconds); nil until `begin`.
  private var end: Int64?

  init(of endpoint: ControlEndpoint, on loop: EventLoop) throws(SystemError) {
    self.endpoint = endpoint
    self.loop = loop
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.stopIfAnswered() }
  }

  /// Stops the loop when no client waits for an answer any more, or after `patience`. A second call stops it
  /// at once.
  func begin() {
    guard end == nil else { return loop.stop() }
    endpoint.stopListening()
    end = SystemClock.monotonic.now.totalNanoseconds + Self.patience
    stopIfAnswered()
  }

  private func stopIfAnswered() {
    guard let end, endpoint.server.owesAnswers, SystemClock.monotonic.now.totalNanoseconds < end else {
      return loop.stop()
    }
    timer.arm(inNanoseconds: Self.pollInterval)
  }
}
