// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import Horn
import LinuxSystem
import TestSupport

/// ALSA's configuration for the tests: devices without hardware. `ALSA_CONFIG_PATH` is one variable for the
/// whole process, so all tests share this configuration, and each has its own device and file.
enum SoundCard {
  private static let directory = try? TemporaryDirectory()

  /// The path of the file of a device: `tape0` … `tape10` or `floats`.
  static func tape(_ name: String) -> String { directory?.file(name) ?? "" }

  /// Writes the configuration and sets the variable, once.
  static let isReady: Bool = {
    guard let directory else { return false }
    var text = """
      pcm.silent { type null }
      pcm.linear { type file slave.pcm silent file "\(directory.file("floats"))" format raw }
      pcm.floats { type lfloat slave { pcm linear format S16_LE } }
      pcm.broken { type hw card 31 }

      """
    for number in 0...10 {
      let name = "tape\(number)"
      text += "pcm.\(name) { type file slave.pcm silent file \"\(directory.file(name))\" format raw }\n"
    }
    // Defines `plug`, which otherwise comes from ALSA's own configuration.
    text += """
      pcm.plug {
        @args [ SLAVE ]
        @args.SLAVE { type string }
        type plug
        slave.pcm $SLAVE
      }
      """
    guard directory.write("alsa.conf", text) else { return false }
    return setenv("ALSA_CONFIG_PATH", directory.file("alsa.conf"), 1) == 0
  }()

  /// The frames in the file of a device, left and right.
  static func frames(of name: String) -> [(left: Int16, right: Int16)] {
    let bytes = (try? readFile(tape(name), limit: 1 << 22)) ?? []
    let values = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    return stride(from: 0, to: values.count - 1, by: 2).map { (values[$0], values[$0 + 1]) }
  }
}
