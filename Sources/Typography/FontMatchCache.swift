// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The matches that fontconfig returned, together with the state of everything they depend on. As long as
/// none of that has changed, fontconfig would return the same matches, so it is not queried. A query would
/// make it read its whole configuration and the lists of all fonts.
struct FontMatchCache {
  struct Query: Hashable {
    var family: String
    var weight: FontWeight
  }

  struct Match: Hashable {
    var path: String
    /// The face in a collection; the upper 16 bits select a named instance.
    var index: Int
    /// Whether no font of the requested family is installed, and this is the closest one.
    var isSubstitute: Bool
  }

  private static let header = "flipclock fonts 1"
  /// The maximum number of files and directories to check at every start.
  private static let watchedLimit = 4096
  private static let byteLimit = 1 << 20
  /// A file or directory that changed at most this many seconds ago may change again without a new
  /// modification time. (fontconfig has the same problem, see fonts-conf(5).)
  private static let settlingTime = 2

  private let environment: String
  private var watched: [String: String] = [:]
  private(set) var matches: [Query: Match] = [:]
  /// Whether there are matches that are not in the text that was read.
  private(set) var hasChanged = false

  /// Reads a saved cache. It is empty if the text is damaged or anything it depends on has changed.
  ///
  /// - Parameters:
  ///   - text: the `text` of an earlier cache.
  ///   - configuration: the fontconfig configuration file, if it is not the system's.
  init(_ text: [UInt8], configuration: String?) {
    environment = Self.environment(configuration)
    guard text.count <= Self.byteLimit, !text.isEmpty else { return }
    // Splits bytes, because splitting by characters takes longer than everything else here.
    func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count <= 2 * Self.watchedLimit, lines.first.map(string) == Self.header,
      lines.last?.isEmpty == true, lines.dropFirst().first.map(string) == environment
    else { return }
    for line in lines.dropFirst(2).dropLast() {
      if parse(line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(string)) {
        continue
      }
      clear()
      return
    }
    // Matches without dependencies cannot be validated: the text was truncated or edited.
    if watched.isEmpty || !watched.allSatisfy({ Self.stamp($0.key).text == $0.value }) { clear() }
  }

  private mutating func clear() {
    watched = [:]
    matches = [:]
  }

  /// Returns false if the line is malformed.
  private mutating func parse(_ words: [String]) -> Bool {
    switch (words.first, words.count) {
    case ("seen"?, 3):
      watched[words[2]] = words[1]
      return watched.count <= Self.watchedLimit
    case ("font"?, 6):
      guard let number = Int(words[1]), let weight = FontWeight(rawValue: number), let index = Int(words[2]),
        index >= 0, ["is", "for"].contains(words[3]), words[5].hasPrefix("/"), watched[words[5]] != nil
      else { return false }
      matches[Query(family: words[4], weight: weight)] = Match(
        path: words[5], index: index, isSubstitute: words[3] == "for")
      return matches.count <= 64
    default: return false
    }
  }

  /// Stores a match. If the cache has no matches yet, also records the state of the files and directories
  /// that `configuration` depends on. Therefore `configuration` must have been loaded just before.
  mutating func store(_ match: Match, for query: Query, from configuration: FontConfiguration) {
    if watched.isEmpty {
      for path in configuration.sources + Self.userFiles() { watched[path] = Self.absent }
      for path in watched.keys { watched[path] = Self.stamp(path).text }
    }
    watched[match.path] = Self.stamp(match.path).text
    matches[query] = match
    hasChanged = true
  }

  /// The cache to save for a later start. Nil if there is nothing new, if a dependency changed so recently
  /// that the cache could be out of date, or if the cache is too large or a name in it cannot be written.
  var text: [UInt8]? {
    guard hasChanged, !matches.isEmpty, watched.count <= Self.watchedLimit else { return nil }
    let now = time(nil)
    var lines = [Self.header, environment]
    for (path, stamp) in watched.sorted(by: { $0.key < $1.key }) {
      if Self.stamp(path).seconds + Self.settlingTime >= now { return nil }
      lines.append("seen\t\(stamp)\t\(path)")
    }
    for (query, match) in matches.sorted(by: {
      ($0.key.family, $0.key.weight.rawValue) < ($1.key.family, $1.key.weight.rawValue)
    }) {
      let kind = match.isSubstitute ? "for" : "is"
      lines.append(
        "font\t\(query.weight.rawValue)\t\(match.index)\t\(kind)\t\(query.family)\t\(match.path)")
    }
    // A name with a tab or a newline would be read back as something else.
    let isPlain = lines.dropFirst(2).allSatisfy { line in
      let words = line.split(separator: "\t", omittingEmptySubsequences: false)
      return words.count == (words.first == "seen" ? 3 : 6) && !line.utf8.contains(10)
    }
    return isPlain ? Array((lines.joined(separator: "\n") + "\n").utf8) : nil
  }

  // MARK: Dependencies

  private static let absent = "-"

  /// Identifies the state of a file or directory. The corresponding C function is `stat`.
  private static func stamp(_ path: String) -> (text: String, seconds: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { return (absent, 0) }
    let time = status.st_mtim
    return ("\(time.tv_sec).\(time.tv_nsec).\(status.st_size).\(status.st_ino)", time.tv_sec)
  }

  /// The environment variables that affect fontconfig, in one line.
  private static func environment(_ configuration: String?) -> String {
    let names = [
      "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
      "XDG_DATA_DIRS", "FC_LANG", "LC_ALL", "LC_CTYPE", "LANG",
    ]
    let values = names.map { name in environmentVariable(name) ?? "-" }
    return ([configuration ?? "-"] + values).joined(separator: "\t").replacingNewlines
  }

  /// The user's files and directories, which fontconfig reads if they exist.
  private static func userFiles() -> [String] {
    func value(_ name: String) -> String? { environmentVariable(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let home = value("HOME") else { return [] }
    let config = value("XDG_CONFIG_HOME") ?? home + "/.config"
    let data = value("XDG_DATA_HOME") ?? home + "/.local/share"
    return [
      config + "/fontconfig", config + "/fontconfig/fonts.conf", config + "/fontconfig/conf.d",
      home + "/.fonts.conf",
      home + "/.fonts", data + "/fonts",
    ]
  }
}

extension String {
  fileprivate var replacingNewlines: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" ? "\u{fffd}" : $0 }))
  }
}
