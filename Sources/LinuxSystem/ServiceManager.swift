// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What systemd is told and what it hands over: sd_notify(3), sd_watchdog_enabled(3) and
/// sd_listen_fds(3), by their documented protocols and without libsystemd. Without a service manager
/// everything here does nothing.
public final class ServiceManager {
  /// A socket that systemd opened (`LISTEN_FDS`); whoever takes it from the list owns it.
  public struct ListenFileDescriptor: Hashable, Sendable {
    public var rawValue: Int32
    /// `FileDescriptorName=` of the socket unit; `unknown` if it has none.
    public var name: String
  }

  static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  private let address: UnixAddress?
  /// −1 without a manager.
  private let socket: Int32
  private var listening: [ListenFileDescriptor]

  /// Within how many nanoseconds `watchdog()` must come again (`WATCHDOG_USEC`), or the service is
  /// killed: ping at half of it. Nil without a watchdog.
  public let watchdogInterval: Int64?

  /// There is somebody to tell.
  public var isPresent: Bool { socket >= 0 }

  /// Takes what the environment says and unsets it, so that no child takes itself for the service.
  /// Call it before there is a second thread.
  public convenience init() {
    self.init(environment: { getenv($0).map { String(cString: $0) } }, unset: { unsetenv($0) })
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
      // A message that must arrive waits for a manager that is busy, but never for one that hangs.
      var limit = timeval(tv_sec: 1, tv_usec: 0)
      setsockopt(opened, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    /// Whether `variable` names this process; nil if it is not set.
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

  /// The service is up, or has done with a reload.
  @discardableResult
  public func ready(status: String? = nil) -> SystemError? {
    send(status.map { "READY=1\nSTATUS=" + Self.oneLine($0) } ?? "READY=1", mayWait: true)
  }

  /// One line for `systemctl status`: what is shown.
  @discardableResult
  public func status(_ text: String) -> SystemError? {
    send("STATUS=" + Self.oneLine(text), mayWait: false)
  }

  /// A reload begins; `ready` ends it. The time goes in the same message, as `Type=notify-reload` wants.
  @discardableResult
  public func reloading() -> SystemError? {
    let now = SystemClock.monotonic.now
    let microseconds = now.seconds * 1_000_000 + Int64(now.nanoseconds / 1000)
    return send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", mayWait: true)
  }

  @discardableResult
  public func stopping() -> SystemError? { send("STOPPING=1", mayWait: true) }

  /// The loop makes progress.
  @discardableResult
  public func watchdog() -> SystemError? { send("WATCHDOG=1", mayWait: false) }

  /// The sockets of the socket unit, close-on-exec, once: a second call gives none.
  public func listenFileDescriptors() -> [ListenFileDescriptor] {
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
