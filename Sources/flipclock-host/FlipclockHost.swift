// SPDX-License-Identifier: Apache-2.0

import CRelease
import HostRemote
import Remotes

@main
enum FlipclockHost {
  static func main() { HostRemoteProgram.main(commit: String(cString: flipclock_commit())) }
}
