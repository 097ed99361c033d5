// SPDX-License-Identifier: Apache-2.0

import CRelease
import Commands
import Control
import Glibc
import LinuxSystem
import WebRemote

@main
enum FlipclockWeb {
  static func main() {
    let log = Log(program: "flipclock-web")
    if let problem = ProgramArguments.problem {
      log.error(problem)
      exit(EX_USAGE)
    }
    do {
      let options = try WebRemoteOptions(Array(CommandLine.arguments.dropFirst()))
      switch options.action {
      case .help: print(WebRemoteOptions.help, terminator: "")
      case .version:
        print(Release.description(of: "flipclock-web", commit: String(cString: flipclock_commit())))
      case .run: try WebRemoteProgram.run(options)
      }
    } catch let error as UsageError {
      log.error("\(error.line); try --help")
      exit(EX_USAGE)
    } catch let error as WebRemoteProgram.Failure {
      log.error(error.message)
      exit(error.exitStatus)
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }
}
