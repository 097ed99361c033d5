// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Lists and opens cards. `CardDirectory` is the implementation for real hardware.
protocol CardSource: AnyObject {
  /// The directory that is searched, for messages.
  var directory: String { get }
  /// The existing card nodes, sorted by number.
  func paths() -> [String]
  /// Resolves symbolic links in a path; returns the path itself if it does not exist.
  func resolve(_ path: String) -> String
  func open(_ path: String) throws(SystemError) -> any KMSDevice
}

/// The card nodes in `/dev/dri`.
final class CardDirectory: CardSource {
  let directory: String
  let allowAtomic: Bool

  init(_ directory: String = "/dev/dri", allowAtomic: Bool = true) {
    self.directory = directory
    self.allowAtomic = allowAtomic
  }

  /// The corresponding C function is `readdir`.
  func paths() -> [String] {
    let numbers = (fileNames(in: directory) ?? []).compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return numbers.filter { $0 >= 0 }.sorted().map { "\(directory)/card\($0)" }
  }

  /// The corresponding C function is `realpath`.
  func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  func open(_ path: String) throws(SystemError) -> any KMSDevice {
    try DRMDevice(opening: path, allowAtomic: allowAtomic)
  }
}
