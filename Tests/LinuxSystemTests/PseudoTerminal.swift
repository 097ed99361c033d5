// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

/// A pseudo terminal (pty(7)); the test takes the part of the terminal emulator.
final class PseudoTerminal {
  let main: Int32
  let path: String

  init() throws {
    main = clinux_open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    try #require(main >= 0)
    // Swift does not import the macros TIOCSPTLCK and TIOCGPTN, and its Glibc module has no grantpt.
    var unlocked: Int32 = 0
    var number: Int32 = 0
    try #require(clinux_ioctl(main, 0x4004_5431, &unlocked) == 0)
    try #require(clinux_ioctl(main, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
  }

  deinit { close(main) }

  func open() throws -> FileDescriptor { try FileDescriptor(opening: path, O_RDWR | O_NOCTTY) }
}
