// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Remotes

/// The program flipclock-host.
package enum HostRemoteProgram: RemoteProgram {
  package static let name = "flipclock-host"
  package static let options = HostRemoteOptions.row

  package static func run(_ options: HostRemoteOptions, log: Log) throws(ProgramFailure) -> Int32 {
    let service = ServiceManager()
    guard let directory = options.stateDirectory(environment: environmentVariable) else {
      throw ProgramFailure(StateDirectory.missing, exitStatus: EX_CONFIG)
    }
    let lock: DirectoryLock
    do throws(DirectoryLock.Failure) { lock = try StateDirectory.lock(directory, mode: 0o700) } catch {
      throw ProgramFailure(error.text(directory), exitStatus: error.exitStatus)
    }
    do throws(SystemError) {
      let loop = try EventLoop()
      let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
      let host = try HostRemote(
        options, stateDirectory: directory, candidates: sockets, on: loop, service: service, log: log)
      try host.run(listeningAt: HostInterface.candidates(environment: environmentVariable))
    } catch { throw ProgramFailure(error) }
    withExtendedLifetime(lock) {}
    return EXIT_SUCCESS
  }
}
