// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An `errno` value, read immediately after the call that set it.
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's current `errno`.
  public static var current: Errno { Errno(rawValue: errno) }

  public var description: String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// A failed system call: its name, its object, the error, and possibly a remedy.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, e.g. `open`.
  public var operation: String
  /// The path or other object of the call.
  public var subject: String?
  public var errno: Errno
  /// What to do about the error, in one clause.
  public var hint: String?

  public init(_ operation: String, _ subject: String? = nil, errno: Errno = .current, hint: String? = nil) {
    self.operation = operation
    self.subject = subject
    self.errno = errno
    self.hint = hint
  }

  public var description: String {
    var text = operation
    if let subject { text += " \(subject)" }
    text += ": \(errno)"
    if let hint { text += "; \(hint)" }
    return text
  }
}

/// Runs `call` until it no longer fails with EINTR; throws the errno of a result of −1.
@inlinable
public func retryingInterrupts<Result: FixedWidthInteger>(
  _ operation: String, _ subject: @autoclosure () -> String? = nil, _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let error = Errno.current
    if error.rawValue != EINTR { throw SystemError(operation, subject(), errno: error) }
  }
}
