// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Reads config files. Reading neither blocks nor takes much memory, regardless of what the path names.
package enum ConfigFile {
  static let maximumSize = 1 << 20

  package enum Content {
    case bytes([UInt8])
    case missing
    /// The file is a link to /dev/null: it has no content, but hides the files of the same name in later
    /// directories (UAPI.6, Configuration Files Specification).
    case masked
    /// Why the file cannot be read, and what to do.
    case unreadable(message: String, hint: String?)
  }

  /// - Parameter reader: the user that has to be able to read the file.
  package static func read(_ path: String, reader: String) -> Content {
    var status = stat()
    guard stat(path, &status) == 0 else { return failure(.current, path, reader) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return .unreadable(message: "is a directory, not a config file", hint: nil)
    case S_IFIFO: return .unreadable(message: "is a FIFO, not a config file", hint: nil)
    case S_IFSOCK: return .unreadable(message: "is a socket, not a config file", hint: nil)
    // The device /dev/null under any name (on Linux, character device 1:3).
    case S_IFCHR where status.st_rdev == 0x103: return .masked
    default: return .unreadable(message: "is a device, not a config file", hint: nil)
    }
    do throws(SystemError) {
      return .bytes(try readFile(path, limit: maximumSize))
    } catch {
      if error.errno.rawValue == EFBIG { return tooLarge(Int(status.st_size)) }
      return failure(error.errno, path, reader)
    }
  }

  private static func failure(_ error: Errno, _ path: String, _ reader: String) -> Content {
    switch error.rawValue {
    case ENOENT, ENOTDIR:
      var status = stat()
      guard lstat(path, &status) == 0 else { return .missing }
      return .unreadable(message: "is a link to a file that does not exist", hint: nil)
    case EACCES, EPERM:
      return .unreadable(message: message(error), hint: "it must be readable by the user \(reader)")
    default: return .unreadable(message: message(error), hint: nil)
    }
  }

  /// What to report for a file that exists and cannot be read.
  package static func message(_ error: Errno) -> String { "cannot be read: \(error)" }

  private static func tooLarge(_ size: Int) -> Content {
    let size = size >= 10 << 20 ? "\(size >> 20) MiB" : "\(size >> 10) KiB"
    return .unreadable(message: "\(size) of config; at most 1 MiB is read", hint: nil)
  }
}

/// The content of a config's files at one moment. Two fingerprints of the same content are equal, even if
/// files were replaced or their time stamps have changed.
package struct ConfigFingerprint: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    /// A hash of the content, or of the reason why it cannot be read.
    var content: Int
    /// Whether this is a regular file without content.
    var isEmpty: Bool
  }

  private var marks: [String: Mark] = [:]

  /// The fingerprint of no files.
  package init() {}

  init(of sources: SettingsSources) {
    var paths = sources.mainFiles
    for directory in sources.dropInDirectories {
      if let names = fileNames(in: directory) {
        paths += names.filter { $0.hasSuffix(".toml") }.map { "\(directory)/\($0)" }
      } else if errno != ENOENT {
        marks[directory] = Mark(content: Int(errno), isEmpty: false)
      }
    }
    for path in paths { marks[path] = Self.mark(path) }
  }

  /// Nil if there is no such file. A dangling link has a mark, because it is an error of the config.
  private static func mark(_ path: String) -> Mark? {
    var hasher = Hasher()
    var isEmpty = false
    // Only the hint names the reader, and the hint is not part of the mark.
    switch ConfigFile.read(path, reader: "") {
    case .missing: return nil
    case .masked: hasher.combine(0)
    case .bytes(let bytes):
      isEmpty = bytes.isEmpty
      hasher.combine(bytes)
    case .unreadable(let message, _): hasher.combine(message)
    }
    return Mark(content: hasher.finalize(), isEmpty: isEmpty)
  }

  /// Whether a file was removed, emptied or created empty since `earlier`, as editors do in the middle of
  /// saving.
  package func mayBeUnfinished(since earlier: ConfigFingerprint) -> Bool {
    earlier.marks.keys.contains { marks[$0] == nil }
      || marks.contains { $0.value.isEmpty && earlier.marks[$0.key] != $0.value }
  }
}
