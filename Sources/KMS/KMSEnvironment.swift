// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Uevents

/// The system interfaces that `KMSDisplays` uses; tests replace them.
struct KMSEnvironment {
  var cards: any CardSource
  var hotplug: any HotplugSource
  var console: any ConsoleControl
  var prober: any ConnectorProbing
  /// The bytes of memory that are free or can be freed; nil if not known.
  var availableMemory: () -> Int? = { MemoryInformation.available }
  var timings = KMSTimings()
}

/// Timeouts and intervals, in nanoseconds.
struct KMSTimings: Hashable, Sendable {
  /// A flip that takes longer than this counts as lost, except on a display that is known to take longer.
  var watchdog: Int64 = 1_500_000_000
  /// The interval between searches while there is no display. After about a minute it is longer if hotplug
  /// events work.
  var slowProbe: Int64 = 10_000_000_000
  /// How long a mode that the kernel rejected is not tried again while another is shown.
  var forgiveness: Int64 = 3_600_000_000_000
  /// The interval between the first looks at a connected display without an EDID.
  var quickLook: Int64 = 5_000_000_000
  /// How long to wait for a native driver before using the firmware's framebuffer.
  var firmwareGrace: Int64 = 8_000_000_000
  /// The delay between the first uevent of a burst and the search.
  var settle: Int64 = 50_000_000
  /// The maximum time to wait for a flip in flight before its buffer or the master is given up.
  var drain: Int64 = 200_000_000
}

/// Lists and opens cards. `CardDirectory` is the implementation for real hardware.
protocol CardSource: AnyObject {
  /// The directory that is searched, for messages.
  var directory: String { get }
  /// The existing card nodes, sorted by number.
  func paths() -> [String]
  /// Resolves symbolic links in a path; returns the path itself if it does not exist.
  func resolve(_ path: String) -> String
  func open(_ path: String) throws(SystemError) -> DRMDevice
}

/// The card nodes in `/dev/dri`.
final class CardDirectory: CardSource {
  let directory: String
  let allowAtomic: Bool
  /// Where the kernel links each card to its device.
  private let sysfs: String
  /// The device of each path that was resolved. With it, a card is found again when its number has changed.
  private var devices: [String: String] = [:]

  init(_ directory: String = "/dev/dri", sysfs: String = "/sys/class/drm", allowAtomic: Bool = true) {
    self.directory = directory
    self.sysfs = sysfs
    self.allowAtomic = allowAtomic
  }

  /// The corresponding C function is `readdir`.
  func paths() -> [String] {
    let numbers = (fileNames(in: directory) ?? []).compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return numbers.filter { $0 >= 0 }.sorted().map { "\(directory)/card\($0)" }
  }

  /// The corresponding C function is `realpath`. A card that was known by this path and has another number
  /// now, because its driver was bound again, is found by its device.
  func resolve(_ path: String) -> String {
    let resolved = realPath(path)
    let device = resolved.flatMap { self.device(of: $0) }
    if let known = devices[path], known != device,
      let moved = paths().first(where: { self.device(of: $0) == known })
    {
      return moved
    }
    if let device { devices[path] = device }
    return resolved ?? path
  }

  private func device(of path: String) -> String? {
    path.split(separator: "/").last.flatMap { realPath("\(sysfs)/\($0)/device") }
  }

  private func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  func open(_ path: String) throws(SystemError) -> DRMDevice {
    try DRMDevice(path, LibDRM(opening: path), allowAtomic: allowAtomic)
  }
}

/// Calls a handler when cards or connectors may have changed: with the paths of the cards, or nil if they are
/// not known.
protocol HotplugSource: AnyObject {
  func start(on loop: EventLoop, handler: @escaping (Set<String>?) -> Void) throws(SystemError)
  func stop()
}

extension UeventMonitor: HotplugSource {}

enum MemoryInformation {
  /// The possible paths of proc_meminfo(5). `ProcSubset=pid` hides the file in /proc; the unit binds it to
  /// the other path.
  static let paths = ["/proc/meminfo", "/run/flipclock/meminfo"]

  /// `MemAvailable` in bytes. No other interface has it: sysinfo(2) lacks the page cache, which the kernel
  /// can free.
  static var available: Int? { available(in: paths) }

  /// The value in the first file that has one.
  static func available(in paths: [String]) -> Int? {
    for path in paths {
      guard let text = try? readFile(path, limit: 1 << 16) else { continue }
      let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first {
        $0.hasPrefix("MemAvailable:")
      }
      if let size = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return size * 1024 }
    }
    return nil
  }
}
