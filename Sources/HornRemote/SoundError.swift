// SPDX-License-Identifier: Apache-2.0

import CALSA

/// A failed operation of a sound device.
package struct SoundError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted, such as `open`.
  package var operation: String
  package var device: String
  /// A positive errno value, or another error of ALSA.
  package var code: Int32

  package init(_ operation: String, _ device: String, code: Int32) {
    self.operation = operation
    self.device = device
    self.code = code < 0 ? -code : code
  }

  package var description: String {
    let text = snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)"
    return "cannot \(operation) the sound device '\(device)': \(text)" + (hint.map { "; \($0)" } ?? "")
  }

  /// What to do about the error.
  private var hint: String? {
    switch code {
    case ENOENT, ENODEV, ENXIO: "connect it, or name another with --device ('aplay -L' lists them)"
    case EBUSY: "stop the program that uses it, or name a device that programs can share with --device"
    case EACCES, EPERM: "the user must be a member of the group 'audio'"
    case EINVAL: "name another with --device, for example 'default'"
    default: nil
    }
  }
}
