// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The connection to systemd: sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3), implemented from
/// their documented protocols without libsystemd. Without a service manager, no message is sent and no error
/// is returned.
package final class ServiceManager {
  /// A socket that systemd opened (`LISTEN_FDS`). The caller that takes it from the list owns it.
  package struct ListenFileDescriptor: Hashable, Sendable {
    package var rawValue: Int32
    /// The name in LISTEN_FDNAMES (`FileDescriptorName=` of the socket unit); `unknown` if there is none.
    package var name: String
  }

  static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  private let address: UnixAddress?
  /// The descriptor of the notification socket; −1 without a manager.
  private let socket: Int32
  private var listening: [ListenFileDescriptor]

  /// The watchdog timeout in nanoseconds (`WATCHDOG_USEC`); nil without a watchdog. If `watchdog()` is not
  /// called again within this time, systemd kills the service. Call it twice per interval.
  package let watchdogInterval: Int64?

  /// Whether there is a service manager.
  package var isPresent: Bool { socket >= 0 }

  /// Reads the environment variables and unsets them, so that child processes do not use them. Call it before
  /// starting a second thread.
  package convenience init() {
    self.init(environment: environmentVariable, unset: { unsetenv($0) })
  }

  init(
    environment: (String) -> String?, unset: (String) -> Void = { _ in }, firstListenDescriptor: Int32 = 3
  ) {
    let address = environment("NOTIFY_SOCKET").flatMap(Self.parseAddress)
    self.address = address
    var opened: Int32 = -1
    if address != nil {
      opened = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    socket = opened
    if opened >= 0 {
      // Sending waits for a busy manager, so that the message arrives, but at most a second, in case it
      // hangs.
      var limit = timeval(tv_sec: 1, tv_usec: 0)
      setsockopt(opened, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    /// Whether the variable contains this process's ID; nil if it is not set.
    func mine(_ variable: String) -> Bool? { environment(variable).map { $0 == String(getpid()) } }
    watchdogInterval =
      mine("WATCHDOG_PID") == false
      ? nil : environment("WATCHDOG_USEC").flatMap(Self.parseInterval)
    listening =
      mine("LISTEN_PID") == true
      ? Self.parseListening(
        environment("LISTEN_FDS"), names: environment("LISTEN_FDNAMES"), first: firstListenDescriptor) : []
    for variable in Self.variables { unset(variable) }
  }

  deinit { if socket >= 0 { close(socket) } }

  /// Reports that the service is ready, or that a reload is complete.
  @discardableResult
  package func ready(status: String? = nil) -> SystemError? {
    send(status.map { "READY=1\nSTATUS=" + Self.oneLine($0) } ?? "READY=1", mayWait: true)
  }

  /// Sets the status line that `systemctl status` prints.
  @discardableResult
  package func status(_ text: String) -> SystemError? {
    send("STATUS=" + Self.oneLine(text), mayWait: false)
  }

  /// Reports that a reload begins; `ready` ends it. The message includes the time, as `Type=notify-reload`
  /// requires.
  @discardableResult
  package func reloading() -> SystemError? {
    let now = SystemClock.monotonic.now
    let microseconds = now.seconds * 1_000_000 + Int64(now.nanoseconds / 1000)
    return send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", mayWait: true)
  }

  @discardableResult
  package func stopping() -> SystemError? { send("STOPPING=1", mayWait: true) }

  /// Resets the watchdog's timeout.
  @discardableResult
  package func watchdog() -> SystemError? { send("WATCHDOG=1", mayWait: false) }

  /// Returns the sockets of the socket unit, close-on-exec. A second call returns none.
  package func listenFileDescriptors() -> [ListenFileDescriptor] {
    let result = listening
    listening = []
    return result
  }

  private func send(_ message: String, mayWait: Bool) -> SystemError? {
    guard let address, isPresent else { return nil }
    let bytes = Array(message.utf8)
    let flags = Int32(MSG_NOSIGNAL) | (mayWait ? 0 : Int32(MSG_DONTWAIT))
    do {
      _ = try retryingInterrupts("sendto", "the service manager") {
        address.withPointer { sendto(socket, bytes, bytes.count, flags, $0, $1) }
      }
      return nil
    } catch {
      return error
    }
  }
}

extension ServiceManager {
  /// Parses a path, or `@` and a name in the abstract namespace. Other address types (vsock) are not
  /// supported.
  static func parseAddress(_ text: String) -> UnixAddress? {
    switch text.utf8.first {
    case UInt8(ascii: "/"): try? UnixAddress(path: text)
    case UInt8(ascii: "@"): try? UnixAddress(abstract: String(text.dropFirst()))
    default: nil
    }
  }

  /// Converts microseconds to nanoseconds. Returns nil if the text is not a positive number, or for more than
  /// 292 years.
  static func parseInterval(_ text: String) -> Int64? {
    guard let microseconds = Int64(text), microseconds > 0 else { return nil }
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : nanoseconds
  }

  /// Returns the open descriptors from `first` on, each made close-on-exec.
  static func parseListening(_ count: String?, names: String?, first: Int32) -> [ListenFileDescriptor] {
    // systemd passes only a few descriptors; a count above 4096 is treated as invalid.
    guard let count = count.flatMap({ Int32($0) }), (1...4096).contains(count) else { return [] }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    var result: [ListenFileDescriptor] = []
    for index in 0..<count {
      let descriptor = first + index
      let flags = clinux_fcntl(descriptor, F_GETFD, 0)
      guard flags >= 0 else { continue }
      _ = clinux_fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
      let name = Int(index) < names.count ? String(names[Int(index)]) : "unknown"
      result.append(ListenFileDescriptor(rawValue: descriptor, name: name))
    }
    return result
  }

  /// Replaces control characters with spaces, because a newline would start another assignment.
  static func oneLine(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}
