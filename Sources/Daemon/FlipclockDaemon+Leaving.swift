// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The end: calls that have reached this daemon are answered, later ones wait for the next.
extension FlipclockDaemon {
  private static let pollNanoseconds: Int64 = 10_000_000
  /// How long a call may hold up the end; a score is saved in a few milliseconds.
  private static let patienceNanoseconds: Int64 = 2_000_000_000

  /// Ends the loop once no client waits for an answer; at once when it is called a second time.
  func leave() {
    guard leaving == nil else { return loop.stop() }
    endpoint?.stopListening()
    let end = Self.now + Self.patienceNanoseconds
    leaving = try? LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.leaveWhenAnswered(by: end) }
    leaveWhenAnswered(by: end)
  }

  private func leaveWhenAnswered(by end: Int64) {
    guard let leaving, let server = endpoint?.server, server.owesAnswers, Self.now < end else {
      return loop.stop()
    }
    leaving.arm(at: ClockTime(totalNanoseconds: Self.now + Self.pollNanoseconds))
  }
}
