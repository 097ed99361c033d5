// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

extension VarlinkServer {
  /// The socket of a client and the state machine of its connection.
  final class Client {
    let id: UInt64
    let descriptor: FileDescriptor
    /// Nil if the kernel does not report it.
    let peer: PeerProcess?
    var machine: VarlinkConnection
    var watch: EventLoop.Watch?
    var isPumping = false
    /// The time of the last event on the client's socket; at first, the time of its connection.
    private(set) var lastActive = SystemClock.monotonic.now
    private var interest: EventLoop.Readiness = .readable

    private static let chunk = 64 * 1024

    init(id: UInt64, descriptor: consuming FileDescriptor, peer: PeerProcess?, machine: VarlinkConnection) {
      self.id = id
      self.descriptor = descriptor
      self.peer = peer
      self.machine = machine
    }

    /// Passes the readiness of the socket to the machine.
    func take(_ readiness: EventLoop.Readiness) {
      lastActive = SystemClock.monotonic.now
      // Both directions are closed. epoll would report this forever, so the watch ends here.
      if !readiness.isDisjoint(with: [.hangup, .failed]) { return vanish() }
      if readiness.contains(.writable) { machine.becameWritable() }
      if readiness.contains(.readable) { _ = receive() }
    }

    /// Reads once; the loop calls again while there is more. Returns whether anything was read.
    private func receive() -> Bool {
      switch Received(from: descriptor.rawValue, limit: Self.chunk) {
      case .bytes(let bytes):
        machine.received(bytes)
        return true
      case .nothing: break
      case .end: machine.inputEnded()
      case .failed: machine.peerVanished()
      }
      return false
    }

    /// Called when the peer is gone. Reads what is still in the socket's buffer, because it may contain
    /// oneway calls.
    private func vanish() {
      watch?.cancel()
      watch = nil
      while receive() {}
      machine.peerVanished()
    }

    /// Sends what is unsent. Never raises SIGPIPE. The corresponding C function is `send`.
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

    /// False if epoll_ctl(2) fails.
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
}
