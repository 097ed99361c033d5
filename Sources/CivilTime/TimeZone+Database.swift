// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

extension TimeZone {
  /// Finds a zone by name.
  ///
  /// `local` means the value of `$TZ` (a name, an absolute path or a POSIX rule, with or without a leading
  /// colon), else `/etc/localtime`, else UTC (localtime(5)). A dangling link or a file that is not a TZif
  /// file is an error. A name other than `local` is a file below `$TZDIR` or `/usr/share/zoneinfo`; names
  /// that would lead outside are rejected. A name without a file is an alias if `tzdata.zi` there says so.
  package init(named name: String) throws(TimeZoneError) {
    if name == "local" {
      self = try Self.local(environmentVariable("TZ"))
    } else {
      self = try Self.find(name)
    }
  }

  /// The paths at which `init(named: name)` looks for the zone's file; it reads the first file that exists.
  /// Empty if the zone does not depend on a file.
  package static func files(of name: String) -> [String] {
    name == "local" ? localFiles(environmentVariable("TZ")) : databaseFiles(name)
  }

  static func localFiles(_ variable: String?, file: String = "/etc/localtime") -> [String] {
    guard var value = variable else { return [file] }
    if value.hasPrefix(":") { value.removeFirst() }
    return value.hasPrefix("/") ? [value] : databaseFiles(value)
  }

  /// Debian 13 has the files of older names, which phones still use, in a package of their own
  /// (tzdata-legacy); `tzdata.zi` says of which zones they are aliases.
  static func databaseFiles(_ name: String, in directories: [String] = directories) -> [String] {
    guard isZoneName(name) else { return [] }
    let paths = directories.map { "\($0)/\(name)" }
    guard !paths.contains(where: { access($0, F_OK) == 0 }) else { return paths }
    return paths
      + directories.compactMap { directory in
        guard let bytes = try? ZoneFile.read("\(directory)/tzdata.zi"),
          let target = target(of: name, in: bytes)
        else { return nil }
        return "\(directory)/\(target)"
      }
  }

  /// The zone of which `name` is an alias, from lines `L ZONE NAME` of `tzdata.zi` (zic(8)).
  static func target(of name: String, in database: [UInt8]) -> String? {
    for line in database.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "L") {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 3, words[2].elementsEqual(name.utf8) else { continue }
      let target = String(decoding: words[1], as: UTF8.self)
      return isZoneName(target) ? target : nil
    }
    return nil
  }

  /// The names of all zones in the database, from its text form `tzdata.zi`; empty without that file.
  package static func databaseNames() -> [String] {
    var names: [String] = []
    for directory in directories {
      guard let bytes = try? ZoneFile.read("\(directory)/tzdata.zi") else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        // `Z NAME …` is a zone, `L TARGET NAME` an alias (zic(8)).
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        let isLink = words.first == [UInt8(ascii: "L")]
        guard isLink || words.first == [UInt8(ascii: "Z")], words.count > (isLink ? 2 : 1) else { continue }
        names.append(String(decoding: words[isLink ? 2 : 1], as: UTF8.self))
      }
      return names.filter(isZoneName)
    }
    return names
  }

  static var directories: [String] {
    var directories = ["/usr/share/zoneinfo"]
    if let variable = environmentVariable("TZDIR") { directories.insert(variable, at: 0) }
    return directories
  }

  /// The machine's zone: from `$TZ` if set, else from the file.
  static func local(
    _ variable: String?, file: String = "/etc/localtime"
  ) throws(TimeZoneError) -> TimeZone {
    guard var value = variable else {
      if let zone = try read(file) { return zone }
      var status = stat()
      guard lstat(file, &status) != 0 else { throw .unreadable(path: file, errno: ENOENT) }
      return .utc
    }
    if value.hasPrefix(":") { value.removeFirst() }
    if value.isEmpty { return .utc }
    if value.hasPrefix("/") {
      guard let zone = try read(value) else { throw .unknownZone(value) }
      return zone
    }
    if let zone = try? find(value) { return zone }
    if let zone = try? TimeZone(posix: value) { return zone }
    throw .unknownZone(value)
  }

  private static func find(_ name: String) throws(TimeZoneError) -> TimeZone {
    guard isZoneName(name) else { throw .invalidName(name) }
    for path in databaseFiles(name) {
      guard let bytes = try ZoneFile.read(path) else { continue }
      return TimeZone(name: name, data: try TZif(parsing: bytes))
    }
    // UTC works even without tzdata.
    if name == "UTC" || name == "Etc/UTC" { return TimeZone(name: name, data: utc.data) }
    throw .unknownZone(name)
  }

  /// Nil when there is no such file.
  private static func read(_ path: String) throws(TimeZoneError) -> TimeZone? {
    guard let bytes = try ZoneFile.read(path) else { return nil }
    return TimeZone(name: zoneName(ofPath: path) ?? "local", data: try TZif(parsing: bytes))
  }

  /// Whether a name has at most 255 bytes and consists of ASCII letters, digits and `_+-`, in parts joined by
  /// single slashes: no `..`, no leading slash.
  package static func isZoneName(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 255 else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      part in
      !part.isEmpty
        && part.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }

  /// The zone's name, such as `Europe/London`, if the path, or the target of a link there, is below a
  /// directory called `zoneinfo`.
  private static func zoneName(ofPath path: String) -> String? {
    let parts = (linkTarget(path) ?? path).split(separator: "/")
    guard let root = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[(root + 1)...].joined(separator: "/")
    return isZoneName(name) ? name : nil
  }
}

private enum ZoneFile {
  /// The maximum size of a file, in bytes; the largest file of the zone database has about 3 KiB.
  static let maximumSize = 1 << 20

  /// Nil when there is no such file. Never blocks, whatever kind of file it is.
  static func read(_ path: String) throws(TimeZoneError) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, limit: maximumSize)
    } catch {
      switch error.errno.rawValue {
      case ENOENT, ENOTDIR: return nil
      case EISDIR, EINVAL: throw .malformed("\(path) is not a regular file")
      case EFBIG: throw .malformed("\(path) is too large for a zone")
      default: throw .unreadable(path: path, errno: error.errno.rawValue)
      }
    }
  }
}
