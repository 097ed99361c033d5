// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// A terminal in raw mode, with a queue of unsent bytes.
final class Terminal {
  /// Called when all bytes have been written; more may be sent.
  var drained: () -> Void = {}
  /// Called when the terminal hung up or writing failed; nothing more can be sent.
  var lost: (SystemError) -> Void = { _ in }

  /// The terminal's device name as returned by `ttyname`, without `/dev/`: `pts/3`.
  let name: String
  private let mode: TerminalMode
  private let descriptor: FileDescriptor
  private let reset: String
  private var watch: EventLoop.Watch?
  private var unsent: [UInt8] = []
  private var sent = 0

  /// - Parameter reset: written at the end and on a crash to restore the terminal.
  init(fileDescriptor: Int32, reset: String, on loop: EventLoop) throws(SystemError) {
    guard isatty(fileDescriptor) == 1 else {
      throw SystemError(
        "isatty", "standard output", hint: "it is not a terminal; use --display headless or --display kms")
    }
    descriptor = try Self.reopen(fileDescriptor)
    name = Self.name(fileDescriptor)
    self.reset = reset
    mode = try TerminalMode(fileDescriptor: descriptor.rawValue)
    try CrashGuard.setTerminalReset(
      fd: descriptor.rawValue, bytes: Array(reset.utf8), attributes: mode.saved)
    watch = try loop.watch(descriptor.rawValue, for: []) { [weak self] in self?.ready($0) }
  }

  deinit { close() }

  /// Opens the terminal again, because non-blocking mode belongs to the open file description, which stdout
  /// shares with the shell and other programs. If the terminal belongs to another user (after `su`), only
  /// /dev/tty can be opened.
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
  var size: (columns: Int, rows: Int) { mode.size }

  var isLost: Bool { watch == nil }

  var isDrained: Bool { watch != nil && sent == unsent.count }

  /// Returns the last frame's buffer, emptied, so that its memory is reused. Call it only while `isDrained`.
  func takeBuffer() -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &unsent)
    sent = 0
    buffer.removeAll(keepingCapacity: true)
    return buffer
  }

  /// Sends `bytes`. `isDrained` may be false for a while afterwards.
  func send(_ bytes: [UInt8]) {
    unsent = bytes
    sent = 0
    write()
  }

  /// Sends `text` after the bytes that are still unsent, which may end in the middle of a sequence.
  func sendUrgently(_ text: String) {
    unsent += text.utf8
    write()
  }

  /// Restores the terminal.
  func close() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    // Unsent output on a slow link would leave no buffer space for the reset.
    if sent < unsent.count { tcflush(descriptor.rawValue, TCOFLUSH) }
    let bytes = Array(reset.utf8)
    _ = Glibc.write(descriptor.rawValue, bytes, bytes.count)
    CrashGuard.clearTerminalReset()
    mode.restore()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    guard readiness.isDisjoint(with: [.hangup, .failed]) else {
      return fail(SystemError("write", name, errno: Errno(rawValue: EIO)))
    }
    write()
    if isDrained { drained() }
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
    try? watch.update(sent == unsent.count ? [] : .writable)
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
