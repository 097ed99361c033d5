// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Restores the console and the terminal when one of these signals kills the process: SIGSEGV, SIGBUS,
/// SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGQUIT, SIGXCPU, SIGSYS. A Swift trap raises SIGILL or SIGTRAP.
///
/// The handler is written in C (`CrashGuard.c`). It makes only async-signal-safe calls, and what it restores
/// is registered beforehand. Then the signal is passed to its previous handler, so that exit status, core
/// dump and backtrace are those of the crash. The first registration installs the handler.
package enum CrashGuard {
  /// Registers a virtual terminal: a crash sets `keyboardMode` (KDSKBMODE), KD_TEXT and VT_AUTO on `fd`. If
  /// `attributes` are given, it first discards the terminal's input and sets them. The descriptor must stay
  /// open until `clearConsole()`.
  package static func setConsole(fd: Int32, keyboardMode: Int32, attributes: termios? = nil) {
    _ = clinux_crash_install()
    if var attributes {
      clinux_crash_set_console(fd, keyboardMode, &attributes)
    } else {
      clinux_crash_set_console(fd, keyboardMode, nil)
    }
  }

  package static func clearConsole() { clinux_crash_clear_console() }

  /// Registers a terminal: on a crash `bytes` (at most 256, otherwise fails with EMSGSIZE) are written to
  /// `fd`, and `attributes`, if given, are set on it. The descriptor must stay open until
  /// `clearTerminalReset()`.
  package static func setTerminalReset(
    fd: Int32, bytes: [UInt8], attributes: termios? = nil
  ) throws(SystemError) {
    _ = try retryingInterrupts("sigaction") { clinux_crash_install() }
    let result: Int32
    if var attributes {
      result = clinux_crash_set_terminal(fd, bytes, bytes.count, &attributes)
    } else {
      result = clinux_crash_set_terminal(fd, bytes, bytes.count, nil)
    }
    if result != 0 { throw SystemError("crash guard", "terminal reset of \(bytes.count) bytes") }
  }

  package static func clearTerminalReset() { clinux_crash_clear_terminal() }
}
