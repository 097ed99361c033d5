// SPDX-License-Identifier: Apache-2.0

import CLinux
import Display
import Glibc
import LinuxSystem

/// Keeps what is written to stderr while the same terminal shows the picture, and writes it out
/// afterwards.
final class HeldLog {
  private let held: FileDescriptor
  private let original: FileDescriptor

  /// Nil where nothing is in the way. The corresponding C functions are `memfd_create` and `dup2`.
  init?(for output: any Output) {
    guard output.traits.contains(.usesTerminal), isatty(STDERR_FILENO) == 1 else { return nil }
    let copy = dup(STDERR_FILENO)
    let memory = clinux_memfd("flipclockd-log")
    guard copy >= 0, memory >= 0 else { return nil }
    original = FileDescriptor(owning: copy)
    held = FileDescriptor(owning: memory)
    dup2(memory, STDERR_FILENO)
  }

  func release() {
    dup2(original.rawValue, STDERR_FILENO)
    lseek(held.rawValue, 0, SEEK_SET)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(held.rawValue, &buffer, buffer.count)
      guard count > 0, write(STDERR_FILENO, buffer, count) == count else { return }
    }
  }
}
