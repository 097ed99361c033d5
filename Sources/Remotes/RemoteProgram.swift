// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import LinuxSystem

/// A program for remote controls.
package protocol RemoteProgram {
  associatedtype Options
  /// The program's file name.
  static var name: String { get }
  /// Its command line.
  static var options: CommandRow<Options> { get }
  /// Does what the options ask for.
  ///
  /// - Returns: the exit status.
  static func run(_ options: Options, log: Log) throws(ProgramFailure) -> Int32
}

/// Why a program ends without success.
package struct ProgramFailure: Error, Hashable, Sendable {
  package var message: String
  /// EXIT_FAILURE, or one of sysexits.h.
  package var exitStatus: Int32

  package init(_ message: String, exitStatus: Int32 = EXIT_FAILURE) {
    self.message = message
    self.exitStatus = exitStatus
  }

  package init(_ error: SystemError) { self.init(error.description) }
}

extension RemoteProgram {
  /// - Parameter commit: the commit from which the program was built; empty if it is not known.
  package static func main(commit: String) -> Never {
    ThisProcess.prepare()
    // The dynamic linker has read most pages of the program and its libraries. Releasing them lowers the peak
    // memory use by 2 MiB.
    ThisProcess.releaseProgram()
    let log = Log(program: name)
    do throws(ProgramFailure) { exit(try status(commit, log)) } catch {
      log.error(error.message)
      exit(error.exitStatus)
    }
  }

  private static func status(_ commit: String, _ log: Log) throws(ProgramFailure) -> Int32 {
    if let problem = ProgramArguments.problem { throw ProgramFailure(problem, exitStatus: EX_USAGE) }
    let request: ProgramRequest<Options>
    do throws(UsageError) {
      let version = Release.description(of: name, commit: commit)
      request = try options.request(ProgramArguments.words[...], of: name, version: version)
    } catch {
      throw ProgramFailure("\(error.message.printable); try --help", exitStatus: EX_USAGE)
    }
    switch request {
    case .run(let options): return try run(options, log: log)
    case .print(let text): try write(text)
    }
    return EXIT_SUCCESS
  }

  /// Writes to the standard output.
  package static func write(_ text: String) throws(ProgramFailure) {
    do throws(SystemError) { try writeAll(Array(text.utf8), to: STDOUT_FILENO) } catch {
      throw ProgramFailure(error)
    }
  }
}
