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
    guard let directory = options.stateDirectory(environment: environmentVariable) else {
      throw ProgramFailure(StateDirectory.missing, exitStatus: EX_CONFIG)
    }
    let lock: DirectoryLock
    do throws(DirectoryLock.Failure) { lock = try StateDirectory.lock(directory, mode: 0o700) } catch {
      throw ProgramFailure(error.text(directory), exitStatus: error.exitStatus)
    }
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop() } catch { throw ProgramFailure(error) }
    let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
    let program = try MQTTService(
      options.config, directory: directory, candidates: sockets, on: loop, service: service, log: log)
    do throws(SystemError) {
      try program.run(listeningAt: MQTTInterface.candidates(environment: environmentVariable))
    } catch { throw ProgramFailure(error) }
    withExtendedLifetime(lock) {}
    return EXIT_SUCCESS
  }
}
