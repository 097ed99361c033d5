// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The socket of one client of the server, with its machine.
final class ControlClientConnection {
  let id: UInt64
  let descriptor: FileDescriptor
  var machine: ControlConnection
  var watch: EventLoop.Watch?
  var isPumping = false
  /// When the client was last heard of.
  private(set) var lastActive = SystemClock.monotonic.now
  private var interest: EventLoop.Readiness = .readable

  private static let chunk = 64 * 1024

  init(id: UInt64, descriptor: consuming FileDescriptor, limits: ControlConnection.Limits) {
    self.id = id
    self.descriptor = descriptor
    machine = ControlConnection(limits: limits)
  }

  /// Tells the machine what the socket is ready for.
  func take(_ readiness: EventLoop.Readiness) {
    lastActive = SystemClock.monotonic.now
    // Both directions are down. epoll would report it for ever, so the watch ends here.
    if !readiness.isDisjoint(with: [.hangup, .failed]) { return vanish() }
    if readiness.contains(.writable) { machine.becameWritable() }
    if readiness.contains(.readable) { _ = receive() }
  }

  private enum Received { case bytes, nothing, end }

  /// One read; the loop calls again while there is more. The corresponding C function is `recv`.
  private func receive() -> Received {
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
      count = recv(descriptor.rawValue, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      initialized = max(0, count)
    }
    if count > 0 {
      machine.received(bytes)
      return .bytes
    }
    if count == 0 {
      machine.inputEnded()
      return .end
    }
    if errno == EAGAIN || errno == EINTR { return .nothing }
    machine.peerVanished()
    return .end
  }

  /// The peer is gone. What it sent before is in the socket's buffer, which grows no more: it is taken
  /// in, for it may hold calls that want no reply.
  private func vanish() {
    watch?.cancel()
    watch = nil
    while receive() == .bytes {}
    machine.peerVanished()
  }

  /// The corresponding C function is `send`; never raises SIGPIPE.
  func send() {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = machine.unsent.withUnsafeBytes {
      Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, flags)
    }
    if count >= 0 { return machine.sent(count) }
    switch errno {
    case EAGAIN, EINTR, ENOBUFS, ENOMEM: machine.sent(0)
    default: vanish()
    }
  }

  func shutdownWriting() { _ = shutdown(descriptor.rawValue, Int32(SHUT_WR)) }

  /// False if epoll refuses.
  func updateInterest() -> Bool {
    var wanted: EventLoop.Readiness = []
    if machine.wantsToRead { wanted.insert(.readable) }
    if machine.wantsToWrite { wanted.insert(.writable) }
    guard let watch, wanted != interest else { return true }
    do throws(SystemError) { try watch.update(wanted) } catch { return false }
    interest = wanted
    return true
  }
}
