// SPDX-License-Identifier: Apache-2.0

import CRelease
import Commands
import Control
import Glibc
import HornRemote
import LinuxSystem

@main
enum FlipclockHorn {
  private static let name = "flipclock-horn"

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) -> Int32 {
    let log = Log(program: name)
    func fail(_ message: String, _ code: Int32) -> Int32 {
      log.error(message)
      return code
    }
    if let problem = ProgramArguments.problem { return fail(problem, EX_USAGE) }
    let options: HornOptions
    do throws(UsageError) { options = try HornOptions(words) } catch {
      return fail("\(error.line); try --help", EX_USAGE)
    }
    do throws(SystemError) {
      switch options.action {
      case .help: try writeAll(Array(HornOptions.help.utf8), to: STDOUT_FILENO)
      case .version:
        let text = Release.description(of: name, commit: String(cString: flipclock_commit()))
        try writeAll(Array("\(text)\n".utf8), to: STDOUT_FILENO)
      case .play(let sound):
        if let error = try HornRemote.play(sound, options, on: try EventLoop()) {
          return fail(error.description, EXIT_FAILURE)
        }
      case .run:
        let service = ServiceManager()
        let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
        try HornRemote(options, candidates: sockets, on: try EventLoop(), service: service, log: log).run()
      }
      return EXIT_SUCCESS
    } catch {
      return fail(error.description, EXIT_FAILURE)
    }
  }
}
