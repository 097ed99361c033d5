// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Uevents

/// The system interfaces that `KMSDisplays` uses; tests replace them.
struct KMSEnvironment {
  var cards: any CardSource
  var hotplug: any HotplugSource
  var console: any ConsoleControl
  var timings = KMSTimings()
}

/// The output's timeouts and intervals, in nanoseconds.
struct KMSTimings: Hashable, Sendable {
  /// A flip that takes longer than this counts as lost.
  var watchdog: Int64 = 1_500_000_000
  /// The interval between searches while there is no display. It is lengthened after about a minute if uevents
  /// report changes.
  var slowProbe: Int64 = 10_000_000_000
  /// How long a mode that the kernel rejected is not tried again while another is shown.
  var forgiveness: Int64 = 3_600_000_000_000
  /// The interval between the first looks at a connected display without an EDID.
  var quickLook: Int64 = 5_000_000_000
  /// How long to wait for a native driver before using the firmware's framebuffer.
  var firmwareGrace: Int64 = 8_000_000_000
  /// The delay between the first uevent of a burst and the search.
  var settle: Int64 = 50_000_000
  /// The maximum time that `stop` waits for the flip in flight.
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
    try DRMDevice(path, LibDRM(opening: path), allowAtomic: allowAtomic)
  }
}

/// Calls a handler when cards or connectors may have changed: with the paths of the cards, or nil if they are not known.
protocol HotplugSource: AnyObject {
  func start(on loop: EventLoop, handler: @escaping (Set<String>?) -> Void) throws(SystemError)
  func stop()
}

/// Reports `drm` uevents.
final class HotplugMonitor: HotplugSource {
  private let monitor = UeventMonitor(subsystem: "drm")

  func start(on loop: EventLoop, handler: @escaping (Set<String>?) -> Void) throws(SystemError) {
    try monitor.start(on: loop, handler: handler)
  }

  func stop() { monitor.stop() }
}
