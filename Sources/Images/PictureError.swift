// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// Why a file cannot be shown as a picture.
package enum PictureError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  /// The file has more bytes than `Picture.byteLimit`.
  case tooManyBytes
  case empty
  /// The file is of another format, such as `a JPEG`; nil: of an unknown one.
  case notPNG(String?)
  case animated
  /// A side is longer than `Picture.sideLimit`.
  case tooLarge(PixelSize)
  /// What libpng found.
  case damaged(String)

  /// One line about the file at `path`.
  package func description(of path: String) -> String { "the picture '\(path)' \(message); \(hint)" }

  /// What is wrong with the file, as a clause without a subject.
  package var message: String {
    switch self {
    case .unreadable(let error): "cannot be read: \(error.errno)"
    case .tooManyBytes: "has more than \(Picture.byteLimit >> 20) MiB"
    case .empty: "is empty"
    case .notPNG(let format): "is \(format ?? "of an unknown format"), not a PNG"
    case .animated: "is an animated PNG"
    case .tooLarge(let size):
      "has \(size.width)x\(size.height) pixels; at most \(Picture.sideLimit)x\(Picture.sideLimit) are allowed"
    case .damaged(let reason): "is damaged: \(reason)"
    }
  }

  /// What to do about it, in one clause.
  package var hint: String {
    switch self {
    case .unreadable(let error): error.hint ?? Self.remedy(error.errno.rawValue)
    case .tooManyBytes, .tooLarge: "save a smaller version of it"
    case .empty, .damaged: "copy it again, or save it again as PNG"
    case .notPNG: "save it as PNG"
    case .animated: "save one of its frames as PNG"
    }
  }

  private static func remedy(_ errno: CInt) -> String {
    switch errno {
    case ENOENT: "a relative path begins at the directory of the file in which it is written"
    case EACCES, EPERM: "the user that runs flipclockd must be able to read it"
    case ENOTDIR: "only directories may precede the last '/'; for a single picture write 'file', not 'folder'"
    case ELOOP: "a symbolic link in the path leads back to itself; write the path of the file"
    case ENAMETOOLONG: "write a shorter path"
    default: "'ls -l' and 'dmesg' may say more"
    }
  }
}
