// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Where the config comes from.
package enum SettingsSources: Hashable, Sendable {
  /// One file, which must exist, and the drop-ins in the directory `FILE.d`, if there is one.
  case explicit(String)
  /// The files of the machine, as in the Configuration Files Specification (UAPI.6). The main file is the
  /// first `config.toml` in one of the directories. The drop-ins `config.toml.d/*.toml` of all of them follow
  /// in the order of their names. A file in an earlier directory masks the files of the same name in later
  /// ones; an empty file or a link to /dev/null has only this effect.
  case directories([String])

  /// The candidates for the main file; the first that exists is read.
  var mainFiles: [String] {
    switch self {
    case .explicit(let path): [path]
    case .directories(let directories): directories.map { "\($0)/config.toml" }
    }
  }

  var dropInDirectories: [String] { mainFiles.map { "\($0).d" } }

  /// The existing directories in which a change may change the config, parents first. They are the
  /// directories on the path of each candidate and each drop-in. If a part of such a path is a link, the
  /// directories on the path of its target are included.
  ///
  /// A directory cannot be deleted before its content. So if the content of a directory is watched, its
  /// parent needs to be watched only for the removal of the parent itself. Files that are created and deleted
  /// in the parent, such as those in /tmp, then cause no wakeups.
  package var watchedDirectories: [WatchedDirectory] {
    var ways = mainFiles.map { (entries: PathEntry.entries(onTheWayTo: $0), toFile: true) }
    var dropInEntries: [PathEntry] = []
    for path in dropInDirectories {
      ways.append((PathEntry.entries(onTheWayTo: path), false))
      guard let names = fileNames(in: path) else { continue }
      dropInEntries += PathEntry.entries(onTheWayTo: "\(path)/.").filter { $0.name == "." }
      for name in names where name.hasSuffix(".toml") {
        ways.append((PathEntry.entries(onTheWayTo: "\(path)/\(name)"), true))
      }
    }
    let withContent = Set(ways.flatMap(\.entries).filter { $0.kind != .missing }.map(\.directory))

    var result: [WatchedDirectory] = []
    var indices: [String: Int] = [:]
    func add(_ entry: PathEntry, _ scope: DirectoryWatch.Scope) -> Int {
      let index = indices[entry.directory] ?? result.count
      if index == result.count {
        indices[entry.directory] = index
        result.append(WatchedDirectory(path: entry.directory))
      }
      result[index].scope = max(result[index].scope, scope)
      result[index].names.insert(entry.name)
      return index
    }
    for way in ways {
      for (entry, next) in zip(way.entries, way.entries.dropFirst().map(\.directory) + [""]) {
        let hasContent = entry.kind == .directory && withContent.contains(next)
        _ = add(entry, way.toFile && entry.isLast ? .writes : hasContent ? .itself : .entries)
      }
    }
    for entry in dropInEntries { result[add(entry, .writes)].holdsDropIns = true }
    return result
  }

  /// The state of the config's files now. Reads them all.
  package var fingerprint: ConfigFingerprint { ConfigFingerprint(of: self) }
}

/// An existing directory, and which of its entries can change the config.
package struct WatchedDirectory: Hashable, Sendable {
  package var path: String
  /// Which of its changes matter.
  package internal(set) var scope = DirectoryWatch.Scope.itself
  var names: Set<String> = []
  /// Whether every entry that could be a drop-in can change the config.
  var holdsDropIns = false
  /// The device and the inode, so that a directory differs from another one that replaced it.
  private var inode: [UInt64]

  init(path: String) {
    self.path = path
    var status = stat()
    inode = stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
  }

  /// Whether a change of the entry `name` can change the config.
  package func counts(_ name: String) -> Bool {
    names.contains(name) || holdsDropIns && name.hasSuffix(".toml")
  }
}
