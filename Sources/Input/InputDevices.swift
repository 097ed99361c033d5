// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Uevents

/// The devices and keys to listen to.
package struct InputPreferences: Hashable, Sendable {
  /// Patterns for device names.
  package var devices: [String]
  /// Whether to grab the devices, so that other programs do not receive their keys.
  package var grab: Bool
  package var keys: [UInt16: KeyFilter.Rule]
  /// Nanoseconds.
  package var debounce: Int64

  package init(devices: [String], grab: Bool, keys: [UInt16: KeyFilter.Rule], debounce: Int64) {
    self.devices = devices
    self.grab = grab
    self.keys = keys
    self.debounce = debounce
  }
}

/// Listens to keyboards, presenters and number pads, and follows devices that are plugged in and removed.
/// Sleeps until there is a key event, a device changes, or opening a node is to be retried.
package final class InputDevices {
  private let preferences: InputPreferences
  private let directory: String
  private let loop: EventLoop
  private let log: Log
  private let pressed: (UInt16) -> Void
  private let monitor = UeventMonitor(subsystem: "input")
  private var filter: KeyFilter
  private var open: [Int: InputDevice] = [:]
  /// Nodes, with their inode numbers, that were checked and are not wanted or not usable.
  private var ignoredNodes: [String: UInt] = [:]
  private var nextNumber = 1
  private var hasWarned = false
  /// The time until which permission failures of a node are tolerated, by path, because udev may not have set
  /// the node's group yet. CLOCK_MONOTONIC, nanoseconds.
  private var denied: [String: Int64] = [:]
  private var grace: LoopTimer?
  private let graceNanoseconds: Int64
  private let openDevice: (String) throws(SystemError) -> InputDevice

  /// - Parameters:
  ///   - directory: the directory with the event nodes.
  ///   - pressed: receives the code of each key press that counts.
  package convenience init(
    _ preferences: InputPreferences, directory: String = "/dev/input", on loop: EventLoop,
    log: Log, pressed: @escaping (UInt16) -> Void
  ) {
    self.init(
      preferences, directory: directory, grace: 2_000_000_000, on: loop,
      openDevice: { (path: String) throws(SystemError) in try InputDevice(opening: path) }, log: log,
      pressed: pressed)
  }

  /// - Parameter grace: for how many nanoseconds opening a node is retried after a permission failure before
  ///   the failure is logged.
  init(
    _ preferences: InputPreferences, directory: String, grace: Int64, on loop: EventLoop,
    openDevice: @escaping (String) throws(SystemError) -> InputDevice,
    log: Log, pressed: @escaping (UInt16) -> Void
  ) {
    self.preferences = preferences
    self.openDevice = openDevice
    self.directory = directory
    graceNanoseconds = grace
    self.loop = loop
    self.log = log
    self.pressed = pressed
    filter = KeyFilter(rules: preferences.keys, debounce: preferences.debounce)
  }

  /// Starts listening. If uevents do not work, only the devices that are plugged in now are used.
  package func start() {
    do throws(SystemError) {
      try monitor.start(on: loop) { [weak self] _ in self?.scan() }
    } catch {
      log.warning("\(error); devices that are plugged in later will not be noticed")
    }
    grace = try? LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.scan() }
    scan()
  }

  package func stop() {
    monitor.stop()
    grace?.cancel()
    grace = nil
    open.removeAll()
  }

  private func scan() {
    let known = Set(open.values.map(\.path))
    let paths = nodes()
    ignoredNodes = ignoredNodes.filter { paths.contains($0.key) }
    denied = denied.filter { paths.contains($0.key) }
    for path in paths where !known.contains(path) {
      var status = stat()
      guard stat(path, &status) == 0, ignoredNodes[path] != UInt(status.st_ino) else { continue }
      do throws(SystemError) {
        if try !listen(to: path) { ignoredNodes[path] = UInt(status.st_ino) }
        denied[path] = nil
      } catch {
        // udev may not have set the node's group yet; opening the node is retried later and at the next
        // uevent.
        if error.errno.rawValue == EACCES, isNew(path) { continue }
        report(error)
        if error.errno.rawValue != EACCES { ignoredNodes[path] = UInt(status.st_ino) }
      }
    }
    let now = SystemClock.monotonic.now.totalNanoseconds
    if let next = denied.values.filter({ $0 > now }).min() {
      grace?.arm(at: ClockTime(totalNanoseconds: min(next, now + graceNanoseconds / 8)))
    }
  }

  /// Whether a node that the process has no permission to open has been denied for less than the grace time.
  private func isNew(_ path: String) -> Bool {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let end = denied[path] ?? now + graceNanoseconds
    denied[path] = end
    return grace != nil && now < end
  }

  private func nodes() -> [String] {
    (fileNames(in: directory) ?? []).filter { $0.hasPrefix("event") && Int($0.dropFirst(5)) != nil }
      .map { "\(directory)/\($0)" }
  }

  /// Opens the device and starts listening to it. Returns false if the device is not wanted.
  private func listen(to path: String) throws(SystemError) -> Bool {
    let device = try openDevice(path)
    guard preferences.devices.contains(where: { Glob($0).matches(device.name) }),
      device.hasAny(of: filter.codes)
    else { return false }
    if preferences.grab {
      do throws(SystemError) { try device.grab() } catch {
        log.warning("\(device.name): \(error); another program has grabbed it")
      }
    }
    let number = nextNumber
    nextNumber += 1
    try device.start(
      on: loop,
      key: { [weak self] event in
        guard let self else { return }
        // The kernel's console does not receive the keys of a grabbed device.
        let withAlt = event.withAlt && !self.preferences.grab
        if self.filter.counts(
          device: number, code: event.code, value: event.value, at: event.time, withAlt: withAlt)
        {
          self.pressed(event.code)
        }
      },
      gone: { [weak self] in
        guard let self, let device = self.open.removeValue(forKey: number) else { return }
        self.filter.forget(device: number)
        self.log.info("\(device.name) was removed")
      })
    open[number] = device
    log.info("listening to keys from \(device.name) (\(path))")
    return true
  }

  private func report(_ error: SystemError) {
    guard error.errno.rawValue == EACCES || error.errno.rawValue == EPERM else {
      // The node is gone again, or it is not an event device.
      return log.debug("\(error)")
    }
    guard !hasWarned else { return }
    hasWarned = true
    log.warning("\(error); the user must be in the group 'input': 'sudo usermod -aG input USER'")
  }
}
