// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CRelease
import Daemon
import LinuxSystem

extension DaemonOptions.DisplayChoice: ExpressibleByArgument {}

/// `WxH`.
struct SizeArgument: ExpressibleByArgument {
  let size: DaemonOptions.FrameSize

  init?(argument: String) {
    guard let size = DaemonOptions.FrameSize(argument) else { return nil }
    self.size = size
  }

  static let defaultValueDescription = "WxH"
}

/// An instant, written as in RFC 3339.
struct InstantArgument: ExpressibleByArgument {
  let instant: DaemonOptions.Moment

  init?(argument: String) {
    guard let instant = DaemonOptions.Moment(rfc3339: argument) else { return nil }
    self.instant = instant
  }
}

/// Refuses empty values, which come from unset shell variables.
func refuseEmpty(_ options: (name: String, value: String?)...) throws {
  for option in options where option.value?.isEmpty == true {
    throw ValidationError("\(option.name) is empty")
  }
}

/// The version, and the error handling of all commands: one line on standard error, and an exit code.
enum Program {
  static let version = DaemonOptions.release(commit: String(cString: flipclock_commit()))

  static func run(_ body: () throws(StartFailure) -> Void) throws {
    do {
      try body()
    } catch {
      Log(program: "flipclockd").error(error.description)
      throw ExitCode(error.exitCode)
    }
  }
}
