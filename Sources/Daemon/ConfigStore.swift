// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Settings
import TOMLConfig

/// The current configuration. It is replaced when its files change, unless they have errors.
final class ConfigStore {
  private(set) var configuration: Configuration
  private(set) var files: [String] = []
  /// What people have set without a file, and the path where it is stored. All files have precedence.
  private(set) var owner: (path: String, settings: OwnerSettings)
  /// Which of these settings are not used for now, and why; nil: all are used.
  private(set) var ownerProblem: String?
  /// The keys that people set without a file, and what sets them in the current configuration.
  private(set) var settings: [OwnerSetting] = []
  private(set) var lastReload = ReloadOutcome(ok: true)
  /// The result of the last attempt to read the config.
  private(set) var lastResult = LoadResult()
  /// Whether the last `load` had the same result as one that was logged at most ten seconds before. A program
  /// that has changed the config often asks for a reload as well.
  private(set) var isRepetition = false

  /// How long to wait after a change before the files are read, in nanoseconds.
  struct Patience {
    /// The time after the last change, because an editor may still be saving.
    var quiet: Int64 = 100_000_000
    /// The maximum time after the first change, because a directory may change all the time.
    var limit: Int64 = 500_000_000
    /// The time after the last change if a file was emptied or removed, or is still open for writing.
    var unfinished: Int64 = 1_000_000_000
  }

  private let sources: SettingsSources
  private let checks: () -> SettingsChecks
  private let environment: (String) -> String?
  private let log: Log
  private let patience: Patience
  private let watch: SettlingWatch
  private var watched: [String: WatchedDirectory] = [:]
  /// Paths that were written to and not closed yet.
  private var beingWritten: Set<String> = []
  /// The fingerprints of the files when they were last read, and when they were last examined.
  private var fingerprint = ConfigFingerprint()
  private var examined = ConfigFingerprint()
  /// The last result that was logged, and when (CLOCK_MONOTONIC, nanoseconds).
  private var logged: (files: ConfigFingerprint, diagnostics: [Diagnostic], time: Int64)?
  private static let repetitionTime: Int64 = 10_000_000_000
  /// The result of reading changed files, for the `load` that `filesChanged` calls.
  private var prepared: Reading?

  /// What reading the files had as its result.
  private struct Reading {
    var load: LoadResult
    /// Which of the settings without a file are not used, and why; nil: all are used.
    var unused: String?
  }

  /// Called when files have changed and appear complete. The handler calls `load`.
  var filesChanged: () -> Void = {}

  /// Reads the config. If it has errors, they are logged and the built-in default is used, because a display
  /// that shows something is better than a dark one.
  ///
  /// - Parameters:
  ///   - owner: what people have set without a file, and the path where it is stored.
  ///   - checks: called each time the config is read.
  ///   - environment: the value of an environment variable, for the language.
  init(
    _ sources: SettingsSources, owner: (path: String, settings: OwnerSettings) = ("", OwnerSettings()),
    checks: @escaping () -> SettingsChecks, environment: @escaping (String) -> String? = { _ in nil },
    on loop: EventLoop, log: Log,
    patience: Patience = Patience()
  ) throws(SystemError) {
    self.sources = sources
    self.owner = owner
    self.environment = environment
    self.checks = checks
    self.log = log
    self.patience = patience
    configuration = .builtIn(in: LocaleSettings().resolved(environment))
    settings =
      SettingsLoader.load(
        .directories([]), after: ("", OwnerSettings()), mode: .running, environment: environment
      ).settings
    watch = try SettlingWatch(of: "changes", limit: patience.limit, on: loop, log: log)
    watch.quiet = { patience.quiet }
    watch.settled = { [weak self] in self?.examine() }
    do throws(SystemError) {
      try watch.start(on: loop, reporting: [.modified, .attributes]) { [weak self] in self?.changeSeen($0) }
    } catch {
      log.warning("the config is not watched for changes; use 'flipclockctl reload': \(error)")
    }
    if !load().ok {
      log.warning("the config has errors; the built-in default is shown until they are fixed")
    }
  }

  /// The path of the config file, for `status`: the one that was given, or the first one in use; nil if none
  /// is used.
  var path: String? {
    if case .explicit(let path) = sources { return path }
    return files.first
  }

