// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Where the config comes from.
public enum SettingsSources: Hashable, Sendable {
  /// One file, which must exist, and the drop-ins in the directory `FILE.d`, if there is one.
  case explicit(String)
  /// The files of the machine, as in the Configuration Files Specification (UAPI.6). The main file is the first
  /// `config.toml` in `/etc/flipclock`, `/run/flipclock` and `/usr/lib/flipclock`. The drop-ins
  /// `config.toml.d/*.toml` of all three follow in the order of their names. A file in an earlier directory masks
  /// files of its name in later ones; an empty file or a link to /dev/null does nothing else. `root` is put before
  /// all paths.
  case standard(root: String = "")

  /// The candidates for the main file; the first that exists is read.
  var mainFiles: [String] {
    switch self {
    case .explicit(let path): [path]
    case .standard: directories.map { "\($0)/config.toml" }
    }
  }

  var dropInDirectories: [String] { mainFiles.map { "\($0).d" } }

  /// The directories of the main files, the one with the highest precedence first.
  private var directories: [String] {
    switch self {
    case .explicit(let path):
      guard let slash = path.lastIndex(of: "/") else { return ["."] }
      return [slash == path.startIndex ? "/" : String(path[..<slash])]
    case .standard(let root):
      return ["/etc", "/run", "/usr/lib"].map { "\(root)\($0)/flipclock" }
    }
  }

  /// The existing directories in which a change may change the config, parents first: all those through which the
  /// path of a candidate or a drop-in leads, including the paths of links.
  public var watchedDirectories: [WatchedDirectory] {
    var result: [WatchedDirectory] = []
    var indices: [String: Int] = [:]
    func add(_ directory: String, _ name: String?, isFile: Bool = false) {
      let index = indices[directory] ?? result.count
      if index == result.count {
        indices[directory] = index
        result.append(WatchedDirectory(path: directory))
      }
      if let name { result[index].names.insert(name) } else { result[index].holdsDropIns = true }
      if isFile { result[index].holdsFiles = true }
    }
    func add(file path: String) {
      let entries = ConfigFile.entries(onTheWayTo: path)
      for (directory, name) in entries.dropLast() { add(directory, name) }
      if let last = entries.last { add(last.directory, last.name, isFile: true) }
    }
    for path in mainFiles { add(file: path) }
    for dropIns in dropInDirectories {
      for (directory, name) in ConfigFile.entries(onTheWayTo: dropIns) { add(directory, name) }
      guard let names = fileNames(in: dropIns) else { continue }
      for (directory, name) in ConfigFile.entries(onTheWayTo: "\(dropIns)/.") where name == "." {
        add(directory, nil, isFile: true)
      }
      for name in names where name.hasSuffix(".toml") { add(file: "\(dropIns)/\(name)") }
    }
    return result
  }

  /// The state of the config's files now. Reads them all.
  public var fingerprint: ConfigFingerprint { ConfigFingerprint(of: self) }
}

/// An existing directory, and which of its entries can change the config.
public struct WatchedDirectory: Hashable, Sendable {
  public var path: String
  var names: Set<String> = []
  /// Whether every entry that could be a drop-in can change the config.
  var holdsDropIns = false
  /// Whether files of the config are, or would be, in the directory itself, and not only below it.
  public internal(set) var holdsFiles = false

  init(path: String) { self.path = path }

  /// Whether a change of the entry `name` can change the config.
  public func counts(_ name: String) -> Bool {
    names.contains(name) || holdsDropIns && name.hasSuffix(".toml")
  }
}
