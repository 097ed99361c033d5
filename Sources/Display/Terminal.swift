// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// A terminal in raw mode and the bytes that are on their way to it.
final class Terminal {
  /// All bytes were taken; more may be sent.
  var drained: () -> Void = {}
  /// It hung up, or writing failed; nothing more can be sent.
  var lost: (SystemError) -> Void = { _ in }

  /// As `ttyname` has it: `pts/3`.
  let name: String
  // Before the descriptor, so that it goes before the descriptor is closed.
  private let mode: TerminalMode
  private let descriptor: FileDescriptor
  private let reset: String
  private var watch: EventLoop.Watch?
  private var unsent: [UInt8] = []
  private var sent = 0

  /// `reset` is what brings the terminal back, at the end and on a crash.
  init(fileDescriptor: Int32, reset: String, on loop: EventLoop) throws(SystemError) {
    guard isatty(fileDescriptor) == 1 else {
      throw SystemError(
        "isatty", "standard output", hint: "it is no terminal to draw on; try --display headless, or kms")
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

  /// Non-blocking mode belongs to the open file, which stdout shares with the shell and whoever else is
  /// on the terminal: so the terminal is opened anew. Of another user's (after `su`) only /dev/tty may be.
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

  /// In character cells; 0×0 if it does not know. The corresponding request is TIOCGWINSZ.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard clinux_ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return (0, 0) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  var isLost: Bool { watch == nil }

  var isDrained: Bool { watch != nil && sent == unsent.count }

  /// The buffer of the last frame, empty, so that its memory serves again. Only while `isDrained`.
  func takeBuffer() -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &unsent)
    sent = 0
    buffer.removeAll(keepingCapacity: true)
    return buffer
  }

  /// Sends `bytes`, after which `isDrained` may be false for a while.
  func send(_ bytes: [UInt8]) {
    unsent = bytes
    sent = 0
    write()
  }

  /// Sends `text` after what is under way, which may be in the middle of a sequence.
  func sendUrgently(_ text: String) {
    unsent += text.utf8
    write()
  }

  /// Puts the terminal back as it was.
  func close() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    // What a slow link has not taken yet would leave no room.
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
