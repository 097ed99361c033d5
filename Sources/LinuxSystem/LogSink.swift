// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Writes log records to a descriptor without waiting. Drops records that it does not accept at once: a
/// terminal that is stopped, or a pipe that nothing reads, must not stop the display. The next record that is
/// written is preceded by the number of dropped records.
///
/// It is `@unchecked Sendable` because each access to a `var` is under the mutex.
final class LogSink: @unchecked Sendable {
  private let descriptor: Int32
  private let style: Log.Style
  private let reopens: Bool
  private let mutex = Mutex()
  private var dropped = 0
  /// Whether the last record was written in part, without its end of line.
  private var isCut = false
  /// The file that is open at `own`.
  private var file: (device: dev_t, inode: ino_t)?
  /// A non-blocking descriptor of the same file, opened by this object; −1 if there is none. O_NONBLOCK on
  /// `descriptor` itself would also affect other processes that use the same terminal or pipe.
  private var own: Int32 = -1

  /// - Parameter reopens: whether to open the file again. False, for tests, acts as if that had failed, for
  ///   example because the file belongs to another user.
  init(_ descriptor: Int32, _ style: Log.Style, reopens: Bool = true) {
    (self.descriptor, self.style, self.reopens) = (descriptor, style, reopens)
  }

  deinit {
    if own >= 0 { close(own) }
  }

  func write(_ level: Log.Level, _ message: String) {
    let record = Log.record(level, message, style: style)
    mutex.locked { write(record) }
  }

  private func write(_ record: [UInt8]) {
    if dropped > 0 {
      let text = "\(dropped) message\(dropped == 1 ? " is" : "s are") missing here: the log was not read"
      guard put(Log.record(.warning, text, style: style)) else { return dropped += 1 }
      dropped = 0
    }
    if !put(record) { dropped += 1 }
  }

  /// Returns whether the whole record was written.
  private func put(_ record: [UInt8]) -> Bool {
    let record = isCut ? [UInt8(ascii: "\n")] + record : record
    let count = record.withUnsafeBytes { writeNow($0) }
    if count > 0 { isCut = count < record.count }
    return count == record.count
  }

  /// Returns the number of bytes that were written without waiting.
  private func writeNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK:
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      return Self.retrying { send(descriptor, bytes.baseAddress, bytes.count, flags) }
    case S_IFREG: return Self.retrying { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    default: break
    }
    if file.map({ $0 != (status.st_dev, status.st_ino) }) ?? true { reopen(status) }
    if own >= 0 { return Self.retrying { Glibc.write(own, bytes.baseAddress, bytes.count) } }
    // A pipe that is ready takes at least PIPE_BUF bytes, unless another process writes to it at the same
    // moment.
    var done = 0
    while done < bytes.count {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 0) == 1 else { break }
      let part = UnsafeRawBufferPointer(rebasing: bytes[done..<min(done + Int(PIPE_BUF), bytes.count)])
      let count = Self.retrying { Glibc.write(descriptor, part.baseAddress, part.count) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Opens the file of `descriptor`, at first and when it has become another file (dup2(2)).
  private func reopen(_ status: stat) {
    if own >= 0 { close(own) }
    file = (status.st_dev, status.st_ino)
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    own = reopens ? clinux_open("/proc/self/fd/\(descriptor)", flags, 0) : -1
  }

  /// Runs `call` until it no longer fails with EINTR. Returns 0 after any other error.
  private static func retrying(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }
}