  /// Loads the config: reads the files, unless `examine` has just read them. If it has errors, the current
  /// configuration stays; but if they are due to what people have set without a file, that is not used.
  func load() -> ReloadOutcome {
    let result: Reading
    if let prepared {
      result = prepared
    } else {
      watchDirectories()
      fingerprint = sources.fingerprint
      examined = fingerprint
      result = read()
      // Files that were saved while they were read are read again.
      if fingerprint != sources.fingerprint { watch.changed() }
    }
    func summaries(_ severity: Diagnostic.Severity) -> [String] {
      result.load.diagnostics.filter { $0.severity == severity }.map(\.summary)
    }
    let now = SystemClock.monotonic.now.totalNanoseconds
    isRepetition =
      logged.map { logged in
        logged.files == fingerprint && logged.diagnostics == result.load.diagnostics
          && now - logged.time < Self.repetitionTime
      } ?? false
    if !isRepetition { logged = (fingerprint, result.load.diagnostics, now) }
    for diagnostic in result.load.diagnostics where !isRepetition {
      if diagnostic.severity == .error {
        log.error(diagnostic.description)
      } else {
        log.warning(diagnostic.description)
      }
    }
    if let problem = result.unused, !isRepetition { log.warning("\(owner.path): \(problem)") }
    lastResult = result.load
    if let configuration = result.load.configuration {
      (self.configuration, files, ownerProblem) = (configuration, result.load.files, result.unused)
      settings = result.load.settings
    }
    lastReload = ReloadOutcome(
      ok: result.load.configuration != nil, errors: summaries(.error), warnings: summaries(.warning))
    return lastReload
  }

  private func read() -> Reading { read(after: owner.settings) }

  /// Reads the files.
  ///
  /// - Parameter settings: what people have set without a file. Those with which the config has errors are
  ///   not used, if it has none without them.
  private func read(after settings: OwnerSettings) -> Reading {
    let checks = checks()
    func load(_ settings: OwnerSettings) -> LoadResult {
      SettingsLoader.load(
        sources, after: (owner.path, settings), mode: .running, checks: checks, environment: environment)
    }
    var result = load(settings)
    guard result.configuration == nil,
      let kept = settings.withoutMistakes(in: owner.path, { load($0).diagnostics })
    else { return Reading(load: result) }
    let unused = settings.keys.filter { !kept.keys.contains($0) }.joined(separator: ", ")
    let reason = result.diagnostics.first { $0.severity == .error }?.summary ?? ""
    let used = load(kept)
    (result.configuration, result.files) = (used.configuration, used.files)
    return Reading(load: result, unused: "these settings are not used: \(unused): \(reason)")
  }

  // MARK: Settings without a file

  /// Replaces what people have set without a file at the next `load`.
  func replace(owner settings: OwnerSettings) { owner.settings = settings }

  /// Replaces what people have set without a file, and has the handler of `filesChanged` load the config.
  ///
  /// - Parameter changed: the keys that were set or removed; none if all settings are replaced.
  func set(_ settings: OwnerSettings, changed: [String]) throws(ControlError) {
    let result = read(after: settings)
    for setting in result.load.settings.map(Setting.init) where changed.contains(setting.key) {
      if let place = setting.place, settings.keys.contains(setting.key) {
        throw .settingInConfig(key: setting.key, place: place)
      }
    }
    if let problem = settings.refusal(
      by: result.load.diagnostics, in: owner.path, of: changed,
      repairing: ownerProblem == nil ? nil : owner.settings)
    {
      throw problem.refusal
    }
    owner.settings = settings
    prepared = result
    defer { prepared = nil }
    filesChanged()
  }

  /// Watches each existing directory on the paths to the files.
  private func watchDirectories() {
    watch.update({ sources.watchedDirectories }) { watch, directories in
      watched = Dictionary(directories.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
      return watch.watchOnly(directories.map { ($0.path, $0.scope) })
    }
  }

  private func changeSeen(_ event: DirectoryWatch.Event) {
    let path = "\(event.directory)/\(event.name)"
    // When events were lost, files may have been closed unnoticed.
    if event.mask.contains(.overflow) { beingWritten.removeAll() }
    if !event.name.isEmpty {
      guard watched[event.directory]?.counts(event.name) == true else { return }
      if event.mask.contains(.modified) {
        beingWritten.insert(path)
      } else if event.mask != .attributes {
        beingWritten.remove(path)
      }
    }
    watch.changed()
  }

  /// Reads the files if they have changed and appear complete. Other files in the directories, such as an
  /// editor's backups, do not count.
  private func examine() {
    watchDirectories()
    let now = sources.fingerprint
    if now != examined {
      examined = now
      watch.lastChange = SystemClock.monotonic.now.totalNanoseconds
    }
    guard now != fingerprint else { return }
    let patient = watch.lastChange + patience.unfinished
    if !beingWritten.isEmpty || now.mayBeUnfinished(since: fingerprint),
      SystemClock.monotonic.now.totalNanoseconds < patient
    {
      return watch.wait(until: patient)
    }
    beingWritten.removeAll()
    let result = read()
    // A file may have been truncated during the reading.
    guard now == sources.fingerprint else { return watch.changed() }
    fingerprint = now
    prepared = result
    filesChanged()
    prepared = nil
  }
}
