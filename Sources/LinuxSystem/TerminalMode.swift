// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Puts a terminal into a raw mode for drawing: no echo, no line editing and no output translation until
/// `restore()`. Ctrl-C still sends SIGINT; Ctrl-Z and Ctrl-\ do nothing, and Ctrl-S does not stop output.
package final class TerminalMode {
  /// The original attributes, for the crash guard.
  package let saved: termios
  /// A duplicate of the terminal's descriptor, so that the terminal can be restored whenever this object is destroyed.
  private let descriptor: FileDescriptor
  /// False until the attributes are set: a background job that restored them would be stopped (SIGTTOU).
  private var isRaw = false

  /// Fails with ENOTTY if `fileDescriptor` is not a terminal, and with EIO in a background job, which may not
  /// change its terminal. The corresponding C functions are `tcgetattr` and `tcsetattr`.
  package init(fileDescriptor: Int32) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try retryingInterrupts("fcntl", "duplicate") {
        clinux_fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 3)
      })
    var attributes = termios()
    _ = try retryingInterrupts("tcgetattr") { tcgetattr(fileDescriptor, &attributes) }
    saved = attributes
    let foreground = tcgetpgrp(fileDescriptor)
    // −1: not our controlling terminal, so job control does not apply.
    guard foreground < 0 || foreground == getpgrp() else {
      throw SystemError("tcsetattr", errno: Errno(rawValue: EIO), hint: "run it in the foreground")
    }
    attributes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
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

  /// The size in character cells; 0×0 if the terminal does not report it. The corresponding request is
  /// TIOCGWINSZ.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard clinux_ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return (0, 0) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Restores the terminal and discards pending input, so that the shell does not read it. Does not wait for
  /// output that the terminal has not accepted yet.
  package func restore() {
    guard isRaw else { return }
    isRaw = false
    tcflush(descriptor.rawValue, TCIFLUSH)
    var attributes = saved
    tcsetattr(descriptor.rawValue, TCSANOW, &attributes)
  }
}
