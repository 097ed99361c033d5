// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Remotes

/// The program flipclock-horn.
package enum HornRemoteProgram: RemoteProgram {
  package static let name = "flipclock-horn"
  package static let options = HornRemoteOptions.row

  package static func run(_ options: HornRemoteOptions, log: Log) throws(ProgramFailure) -> Int32 {
    let service = ServiceManager()
    let problem: SoundError?
    do throws(SystemError) {
      let loop = try EventLoop()
      guard let sound = options.sound else {
        let sockets = SocketPath.candidates(option: options.socket, environment: environmentVariable)
        try HornRemote(candidates: sockets, on: loop, service: service, log: log).run()
        return EXIT_SUCCESS
      }
      problem = try HornRemote.play(sound, options, on: loop)
    } catch { throw ProgramFailure(error) }
    if let problem { throw ProgramFailure(problem.description) }
    return EXIT_SUCCESS
  }
}
