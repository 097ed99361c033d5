// SPDX-License-Identifier: Apache-2.0

import ControlClient
import Glibc
import JSON
import LinuxSystem

/// `flipclockd doctor`, which `flipclockctl doctor` runs.
package enum DoctorCommand {
  /// Examines the machine and prints the findings.
  ///
  /// - Parameter socket: the value of `--socket`.
  /// - Returns: the exit status.
  package static func run(socket: String?, json: Bool) throws(SystemError) -> Int32 {
    let examination = Examination(.live(socket: socket))
    let text = json ? examination.json.text : examination.text
    try writeAll(Array("\(text)\n".utf8), to: STDOUT_FILENO)
    return (examination.isWell ? CommandStatus.success : .refused).rawValue
  }
}
