// SPDX-License-Identifier: Apache-2.0

/// Repeats a save that has failed, until one succeeds.
package final class SaveRetry {
  /// Why something is not on the disk, and since when (CLOCK_MONOTONIC, nanoseconds).
  package struct Unsaved: Hashable, Sendable {
    package var error: SystemError
    package var since: Int64
  }

  /// The delays between a failed save and the next attempt, in nanoseconds: at first `firstDelay`, then
  /// doubled each time, up to `longestDelay`.
  private static let firstDelay: Int64 = 10_000_000_000
  private static let longestDelay: Int64 = 60_000_000_000

  /// Nil: the last save has succeeded, or none has ended yet.
  package private(set) var unsaved: Unsaved?
  /// Called when saving begins to fail, or succeeds again.
  package var changed: () -> Void = {}
  /// Called when the present content is to be saved, because an earlier save has failed.
  package var saveAgain: () -> Void = {}

  /// What is saved, for the log: `scores`.
  private let content: String
  private let loop: EventLoop
  private let log: Log
  private let timer: LoopTimer
  private var delay = SaveRetry.firstDelay

  package init(of content: String, on loop: EventLoop, log: Log) throws(SystemError) {
    (self.content, self.loop, self.log) = (content, loop, log)
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.saveAgain() }
  }

  /// A save has succeeded or failed.
  package func ended(_ result: Result<Void, SystemError>) {
    let before = unsaved
    switch result {
    case .success:
      stop()
      if before != nil { log.notice("the \(content) are saved again") }
    case .failure(let error):
      let now = loop.now
      unsaved = Unsaved(error: error, since: before?.since ?? now)
      if timer.deadline == nil {
        timer.arm(at: ClockTime(totalNanoseconds: now + delay))
        delay = min(2 * delay, Self.longestDelay)
      }
      guard before?.error.errno != error.errno else { break }
      log.error(
        "the \(content) are not saved, and a restart would lose them: \(error); trying again until it works")
    }
    if (before == nil) != (unsaved == nil) { changed() }
  }

  /// Stops the attempts. What was unsaved no longer matters.
  package func stop() {
    (unsaved, delay) = (nil, Self.firstDelay)
    timer.disarm()
  }

  /// Ends the attempts, and logs that the last changes are lost if they are.
  package func close() {
    if let unsaved { log.error("the last changes of the \(content) are lost: \(unsaved.error)") }
    timer.disarm()
  }
}
