// SPDX-License-Identifier: Apache-2.0

import CRelease
import WebRemote
import Remotes

@main
enum FlipclockWeb {
  static func main() { WebRemoteProgram.main(commit: String(cString: flipclock_commit())) }
}
