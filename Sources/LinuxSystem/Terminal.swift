// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A terminal in raw mode. Sending never blocks: bytes that the terminal does not accept at once are kept and
/// sent later.
package final class Terminal {
  /// Called when the terminal has accepted all bytes that waited, so that more may be sent.
  package var drained: () -> Void = {}
  /// Called when the terminal hung up, or reading or writing failed; nothing more can be sent.
  package var lost: (SystemError) -> Void = { _ in }

  /// The terminal's name as `ttyname` returns it, without `/dev/`: `pts/3`.
  package let name: String
  /// Receives the bytes of keys; nil if keys are not read.
  private let typed: (([UInt8]) -> Void)?
  // Declared before the descriptor, so that it is released before the descriptor is closed.
  private let mode: TerminalMode
  private let descriptor: FileDescriptor
  private let reset: String
  private var watch: EventLoop.Watch?
  private var unsent: [UInt8] = []
  private var sent = 0

  /// Fails with ENOTTY if `fileDescriptor` is not a terminal, and with EIO in a background job.
  ///
  /// - Parameters:
  ///   - reset: the bytes that restore the terminal, at the end and on a crash.
  ///   - typed: receives the bytes of keys; nil if keys are not to be read.
  package init(
    fileDescriptor: Int32, reset: String, on loop: EventLoop, typed: (([UInt8]) -> Void)? = nil
  ) throws(SystemError) {
    self.typed = typed
    descriptor = try Self.reopen(fileDescriptor)
    name = Self.name(fileDescriptor)
    self.reset = reset
    mode = try TerminalMode(fileDescriptor: descriptor.rawValue)
    try CrashGuard.setTerminalReset(
      fd: descriptor.rawValue, bytes: Array(reset.utf8), attributes: mode.saved)
    watch = try loop.watch(descriptor.rawValue, for: typed == nil ? [] : .readable) {
      [weak self] in self?.ready($0)
    }
  }

  deinit { close() }

  /// Opens the terminal again, because non-blocking mode would affect other programs that share the open
  /// file, such as the shell. Only /dev/tty may be opened if the terminal belongs to another user (after
  /// `su`).
  private static func reopen(_ fileDescriptor: Int32) throws(SystemError) -> FileDescriptor {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY
    do {
      return try FileDescriptor(opening: "/proc/self/fd/\(fileDescriptor)", flags)
    } catch {
      return try FileDescriptor(opening: "/dev/tty", flags)
    }
  }

  private static func name(_ fileDescriptor: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: 64)
    guard ttyname_r(fileDescriptor, &bytes, bytes.count) == 0 else { return "tty" }
    let path = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasPrefix("/dev/") ? String(path.dropFirst(5)) : path
  }

  /// The size in character cells; 0×0 if the terminal does not report it.
  package var size: (columns: Int, rows: Int) { mode.size }

  package var isLost: Bool { watch == nil }

  package var isDrained: Bool { watch != nil && sent == unsent.count }

  /// Returns the buffer of the last frame, emptied, so that its memory is reused. Call it only while
  /// `isDrained`.
  package func takeBuffer() -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &unsent)
    sent = 0
    buffer.removeAll(keepingCapacity: true)
    return buffer
  }

  /// Sends `bytes`. Call it only while `isDrained`, which may be false afterwards.
  package func send(_ bytes: [UInt8]) {
    unsent = bytes
    sent = 0
    write()
  }

  /// Sends `text` after the bytes that the terminal has not accepted yet.
  package func sendUrgently(_ text: String) {
    unsent += text.utf8
    write()
  }

  /// Restores the terminal.
  package func close() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    // Discard output that a slow link has not accepted yet, so that there is space for the reset.
    if sent < unsent.count { tcflush(descriptor.rawValue, TCOFLUSH) }
    let bytes = Array(reset.utf8)
    _ = Glibc.write(descriptor.rawValue, bytes, bytes.count)
    CrashGuard.clearTerminalReset()
    mode.restore()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.readable) { read() }
    guard watch != nil else { return }
    guard readiness.isDisjoint(with: [.hangup, .failed]) else {
      return fail(SystemError("write", name, errno: Errno(rawValue: EIO)))
    }
    guard readiness.contains(.writable) else { return }
    write()
    if isDrained { drained() }
  }

  private func read() {
    guard let typed else { return }
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
      count = Glibc.read(descriptor.rawValue, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count > 0 { return typed(bytes) }
    let error = count == 0 ? Errno(rawValue: EIO) : Errno.current
    if error.rawValue != EAGAIN, error.rawValue != EINTR { fail(SystemError("read", name, errno: error)) }
  }

  private func write() {
    guard let watch else { return }
    while sent < unsent.count {
      let start = sent
      let count = unsent.withUnsafeBytes {
        Glibc.write(descriptor.rawValue, $0.baseAddress.map { $0 + start }, $0.count - start)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return fail(SystemError("write", name))
      }
    }
    var interest: EventLoop.Readiness = typed == nil ? [] : .readable
    if sent < unsent.count { interest.insert(.writable) }
    try? watch.update(interest)
  }

  private func fail(_ error: SystemError) {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    CrashGuard.clearTerminalReset()
    mode.restore()
    lost(error)
  }
}
