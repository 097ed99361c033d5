// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import MQTTConfig
import Remotes

/// The program flipclock-mqtt.
package enum MQTTRemoteProgram: RemoteProgram {
  package static let name = "flipclock-mqtt"
  package static let options = MQTTRemoteOptions.row

  package static func run(_ options: MQTTRemoteOptions, log: Log) throws(ProgramFailure) -> Int32 {
    if options.checks {
      let report = ConfigReport(config: options.config)
      try write(report.text)
      return report.hasErrors ? EX_CONFIG : EXIT_SUCCESS
    }
    let service = ServiceManager()
    let result = MQTTSettingsLoader.load(options.config, mode: .running)
    for diagnostic in result.diagnostics {
      log.write(diagnostic.severity == .error ? .error : .warning, diagnostic.summary)
    }
    guard let settings = result.settings else {
      throw ProgramFailure("the config has errors; '\(name) --check' shows them", exitStatus: EX_CONFIG)
    }
    do throws(SystemError) {
      let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
      let loop = try EventLoop()
      try MQTTRemote(settings, candidates: sockets, on: loop, service: service, log: log).run()
    } catch { throw ProgramFailure(error) }
    return EXIT_SUCCESS
  }
}
