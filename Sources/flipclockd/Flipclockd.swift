// SPDX-License-Identifier: Apache-2.0

import CRelease
import Commands
import Daemon
import Doctor
import Glibc
import LinuxSystem

@main
enum Flipclockd {
  static func main() {
    do throws(StartFailure) { exit(try status()) } catch {
      Log(program: "flipclockd").error(error.description)
      exit(error.exitCode)
    }
  }

  /// Does what the command line asks for, and returns the exit status.
  private static func status() throws(StartFailure) -> Int32 {
    if let problem = ProgramArguments.problem { throw StartFailure(problem, exitCode: EX_USAGE) }
    let request: DaemonRequest
    do throws(UsageError) {
      request = try DaemonRequest(ProgramArguments.words, commit: String(cString: flipclock_commit()))
    } catch {
      throw StartFailure(error.line, exitCode: EX_USAGE)
    }
    switch request {
    case .run(let options): try FlipclockDaemon(options).run()
    case .render(let renderer): try renderer.run()
    case .check(let file, let json): return try CheckCommand.run(file, json: json)
    case .doctor(let socket, let json):
      return try printing { () throws(SystemError) in try DoctorCommand.run(socket: socket, json: json) }
    case .print(let text):
      try printing { () throws(SystemError) in try writeAll(Array(text.utf8), to: STDOUT_FILENO) }
    }
    return EXIT_SUCCESS
  }

  private static func printing<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(StartFailure) -> Value {
    do throws(SystemError) { return try body() } catch {
      throw StartFailure("standard output: \(error.errno)")
    }
  }
}
