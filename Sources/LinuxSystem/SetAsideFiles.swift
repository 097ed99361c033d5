// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// State files that could not be used, e.g. damaged ones, and were renamed to `state.json.bad-SECONDS`, so
/// that a person can examine them.
package struct SetAsideFiles {
  /// How many of the newest files are kept, and how many bytes of each.
  package static let countLimit = 3
  package static let sizeLimit = 1 << 20

  private let path: String
  private let directory: String
  private let prefix: String

  /// - Parameter path: the path of the state file.
  package init(of path: String) {
    self.path = path
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    directory = String(path[..<slash])
    prefix = "\(path[slash...].dropFirst()).bad-"
  }

  /// Whether a file that could not be read is too long, or not a regular file: it will never be readable, and
  /// it prevents saving. After other errors, the file may be intact and readable at a later start.
  package static func mustSetAside(_ error: SystemError) -> Bool {
    [EFBIG, EISDIR, EINVAL].contains(error.errno.rawValue)
  }

  /// Returns an unused path for a file that is set aside at `seconds` (CLOCK_REALTIME).
  package func freeName(at seconds: Int64) -> String {
    let base = "\(directory)/\(prefix)\(seconds)"
    var name = base
    var number = 2
    var status = stat()
    while lstat(name, &status) == 0 {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }

  /// Sets the file aside, and logs it.
  package func setAside(because reason: String, log: Log) {
    let aside = freeName(at: SystemClock.realtime.now.seconds)
    if rename(path, aside) == 0 {
      log.warning("the state file \(path) was set aside as \(aside): \(reason)")
      prune(log: log)
    } else {
      log.warning("the state file \(path) is not used: \(reason)")
    }
  }

  /// Removes all but the newest files and truncates the remaining ones to 1 MiB. Logs each change.
  package func prune(log: Log) {
    var files: [(path: String, status: stat)] = []
    for name in fileNames(in: directory) ?? [] where name.hasPrefix(prefix) {
      var status = stat()
      let path = "\(directory)/\(name)"
      if lstat(path, &status) == 0 { files.append((path, status)) }
    }
    // Sort by st_ctim, which the rename has set.
    files.sort {
      let (one, other) = ($0.status.st_ctim, $1.status.st_ctim)
      return (one.tv_sec, one.tv_nsec, $0.path) > (other.tv_sec, other.tv_nsec, $1.path)
    }
    for (path, _) in files.dropFirst(Self.countLimit) {
      if unlink(path) == 0 || rmdir(path) == 0 {
        log.info("removed \(path), an old state file that had been set aside")
      } else {
        log.warning("cannot remove \(path), an old state file that had been set aside: \(Errno.current)")
      }
    }
    for (path, status) in files.prefix(Self.countLimit)
    where status.st_mode & S_IFMT == S_IFREG && status.st_size > Self.sizeLimit {
      if truncate(path, Self.sizeLimit) == 0 {
        log.info("cut \(path), which had been set aside, from \(status.st_size) bytes to its first MiB")
      } else {
        log.warning("cannot cut \(path) to its first MiB: \(Errno.current)")
      }
    }
  }
}
