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

  /// The existing directories in which a change may change the config, `files` being those that were read.
  /// Where links lead to files elsewhere, their directories too.
  func directoriesToWatch(files: [String]) -> [String] {
    var candidates = directories + dropInDirectories
    if case .standard(let root) = self, !ConfigFile.isDirectory(candidates[0]) {
      // The first config on a machine makes its directory.
      candidates.append("\(root)/etc")
    }
    for file in files {
      guard let real = ConfigFile.resolved(file), let slash = real.lastIndex(of: "/") else { continue }
      let directory = slash == real.startIndex ? "/" : String(real[..<slash])
      let known = candidates.contains { ConfigFile.resolved($0) == directory }
      if !known { candidates.append(directory) }
    }
    return candidates.filter(ConfigFile.isDirectory)
  }
}
