// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the config comes from.
public enum SettingsSources: Hashable, Sendable {
  /// One file, which must exist, and the drop-ins of the directory `FILE.d`, if there is one.
  case explicit(String)
  /// The files of the machine as UAPI.6 lays them out: the first `config.toml` of `/etc/flipclock`,
  /// `/run/flipclock` and `/usr/lib/flipclock`, then the drop-ins `config.toml.d/*.toml` of all three in
  /// the order of their names, where a file in an earlier directory masks its namesakes in later ones. An
  /// empty file or a link to /dev/null only masks. `root` goes before all paths.
  case standard(root: String = "")

  /// The main file's candidates; the first that exists is taken.
  var mainFiles: [String] {
    switch self {
    case .explicit(let path): [path]
    case .standard: directories.map { "\($0)/config.toml" }
    }
  }

  var dropInDirectories: [String] { mainFiles.map { "\($0).d" } }

  /// Directories of the main files, the highest first.
  private var directories: [String] {
    switch self {
    case .explicit(let path):
      guard let slash = path.lastIndex(of: "/") else { return ["."] }
      return [slash == path.startIndex ? "/" : String(path[..<slash])]
    case .standard(let root):
      return ["/etc", "/run", "/usr/lib"].map { "\(root)\($0)/flipclock" }
    }
  }

  /// The existing directories in which a change may change the config: those of the candidates, of every
  /// link on the way to them, and where something is missing, of what is there of the way.
  func directoriesToWatch() -> [String] {
    var result: [String] = []
    for path in mainFiles + dropInDirectories.map({ "\($0)/x" }) {
      for directory in ConfigFile.directories(onTheWayTo: path) where !result.contains(directory) {
        result.append(directory)
      }
    }
    return result
  }

  /// Changes when a file that is part of the config does, or one comes or goes; cheap to ask.
  public var fingerprint: [String] {
    var paths = mainFiles
    for directory in dropInDirectories {
      paths += (ConfigFile.names(in: directory) ?? []).filter { $0.hasSuffix(".toml") }.map {
        "\(directory)/\($0)"
      }
    }
    return paths.compactMap(ConfigFile.fingerprint)
  }
}
