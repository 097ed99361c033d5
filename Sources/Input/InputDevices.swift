// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Uevents

/// What to listen to.
public struct InputPreferences: Hashable, Sendable {
  /// Patterns of devices' names.
  public var devices: [String]
  /// Other programs get none of the devices' keys.
  public var grab: Bool
  public var keys: [UInt16: KeyFilter.Rule]
  /// Nanoseconds.
  public var debounce: Int64

  public init(devices: [String], grab: Bool, keys: [UInt16: KeyFilter.Rule], debounce: Int64) {
    self.devices = devices
    self.grab = grab
    self.keys = keys
    self.debounce = debounce
  }
}

/// The keyboards, presenters and number pads that are plugged in, as they come and go. Sleeps until a key
/// or a device moves.
public final class InputDevices {
  private let preferences: InputPreferences
  private let directory: String
  private let loop: EventLoop
  private let log: (Log.Level, String) -> Void
  private let pressed: (UInt16) -> Void
  private let monitor = UeventMonitor(subsystem: "input")
  private var filter: KeyFilter
  private var open: [Int: InputDevice] = [:]
  /// Nodes that were looked at and are not wanted, or cannot be used.
  private var passedOver: [String: UInt] = [:]
  private var nextNumber = 1
  private var hasComplained = false

  /// - Parameters:
  ///   - directory: of the event nodes.
  ///   - pressed: gets the code of each press that counts.
  public init(
    _ preferences: InputPreferences, directory: String = "/dev/input", on loop: EventLoop,
    log: @escaping (Log.Level, String) -> Void, pressed: @escaping (UInt16) -> Void
  ) {
    self.preferences = preferences
    self.directory = directory
    self.loop = loop
    self.log = log
    self.pressed = pressed
    filter = KeyFilter(rules: preferences.keys, debounce: preferences.debounce)
  }

  /// Listens; without uevents only to what is plugged in now.
  public func start() {
    do throws(SystemError) {
      try monitor.start(on: loop) { [weak self] in self?.look() }
    } catch {
      log(.warning, "\(error); keyboards that are plugged in later will not be noticed")
    }
    look()
  }

  public func stop() {
    monitor.stop()
    open.removeAll()
  }

  private func look() {
    let known = Set(open.values.map(\.path))
    let paths = nodes()
    passedOver = passedOver.filter { paths.contains($0.key) }
    for path in paths where !known.contains(path) {
      var status = stat()
      guard stat(path, &status) == 0, passedOver[path] != UInt(status.st_ino) else { continue }
      do throws(SystemError) {
        if try !listen(to: path) { passedOver[path] = UInt(status.st_ino) }
      } catch {
        complain(error)
        // A node whose group udev has yet to set is looked at again with the next event.
        if error.errno.rawValue != EACCES { passedOver[path] = UInt(status.st_ino) }
      }
    }
  }

  private func nodes() -> [String] {
    (fileNames(in: directory) ?? []).filter { $0.hasPrefix("event") && Int($0.dropFirst(5)) != nil }
      .map { "\(directory)/\($0)" }
  }

  /// False if the device is not wanted.
  private func listen(to path: String) throws(SystemError) -> Bool {
    let device = try InputDevice(opening: path)
    guard preferences.devices.contains(where: { Glob($0).matches(device.name) }),
      device.hasAny(of: filter.codes)
    else { return false }
    if preferences.grab {
      do throws(SystemError) { try device.grab() } catch {
        log(.warning, "\(device.name): \(error); another program has grabbed it")
      }
    }
    let number = nextNumber
    nextNumber += 1
    try device.start(
      on: loop,
      key: { [weak self] event in
        guard let self else { return }
        if self.filter.counts(device: number, code: event.code, value: event.value, at: event.time) {
          self.pressed(event.code)
        }
      },
      gone: { [weak self] in
        guard let self, let device = self.open.removeValue(forKey: number) else { return }
        self.filter.forget(device: number)
        self.log(.info, "\(device.name) is gone")
      })
    open[number] = device
    log(.info, "keys come from \(device.name) (\(path))")
    return true
  }

  private func complain(_ error: SystemError) {
    guard error.errno.rawValue == EACCES || error.errno.rawValue == EPERM else {
      // Gone again, or no event device.
      return log(.debug, "\(error)")
    }
    guard !hasComplained else { return }
    hasComplained = true
    log(.warning, "\(error); keys come only to members of group 'input': 'sudo usermod -aG input USER'")
  }
}
