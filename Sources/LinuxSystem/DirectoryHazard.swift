// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why another user could replace the files of a directory.
package enum DirectoryHazard: Hashable, Sendable {
  /// The directory belongs neither to root nor to the process's user.
  case foreignOwner(user: UInt32)
  /// Every user may write to it. The value is its permissions, e.g. 0o777.
  case writableByOthers(mode: UInt32)

  /// Nil if only root, the process's user and the directory's group can write to it, or if it cannot be
  /// examined. The corresponding C function is `stat`.
  package init?(_ directory: String, user: UInt32 = geteuid()) {
    var status = stat()
    guard stat(directory, &status) == 0 else { return nil }
    self.init(owner: status.st_uid, mode: status.st_mode, user: user)
  }

  package init?(owner: UInt32, mode: UInt32, user: UInt32) {
    if owner != 0, owner != user {
      self = .foreignOwner(user: owner)
    } else if mode & S_IWOTH != 0 {
      self = .writableByOthers(mode: mode & 0o7777)
    } else {
      return nil
    }
  }

  /// The problem and its remedy; both texts name the directory.
  package func text(_ directory: String) -> (problem: String, remedy: String) {
    switch self {
    case .foreignOwner(let user):
      (
        "\(directory) belongs to another user (\(user)), who could change the saved state",
        "'sudo chown USER \(directory)' gives it to the program's user"
      )
    case .writableByOthers(let mode):
      (
        "every user may write to \(directory) (mode \(String(mode, radix: 8))) and could change the saved state",
        "'chmod o-w \(directory)' prevents that"
      )
    }
  }
}
