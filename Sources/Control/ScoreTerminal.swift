// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The terminal of `flipclockctl score`: keys in, pictures out. It never blocks: of pictures that a slow
/// link has not taken, only the latest is drawn.
final class ScoreTerminal {
  var typed: ([UInt8]) -> Void = { _ in }
  /// It hung up.
  var lost: () -> Void = {}
  /// All was taken; another picture may be drawn.
  var drained: () -> Void = {}

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private var mode: TerminalMode?
  private var watch: EventLoop.Watch?
  private var unsent: [UInt8] = []

  /// Opens the terminal that standard output is. Non-blocking mode belongs to the open file, which the shell
  /// shares: so the terminal is opened anew. Of another user's (after `su`) only /dev/tty may be.
  init(on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    descriptor = try Self.reopen(STDOUT_FILENO)
  }

  private static func reopen(_ fileDescriptor: Int32) throws(SystemError) -> FileDescriptor {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY
    do { return try FileDescriptor(opening: "/proc/self/fd/\(fileDescriptor)", flags) } catch {
      return try FileDescriptor(opening: "/dev/tty", flags)
    }
  }

  deinit { leave() }

  /// In character cells.
  var size: (columns: Int, rows: Int) {
    let size = mode?.size ?? (columns: 0, rows: 0)
    // A serial line does not know.
    return size.columns > 0 && size.rows > 0 ? size : (80, 24)
  }

  /// Another job of the shell has it. −1: it is gone, or not our controlling terminal.
  var isOthers: Bool {
    let foreground = tcgetpgrp(descriptor.rawValue)
    return foreground >= 0 && foreground != getpgrp()
  }

  var isDrained: Bool { mode != nil && unsent.isEmpty }

  /// Takes the terminal. Fails with EIO in a background job.
  func enter() throws(SystemError) {
    leave()
    let mode = try TerminalMode(fileDescriptor: descriptor.rawValue)
    try CrashGuard.setTerminalReset(
      fd: descriptor.rawValue, bytes: Array(ScoreScreen.reset.utf8), attributes: mode.saved)
    watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] in self?.ready($0) }
    self.mode = mode
    send(Array(ScoreScreen.setUp.utf8))
  }

  /// Gives the terminal back as it was; what it has not taken yet is not waited for.
  func leave() {
    guard let mode else { return }
    watch?.cancel()
    watch = nil
    if !unsent.isEmpty { tcflush(descriptor.rawValue, TCOFLUSH) }
    unsent = []
    let bytes = Array(ScoreScreen.reset.utf8)
    _ = Glibc.write(descriptor.rawValue, bytes, bytes.count)
    CrashGuard.clearTerminalReset()
    mode.restore()
    self.mode = nil
  }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    write()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.readable) { read() }
    guard watch != nil else { return }
    if !readiness.isDisjoint(with: [.hangup, .failed]) { return hangUp() }
    if readiness.contains(.writable) {
      write()
      if isDrained { drained() }
    }
  }

  private func read() {
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
      count = Glibc.read(descriptor.rawValue, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count > 0 { return typed(bytes) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    hangUp()
  }

  private func write() {
    guard let watch else { return }
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        unsent.removeFirst(count)
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return hangUp()
      }
    }
    try? watch.update(unsent.isEmpty ? .readable : [.readable, .writable])
  }

  private func hangUp() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    lost()
  }
}
