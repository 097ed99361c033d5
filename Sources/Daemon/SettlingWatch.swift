// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Watches paths, and calls a handler when something on them has changed and then stayed unchanged for a
/// moment.
final class SettlingWatch {
  typealias Failure = (directory: String, error: SystemError)

  /// Called when nothing has changed for a moment, at the latest `limit` after the first change.
  var settled: () -> Void = {}
  /// How long the paths must be unchanged, in nanoseconds, because programs change files in several steps.
  var quiet: () -> Int64 = { 100_000_000 }
  /// The time of the last change (CLOCK_MONOTONIC, nanoseconds).
  var lastChange: Int64 = 0

  private let log: Log
  private let subject: String
  private let limit: Int64
  private let timer: LoopTimer
  private var watch: DirectoryWatch?
  /// The time of the first change since the last call of `settled` (CLOCK_MONOTONIC, nanoseconds).
  private var firstChange: Int64?
  /// Paths that cannot be watched, each logged once.
  private var unwatchable: Set<String> = []

  /// - Parameters:
  ///   - subject: what the changes are, for the warning about a path that cannot be watched.
  ///   - limit: the maximum time from the first change to `settled`, in nanoseconds, because a directory may
  ///     change all the time.
  init(of subject: String, limit: Int64, on loop: EventLoop, log: Log) throws(SystemError) {
    self.subject = subject
    self.limit = limit
    self.log = log
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in
      self?.firstChange = nil
      self?.settled()
    }
  }

  /// Begins to pass events to `handler`, which calls `changed` for those that count.
  func start(
    on loop: EventLoop, reporting extra: DirectoryWatch.Mask,
    handler: @escaping (DirectoryWatch.Event) -> Void
  ) throws(SystemError) {
    watch = try DirectoryWatch(on: loop, reporting: extra, handler: handler)
  }

  /// Watches what is on the paths now. Repeats this until nothing was replaced meanwhile; from then on each
  /// change causes an event. After eight attempts, tries again later.
  ///
  /// - Parameters:
  ///   - read: returns what is on the paths.
  ///   - set: sets the watches for it, and returns what cannot be watched.
  func update<Paths: Equatable>(_ read: () -> Paths, set: (DirectoryWatch, Paths) -> [Failure]) {
    guard let watch else { return }
    var paths = read()
    for _ in 0..<8 {
      for failure in set(watch, paths) where failure.error.errno.rawValue != ENOENT {
        if unwatchable.insert(failure.directory).inserted {
          log.warning("\(failure.directory) is not watched for \(subject): \(failure.error)")
        }
      }
      let now = read()
      if now == paths { return }
      paths = now
    }
    changed()
  }

  /// Called when something has changed. Calls `settled` after `quiet` without further changes, or at the
  /// latest `limit` after the first change.
  func changed() {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let first = firstChange ?? now
    firstChange = first
    lastChange = now
    wait(until: min(now + quiet(), first + limit))
  }

  /// Calls `settled` at `time` (CLOCK_MONOTONIC, nanoseconds), unless `changed` is called before.
  func wait(until time: Int64) { timer.arm(at: ClockTime(totalNanoseconds: time)) }
}
