// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Puts a terminal into a raw mode for drawing: no echo, no line editing and no output translation until
/// `restore()`. Ctrl-Z and Ctrl-\ do nothing, and Ctrl-S does not stop output.
package final class TerminalMode {
  /// The original attributes, for the crash guard.
  package let saved: termios
  /// A duplicate of the terminal's descriptor, so that the terminal can be restored whenever this object is
  /// destroyed.
  private let descriptor: FileDescriptor
  /// False before the attributes are set: a background job that restored them would be stopped (SIGTTOU).
  /// False again after `restore()`.
  private var isRaw = false

  /// Fails with ENOTTY if `fileDescriptor` is not a terminal, and with EIO in a background job, which may not
  /// change its terminal. The corresponding C functions are `tcgetattr` and `tcsetattr`.
  ///
  /// - Parameter sendsSignals: whether Ctrl-C sends SIGINT.
  package init(fileDescriptor: Int32, sendsSignals: Bool = true) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try retryingInterrupts("fcntl", "duplicate") {
        clinux_fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 3)
      })
    var attributes = termios()
    _ = try retryingInterrupts("tcgetattr") { tcgetattr(fileDescriptor, &attributes) }
    saved = attributes
    guard Self.isForeground(fileDescriptor) else {
      throw SystemError("tcsetattr", errno: Errno(rawValue: EIO), hint: "run it in the foreground")
    }
    attributes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
    if !sendsSignals {
      attributes.c_iflag |= tcflag_t(IGNBRK)
      attributes.c_lflag &= ~tcflag_t(ISIG)
    }
    attributes.c_oflag &= ~tcflag_t(OPOST)
    attributes.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    withUnsafeMutableBytes(of: &attributes.c_cc) {
      // 0 is _POSIX_VDISABLE on Linux.
      for index in [VSUSP, VQUIT] { $0[Int(index)] = 0 }
    }
    _ = try retryingInterrupts("tcsetattr") { tcsetattr(fileDescriptor, TCSANOW, &attributes) }
    isRaw = true
  }

  deinit { restore() }

  /// Whether the process may change the terminal: its job is in the foreground, or job control does not
  /// apply, because the terminal is not its controlling terminal. The corresponding C function is
  /// `tcgetpgrp`.
  package static func isForeground(_ fileDescriptor: Int32) -> Bool {
    let foreground = tcgetpgrp(fileDescriptor)
    return foreground < 0 || foreground == getpgrp()
  }

  /// The size in character cells; 0×0 if the terminal does not report it. The corresponding request is
  /// TIOCGWINSZ.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard clinux_ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return (0, 0) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Restores the terminal and discards pending input, so that the shell does not read it. Does not wait for
  /// output that the terminal has not accepted yet. Does nothing in a background job, whose shell has set the
  /// terminal for itself.
  package func restore() {
    guard isRaw else { return }
    isRaw = false
    guard Self.isForeground(descriptor.rawValue) else { return }
    tcflush(descriptor.rawValue, TCIFLUSH)
    var attributes = saved
    tcsetattr(descriptor.rawValue, TCSANOW, &attributes)
  }
}
