// SPDX-License-Identifier: Apache-2.0

import CRelease
import Commands
import Control
import Glibc
import LinuxSystem
import MQTTRemote
import Settings

@main
enum FlipclockMQTT {
  private static let name = "flipclock-mqtt"

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
    let options: RemoteOptions
    do throws(UsageError) { options = try RemoteOptions(words) } catch {
      return fail("\(error.line); try --help", EX_USAGE)
    }
    switch options.action {
    case .help: return output(RemoteOptions.help)
    case .version:
      return output(Release.description(of: name, commit: String(cString: flipclock_commit())) + "\n")
    case .check:
      let report = ConfigReport(config: options.config)
      let written = output(report.text)
      return report.hasErrors ? EX_CONFIG : written
    case .run: break
    }
    let service = ServiceManager()
    let result = MQTTSettingsLoader.load(options.config, mode: .running)
    for diagnostic in result.diagnostics {
      log.write(diagnostic.severity == .error ? .error : .warning, diagnostic.summary)
    }
    guard let settings = result.settings else {
      return fail("the config has errors; '\(name) --check' shows them", EX_CONFIG)
    }
    do throws(SystemError) {
      let loop = try EventLoop()
      let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
      try MQTTRemote(settings, candidates: sockets, on: loop, service: service, log: log).run()
      return EXIT_SUCCESS
    } catch {
      return fail(error.description, EXIT_FAILURE)
    }
  }

  private static func output(_ text: String) -> Int32 {
    do throws(SystemError) {
      try writeAll(Array(text.utf8), to: STDOUT_FILENO)
      return EXIT_SUCCESS
    } catch {
      return EXIT_FAILURE
    }
  }
}
