// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct TerminalModeTests {
  private func attributes(_ descriptor: Int32) -> termios {
    var value = termios()
    tcgetattr(descriptor, &value)
    return value
  }

  @Test("The terminal is raw until its original attributes are restored")
  func restores() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try pseudo.open()
    let before = attributes(terminal.rawValue)
    let mode = try TerminalMode(fileDescriptor: terminal.rawValue)
    let raw = attributes(terminal.rawValue)
    #expect(raw.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    #expect(raw.c_lflag & tcflag_t(ISIG) != 0)
    #expect(raw.c_oflag & tcflag_t(OPOST) == 0)
    // Input that was typed in the meantime is not left for the shell.
    _ = write(pseudo.main, "rm -r", 5)
    mode.restore()
    mode.restore()
    let after = attributes(terminal.rawValue)
    #expect(after.c_lflag == before.c_lflag)
    #expect(after.c_iflag == before.c_iflag)
    #expect(after.c_oflag == before.c_oflag)
    var waiting: Int32 = -1
    #expect(clinux_ioctl(terminal.rawValue, UInt(FIONREAD), &waiting) == 0)
    #expect(waiting == 0)
  }

  @Test("Without signals Ctrl-C and a break are ordinary input")
  func withoutSignals() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try pseudo.open()
    let before = attributes(terminal.rawValue)
    let mode = try TerminalMode(fileDescriptor: terminal.rawValue, sendsSignals: false)
    let raw = attributes(terminal.rawValue)
    #expect(raw.c_lflag & tcflag_t(ISIG | ECHO | ICANON) == 0)
    #expect(raw.c_iflag & tcflag_t(IGNBRK) != 0)
    mode.restore()
    #expect(attributes(terminal.rawValue).c_lflag == before.c_lflag)
    #expect(attributes(terminal.rawValue).c_iflag == before.c_iflag)
    #expect(TerminalMode.isForeground(terminal.rawValue))
  }

  @Test("The size is the terminal's current one, or zero if it reports none")
  func size() throws {
    let pseudo = try PseudoTerminal()
    let terminal = try pseudo.open()
    let mode = try TerminalMode(fileDescriptor: terminal.rawValue)
    #expect(mode.size == (0, 0))
    for (columns, rows) in [(80, 24), (40, 8)] {
      var wanted = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      #expect(clinux_ioctl(pseudo.main, UInt(TIOCSWINSZ), &wanted) == 0)
      #expect(mode.size == (columns, rows))
    }
  }

  @Test("A descriptor that is not a terminal is rejected")
  func refuses() throws {
    let file = try FileDescriptor(opening: "/dev/null", O_RDWR)
    let raw = file.rawValue
    #expect(failure { _ = try TerminalMode(fileDescriptor: raw) } == ENOTTY)
  }
}
