// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The sole owner of a file descriptor; closes it on destruction.
public struct FileDescriptor: ~Copyable {
  public let rawValue: Int32

  /// Takes ownership of `rawValue`, which must be open.
  public init(owning rawValue: Int32) { self.rawValue = rawValue }

  /// The corresponding C function is `open`; `O_CLOEXEC` is always added.
  public init(opening path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
    rawValue = try retryingInterrupts("open", path) { clinux_open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { _ = close(rawValue) }

  /// Gives up ownership without closing the descriptor.
  public consuming func release() -> Int32 {
    let value = rawValue
    discard self
    return value
  }
}
