// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A failed commit's errno, classified by how to react to it.
enum CommitFailure: Equatable {
  /// The card is busy; try again soon.
  case busy
  /// This process is not the DRM master.
  case notMaster
  /// The card was removed.
  case cardGone
  /// The card has too little memory or bandwidth; a smaller mode or format may work.
  case tooMuch
  /// The kernel rejects the state, or the current state is not the expected one.
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
