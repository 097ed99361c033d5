// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Settings

/// The configuration in force, and how it is replaced: a file that cannot be used changes nothing.
final class ConfigStore {
  private(set) var configuration: Configuration
  private(set) var files: [String] = []
  private(set) var lastReload = ReloadOutcome(ok: true)

  private let sources: SettingsSources
  private let checks: () -> SettingsChecks
  private let log: Log
  private var watch: DirectoryWatch?
  private var settle: LoopTimer?
  /// When the changes that are still to be looked at began, CLOCK_MONOTONIC nanoseconds.
  private var firstChange: Int64?
  /// Of the files as they were when they were last read.
  private var fingerprint: [String] = []
  /// Called when files changed and have been quiet for a moment.
  var filesChanged: () -> Void = {}

  /// How long an editor may take to finish its saving.
  private static let settleNanoseconds: Int64 = 100_000_000

  /// Reads the config for the first time: errors are logged and the built-in default is used, since a
  /// wall display that shows something is better than one that stays dark.
  ///
  /// - Parameter checks: called each time the config is read.
  init(
    _ sources: SettingsSources, checks: @escaping () -> SettingsChecks, on loop: EventLoop, log: Log
  ) throws(SystemError) {
    self.sources = sources
    self.checks = checks
    self.log = log
    configuration = Configuration.builtIn
    settle = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.look() }
    do {
      watch = try DirectoryWatch(on: loop) { [weak self] _ in self?.changeSeen() }
    } catch {
      log.warning("changes of the config will not be noticed by themselves: \(error)")
    }
    if !load().ok {
      log.warning("the config has errors; the built-in default is shown until they are mended")
    }
  }

  /// The file that decides, as `status` tells it.
  var path: String? {
    if case .explicit(let path) = sources { return path }
    return files.first
  }

  /// Reads the config again; on any error the configuration in force stays.
  func load() -> ReloadOutcome {
    fingerprint = sources.fingerprint
    let result = SettingsLoader.load(sources, mode: .running, checks: checks())
    watchDirectories(result.directories)
    // What was saved while the files were read, before a new directory was watched, is not missed.
    if fingerprint != sources.fingerprint { changeSeen() }
    func summaries(_ severity: Settings.Diagnostic.Severity) -> [String] {
      result.diagnostics.filter { $0.severity == severity }.map(\.summary)
    }
    for diagnostic in result.diagnostics {
      if diagnostic.severity == .error {
        log.error(diagnostic.description)
      } else {
        log.warning(diagnostic.description)
      }
    }
    if let configuration = result.configuration {
      self.configuration = configuration
      files = result.files
    }
    lastReload = ReloadOutcome(
      ok: result.configuration != nil, errors: summaries(.error), warnings: summaries(.warning))
    return lastReload
  }

  /// Watching again what is watched already changes nothing; a directory that was replaced is new.
  private func watchDirectories(_ directories: [String]) {
    guard let watch else { return }
    for directory in directories {
      if let error = watch.watch(directory) {
        log.warning("changes in \(directory) will not be noticed by themselves: \(error)")
      }
    }
  }

  /// Waits until the directories are quiet, but not for ever: other files may change there all the time.
  private func changeSeen() {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let first = firstChange ?? now
    firstChange = first
    let due = min(now + Self.settleNanoseconds, first + 5 * Self.settleNanoseconds)
    settle?.arm(at: ClockTime(totalNanoseconds: due))
  }

  /// Editors leave droppings, and other files live beside the config: only what it is made of counts.
  private func look() {
    firstChange = nil
    if sources.fingerprint != fingerprint { filesChanged() }
  }

  func close() {
    settle?.cancel()
    watch?.cancel()
  }
}
