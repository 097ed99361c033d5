// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Writes all of `bytes` to standard output or another open descriptor.
package func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, _ path: String? = nil
) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = try retryingInterrupts("write", path) {
      rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
    rest = rest.dropFirst(count)
  }
}
