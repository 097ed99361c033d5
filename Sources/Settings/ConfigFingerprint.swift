// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the files of a config were at one moment: two that are equal have the same content.
public struct ConfigFingerprint: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    /// Of stat(2), or the errno where that failed.
    var status: [Int]
    /// The kernel's time stamps are too coarse to tell two quick saves of one size apart.
    var content: Int
    /// A regular file with nothing in it.
    var isEmpty: Bool
  }

  private var marks: [String: Mark] = [:]

  /// Of nothing.
  public init() {}

  init(of sources: SettingsSources) {
    var paths = sources.mainFiles
    for directory in sources.dropInDirectories {
      if let names = ConfigFile.names(in: directory) {
        paths += names.filter { $0.hasSuffix(".toml") }.map { "\(directory)/\($0)" }
      } else if errno != ENOENT {
        marks[directory] = Mark(status: [Int(errno)], content: 0, isEmpty: false)
      }
    }
    for path in paths { marks[path] = Self.mark(path) }
  }

  /// Nil when there is nothing of that name.
  private static func mark(_ path: String) -> Mark? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let error = errno
      // A link that leads nowhere is an error of the config; a name that is missing is not.
      guard lstat(path, &status) == 0 else { return nil }
      return Mark(status: [Int(error), Int(status.st_ino)], content: 0, isEmpty: false)
    }
    var hasher = Hasher()
    if case .bytes(let bytes) = ConfigFile.read(path) { hasher.combine(bytes) }
    let changed = status.st_ctim
    return Mark(
      status: [Int(status.st_dev), Int(status.st_ino), Int(status.st_size), changed.tv_sec, changed.tv_nsec],
      content: hasher.finalize(), isEmpty: status.st_mode & S_IFMT == S_IFREG && status.st_size == 0)
  }

  /// Whether a file was emptied or removed since `earlier`, as editors do in the middle of saving.
  public func mayBeUnfinished(since earlier: ConfigFingerprint) -> Bool {
    earlier.marks.keys.contains { marks[$0] == nil }
      || marks.contains { $0.value.isEmpty && earlier.marks[$0.key] != $0.value }
  }
}
