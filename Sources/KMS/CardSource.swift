// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Where cards are found and opened; tests have their own.
protocol CardSource: AnyObject {
  /// The directory that is looked through, for messages.
  var directory: String { get }
  /// The card nodes there are, by number.
  func paths() -> [String]
  /// What a path leads to, symbolic links followed; the path itself if there is nothing.
  func resolve(_ path: String) -> String
  func open(_ path: String) throws(SystemError) -> any KMSDevice
}

/// The card nodes of `/dev/dri`.
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
