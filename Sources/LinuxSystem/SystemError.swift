// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An `errno` value, read immediately after the call that set it.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's current `errno`.
  package static var current: Errno { Errno(rawValue: errno) }

  package var description: String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// A failed system call: its name, its object, the error, and possibly a remedy.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, e.g. `open`.
  package var operation: String
  /// The path or other object of the call.
  package var subject: String?
  package var errno: Errno
  /// What to do about the error, in one clause.
  package var hint: String?

  package init(_ operation: String, _ subject: String? = nil, errno: Errno = .current, hint: String? = nil) {
    self.operation = operation
    self.subject = subject
    self.errno = errno
    self.hint = hint
  }

  package var description: String {
    var text = operation
    if let subject { text += " \(subject)" }
    text += ": \(errno)"
    if let hint { text += "; \(hint)" }
    return text
  }
}

/// Runs `call` until it no longer fails with EINTR; throws the errno of a result of −1.
package func retryingInterrupts<Result: FixedWidthInteger>(
  _ operation: String, _ subject: @autoclosure () -> String? = nil, _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let error = Errno.current
    if error.rawValue != EINTR { throw SystemError(operation, subject(), errno: error) }
  }
}
