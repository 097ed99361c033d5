// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The sole owner of a file descriptor; closes it on destruction.
package struct FileDescriptor: ~Copyable {
  package let rawValue: Int32

  /// Takes ownership of `rawValue`, which must be open.
  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  /// The corresponding C function is `open`; `O_CLOEXEC` is always added.
  package init(opening path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
    rawValue = try retryingInterrupts("open", path) { clinux_open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { _ = close(rawValue) }

  /// Gives up ownership without closing the descriptor.
  package consuming func release() -> Int32 {
    let value = rawValue
    discard self
    return value
  }
}
