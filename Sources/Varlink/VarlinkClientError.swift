// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Why a call did not succeed.
package enum VarlinkClientError: Error, Hashable, Sendable {
  /// None of the sockets accepts connections; one error for each of them.
  case unreachable([SystemError])
  /// A system call on the connection failed.
  case broken(SystemError)
  /// The service closed the connection before it replied.
  case disconnected
  /// The service closed the connection of a stream.
  case streamEnded
  case timedOut(seconds: Int)
  /// The message is not a Varlink reply, or lacks what the interface declares.
  case malformedReply(String)
  /// The service replied with an error.
  case refused(VarlinkError)
}
