// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A part of a path: an entry of a directory.
package struct PathEntry: Hashable, Sendable {
  package enum Kind: Sendable { case missing, directory, link, other }
  package var directory: String
  package var name: String
  package var kind: Kind
  /// Whether it is the last part of the path.
  package var isLast: Bool

  package var path: String { directory == "/" ? "/\(name)" : "\(directory)/\(name)" }

  /// The directory entries that determine which file `path` names: one for each part of the path, and one for
  /// each part of the target of every symbolic link on the way. A missing entry is the last one. At most 16
  /// links are followed.
  package static func entries(onTheWayTo path: String) -> [PathEntry] {
    var result: [PathEntry] = []
    var prefix = path.hasPrefix("/") ? "" : "."
    var rest = path.split(separator: "/").map(String.init)[...]
    var links = 0
    while let name = rest.popFirst() {
      let next = "\(prefix)/\(name)"
      var status = stat()
      let exists = lstat(next, &status) == 0
      // `prefix` is not a directory, so nothing below it can be watched.
      if !exists, errno == ENOTDIR { return result }
      var entry = PathEntry(
        directory: prefix.isEmpty ? "/" : prefix, name: name, kind: .missing, isLast: rest.isEmpty)
      if exists {
        switch status.st_mode & S_IFMT {
        case S_IFLNK: entry.kind = .link
        case S_IFDIR: entry.kind = .directory
        default: entry.kind = .other
        }
      }
      result.append(entry)
      guard exists else { return result }
      if entry.kind == .link {
        links += 1
        guard links <= 16, let target = linkTarget(next) else { return result }
        rest = target.split(separator: "/").map(String.init)[...] + rest
        if target.hasPrefix("/") { prefix = "" }
      } else {
        prefix = next
      }
    }
    return result
  }
}
