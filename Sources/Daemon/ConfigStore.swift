// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc
import LinuxSystem
import Settings

/// The configuration in force, and how it is replaced: a file that cannot be used changes nothing.
final class ConfigStore {
  private(set) var configuration: Configuration
  private(set) var files: [String] = []
  private(set) var lastReload = ReloadOutcome(ok: true)

  /// How long the files must be left alone before they are read, nanoseconds.
  struct Patience {
    /// After the last change: an editor may still be saving.
    var quiet: Int64 = 100_000_000
    /// After the first change, for directories in which something changes all the time.
    var limit: Int64 = 500_000_000
    /// For a file that was emptied or removed, or that its writer has not closed.
    var unfinished: Int64 = 1_000_000_000
  }

  private let sources: SettingsSources
  private let checks: () -> SettingsChecks
  private let log: Log
  private let patience: Patience
  private var watch: DirectoryWatch?
  private var watched: [String: WatchedDirectory] = [:]
  /// Directories that could not be watched, each logged once.
  private var unwatchable: Set<String> = []
  private var settle: LoopTimer?
  /// When the changes that have not been examined yet began and ended, CLOCK_MONOTONIC nanoseconds.
  private var firstChange: Int64?
  private var lastChange: Int64 = 0
  /// Paths that were written to and not closed.
  private var beingWritten: Set<String> = []
  /// Of the files as they were when they were last read, and when they were last examined.
  private var fingerprint = ConfigFingerprint()
  private var examined = ConfigFingerprint()
  /// Read because files changed; `load` uses it.
  private var prepared: LoadResult?
  /// Called when files changed and have been quiet for a moment; it calls `load`.
  var filesChanged: () -> Void = {}

  /// Reads the config for the first time: errors are logged and the built-in default is used, since a
  /// wall display that shows something is better than one that stays dark.
  ///
  /// - Parameter checks: called each time the config is read.
  init(
    _ sources: SettingsSources, checks: @escaping () -> SettingsChecks, on loop: EventLoop, log: Log,
    patience: Patience = Patience()
  ) throws(SystemError) {
    self.sources = sources
    self.checks = checks
    self.log = log
    self.patience = patience
    configuration = Configuration.builtIn
    settle = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.examine() }
    do {
      watch = try DirectoryWatch(on: loop, reporting: [.modified, .attributes]) { [weak self] event in
        self?.changeSeen(event)
      }
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

  /// Reads the config again, as it is now; on any error the configuration in force stays.
  func load() -> ReloadOutcome {
    let result: LoadResult
    if let prepared {
      result = prepared
    } else {
      watchDirectories()
      fingerprint = sources.fingerprint
      examined = fingerprint
      result = read()
      // What was saved while the files were read is read as well.
      if fingerprint != sources.fingerprint { changed() }
    }
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

  private func read() -> LoadResult {
    SettingsLoader.load(sources, mode: .running, checks: checks())
  }

  /// Watches every directory on the way to the files as far as it exists, and again until nothing was made
  /// or replaced meanwhile: from then on every change is an event.
  private func watchDirectories() {
    guard let watch else { return }
    var wanted = sources.watchedDirectories
    for _ in 0..<8 {
      let withFiles = Set(wanted.filter(\.holdsFiles).map(\.path))
      let failures = watch.watchOnly(wanted.map(\.path)) { withFiles.contains($0) }
      for failure in failures where failure.error.errno.rawValue != ENOENT {
        if unwatchable.insert(failure.directory).inserted {
          log.warning("changes in \(failure.directory) will not be noticed by themselves: \(failure.error)")
        }
      }
      watched = Dictionary(wanted.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
      let now = sources.watchedDirectories
      if now == wanted { return }
      wanted = now
    }
    changed()
  }

  private func changeSeen(_ event: DirectoryWatch.Event) {
    let path = "\(event.directory)/\(event.name)"
    // Nothing is known of a directory that is gone, nor when events were lost.
    if event.mask.contains(.overflow) { beingWritten.removeAll() }
    if !event.name.isEmpty {
      guard watched[event.directory]?.counts(event.name) == true else { return }
      if event.mask.contains(.modified) {
        beingWritten.insert(path)
      } else if event.mask != .attributes {
        beingWritten.remove(path)
      }
    }
    changed()
  }

  /// Waits until the directories are quiet, but not for ever: other files may change there all the time.
  private func changed() {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let first = firstChange ?? now
    firstChange = first
    lastChange = now
    settle?.arm(at: ClockTime(totalNanoseconds: min(now + patience.quiet, first + patience.limit)))
  }

  /// Reads the files if they changed and seem complete. Editors leave droppings, and other files are
  /// beside the config: only what it is made of counts.
  private func examine() {
    firstChange = nil
    watchDirectories()
    let now = sources.fingerprint
    if now != examined {
      examined = now
      lastChange = SystemClock.monotonic.now.totalNanoseconds
    }
    guard now != fingerprint else { return }
    let patient = lastChange + patience.unfinished
    if !beingWritten.isEmpty || now.mayBeUnfinished(since: fingerprint),
      SystemClock.monotonic.now.totalNanoseconds < patient
    {
      settle?.arm(at: ClockTime(totalNanoseconds: patient))
      return
    }
    beingWritten.removeAll()
    let result = read()
    // It may have been truncated between the two.
    guard now == sources.fingerprint else { return changed() }
    fingerprint = now
    prepared = result
    filesChanged()
    prepared = nil
  }

  func close() {
    settle?.cancel()
    watch?.cancel()
  }
}
