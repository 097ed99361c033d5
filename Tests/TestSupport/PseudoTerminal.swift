// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// A pseudo terminal (pty(7)); the test acts as the terminal emulator.
package final class PseudoTerminal {
  package private(set) var main: Int32
  package let path: String

  package init(columns: Int = 0, rows: Int = 0) throws {
    main = clinux_open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    guard main >= 0 else { throw TestSetupError(errno) }
    // Swift does not import the macros TIOCSPTLCK and TIOCGPTN, and its Glibc module has no grantpt.
    var unlocked: Int32 = 0
    var number: Int32 = 0
    guard clinux_ioctl(main, 0x4004_5431, &unlocked) == 0, clinux_ioctl(main, 0x8004_5430, &number) == 0
    else { throw TestSetupError(errno) }
    path = "/dev/pts/\(number)"
    resize(columns: columns, rows: rows)
  }

  deinit { hangUp() }

  package func resize(columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    _ = clinux_ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  package func hangUp() {
    if main >= 0 { close(main) }
    main = -1
  }

  package func open() throws -> FileDescriptor { try FileDescriptor(opening: path, O_RDWR | O_NOCTTY) }

  /// The bytes that have arrived since the last call.
  package func read() -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(main, &buffer, buffer.count)
      if count <= 0 { return result }
      result += buffer[..<count]
    }
  }
}
