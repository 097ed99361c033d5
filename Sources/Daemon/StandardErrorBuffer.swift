// SPDX-License-Identifier: Apache-2.0

import CLinux
import Display
import Glibc
import LinuxSystem

/// Collects what is written to standard error while the same terminal shows the picture, and writes it out
/// afterwards.
final class StandardErrorBuffer {
  private let buffer: FileDescriptor
  private let original: FileDescriptor

  /// Redirects standard error to memory (memfd_create(2), dup2(2)). Nil if it need not or cannot be
  /// redirected.
  init?(for displays: any Displays) {
    guard displays.traits.contains(.usesTerminal), isatty(STDERR_FILENO) == 1 else { return nil }
    let copy = dup(STDERR_FILENO)
    let memory = clinux_memfd("flipclockd-log")
    guard copy >= 0, memory >= 0 else { return nil }
    original = FileDescriptor(owning: copy)
    buffer = FileDescriptor(owning: memory)
    dup2(memory, STDERR_FILENO)
  }

  /// Restores standard error and writes out what was collected.
  func flush() {
    dup2(original.rawValue, STDERR_FILENO)
    lseek(buffer.rawValue, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(buffer.rawValue, &bytes, bytes.count)
      guard count > 0, write(STDERR_FILENO, bytes, count) == count else { return }
    }
  }
}
