// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import LinuxSystem

/// Calls a handler when the files of the time zones in use may have changed, for example because a package
/// upgrade has replaced them or /etc/localtime was set to another zone.
///
/// It watches the files, links and directories on the paths themselves, so changes of other files cause no
/// wakeups. Only where a part of a path is missing or unreadable, all entries of its directory are watched.
final class ZoneWatch {
  /// Called when files may have changed and have been quiet for a moment, at the latest two seconds after the
  /// first change. Changes after the call are reported again.
  var changed: () -> Void = {}

  private let files: (String) -> [String]
  private let watch: SettlingWatch
  private var names: Set<String> = []
  /// The files that existed when the watches were set.
  private var present: Set<String> = []
  /// Of each directory that is watched with its entries, the names whose changes are reported.
  private var awaited: [String: Set<String>] = [:]

  /// How long the files must be unchanged, in nanoseconds, because programs replace them in several steps.
  private static let quiet: Int64 = 100_000_000
  /// The same while a file is missing, in nanoseconds, because `rm` and `ln` may replace it one after the
  /// other.
  private static let missing: Int64 = 1_000_000_000
  /// The maximum time from the first change to the report, in nanoseconds.
  private static let limit: Int64 = 2_000_000_000

  /// - Parameter files: returns the paths that determine a zone, by its name in the config.
  init(
    on loop: EventLoop, log: Log, files: @escaping (String) -> [String] = TimeZone.files(of:)
  ) throws(SystemError) {
    self.files = files
    watch = try SettlingWatch(of: "changes of time zones", limit: Self.limit, on: loop, log: log)
    watch.quiet = { [weak self] in
      self?.present.contains { !Self.exists($0) } == true ? Self.missing : Self.quiet
    }
    watch.settled = { [weak self] in self?.report() }
    try watch.start(on: loop, reporting: .attributes) { [weak self] in self?.received($0) }
  }

  /// Watches the files of the zone `name` too. Call it before they are read.
  func add(_ name: String) {
    if names.insert(name).inserted { watchFiles() }
  }

  /// Forgets all zones. The watches change with the next `add`.
  func forget() { names = [] }

  private func received(_ event: DirectoryWatch.Event) {
    // Without a name, a watched file or directory itself has changed, or events were lost.
    guard event.name.isEmpty || awaited[event.directory]?.contains(event.name) == true else { return }
    watch.changed()
  }

  private func report() {
    watchFiles()
    changed()
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// The paths of all zones. Of each zone, the paths after the first one that exists are left out: they do
  /// not matter until that file is gone.
  private var paths: [String] {
    names.flatMap { name in
      let candidates = files(name)
      let used = candidates.firstIndex(where: Self.exists).map { $0 + 1 } ?? candidates.count
      return candidates.prefix(used)
    }
  }

  private func watchFiles() {
    watch.update({ ZonePaths(paths) }) { watch, found in
      defer { present = Set(paths.filter(Self.exists)) }
      return set(watch, found)
    }
  }

  private func set(_ watch: DirectoryWatch, _ paths: ZonePaths) -> [SettlingWatch.Failure] {
    awaited = [:]
    var directories = paths.directories.map { ($0, DirectoryWatch.Scope.itself) }
    func waitFor(_ entries: some Sequence<PathEntry>) {
      for entry in entries {
        awaited[entry.directory, default: []].insert(entry.name)
        directories.append((entry.directory, .entries))
      }
    }
    waitFor(paths.missing)
    let files = Dictionary(paths.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var failures = watch.watchOnly(directories, files: Array(files.keys))
    // A file that may not be read cannot be watched. The watch on its directory reports a change of the
    // file's permissions.
    let denied = failures.compactMap { files[$0.directory] }
    if !denied.isEmpty {
      waitFor(denied)
      failures = watch.watchOnly(directories, files: Array(files.keys))
    }
    return failures.filter { files[$0.directory] == nil }
  }
}

/// What is on the paths of zone files at one moment.
private struct ZonePaths: Hashable {
  private(set) var directories: Set<String> = []
  /// Files and symbolic links.
  private(set) var files: Set<PathEntry> = []
  private(set) var missing: Set<PathEntry> = []
  /// The device and inode of each entry.
  private var inodes: [String: [UInt64]] = [:]

  init(_ paths: [String]) {
    for entry in Set(paths.flatMap(PathEntry.entries)) {
      var status = stat()
      if lstat(entry.path, &status) == 0 {
        inodes[entry.path] = [UInt64(status.st_dev), UInt64(status.st_ino)]
      }
      switch entry.kind {
      case .missing: missing.insert(entry)
      case .directory: directories.insert(entry.path)
      case .link, .other: files.insert(entry)
      }
    }
  }
}
