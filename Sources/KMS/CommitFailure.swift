// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// What an errno of a commit asks for.
enum CommitFailure: Equatable {
  /// For the moment only: try again a frame later.
  case busy
  /// Somebody else is master, or nobody.
  case notMaster
  case cardGone
  /// Not enough memory or bandwidth: something smaller may do.
  case tooMuch
  /// The kernel does not take it, or the state is not what we think it is.
  case refused

  init(_ error: SystemError) {
    self =
      switch error.errno.rawValue {
      case EBUSY, EAGAIN, EINTR: .busy
      case EACCES, EPERM: .notMaster
      case ENODEV, ENXIO: .cardGone
      case ENOMEM, ENOSPC, E2BIG: .tooMuch
      default: .refused
      }
  }
}
