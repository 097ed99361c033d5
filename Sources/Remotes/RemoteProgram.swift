// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import LinuxSystem

/// A program for remote controls.
package protocol RemoteProgram {
  associatedtype Options: RemoteOptions
  /// The program's file name.
  static var name: String { get }
  /// Does what the options ask for.
  ///
  /// - Returns: the exit status.
  static func run(_ options: Options, log: Log) throws(ProgramFailure) -> Int32
}

/// The command line of a program for remote controls.
package protocol RemoteOptions {
  /// The text of `--help`.
  static var help: String { get }
  /// What to print in place of the program's work.
  var information: OptionReader.Information? { get }
  /// - Parameter words: the arguments, without the name of the program.
  init(_ words: [String]) throws(UsageError)
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
    // The dynamic linker has read most pages of the program and its libraries. Without them the peak of the memory in use
    // is 2 MiB lower.
    ThisProcess.releaseProgram()
    let log = Log(program: name)
    do throws(ProgramFailure) { exit(try status(commit, log)) } catch {
      log.error(error.message)
      exit(error.exitStatus)
    }
  }

  private static func status(_ commit: String, _ log: Log) throws(ProgramFailure) -> Int32 {
    if let problem = ProgramArguments.problem { throw ProgramFailure(problem, exitStatus: EX_USAGE) }
    let options: Options
    do throws(UsageError) { options = try Options(ProgramArguments.words) } catch {
      throw ProgramFailure("\(error.line); try --help", exitStatus: EX_USAGE)
    }
    switch options.information {
    case .help: try write(Options.help)
    case .version: try write(Release.description(of: name, commit: commit) + "\n")
    case nil: return try run(options, log: log)
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
